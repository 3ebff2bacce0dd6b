#pragma once
/// \file A law in contacts that come and go.

#include "conformance/law_columns.hpp"

namespace scree::conformance {

/// Contacts close, slide, roll and open along random paths, each from apart to apart. A contact that stores energy
/// gives it back by then, and dashpots and friction have taken some. \param range     the law's [m] \param contacts for
/// masses, radii and columns of bodies \return the most work that a contact has given in a cycle, as part of what it
/// did to and fro; below 0 where all took
double work_of_cycles(const ForceFace& law, double range, const Contacts& contacts);

/// How long a head-on contact without dashpots lasts [s], of mass and radius 1e-3 kg and 1e-3 m, that goes about a
/// thousandth of the radius deep; 0 where it does not end.
double half_period(const ForceFace& law, const Contacts& contacts);

}  // namespace scree::conformance
