#pragma once
/// \file Sums of a cell that fields are made from.

#include <cstddef>
#include <span>
#include <vector>

#include "grid.hpp"
#include "scree/hooks/contact_view.hpp"
#include "scree/plugin/chosen_groups.hpp"
#include "scree/world/world.hpp"

namespace scree::fields {

/// Places of a cell's sums, all per volume. Of bodies: their number, volume, mass, momentum m v, m v v (xx, yy, zz, xy,
/// yz, zx), and ends of contacts. Of branches: f l (xx, xy, xz, yx, ...). At contact points: forces from outside,
/// number of contacts, and n n (xx, yy, zz, xy, yz, zx).
enum Sum : std::size_t {
  kNumber = 0,
  kVolume = 1,
  kMass = 2,
  kMomentum = 3,
  kMotion = 6,
  kEnds = 12,
  kForces = 13,
  kBoundary = 22,
  kContacts = 25,
  kFabric = 26,
  kSums = 32
};

/// Mass and momentum that lie beyond ends of the grid.
struct Outside {
  double mass = 0;               ///< [kg]
  Vec3 momentum = Vec3::Zero();  ///< [kg m/s]
  Outside& operator+=(const Outside& more) {
    mass += more.mass, momentum += more.momentum;
    return *this;
  }
};

/// Adds a moment to the sums of all cells. \param sums  (cells, kSums)
///
/// Bodies count at their centre of mass. The force of a contact is spread along its branch, from centre to centre, by
/// three points of Gauss per 1.5 widths of the kernel. Bodies that are not chosen, or do not move freely, are walls: a
/// branch to one ends at the contact point, where its force is one from outside (Weinhart, Thornton, Luding, Bokhove,
/// Granular Matter 14 (2012) 289). Where bodies are stored, sums of contacts become NaN: contacts among them are not
/// computed. Bodies count in the order of ids and contacts in theirs, so sums do not depend on rows.
Outside add_moment(const Grid& grid, const World& world, const ContactView& contacts, const ChosenGroups& chosen,
                   std::span<double> sums);

/// Returns the mean diameter of bounding spheres of chosen bodies that move freely [m]; 0: there are none.
double mean_diameter(const World& world, const ChosenGroups& chosen);

}  // namespace scree::fields
