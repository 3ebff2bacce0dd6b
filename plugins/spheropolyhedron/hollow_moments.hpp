#pragma once
/// \file Volume and moments of swept polyhedra with hollow edges, where parts of the sweep overlap.

#include "moments.hpp"

namespace scree::spheropolyhedron {

/// By cells of space: those that the surface does not reach count as a whole or not at all, the others are divided, and
/// the smallest ones are cut by the plane nearest to the surface. Two sizes of cells are extrapolated (Richardson). The
/// error is below 1e-4 of the volume.
VolumeIntegrals hollow_integrals(const Polyhedron& body, double radius);

}  // namespace scree::spheropolyhedron
