#pragma once
/// \file Field of matter as a level set, in which depth below an outer surface is measured.

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "scree/base/types.hpp"

namespace scree::culling {

struct Ball {
  Vec3 centre;    ///< [m]
  double radius;  ///< [m]
};

/// Signed distances [m] of points [m] from some body, negative inside.
using DistanceOf = std::function<void(std::span<const Vec3>, std::span<double>)>;

struct FieldBox {
  Vec3 lower, upper;  ///< [m]
  double voxel;       ///< edge [m]
};

struct Triangles {
  std::vector<Vec3> points;  ///< [m]
  std::vector<std::array<std::uint32_t, 3>> corners;
};

/// Matter within a box, empty at first. Beyond the box nothing is known: it is neither matter nor air.
class SolidField {
 public:
  virtual ~SolidField();
  /// Union with balls.
  virtual void add(std::span<const Ball> balls) = 0;
  /// Union with a wall, within the box. \param exact  its distance changes by at most the way a point goes
  virtual void add_wall(const DistanceOf& wall, bool exact) = 0;
  virtual void subtract(std::span<const Ball> balls) = 0;
  /// Dilates, then erodes: gaps narrower than 2 r are filled. \param r  [m]
  virtual void close(double r) = 0;
  /// Air that neither reaches the sides of the box nor touches a wall becomes matter.
  virtual void fill_cavities() = 0;
  /// Computes the depth of points below the surface [m], below 0 in the air.
  virtual void depth(std::span<const Vec3> points, std::span<double> depth) = 0;
  /// Finds points less deep than some depth, like depth() to a voxel, for few points.
  virtual void shallower(std::span<const Vec3> points, double than, std::span<char> is) = 0;
  /// Number of connected pieces of matter.
  virtual std::size_t components() = 0;
  /// The surface, for pictures.
  virtual Triangles surface() = 0;
};

/// Voxels of one byte each, and exact Euclidean distance transforms.
/// \throws NumericalError where the box has kMostDenseVoxels or more
std::unique_ptr<SolidField> make_dense_field(const FieldBox& box);
inline constexpr double kMostDenseVoxels = 6e8;  // a byte and a float each: 3 GB

/// Sparse, by OpenVDB: the same bits, in time and memory that grow with matter and not with the box.
/// \param deepest  depths are told up to this; greater ones read as this at least [m]
/// \throws NumericalError where the box has 3e11 voxels or more, or scree was built without OpenVDB
std::unique_ptr<SolidField> make_openvdb_field(const FieldBox& box, double deepest);
bool has_openvdb();

enum class FieldKind { automatic, dense, openvdb };
/// \param balls  number that will be added: automatic takes OpenVDB if the box is much larger than they are
std::unique_ptr<SolidField> make_field(FieldKind kind, const FieldBox& box, double deepest, std::size_t balls);

}  // namespace scree::culling
