#include "scree/contacts/lists/large_bodies.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/base/first_failure.hpp"
#include "scree/shape/facets.hpp"

namespace scree {

namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();

/// Limits of large bodies: the radius of a large body exceeds kRatio times the radius that kMost of all moving bodies
/// do not exceed.
/// kRatio: cells as wide as a body eight times as large as grains hold some 500 grains, whose data still fits into the
/// second-level cache of a core. In wider cells the order of grains in memory no longer follows their order in space.
/// kMost: if more than one body in fifty is that large, cells of their width hold fifty grains each and do no harm.
/// So wide distributions of sizes have no large bodies, nor has a mixture of which half is large. Walls do not count,
/// and if nothing moves, only bodies without bound are large.
constexpr double kRatio = 8, kMost = 0.98;

bool is_alone(std::span<const std::uint8_t> alone, std::uint32_t material) {
  return material < alone.size() && alone[material] != 0;
}

/// Returns the radius up to which bodies are not large [m].
double common_radius(const World& world, std::span<const std::uint8_t> alone) {
  const auto radius = world.radius.read();
  const auto material = world.material.read();
  const auto inverse_mass = world.inverse_mass.read();
  double smallest = kEndless, largest = 0;
  std::vector<double> moving;
  moving.reserve(world.size());
  for (std::uint32_t i = 0; i < world.size(); ++i) {
    if (!std::isfinite(radius[i]) || radius[i] == 0 || is_alone(alone, material[i])) continue;
    largest = std::max(largest, radius[i]);
    if (!(inverse_mass[i] > 0) && !may_move(world, i)) continue;
    smallest = std::min(smallest, radius[i]);
    moving.push_back(radius[i]);
  }
  if (moving.empty() || largest <= kRatio * smallest) return largest;
  const auto most = moving.begin() + static_cast<std::ptrdiff_t>(kMost * static_cast<double>(moving.size() - 1));
  std::nth_element(moving.begin(), most, moving.end());
  return kRatio * *most;
}

}  // namespace

bool may_move(const World& world, std::uint32_t row) {
  const auto inverse_mass = world.inverse_mass.read();
  if (inverse_mass[row] > 0) return true;
  const Id owner = world.owner.read()[row];
  if (owner == world.id.read()[row]) return false;
  const auto owner_row = world.row(owner);
  return owner_row && inverse_mass[*owner_row] > 0;
}

class LargeBodies::Body {
 public:
  Body(const World& world, const BodyPoses& poses, std::uint32_t body_row)
      : row(body_row),
        centre_(poses.position[body_row]),
        back_(poses.orientation[body_row].conjugate().toRotationMatrix()),
        radius_(world.radius.read()[body_row]),
        scale_(world.scale.read()[body_row]),
        cell_(poses.cell),
        field_(facet<ExactDistance>(*world.shapes()[world.shape.read()[body_row]].shape)) {}

  /// Computes distances [m] of points from the surface of an image of the body, or less. Without bound and field, all
  /// are  near.
  void distances(const Image& image, std::span<const Vec3> points, std::span<double> distance) const {
    const Vec3 centre = centre_ + cell_.shift(image);
    const auto from_ball = [&](const Vec3& x) { return (x - centre).norm() - radius_; };
    if (!field_) {
      for (std::size_t k = 0; k < points.size(); ++k) distance[k] = from_ball(points[k]);
      return;
    }
    thread_local std::vector<Vec3> local, gradient;
    local.resize(points.size());
    gradient.resize(points.size());
    for (std::size_t k = 0; k < points.size(); ++k) local[k] = back_ * (points[k] - centre) / scale_;
    field_->distance(local, distance, gradient);
    for (std::size_t k = 0; k < points.size(); ++k) distance[k] *= scale_;
    if (std::isinf(radius_)) return;
    for (std::size_t k = 0; k < points.size(); ++k) distance[k] = std::max(distance[k], from_ball(points[k]));
  }

  bool near(const Image& image, const Vec3& point, double far) const {
    if (!((point - centre_ - cell_.shift(image)).norm() - radius_ < far)) return false;
    double distance = 0;
    distances(image, {&point, 1}, {&distance, 1});
    return distance < far;
  }

  /// Returns the images that are nearer to a point than `far` [m].
  std::vector<Image> images_near(const Vec3& point, double far) const {
    std::vector<Image> found;
    const auto look = [&](const Image& image) {
      if (near(image, point, far)) found.push_back(image);
    };
    if (std::isinf(radius_))
      look(Image::Zero());
    else
      for_each_image(cell_, (point - centre_).array() - (radius_ + far), (point - centre_).array() + (radius_ + far),
                     look);
    return found;
  }

  /// Adds pairs with smaller large bodies of finite size.
  void add_near(const World& world, const BodyPoses& poses, std::span<const Body> smaller, const Reach& reach,
                std::vector<ImagePair>& out) const {
    const bool moves = may_move(world, row);
    for (const Body& other : smaller) {
      if (std::isinf(other.radius_) || !(moves || may_move(world, other.row))) continue;
      const double gap = reach(other.row, row);
      if (gap < 0) continue;
      for (const Image& image : images_near(poses.position[other.row], other.radius_ + gap))
        out.push_back({other.row, row, image});
    }
  }

  std::uint32_t row;
  std::vector<Image> images;  ///< images that some of the others may be near

 private:
  Vec3 centre_;
  Mat3 back_;
  double radius_, scale_;
  const PeriodicCell& cell_;
  const ExactDistance* field_;
};

