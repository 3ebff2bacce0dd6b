#pragma once
/// \file Triangles near the spheres of a chunk, kept in its cache from one rebuild of the pair list to the next.

#include <cstdint>
#include <span>
#include <vector>

#include "scree/base/types.hpp"
#include "scree/detect/pair.hpp"

namespace scree::mesh {

/// Lists of a chunk, one per sphere, in the order of pairs and their spheres. A list is complete as long as its sphere
/// is within the slack of where it was, seen from the mesh: also where the mesh turns.
class NearTriangles {
 public:
  /// Lists while they are made.
  struct Made {
    struct Sphere {
      double place[3];           ///< in the mesh's frame [m]
      std::uint32_t begin, end;  ///< its triangles
      double slack;              ///< [m], in the mesh's lengths
    };
    std::vector<Sphere> spheres;
    std::vector<std::uint32_t> triangles;
  };
  static void store(const Made& made, PairCache& cache);

  /// Reads what a cache holds; nothing if none was stored.
  explicit NearTriangles(PairCache& cache);

  /// Returns whether the list of a sphere is complete for it at this place in the mesh's frame.
  bool serves(std::size_t sphere, const Vec3& place) const;
  /// \pre serves()
  std::span<const std::uint32_t> of(std::size_t sphere) const {
    return {triangles_ + spheres_[sphere].begin, triangles_ + spheres_[sphere].end};
  }

 private:
  struct Header {
    std::uint64_t spheres, triangles;
  };
  const Header* header_;
  const Made::Sphere* spheres_;
  const std::uint32_t* triangles_;
};

}  // namespace scree::mesh
