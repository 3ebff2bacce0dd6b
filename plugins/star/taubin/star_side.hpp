#pragma once
/// \file One star of a pair on a device: what tables hold of it, and how the other outline sees its nodes, in single
/// and in double precision.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "outline/arc.hpp"
#include "outline/crushed.hpp"
#include "outline/radial_lookup.hpp"
#include "scree/base/api.hpp"

namespace scree::star {

/// An outline in the tables of a device: what Outline has, with columns as offsets from the begin of the tables.
struct OutlineEntry {
  double centre_x, centre_y, r_max, r_min, cells_per_unit;
  float sign_error, depth_error;
  float steepest;  ///< largest |dr/dtheta| of the tables [m/rad]
  std::uint32_t nodes;
  std::uint32_t points, edge, table, coarse_points, coarse_table;  ///< [bytes]
};

/// A node in single precision.
struct alignas(8) CoarsePoint {
  float x, y;
};

/// Sizes of bodies that all have their shape's: constants, so that no kernel multiplies by them.
struct UnitSizes {
  static constexpr double own = 1, other = 1;
  struct Coarse {
    static constexpr float own = 1, other = 1;
  };
  static constexpr int kCoarseAlignment = 16;  ///< alignment of CoarseSide [bytes], so that few loads suffice
  UnitSizes() = default;
  SCREE_HD UnitSizes(double, double) {}
  SCREE_HD Coarse coarse() const { return {}; }
  SCREE_HD PlanarPoint<double> seen(const RelativePose& pose, double x, double y) const {
    return transform(pose, x, y);
  }
};
struct AnySizes : Sizes {
  struct Coarse {
    float own, other;
  };
  static constexpr int kCoarseAlignment = 8;
  AnySizes() = default;
  SCREE_HD AnySizes(double of_own, double of_other) : Sizes{of_own, of_other} {}
  SCREE_HD Coarse coarse() const { return {static_cast<float>(own), static_cast<float>(other)}; }
  SCREE_HD PlanarPoint<double> seen(const RelativePose& pose, double x, double y) const {
    return transform(pose, *this, x, y);
  }
};

/// One side in single precision, as plain data: what any thread needs to look at its nodes, beside the tables. Lengths
/// are those of the other's shape unless said otherwise.
template <class BodySizes>
struct alignas(BodySizes::kCoarseAlignment) CoarseSide : BodySizes::Coarse {
  float x, y, c, s;               ///< pose of the own outline in the frame of the other
  std::uint32_t points, table;    ///< own nodes, the other's radius [bytes]
  float sign_error, depth_error;  ///< errors of the other's table: OutlineEntry

  SCREE_HD CoarseHit hit(const std::byte* tables, std::uint32_t node) const {
    const CoarsePoint p = reinterpret_cast<const CoarsePoint*>(tables + points)[node];
    const float px = this->own * p.x, py = this->own * p.y;
    return coarse_hit(reinterpret_cast<const SteepCell*>(tables + table), (x + (c * px - s * py)) / this->other,
                      (y + (s * px + c * py)) / this->other);
  }
  /// No less than the depth of a node inside, and no more than 1 + 2 depth_error times it and 2 sign_error beyond it,
  /// but for nodes so deep that Taubin's guard acts, which may be anything. [m]
  SCREE_HD float depth_at_most(const std::byte* tables, std::uint32_t node) const {
    const CoarseHit seen = hit(tables, node);
    if (seen.rho < 0.51f * seen.r) return std::numeric_limits<float>::infinity();
    return this->other * (seen.depth * (1 + depth_error) + sign_error);
  }
  SCREE_HD float depth_at_least(float at_most) const {
    return at_most < std::numeric_limits<float>::infinity()
               ? at_most * (1 - 2 * depth_error) - 2 * this->other * sign_error
               : 0;
  }
};

/// The nodes of one side as the other outline sees them, at the size of the other's shape.
template <class BodySizes>
class StarSide {
 public:
  StarSide() = default;
  SCREE_HD StarSide(const std::byte* tables, const OutlineEntry& own, const OutlineEntry& other,
                    const PlanarPose& own_pose, const PlanarPose& other_pose, const BodySizes& size)
      : StarSide(tables, own, other, relative_pose(own_pose, other_pose), size) {}
  SCREE_HD StarSide(const std::byte* tables, const OutlineEntry& own, const OutlineEntry& other, const RelativePose& at,
                    const BodySizes& size)
      : tables_(tables), own_(&own), other_(&other), at_(at), size_(size) {}

