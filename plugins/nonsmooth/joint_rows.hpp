#pragma once
/// \file Joints in the problem of a step: rows after those of the contacts, aimed so that the points of a joint meet at
/// the end of the step.
///
/// With u = v_b + omega_b x arm_b - (v_a + omega_a x arm_a) the points move apart, in a step, by dt (u + c), c what the
/// arms turn beyond omega x arm dt. Impulses act on the arms of the start, the points meet at the end: SHAKE, which is
/// symplectic and has no drift. c hangs on the spins that come out, so the step is solved for a c, again for the c of
/// what came out, and so on. Where that leads nowhere, as for a chain that is pulled taut within the step and has no
/// such motion, u closes a share of the gap of the start and no more.
///
/// \source J.-P. Ryckaert, G. Ciccotti, H. J. C. Berendsen, J. Comput. Phys. 23 (1977) 327; B. Leimkuhler, R. Skeel,
///         J. Comput. Phys. 112 (1994) 117 (SHAKE as a symplectic map)

#include "contact_problem.hpp"
#include "scree/integrate/impulse_problem.hpp"

namespace scree::nonsmooth {

/// Behind the contacts of set_up(), with the impulses of the step before; for aim_joints() to complete.
template <int D>
void append_joints(std::span<const Joint> joints, StepProblem<D>& step);

/// Largest distance between the points of a joint at the end of a step.
struct Apart {
  double length = 0;    ///< [m]
  double relative = 0;  ///< to the arms [-]
};

/// Chooses w of the joints' rows so that points would meet if bodies had the motion they have with the step's impulses.
/// \return distances with these impulses
template <int D>
Apart aim_joints(const World& world, std::span<const Joint> joints, double dt, StepProblem<D>& step);

/// Chooses w of the joints' rows for bodies that move as without any contact and joint.
template <int D>
void aim_joints_freely(const World& world, std::span<const Joint> joints, double dt, StepProblem<D>& step);

/// Chooses w of the joints' rows so that a share of the gap of the start is closed, but for what arms turn.
/// \param rate  this share [-]
template <int D>
void close_joints(std::span<const Joint> joints, double rate, double dt, StepProblem<D>& step);

}  // namespace scree::nonsmooth
