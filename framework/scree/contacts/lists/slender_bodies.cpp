#include "scree/contacts/lists/slender_bodies.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "scree/contacts/parallel_pairs.hpp"
#include "scree/shape/facets.hpp"
#include "scree/shape/segment.hpp"
#include "scree/shape/segment_distance.hpp"

namespace scree {

namespace {

/// From this ratio of a segment's half length to its radius on, a body is slender. For shorter ones the bounding sphere
/// is the cheaper test.
constexpr double kSlender = 2;
/// Fewer bodies than this are faster on one thread than shared; then in parts of this many.
constexpr std::size_t kParallelRows = 4096, kPart = 1024;
/// Beads of one segment, at most.
constexpr double kMostBeads = 64;

}  // namespace

SlenderBodies::SlenderBodies(const World& world, std::span<const std::uint32_t> among) : flat_(world.dimension() == 2) {
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

double SlenderBodies::farthest_squared_way(const World& world, const BodyPoses& reference, double ahead,
                                           std::span<const RowRange> rows) const {
  if (!any()) return 0;
  std::vector<std::span<const std::uint32_t>> parts;
  for (const RowRange& range : rows) {
    const auto first = std::ranges::lower_bound(rows_, range.first), end = std::ranges::lower_bound(rows_, range.end);
    for (std::span<const std::uint32_t> rest(first, end); !rest.empty(); rest = rest.subspan(parts.back().size()))
      parts.push_back(rest.first(std::min(rest.size(), kPart)));
  }
  const auto x = world.position.read(), v = world.velocity.read(), w = world.angular_velocity.read();
  const auto q = world.orientation.read();
  const auto x0 = reference.position;
  const auto q0 = reference.orientation;
  double farthest2 = 0;
#pragma omp parallel for schedule(static) reduction(max : farthest2) if (rows_.size() > kParallelRows)
  for (std::size_t part = 0; part < parts.size(); ++part)
    for (const std::uint32_t i : parts[part]) {
      const Vec3 half = half_of(i, q[i]);
      const Vec3 middle = x[i] + ahead * v[i] - x0[i];
      const Vec3 turned = half + ahead * w[i].cross(half) - half_of(i, q0[i]);
      // Of the end that has gone farther: |m + t|^2 or |m - t|^2.
      const double way2 = middle.squaredNorm() + turned.squaredNorm() + 2 * std::abs(middle.dot(turned));
      farthest2 = farthest2 < way2 ? way2 : farthest2;
    }
  return farthest2;
}

double SlenderBodies::fastest_turn(const World& world) const {
  const auto w = world.angular_velocity.read();
  const auto q = world.orientation.read();
  double fastest2 = 0;
  for (const std::uint32_t i : rows_) fastest2 = std::max(fastest2, w[i].cross(half_of(i, q[i])).squaredNorm());
  return std::sqrt(fastest2);
}

/// Spheres that cover the bodies: one, or several in a row along a slender one.
class SlenderBodies::Beads {
 public:
  Beads(const SlenderBodies& bodies, const Search& search) : b_(bodies), s_(search) {
    axis_.resize(s_.radius.size());
    count_.resize(s_.radius.size());
    for (const std::uint32_t row : s_.rows) add(row);
  }

  std::vector<ImagePair> pairs() const {
    std::vector<std::uint32_t> all(bead_.size());
    std::iota(all.begin(), all.end(), 0u);
    std::vector<ImagePair> found;
    PeriodicPairs().find(s_.poses.cell, position_, radius_, all, s_.reach, found);
#pragma omp parallel for schedule(static) if (found.size() > kParallelPairs)
    for (std::size_t k = 0; k < found.size(); ++k) found[k] = of_bodies(found[k]);
    std::erase_if(found, [](const ImagePair& p) { return p.i == p.j; });
    return found;
  }

 private:
  struct Bead {
    std::uint32_t row, number;
  };

  double half(std::uint32_t row) const { return b_.half_length_[row]; }
  /// How far from its segment a body is wanted [m].
  double core(std::uint32_t row) const { return b_.core_[row] + s_.grown[row] - s_.radius[row]; }

  /// Among alike segments that lie in all directions, about n^2 (2 h/n + 2 c + reach)^3 beads meet when each of them
  /// has n. They are fewest for n = h / (2 c + reach).
  std::uint32_t best_count(std::uint32_t row) const {
    return static_cast<std::uint32_t>(std::clamp(std::round(half(row) / (2 * core(row) + s_.reach)), 1.0, kMostBeads));
  }

  void add(std::uint32_t row) {
    count_[row] = best_count(row);
    axis_[row] = b_.axis_of(s_.poses.orientation[row]);
    const double part = half(row) / count_[row];
    for (std::uint32_t k = 0; k < count_[row]; ++k) {
      position_.push_back(s_.poses.position[row] + ((2 * k + 1) * part - half(row)) * axis_[row]);
      radius_.push_back((core(row) + part) * (1 + 1e-12));  // rounding must not lose a pair
      bead_.push_back({row, k});
    }
  }

  /// The bead in which a point of the segment lies. \param at  from the middle [m]
  std::uint32_t bead_at(std::uint32_t row, double at) const {
    const double count = count_[row];
    if (count == 1) return 0;
    return static_cast<std::uint32_t>(
        std::clamp(std::floor((at + half(row)) * count / (2 * half(row))), 0.0, count - 1));
  }

  /// The pair of bodies, lower row first, or a body with itself where they are too far apart. Two bodies meet in many
  /// beads: the beads of the two nearest points count.
  ImagePair of_bodies(ImagePair pair) const {
    Bead a = bead_[pair.i], b = bead_[pair.j];
    Image image = pair.image;
    if (a.row == b.row) return none();
    if (a.row > b.row) {
      std::swap(a, b);
      image = -image;
    }
    const ImagePair bodies{a.row, b.row, image};
    if (half(a.row) == 0 && half(b.row) == 0) return bodies;
    const Vec3 between = s_.poses.position[b.row] + s_.poses.cell.shift(image) - s_.poses.position[a.row];
    const SegmentPair segments{between, axis_[a.row], axis_[b.row], half(a.row), half(b.row)};
    const double most = core(a.row) + core(b.row) + s_.reach;
    if (beside(segments, most) || lines_apart(segments, most)) return none();
    const SegmentPoints nearest = nearest_points(segments);
    if (!(nearest.square < most * most)) return none();
    return bead_at(a.row, nearest.s) == a.number && bead_at(b.row, nearest.t) == b.number ? bodies : none();
  }
  static ImagePair none() { return {0, 0, Image::Zero()}; }

  const SlenderBodies& b_;
  const Search& s_;
  std::vector<Vec3> axis_;            ///< by row
  std::vector<std::uint32_t> count_;  ///< of beads, by row
  std::vector<Vec3> position_;
  std::vector<double> radius_;
  std::vector<Bead> bead_;
};

std::vector<ImagePair> SlenderBodies::pairs(const Search& search) const { return Beads(*this, search).pairs(); }

}  // namespace scree
