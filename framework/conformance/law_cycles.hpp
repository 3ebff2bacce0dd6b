#pragma once
/// \file Law in contacts that close and open.

#include "conformance/law_columns.hpp"

namespace scree::conformance {

/// Returns the largest work that a contact has given in a cycle, over the work done on it in both directions; below 0
/// if all contacts took work. Contacts close, slide, roll and open along random paths, each from apart to apart. A
/// contact that stores energy has returned it by then, and dashpots and friction have taken some.
/// \param range     range of the law [m]
/// \param contacts  masses, radii and columns of bodies
double work_of_cycles(const ForceFace& law, double range, const Contacts& contacts);

/// Returns the duration of a head-on contact without dashpots [s], of mass 1e-3 kg and radius 1e-3 m, that reaches
/// about a thousandth of the radius; 0 if it does not end.
double half_period(const ForceFace& law, const Contacts& contacts);

}  // namespace scree::conformance
