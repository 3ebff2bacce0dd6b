#pragma once
/// \file Periodic cell: opposite sides are the same place, in some directions or none. It may deform.

#include <cmath>
#include <cstdint>
#include <utility>

#include "scree/base/shortest_way.hpp"
#include "scree/base/types.hpp"

namespace scree {

/// Image: a whole number of cells in each direction. Image (1, 0, 0) of a body lies one cell to the right of it.
using Image = Eigen::Matrix<int, 3, 1>;

/// New numbers of the same images: new image = matrix * image.
using ImageChange = Eigen::Matrix<int, 3, 3>;

/// The lattice of a body and its images, by three edges: x along the first axis, y in the plane of the first two.
///
/// The edges may lean. Bodies are then kept in the upright box at `lower` whose sides have the lengths of the edges
/// along the axes. It holds one image of each place, as the leaning cell does. The box above it is displaced sideways:
///
///      |  1' 2' |  1' 2' |          edge y = (tilt, height)
///      +--+-----+--+-----+
///    2 |  1   2 |  1   2 |  1       images of 1 and 2 above are displaced by the tilt
///    --+--------+--------+-
///
/// So what asks for sides, lengths and regions along the axes need not know of tilts (Lees and Edwards 1972).
struct PeriodicCell {
  PeriodicCell() = default;
  /// Makes a box at rest. \param length  [m]; 0 = not periodic in this direction
  PeriodicCell(const Vec3& lower_corner, const Vec3& length) : lower(lower_corner), edges(length.asDiagonal()) {}

  Vec3 lower = Vec3::Zero();  ///< corner of the box [m]
  /// Upper triangular; column k is an edge [m]: it leads from a body to its next image. 0 = not periodic.
  Mat3 edges = Mat3::Zero();
  /// Rate of change of the edges [m/s], upper triangular. In each step World::move_prescribed() moves edges by it, and
  /// keeps the centre of the box.
  Mat3 rate = Mat3::Zero();

  /// Returns the length of the box along an axis [m].
  double length(int axis) const { return edges(axis, axis); }
  bool periodic(int axis) const { return length(axis) > 0; }
  bool any() const { return edges.diagonal().maxCoeff() > 0; }
  /// Checks whether edges are those of a lattice: edge y has no part along z, and edge x lies along x.
  bool is_triangular() const { return edges(1, 0) == 0 && edges(2, 0) == 0 && edges(2, 1) == 0; }
  /// Checks whether the edges lie along the axes.
  bool is_box() const { return Mat3(edges.diagonal().asDiagonal()) == edges; }
  /// Checks whether images have another velocity than their bodies.
  bool deforms() const { return !rate.isZero(0); }

  /// Returns the image of the box that x lies in; (0, 0, 0) is the box itself.
  Image image_of(Vec3 x) const {
    Image image = Image::Zero();
    for (int k = 2; k >= 0; --k)
      if (periodic(k)) {
        image[k] = static_cast<int>(std::floor((x[k] - lower[k]) / length(k)));
        x -= image[k] * edges.col(k);
      }
    return image;
  }
  /// Returns the image of x that lies in the box [m].
  Vec3 inside(const Vec3& x) const { return x - shift(image_of(x)); }
  /// Returns the shortest of a displacement's images [m]: the path of a body that moved less than half of the box's
  /// lengths.
  Vec3 shortest(const Vec3& way) const { return shortest_way(edges, way); }
  /// Returns the vector from a body to its image [m].
  Vec3 shift(const Image& image) const { return edges * image.cast<double>(); }
  /// Returns the velocity of an image relative to its body [m/s].
  Vec3 velocity(const Image& image) const { return rate * image.cast<double>(); }
  /// Replaces edges that lean by more than half of a length by shorter ones of the same lattice.
  /// \return new numbers of images; the identity if no edge was replaced
  ImageChange reduce_tilts() {
    constexpr double kMost = 0.51;  // a tilt that swings about one half is not replaced again and again
    ImageChange all = ImageChange::Identity();
    for (const auto& [along, edge] : {std::pair(1, 2), {0, 2}, {0, 1}}) {
      if (!periodic(along) || std::abs(edges(along, edge)) <= kMost * length(along)) continue;
      const double times = std::round(edges(along, edge) / length(along));
      edges.col(edge) -= times * edges.col(along);
      rate.col(edge) -= times * rate.col(along);
      ImageChange one = ImageChange::Identity();
      one(along, edge) = static_cast<int>(times);
      all = one * all;
    }
    return all;
  }
  /// Returns the volume of the box, in 2D its area, along the axes that are periodic [m^d]; 1 if none is.
  double volume() const {
    double product = 1;
    for (int k = 0; k < 3; ++k)
      if (periodic(k)) product *= length(k);
    return product;
  }
};

/// Calls each(image) for every image whose shift lies in the box from `low` to `high` [m], as far as it is periodic.
template <class Each>
void for_each_image(const PeriodicCell& cell, const Vec3& low, const Vec3& high, const Each& each) {
  Image image = Image::Zero();
  const auto first = [&](int k) {
    return cell.periodic(k) ? static_cast<int>(std::ceil((low[k] - cell.shift(image)[k]) / cell.length(k))) : 0;
  };
  const auto last = [&](int k) {
    return cell.periodic(k) ? static_cast<int>(std::floor((high[k] - cell.shift(image)[k]) / cell.length(k))) : 0;
  };
  const int end_z = last(2);
  for (int z = first(2); z <= end_z; ++z) {
    image = {0, 0, z};
    const int end_y = last(1);
    for (int y = first(1); y <= end_y; ++y) {
      image = {0, y, z};
      const int first_x = first(0), end_x = last(0);
      for (int x = first_x; x <= end_x; ++x) each(Image(x, y, z));
    }
    image = Image::Zero();
  }
}

/// Packs an image into one number, which orders pairs and is the key of their history; 0 is the body itself. Components
/// range from -511 to 511.
inline std::int32_t packed(const Image& image) { return image[0] + 1024 * (image[1] + 1024 * image[2]); }

/// Unpacks a number made by packed().
inline Image unpacked(std::int32_t code) {
  Image image;
  for (int k = 0; k < 3; ++k) {
    image[k] = ((code + 512) & 1023) - 512;
    code = (code - image[k]) / 1024;
  }
  return image;
}

}  // namespace scree
