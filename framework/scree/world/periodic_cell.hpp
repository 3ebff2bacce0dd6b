#pragma once
/// \file Periodic cell: opposite sides are the same place, in some directions or none. It may deform.

#include <cmath>
#include <cstdint>

#include "scree/base/types.hpp"

namespace scree {

/// Image: a whole number of cells in each direction. Image (1, 0, 0) of a body lies one cell to the right of it.
using Image = Eigen::Matrix<int, 3, 1>;

struct PeriodicCell {
  PeriodicCell() = default;
  /// Makes a box at rest. \param length  [m]; 0 = not periodic in this direction
  PeriodicCell(const Vec3& lower_corner, const Vec3& length) : lower(lower_corner), edges(length.asDiagonal()) {}

  Vec3 lower = Vec3::Zero();  ///< corner [m]
  Mat3 edges = Mat3::Zero();  ///< column k leads from a side to the opposite one [m]; 0 = not periodic
  Mat3 rate = Mat3::Zero();   ///< rate of change of the edges [m/s]

  double length(int axis) const { return edges(axis, axis); }  ///< [m]
  bool periodic(int axis) const { return length(axis) > 0; }
  bool any() const { return edges.diagonal().maxCoeff() > 0; }
  /// Checks whether the sides meet at right angles, along the axes. Pairs cannot be listed in other cells yet.
  bool is_box() const { return Mat3(edges.diagonal().asDiagonal()) == edges; }
  /// Checks whether images have another velocity than their bodies.
  bool deforms() const { return !rate.isZero(0); }

  /// Returns the image of the cell that x lies in; (0, 0, 0) is the cell itself. \pre is_box()
  Image image_of(const Vec3& x) const {
    Image image = Image::Zero();
    for (int k = 0; k < 3; ++k)
      if (periodic(k)) image[k] = static_cast<int>(std::floor((x[k] - lower[k]) / length(k)));
    return image;
  }
  /// Returns the image of x that lies in the cell [m]. \pre is_box()
  Vec3 inside(const Vec3& x) const { return x - shift(image_of(x)); }
  /// Returns the shortest of a displacement's images [m]: the path of a body that moved less than half of the cell's
  /// length.
  /// \pre is_box()
  Vec3 shortest(Vec3 way) const {
    for (int k = 0; k < 3; ++k)
      if (periodic(k)) way[k] -= length(k) * std::round(way[k] / length(k));
    return way;
  }
  /// Returns the vector from a body to its image [m].
  Vec3 shift(const Image& image) const { return edges * image.cast<double>(); }
  /// Returns the velocity of an image relative to its body [m/s].
  Vec3 velocity(const Image& image) const { return rate * image.cast<double>(); }
};

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
