#pragma once
/// \file From the contacts of a step to the discrete Coulomb friction problem, and back. SI units.

#include <span>
#include <vector>

#include "scree/integrate/impulse_problem.hpp"
#include "solvers/coulomb/solve.hpp"
#include "solvers/rigid_rows.hpp"

namespace scree::nonsmooth {

using coulomb::contact_frame;
using coulomb::DriftControl;
using coulomb::free_body;
using coulomb::normal_bound;
using coulomb::NormalBound;

template <int D>
coulomb::Vec<D> plane(const Vec3& v) {
  return v.head<D>();
}
inline Vec3 space(const coulomb::Vec<2>& v) { return {v[0], v[1], 0}; }
inline Vec3 space(const coulomb::Vec<3>& v) { return v; }
/// Returns an angular velocity or a moment as a vector.
inline Vec3 about_axes(const coulomb::Vec<1>& spin) { return {0, 0, spin[0]}; }
inline Vec3 about_axes(const coulomb::Vec<3>& spin) { return spin; }

/// Figure of the World: whether no impulses kept the bodies of the last step apart.
inline constexpr const char* kInfeasible = "solver_infeasible";

/// The problem of one step and the impulses to start from. Joints come after the contacts.
template <int D>
struct StepProblem {
  coulomb::RigidProblem<D> problem;
  std::vector<coulomb::Vec<D>> impulses;      ///< per contact and joint [N s]; in: of the one it continues
  std::vector<double> drift;                  ///< drift of each contact: see NormalBound [m/s]
  std::vector<double> slant;                  ///< slant of each contact: see find_flush() [m/s]
  std::vector<coulomb::RigidBody<D>> bodies;  ///< with their velocities of the end, where joints have asked for them
  coulomb::Workspace<D> workspace;            ///< working memory of the solver, kept from step to step
};

/// \param external  wrenches besides contacts: bodies get the velocities of the end of the step without contacts
template <int D>
void set_up(const World& world, std::span<const ConeContact> contacts, const Wrenches& external,
            const DriftControl& control, double dt, StepProblem<D>& step);

/// Impulses on b in world axes [N s].
template <int D>
void to_world(const StepProblem<D>& step, std::span<Vec3> impulses);

/// Work that drift control did on the bodies, sum of r_N drift, and what keeps the points of joints together [J].
template <int D>
double drift_work(const StepProblem<D>& step);

}  // namespace scree::nonsmooth
