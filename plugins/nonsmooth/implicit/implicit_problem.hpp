#pragma once
/// \file The friction problem of one iterate: what contacts do to bodies that implicit bonds hold together, and to all
/// others, as one matrix W = J A^-1 J^T/dt^2.

#include "contact_problem.hpp"
#include "implicit/implicit_motion.hpp"

namespace scree::nonsmooth {

/// Blocks of W between contacts of one fragment, a bound.
template <int D>
std::size_t bonded_blocks(const StepProblem<D>& step, const ImplicitMotion& bodies);
/// Blocks of W beyond which a step is given up [-]: 8 GB.
inline constexpr std::size_t kMostBlocks = 100'000'000;

/// \param step    after set_up(): contacts with frames and w, free bodies with their velocities without contacts
/// \param bodies  after linearise()
/// \return contacts in the order of step.problem.contacts
/// \throws NumericalError where W would not fit into memory
template <int D>
coulomb::DelassusProblem<D> implicit_problem(const StepProblem<D>& step, const ImplicitMotion& bodies);

/// Forces of contacts on bodies, J^T r/dt. \param out  (bodies)
template <int D>
void add_pushes(const StepProblem<D>& step, double dt, std::span<Wrench> out);

}  // namespace scree::nonsmooth