  SCREE_HD std::uint32_t nodes() const { return own_->nodes; }
  SCREE_HD PlanarPoint<double> own(std::uint32_t node) const { return column<PlanarPoint<double>>(own_->points)[node]; }
  SCREE_HD double edge(std::uint32_t node) const { return column<double>(own_->edge)[node]; }
  /// The node in the frame of the other outline.
  SCREE_HD PlanarPoint<double> seen(std::uint32_t node) const {
    const PlanarPoint<double> p = own(node);
    return size_.seen(at_, p.x, p.y);
  }
  /// Its depth is that of the bodies [m].
  SCREE_HD PointHit hit(const PlanarPoint<double>& p) const {
    const auto* const table = column<RadialSample<double>>(other_->table);
    PointHit hit = point_hit(p.x, p.y, lookup(table, other_->cells_per_unit, pseudo_angle(p.x, p.y)));
    hit.depth *= size_.other;
    return hit;
  }

  /// Checks whether a node lies within the other outline, or as near to it as the margin [m].
  SCREE_HD bool touches(std::uint32_t node, double margin) const {
    const PlanarPoint<double> p = seen(node);
    if (margin == 0 && p.x * p.x + p.y * p.y > other_->r_max * other_->r_max * (1 + 1e-9)) return false;
    return hit(p).depth > -margin;
  }
  /// Side of a point, and its least distance from the outline [m].
  struct Place {
    bool inside;
    float room;
  };
  SCREE_HD Place place(const CoarseSide<BodySizes>& coarse, std::uint32_t node) const {
    const CoarseHit c = coarse.hit(tables_, node);
    const float f = c.r - c.rho, room = std::abs(f) - coarse.sign_error;
    if (room > 0) return {f > 0, clearance(room, c.rho)};
    const PlanarPoint<double> p = seen(node);  // single precision cannot tell
    const double rho = std::sqrt(p.x * p.x + p.y * p.y);
    return {touches(node, 0),
            clearance(static_cast<float>(std::abs(radius_towards(p) - rho)), static_cast<float>(rho))};
  }
  SCREE_HD CoarseSide<BodySizes> coarse() const {
    return {size_.coarse(),
            static_cast<float>(at_.x),
            static_cast<float>(at_.y),
            static_cast<float>(at_.c),
            static_cast<float>(at_.s),
            own_->coarse_points,
            other_->coarse_table,
            sign_error(),
            other_->depth_error};
  }

  /// Returns the arc of nodes that can lie in the other's bounding circle, or as near to it as `gap` [m].
  /// \param other_in_own  pose of the other outline
  SCREE_HD NodeArc facing(const RelativePose& other_in_own, float gap) const {
    const auto size = static_cast<float>(size_.own);
    return facing_arc(static_cast<float>(other_in_own.x), static_cast<float>(other_in_own.y),
                      size * static_cast<float>(own_->r_max),
                      other_size() * static_cast<float>(other_->r_max) * 1.0001f + gap, static_cast<int>(own_->nodes));
  }
  SCREE_HD const RelativePose& at() const { return at_; }
  SCREE_HD const OutlineEntry& outline() const { return *own_; }
  /// Returns whether the own outline's centre lies within the other outline, for check_centres().
  SCREE_HD Place centre() const {
    const PlanarPoint<double> centre = size_.seen(at_, 0, 0);
    const double distance = std::sqrt(centre.x * centre.x + centre.y * centre.y);
    if (distance >= other_->r_max) return {false, 0.99f * static_cast<float>(distance - other_->r_max)};
    const double f = radius_towards(centre) - distance;
    return {f > 0, clearance(static_cast<float>(std::abs(f)), static_cast<float>(distance))};
  }
  SCREE_HD double crushed_below() const { return kCrushed * other_->r_min; }
  SCREE_HD const BodySizes& size() const { return size_; }

 private:
  /// No point of the outline is nearer to one at distance rho from its centre, where r and rho differ by f. Along a way
  /// shorter than rho / 10, r - rho changes by less than its steepest slope there. [m]
  SCREE_HD float clearance(float f, float rho) const {
    const float slope = other_->steepest / (0.9f * rho), way = 0.99f * f * coarse_inverse_root(1 + slope * slope);
    return other_size() * (way < 0.1f * rho ? way : 0.1f * rho);
  }
  /// Returns the radius of the other outline [m].
  SCREE_HD double radius_towards(const PlanarPoint<double>& p) const {
    const auto* const table = column<RadialSample<double>>(other_->table);
    return lookup(table, other_->cells_per_unit, pseudo_angle(p.x, p.y)).r;
  }
  template <class T>
  SCREE_HD const T* column(std::uint32_t offset) const {
    return reinterpret_cast<const T*>(tables_ + offset);
  }
  SCREE_HD float other_size() const { return static_cast<float>(size_.other); }
  /// A node's place is a sum of terms as large as its own body.
  SCREE_HD float sign_error() const {
    const double ratio = size_.own / size_.other;
    return other_->sign_error * static_cast<float>(ratio > 1 ? ratio : 1);
  }

  const std::byte* tables_;
  const OutlineEntry *own_, *other_;
  RelativePose at_;
  BodySizes size_;
};

}  // namespace scree::star
