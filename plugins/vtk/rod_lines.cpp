#include "rod_lines.hpp"

#include <algorithm>
#include <array>
#include <numeric>

#include "scree/shape/segment.hpp"
#include "scree/world/rows_by_id.hpp"

namespace scree::vtk {

namespace {

bool is_segment(const World& world, std::size_t row) {
  return facet<Segment>(*world.shapes()[world.shape.read()[row]].shape) != nullptr;
}

/// One of the two ends of a body: side 0 against its axis, side 1 along it.
struct RodEnd {
  std::uint32_t row, side;
  RodEnd other() const { return {row, 1 - side}; }
};

class RodNetwork {
 public:
  explicit RodNetwork(const World& world) : ends_(2 * world.size()), segment_(world.size()) {
    std::vector<std::uint8_t> bonded(world.size());
    const Bonds& bonds = world.bonds();
    for (std::uint32_t k = 0; k < bonds.size(); ++k) {
      const auto a = world.row(bonds.a[k]), b = world.row(bonds.b[k]);
      if (a) bonded[*a] = 1;
      if (b) bonded[*b] = 1;
      if (!a || !b || !bonds.whole(k)) continue;
      const auto i = static_cast<std::uint32_t>(*a), j = static_cast<std::uint32_t>(*b);
      const RodEnd end_a{i, side(world, bonds.made_a[k].conjugate() * bonds.joint[k])};
      const RodEnd end_b{j, side(world, bonds.made_b[k].conjugate() * (bonds.joint[k] - bonds.branch[k]))};
      at(end_a).push_back({k, end_b});
      at(end_b).push_back({k, end_a});
    }
    for (std::size_t i = 0; i < segment_.size(); ++i) segment_[i] = is_segment(world, i);
    rows_ = rows_by_id(world, [&](std::uint32_t i) { return bonded[i] && segment_[i]; });
  }

  std::vector<RodLine> lines() {
    std::vector<std::uint8_t> drawn(segment_.size());
    std::vector<RodLine> lines;
    for (const std::uint32_t row : rows_)
      if (!drawn[row]) {
        lines.push_back(line_through(row));
        for (const RodSegment& segment : lines.back().segments) drawn[segment.row] = 1;
      }
    return lines;
  }

 private:
  struct Link {
    std::uint32_t bond;
    RodEnd end;
  };

  static std::uint32_t side(const World& world, const Vec3& place) { return place[world.dimension() == 2 ? 0 : 2] > 0; }
  std::vector<Link>& at(const RodEnd& end) { return ends_[2 * end.row + end.side]; }
  const std::vector<Link>& at(const RodEnd& end) const { return ends_[2 * end.row + end.side]; }

  /// The end on which the line goes on behind this one, or nothing.
  std::optional<RodEnd> beyond(const RodEnd& end) const {
    if (at(end).size() != 1) return std::nullopt;
    const RodEnd next = at(end)[0].end;
    if (!segment_[next.row] || next.row == end.row || at(next).size() != 1) return std::nullopt;
    return next;
  }
  std::optional<std::uint32_t> bond_at(const RodEnd& end) const {
    return at(end).empty() ? std::nullopt : std::optional(at(end)[0].bond);
  }

  /// Back to where the line begins, then along it. A ring begins at `row`.
  RodLine line_through(std::uint32_t row) const {
    RodEnd begin{row, 0};
    RodLine line;
    while (const auto before = beyond(begin)) {
      begin = before->other();
      line.closed = begin.row == row;
      if (line.closed) break;
    }
    line.bonds.push_back(bond_at(begin));
    for (std::optional<RodEnd> next = begin; next; next = beyond(next->other())) {
      if (line.closed && !line.segments.empty() && next->row == row) break;
      line.segments.push_back({next->row, next->side == 1});
      line.bonds.push_back(bond_at(next->other()));
    }
    return line;
  }

  std::vector<std::vector<Link>> ends_;  ///< two per row
  std::vector<std::uint8_t> segment_;    ///< by row
  std::vector<std::uint32_t> rows_;      ///< segments that bonds were made for, in order of ids
};

}  // namespace

bool has_rods(const World& world) {
  const Bonds& bonds = world.bonds();
  const auto any = [](const ShapeEntry& entry) { return facet<Segment>(*entry.shape) != nullptr; };
  if (std::ranges::none_of(world.shapes(), any)) return false;
  for (std::size_t k = 0; k < bonds.size(); ++k)
    for (const Id id : {bonds.a[k], bonds.b[k]})
      if (const auto row = world.row(id); row && is_segment(world, *row)) return true;
  return false;
}

std::vector<RodLine> rod_lines(const World& world) { return RodNetwork(world).lines(); }

}  // namespace scree::vtk
