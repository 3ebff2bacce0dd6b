#pragma once
/// \file The signed distance of any planar shape as a table: what kernels read where the host calls SignedDistance.
///
/// A square about the origin of the body frame is a grid of cells. A cell in which the field is not smooth enough is
/// split into a block of kBakedSplit x kBakedSplit smaller cells, these again where needed. Within a cell the distance
/// is the bicubic polynomial that has the field's distance, slopes and twist at the four corners (Hermite; error
/// h^4/384 of its fourth derivative). It is continuous, with its slopes, from cell to cell of one size; where sizes
/// change it jumps by less than the error that baking reports.
///
/// The normal is interpolated linearly from the field's own gradients at the corners. Where the field is a distance, or
/// nearly one, its slopes are these gradients; what the polynomial's slope tells beyond linear interpolation is then
/// added, so that the error is of third order in h. Where gradients and slopes differ this part fades out.

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "scree/base/api.hpp"

namespace scree::device {

/// Cells along a side of a block.
inline constexpr std::uint32_t kBakedSplit = 4;
inline constexpr std::uint32_t kBakedBlockNodes = (kBakedSplit + 1) * (kBakedSplit + 1);
/// Blocks that 16 bits can name; 0 stands for none.
inline constexpr std::uint32_t kMostBakedBlocks = 65535;

/// Slopes at corners of the grid are stored in this unit, up to 2; with each size of cells it doubles: where cells are
/// small, fields may be steep.
inline constexpr double kBakedSlopeUnit = 2.0 / 32767;
/// Components of normals are stored in this unit.
inline constexpr double kBakedNormalUnit = 1.0 / 32767;
/// Where the squares of differences between gradients and slopes reach this, normals are linear in between.
inline constexpr double kBakedFadeOut = 1.0 / 16;

/// The field at a corner of cells.
struct alignas(16) BakedNode {
  float distance;                   ///< over the bounding radius
  std::int16_t slope_x, slope_y;    ///< of the distance, in kBakedSlopeUnit
  std::int16_t twist;               ///< d2/dxdy of the distance times the cell's side, in kBakedSlopeUnit
  std::int16_t normal_x, normal_y;  ///< the field's gradient, in kBakedNormalUnit
  std::uint16_t block;              ///< 1, 2, ..: the cell with this node at its lower left is split; 0: it is not
};
static_assert(sizeof(BakedNode) == 16);

/// A node from memory; on a device in one load.
SCREE_HD inline BakedNode baked_node(const BakedNode* at) {
#if defined(__CUDA_ARCH__)
  const int4 bits = *reinterpret_cast<const int4*>(at);
  BakedNode node;
  memcpy(&node, &bits, sizeof node);
  return node;
#else
  return *at;
#endif
}

/// A table's head. The table itself is BakedNodes: those of the grid row by row from the lower left, (cells + 1)^2,
/// then those of block 1, of block 2 and so on, kBakedBlockNodes each. It has no pointers; its begin is aligned to 16.
struct BakedField {
  double left, bottom;  ///< lower left corner of the square, body frame [m]
  double cell;          ///< side of a cell of the grid [m]
  double radius;        ///< bounding radius [m]
  std::uint32_t cells;  ///< along a side of the grid
  std::uint32_t blocks;
};

struct FieldValue {
  double distance;  ///< [m], < 0 inside
  double nx, ny;    ///< unit, outward
};

/// Number of nodes in front of a block.
SCREE_HD inline std::size_t baked_block_begin(std::uint32_t cells, std::uint32_t block) {
  return std::size_t{cells + 1} * (cells + 1) + std::size_t{block - 1} * kBakedBlockNodes;
}
SCREE_HD inline std::size_t baked_bytes(const BakedField& field) {
  return baked_block_begin(field.cells, field.blocks + 1) * sizeof(BakedNode);
}

/// Cubic Hermite polynomials at t in [0, 1]: what the value at one end weighs, and the slope there; and their
/// derivatives.
struct HermiteWeights {
  double value, slope, d_value, d_slope;
};
SCREE_HD inline HermiteWeights hermite_begin(double t) {
  const double s = 1 - t;
  return {(1 + 2 * t) * s * s, t * s * s, -6 * t * s, s * (1 - 3 * t)};
}
SCREE_HD inline HermiteWeights hermite_end(double t) {
  const double s = 1 - t;
  return {t * t * (3 - 2 * t), -t * t * s, 6 * t * s, t * (3 * t - 2)};
}

/// Sums over the corners of a cell; distances over the bounding radius, lengths over the cell's side.
struct BakedSums {
  double distance = 0, slope_x = 0, slope_y = 0;  ///< of the polynomial
  double linear_x = 0, linear_y = 0;              ///< slopes between the corners' slopes
  double normal_x = 0, normal_y = 0;              ///< between the field's gradients
  double mismatch = 0;                            ///< between squares of their differences
};

/// \param side    of the cell over the bounding radius
/// \param unit    of slopes
/// \param weight  of the corner in linear interpolation
SCREE_HD inline void add_corner(const BakedNode& node, double side, double unit, const HermiteWeights& x,
                                const HermiteWeights& y, double weight, BakedSums& sums) {
  const double sx = unit * node.slope_x, sy = unit * node.slope_y;
  const double nx = kBakedNormalUnit * node.normal_x, ny = kBakedNormalUnit * node.normal_y;
  const double d = node.distance, dx = side * sx, dy = side * sy, dxy = side * unit * node.twist;
  const double along_y = y.value * d + y.slope * dy, along_y_dx = y.value * dx + y.slope * dxy;
  sums.distance += x.value * along_y + x.slope * along_y_dx;
  sums.slope_x += x.d_value * along_y + x.d_slope * along_y_dx;
  sums.slope_y += x.value * (y.d_value * d + y.d_slope * dy) + x.slope * (y.d_value * dx + y.d_slope * dxy);
  sums.linear_x += weight * sx;
  sums.linear_y += weight * sy;
  sums.normal_x += weight * nx;
  sums.normal_y += weight * ny;
  sums.mismatch += weight * ((nx - sx) * (nx - sx) + (ny - sy) * (ny - sy));
}

/// The lower left node of the smallest cell that holds a point.
struct BakedPlace {
  const BakedNode* node;
  std::uint32_t row;  ///< nodes from here to the next row
  double side;        ///< of the cell over those of the grid
  double unit;        ///< of slopes
  double u, v;        ///< the point within the cell, 0 .. 1
};

/// \param u, v  from the lower left corner of the square, in cells of the grid; 0 .. field.cells
SCREE_HD inline BakedPlace baked_place(const BakedField& field, const std::byte* base, double u, double v) {
  const auto* nodes = reinterpret_cast<const BakedNode*>(base);
  BakedPlace place{nodes, field.cells + 1, 1, kBakedSlopeUnit, u, v};
  for (std::uint32_t cells = field.cells;; cells = kBakedSplit) {
    std::uint32_t i = static_cast<std::uint32_t>(place.u), j = static_cast<std::uint32_t>(place.v);
    i = i < cells ? i : cells - 1;
    j = j < cells ? j : cells - 1;
    place.u -= i;
    place.v -= j;
    place.row = cells + 1;
    place.node += j * place.row + i;
    const std::uint32_t block = place.node->block;
    if (block == 0) return place;
    place.node = nodes + baked_block_begin(field.cells, block);
    place.side /= kBakedSplit;
    place.unit *= 2;
    place.u *= kBakedSplit;
    place.v *= kBakedSplit;
  }
}

/// A unit vector along (x, y); (1, 0) where it has no direction: on a medial axis two normals may cancel out.
SCREE_HD inline FieldValue with_normal(double distance, double x, double y) {
  const double square = x * x + y * y;
  if (!(square > 1e-24)) return {distance, 1, 0};
  const double scale = 1 / std::sqrt(square);
  return {distance, scale * x, scale * y};
}

/// The table at a point of the square. \param u, v  as for baked_place()
SCREE_HD inline FieldValue baked_inside(const BakedField& field, const std::byte* base, double u, double v) {
  const BakedPlace place = baked_place(field, base, u, v);
  const double side = place.side * field.cell / field.radius, unit = place.unit;
  const HermiteWeights x0 = hermite_begin(place.u), x1 = hermite_end(place.u);
  const HermiteWeights y0 = hermite_begin(place.v), y1 = hermite_end(place.v);
  const BakedNode lower_left = baked_node(place.node), lower_right = baked_node(place.node + 1);
  const BakedNode* upper = place.node + place.row;
  const BakedNode upper_left = baked_node(upper), upper_right = baked_node(upper + 1);
  BakedSums sums;
  add_corner(lower_left, side, unit, x0, y0, (1 - place.u) * (1 - place.v), sums);
  add_corner(lower_right, side, unit, x1, y0, place.u * (1 - place.v), sums);
  add_corner(upper_left, side, unit, x0, y1, (1 - place.u) * place.v, sums);
  add_corner(upper_right, side, unit, x1, y1, place.u * place.v, sums);
  const double trust = std::fmax(0.0, 1 - sums.mismatch / kBakedFadeOut);
  return with_normal(field.radius * sums.distance, sums.normal_x + trust * (sums.slope_x / side - sums.linear_x),
                     sums.normal_y + trust * (sums.slope_y / side - sums.linear_y));
}

/// Distance and normal at a point (x, y) of the body frame [m]. Beyond the square: from the value d and normal n at its
/// nearest point q the bound sqrt(|p - q|^2 + d^2), which holds as the square is convex and has the shape within it;
/// the normal points from q - d n to p. A point that is not a number has a distance that is none.
/// \param base  the table's begin
SCREE_HD inline FieldValue baked_distance(const BakedField& field, const std::byte* base, double x, double y) {
  const double u = (x - field.left) / field.cell, v = (y - field.bottom) / field.cell, most = field.cells;
  const double qu = std::fmin(std::fmax(u, 0.0), most), qv = std::fmin(std::fmax(v, 0.0), most);
  const FieldValue value = baked_inside(field, base, qu, qv);
  if (u == qu && v == qv) return value;
  const double dx = field.cell * (u - qu), dy = field.cell * (v - qv);
  return with_normal(std::sqrt(dx * dx + dy * dy + value.distance * value.distance), dx + value.distance * value.nx,
                     dy + value.distance * value.ny);
}

}  // namespace scree::device
