#pragma once
/// \file Sums over the contacts of each body: number of bodies that it touches, and its stress.

#include <vector>

#include "scree/hooks/contact_view.hpp"
#include "scree/world/world.hpp"

namespace scree::vtk {

/// By row of the World.
struct ContactSums {
  std::vector<std::uint32_t> coordination;  ///< bodies that it touches or that pull at it; images count singly
  std::vector<Mat3> stress;                 ///< [Pa], compression positive: see mean_stress()
};

/// Mean stress in a body of volume V (in 2D area times thickness) that contact forces f act on at r from its centre:
/// sigma = -1/V sum f (x) r, first index the force's. (Love 1927, Weber 1966; without the terms of its acceleration.)
/// Bodies without mass or density have none.
ContactSums contact_sums(const World& world, const ContactView& contacts);

/// A third of the trace in 3D; in 2D half of that in the plane [Pa].
double pressure_of(const Mat3& stress, int dimension);

}  // namespace scree::vtk
