#include "scree/contacts/lists/slender_bodies.hpp"

#include <algorithm>
#include <cmath>

#include "scree/shape/facets.hpp"
#include "scree/shape/segment.hpp"

namespace scree {

namespace {

/// Ratio of a segment's half length to its radius from which on a body is slender. For shorter ones the bounding sphere
/// is the cheaper test.
constexpr double kSlender = 2;
/// Number of bodies below which one thread is faster than several; then size of parts for threads.
constexpr std::size_t kParallelRows = 4096, kPart = 1024;

/// Returns the squared displacement of the end of a segment that moved farther: |m + t|^2 or |m - t|^2.
double squared_way_of_end(const Vec3& middle, const Vec3& turned) {
  return middle.squaredNorm() + turned.squaredNorm() + 2 * std::abs(middle.dot(turned));
}

}  // namespace

SlenderBodies::SlenderBodies(const World& world, std::span<const std::uint32_t> among)
    : flat_(world.dimension() == 2), among_(among.size()) {
  std::vector<const Segment*> segments;
  for (const auto& entry : world.shapes()) segments.push_back(facet<Segment>(*entry.shape));
  const auto shape = world.shape.read();
  const auto scale = world.scale.read(), radius = world.radius.read();
  for (const std::uint32_t i : among) {
    const Segment* const segment = segments[shape[i]];
    if (!segment || !(segment->half_length() >= kSlender * segment->radius())) continue;
    if (rows_.empty()) {
      half_length_.assign(world.size(), 0.0);
      core_.assign(radius.begin(), radius.end());
    }
    rows_.push_back(i);
    half_length_[i] = scale[i] * segment->half_length();
    core_[i] = scale[i] * segment->radius();
    longest_ = std::max(longest_, half_length_[i]);
  }
}

/// Returns the rows that are slender, in parts for threads.
std::vector<std::span<const std::uint32_t>> SlenderBodies::parts_of(std::span<const RowRange> rows) const {
  std::vector<std::span<const std::uint32_t>> parts;
  for (const RowRange& range : rows) {
    const auto first = std::ranges::lower_bound(rows_, range.first), end = std::ranges::lower_bound(rows_, range.end);
    for (std::span<const std::uint32_t> rest(first, end); !rest.empty(); rest = rest.subspan(parts.back().size()))
      parts.push_back(rest.first(std::min(rest.size(), kPart)));
  }
  return parts;
}

double SlenderBodies::farthest_squared_way(const World& world, const BodyPoses& reference, const ExpectedPaths& paths,
                                           double skin, double ahead, std::span<const RowRange> rows) const {
  if (!any()) return 0;
  const double time = paths.any() ? paths.elapsed(world) + ahead : 0;
  if (time > paths.horizon() * (1 + 1e-9)) return skin * skin;
  const std::vector<std::span<const std::uint32_t>> parts = parts_of(rows);
  const auto x = world.position.read(), v = world.velocity.read(), w = world.angular_velocity.read();
  const auto q = world.orientation.read();
  const auto x0 = reference.position;
  const auto q0 = reference.orientation;
  const auto none = std::span<const Vec3>();
  const auto path = paths.any() ? paths.velocity() : none, turning = paths.any() ? paths.turning() : none;
  const auto slack = paths.any() ? paths.slack() : std::span<const double>();
  double farthest2 = 0;
#pragma omp parallel for schedule(static) reduction(max : farthest2) if (rows_.size() > kParallelRows)
  for (std::size_t part = 0; part < parts.size(); ++part)
    for (const std::uint32_t i : parts[part]) {
      const Vec3 half = half_of(i, q[i]);
      const Vec3 middle = x[i] + ahead * v[i] - x0[i];
      const Vec3 turned = half + ahead * w[i].cross(half) - half_of(i, q0[i]);
      farthest2 = std::max(farthest2, squared_way_of_end(middle, turned));
      if (path.empty()) continue;
      const double weight = skin / (2 * slack[i]);
      const double left2 = squared_way_of_end(middle - time * path[i], turned - time * turning[i]);
      farthest2 = std::max(farthest2, left2 * weight * weight);
    }
  return farthest2;
}

double SlenderBodies::fastest_turn(const World& world) const {
  double fastest2 = 0;
  for (const ExpectedPaths::Start& start : starts(world)) fastest2 = std::max(fastest2, start.turning.squaredNorm());
  return std::sqrt(fastest2);
}

std::vector<ExpectedPaths::Start> SlenderBodies::starts(const World& world) const {
  const auto w = world.angular_velocity.read();
  const auto q = world.orientation.read();
  std::vector<ExpectedPaths::Start> starts;
  starts.reserve(rows_.size());
  for (const std::uint32_t i : rows_) starts.push_back({i, w[i].cross(half_of(i, q[i])), core_[i]});
  return starts;
}

}  // namespace scree
