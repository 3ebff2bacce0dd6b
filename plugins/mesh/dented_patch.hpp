#pragma once
/// \file The depth of a mesh in a body of any form: tops and saddles on the surface, which are the contacts.

#include <cstdint>
#include <span>
#include <vector>

#include "critical_point.hpp"
#include "sampled_mesh.hpp"

namespace scree::mesh {

/// Finds the contacts of a smooth body with a mesh where the body may have dents, or faces that are nearly flat.
///
/// With u the depth of a point of the mesh in the body, the energy is
///
///     E = int phi'(c) n(c) dc = sum of phi(u) over tops - sum of phi(u) over saddles at which two parts come together
///
/// with n the number of separate parts of the mesh that are deeper than c. It is continuous: a top is born together
/// with its saddle. A rock that stands on three corners has three contacts, and a cup on its rim is not pushed from
/// within its ring. Parts and where they come together are found on samples, by adding them from the deepest on; places
/// and depths are then found by Newton's method. A convex body has one top on each flat part, as in SmoothPatch.
class DentedPatch {
 public:
  /// \param limits  depths below `least` are left out; samples are taken down to `margin` less
  /// \param margin  largest difference by which a top may lie deeper than the samples around it [m]
  std::span<const CriticalPoint> find(const PlacedMesh& surface, const SmoothField& field,
                                      const SampledMesh::Limits& limits, double margin);

 private:
  /// Node at which two parts come together, named by indices of tops_.
  struct Junction {
    std::uint32_t node, deeper, other;
  };
  void join_parts();
  std::uint32_t root(std::uint32_t top);
  CriticalPoint plain(std::uint32_t node, int weight) const;

  const PlacedMesh* surface_ = nullptr;
  const SmoothField* field_ = nullptr;
  SampledMesh samples_;
  std::vector<std::uint32_t> order_, rank_, region_, tops_, parent_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> joins_;  ///< ranks of both ends of an edge, the later one first
  std::vector<Junction> junctions_;
  std::vector<CriticalPoint> found_;
};

}  // namespace scree::mesh