/// Block of other bodies. All of it is far from a body whose surface is far from the sphere around it.
class LargeBodies::Block {
 public:
  Block(const World& world, const BodyPoses& poses, std::span<const std::uint32_t> block_rows) : rows(block_rows) {
    const auto radius = world.radius.read();
    Vec3 low = Vec3::Constant(kEndless), high = -low;
    double largest = 0;
    for (const std::uint32_t i : rows) {
      low = low.cwiseMin(poses.position[i]);
      high = high.cwiseMax(poses.position[i]);
      largest = std::max(largest, radius[i]);
    }
    centre = 0.5 * (low + high);
    bound = (1 + 1e-9) * (0.5 * (high - low).norm() + largest);  // more than rounding
  }

  /// Adds pairs of bodies of the block within reach of an image of a large body.
  void add_near(const World& world, const BodyPoses& poses, const Body& large, const Image& image, const Reach& reach,
                std::vector<ImagePair>& out) const {
    const auto radius = world.radius.read();
    thread_local std::vector<Vec3> points;
    thread_local std::vector<double> distance;
    points.clear();
    for (const std::uint32_t i : rows) points.push_back(poses.position[i]);
    distance.resize(rows.size());
    large.distances(image, points, distance);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const double gap = reach(rows[k], large.row);
      if (gap >= 0 && distance[k] < radius[rows[k]] + gap) out.push_back({rows[k], large.row, image});
    }
  }

  std::span<const std::uint32_t> rows;
  Vec3 centre;
  double bound;  ///< radius of a sphere around all of them [m]
};

LargeBodies::LargeBodies(const World& world, std::span<const std::uint8_t> alone)
    : alone_(alone.begin(), alone.end()), common_radius_(common_radius(world, alone)) {
  reordered(world);
}

void LargeBodies::reordered(const World& world) {
  const auto radius = world.radius.read();
  const auto kind = world.kind.read();
  const auto id = world.id.read();
  rows_.clear();
  others_.clear();
  turning_.clear();
  others_.reserve(world.size());
  const auto material = world.material.read();
  double largest_alone = 0;
  for (std::uint32_t i = 0; i < world.size(); ++i)
    if (is_alone(alone_, material[i])) {
      if (std::isfinite(radius[i])) largest_alone = std::max(largest_alone, radius[i]);
    } else if (radius[i] > 0) {
      (radius[i] > common_radius_ ? rows_ : others_).push_back(i);
    }
  for (const std::uint32_t i : others_) largest_other_ = std::max(largest_other_, radius[i]);
  if (others_.empty()) largest_other_ = largest_alone;
  std::ranges::sort(rows_, [&](std::uint32_t i, std::uint32_t j) {
    return radius[i] != radius[j] ? radius[i] < radius[j] : id[i] < id[j];
  });
  for (const std::uint32_t i : rows_) {
    const Shape& shape = *world.shapes()[world.shape.read()[i]].shape;
    const bool turns = may_move(world, i) || kind[i] == static_cast<std::uint32_t>(BodyKind::prescribed);
    if (!turns || !(std::isinf(radius[i]) || facet<ExactDistance>(shape))) continue;
    const double reach = world.scale.read()[i] * shape.rotation_reach();
    turning_.push_back({i, reach, std::isinf(reach)});
  }
}

void LargeBodies::bound_reaches(const World& world, std::span<const Vec3> position) {
  const auto radius = world.radius.read();
  for (Turning& large : turning_) {
    if (!large.endless) continue;
    double farthest2 = 0;
    for (std::size_t i = 0; i < position.size(); ++i)
      if (std::isfinite(radius[i])) farthest2 = std::max(farthest2, (position[i] - position[large.row]).squaredNorm());
    large.reach = std::sqrt(farthest2);
  }
}

std::vector<ImagePair> LargeBodies::pairs(const World& world, const BodyPoses& poses,
                                          std::span<const std::uint32_t> others, const Reach& reach,
                                          double farthest) const {
  constexpr std::size_t kRows = 64;  // rows per block: few enough for it to be small, and far from most large bodies
  std::vector<ImagePair> found;
  if (rows_.empty()) return found;
  std::vector<Body> bodies;
  bodies.reserve(rows_.size());
  for (const std::uint32_t i : rows_) bodies.emplace_back(world, poses, i);
  for (std::size_t j = 1; j < bodies.size(); ++j)
    bodies[j].add_near(world, poses, std::span(bodies).first(j), reach, found);
  if (others.empty()) return found;

  const Block all(world, poses, others);
  for (Body& body : bodies) body.images = body.images_near(all.centre, all.bound + farthest);
  std::vector<std::vector<ImagePair>> of_block((others.size() + kRows - 1) / kRows);
  const auto look = [&](std::size_t b) {
    const std::size_t first = b * kRows;
    const Block block(world, poses, others.subspan(first, std::min(kRows, others.size() - first)));
    for (const Body& large : bodies)
      for (const Image& image : large.images)
        if (large.near(image, block.centre, block.bound + farthest))
          block.add_near(world, poses, large, image, reach, of_block[b]);
  };
  FirstFailure failure;
#pragma omp parallel for schedule(dynamic, 1) if (of_block.size() > 1)
  for (std::size_t b = 0; b < of_block.size(); ++b) failure.watch(b, [&] { look(b); });
  failure.rethrow();
  for (const auto& some : of_block) found.insert(found.end(), some.begin(), some.end());
  return found;
}

}  // namespace scree
