#pragma once
/// \file A shape's signed distance as a table for devices (scree/device/baked_field.hpp), with the errors it has.

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scree/base/types.hpp"
#include "scree/device/baked_field.hpp"
#include "scree/shape/facets.hpp"

namespace scree::nodes_to_surface {

struct BakeOptions {
  std::string where = "shape";     ///< begins messages
  double tolerance = 1e-4;         ///< largest error of the distance, over the bounding radius
  double normal_tolerance = 0.02;  ///< largest turn of the normal, away from kinks [rad]
  double band = 0.15;              ///< band that contacts use: |distance| less than this, over the radius
  std::uint32_t cells = 64;        ///< along a side of the grid, before cells are split
  /// Largest size of the table; with 65535 blocks of cells, 26 MB and the grid, it ends anyway.
  std::size_t most_bytes = std::size_t{64} << 20;
};

/// Errors of the table against the field, at 16 pseudo-random points of every cell and at all boundary nodes.
struct BakeReport {
  double largest_error = 0;   ///< error of the distance in the band and on the nodes, over the bounding radius
  double mean_error = 0;      ///< likewise
  Vec3 worst = Vec3::Zero();  ///< place of the largest one, body frame [m]
  /// Largest rotation of normals in the band [rad], in cells wider than 0.002 of the radius: kinks are in smaller ones.
  double largest_turn = 0;
  std::size_t points = 0;  ///< compared in the band
  std::size_t bytes = 0;
  std::uint32_t levels = 1;  ///< sizes of cells; 1: none is split
};

struct BakedShape {
  device::BakedField field{};
  std::vector<std::byte> bytes;  ///< aligned to 16
  BakeReport report;
};

/// Makes the table: splits cells until the largest error is below the tolerance.
/// The band is where |distance| < band, within that reach of the outline of nodes: fields that hold to first order
/// only may be anything far inside. There, and beyond the band outside, the sign is right, no more.
/// The field must be continuous in the band, positive beyond the bounding radius.
/// \param radius  bounding radius about the origin of the body frame [m]
/// \param nodes   nodes of the boundary, counter-clockwise, body frame [m]; none: the band is not bounded by them
/// \throws InputError when the tolerance is out of reach, or when no table can be made of the field
BakedShape bake(const SignedDistance& field, double radius, std::span<const Vec3> nodes, const BakeOptions& options);

}  // namespace scree::nodes_to_surface
