#pragma once
/// \file The bonded tetrahedra of a World, as the geometry of fragments wants them.

#include "packing/elements.hpp"
#include "scree/world/world.hpp"
#include "writer/fragments.hpp"

namespace scree::bonded {

/// Bodies in order of id, the bonds between them in the World's order, and how many bonds each had with tetrahedra that
/// were removed: their shape and place are not known any more.
struct SolidFrame {
  std::vector<Id> id;
  std::vector<Vec3> position;
  std::vector<Quat> orientation;
  std::vector<double> tetrahedron, speed, mass;  ///< (12 bodies) [m], (bodies) [m/s], (bodies) [kg]
  std::vector<Joint> joints;
  std::vector<std::uint32_t> lost;  ///< (bodies)

  SolidState state() const { return {position, orientation, tetrahedron}; }
  std::size_t size() const { return id.size(); }
};

/// Without bodies where no body is a tetrahedron.
SolidFrame solid_frame(const World& world);

}  // namespace scree::bonded
