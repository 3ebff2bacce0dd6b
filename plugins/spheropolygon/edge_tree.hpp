#pragma once
/// \file Boxes around runs of consecutive edges, boxes around runs of these, and so on: which edges are near a place,
/// without asking all of a landscape.

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "scree/base/types.hpp"
#include "segment.hpp"

namespace scree::spheropolygon {

/// A rectangle along the axes [m]; empty until something is put in.
struct Box {
  Vec2 low = Vec2::Constant(std::numeric_limits<double>::infinity());
  Vec2 high = -low;

  void add(const Vec2& p) {
    low = low.cwiseMin(p);
    high = high.cwiseMax(p);
  }
  void add(const Box& other) {
    low = low.cwiseMin(other.low);
    high = high.cwiseMax(other.high);
  }
  Box grown(double by) const { return {low - Vec2::Constant(by), high + Vec2::Constant(by)}; }
  bool meets(const Box& o) const {
    return (low.array() <= o.high.array()).all() && (o.low.array() <= high.array()).all();
  }
  bool holds(const Vec2& p) const { return (low.array() <= p.array()).all() && (p.array() <= high.array()).all(); }
  double squared_distance(const Vec2& p) const { return (low - p).cwiseMax(p - high).cwiseMax(0).squaredNorm(); }
};

Box box_of(const Segment& edge);

class EdgeTree {
 public:
  static constexpr std::size_t kRun = 8;

  EdgeTree() = default;
  explicit EdgeTree(std::span<const Segment> edges);

  /// Appends the edges whose boxes meet `box`, ascending.
  void find(const Box& box, std::vector<std::uint32_t>& found) const;

  struct Nearest {
    std::uint32_t edge = 0;
    Foot<double> foot{};
  };
  /// The edge nearest to a point, the first of several. \pre there is one
  Nearest nearest(const Vec2& p) const;

  /// [0]: boxes of each edge; [k + 1]: of runs of kRun boxes of [k]; the last: at most kRun.
  std::span<const std::vector<Box>> levels() const { return levels_; }

 private:
  void find(std::size_t level, std::size_t first, const Box& box, std::vector<std::uint32_t>& found) const;
  void nearest(std::size_t level, std::size_t first, const Vec2& p, Nearest& best) const;

  std::vector<Segment> edges_;
  std::vector<std::vector<Box>> levels_;
};

}  // namespace scree::spheropolygon
