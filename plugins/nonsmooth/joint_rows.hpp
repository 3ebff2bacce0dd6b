#pragma once
/// \file Joints in the problem of a step: rows after those of the contacts, aimed so that the points of a joint meet at
/// the end of the step.
///
/// With u = v_b + omega_b x arm_b - (v_a + omega_a x arm_a) the points move apart, in a step, by dt (u + c), c what the
/// arms turn beyond omega x arm dt. Impulses act on the arms of the start, the points meet at the end: SHAKE, which is
/// symplectic and has no drift.
///
/// \source J.-P. Ryckaert, G. Ciccotti, H. J. C. Berendsen, J. Comput. Phys. 23 (1977) 327; B. Leimkuhler, R. Skeel,
///         J. Comput. Phys. 112 (1994) 117 (SHAKE as a symplectic map)

#include "contact_problem.hpp"
#include "scree/integrate/joints.hpp"

namespace scree::nonsmooth {

/// Behind the contacts of set_up(), with the impulses of the step before; for aim_joints() to complete.
template <int D>
void append_joints(std::span<const Joint> joints, StepProblem<D>& step);

/// Chooses w of the joints' rows for bodies that turn through the step as they would with the step's impulses.
/// \return how far points would be from each other at the end with these impulses, at most [m]
template <int D>
double aim_joints(const World& world, std::span<const Joint> joints, double dt, StepProblem<D>& step);

}  // namespace scree::nonsmooth
