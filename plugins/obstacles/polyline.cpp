#include "polyline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "obstacle.hpp"
#include "scree/base/error.hpp"

namespace scree::obstacles {

namespace {

constexpr double kNever = std::numeric_limits<double>::infinity();

double cross(const Vec2& a, const Vec2& b) { return a[0] * b[1] - a[1] * b[0]; }

/// To the right of a direction: out of the matter that lies to its left.
Vec2 right_of(const Vec2& along) { return Vec2(along[1], -along[0]).normalized(); }

double signed_area(const std::vector<Vec2>& p) {
  double area = 0;
  for (std::size_t k = 0; k < p.size(); ++k) area += cross(p[k], p[(k + 1) % p.size()]) / 2;
  return area;
}

/// Or touch. Segments of one line may lie apart on it: then their boxes do.
bool cross_each_other(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
  for (int k = 0; k < 2; ++k)
    if (std::max(a[k], b[k]) < std::min(c[k], d[k]) || std::max(c[k], d[k]) < std::min(a[k], b[k])) return false;
  const auto side = [](const Vec2& from, const Vec2& to, const Vec2& p) { return cross(to - from, p - from); };
  return side(a, b, c) * side(a, b, d) <= 0 && side(c, d, a) * side(c, d, b) <= 0;
}

}  // namespace

Polyline::Polyline(const PolylineOptions& options)
    : points_(options.points),
      closed_(options.closed),
      inside_(options.inside),
      half_wall_(options.closed ? 0 : options.wall / 2),
      thickness_(options.thickness) {
  check(options);
  if (closed_ && signed_area(points_) < 0) std::reverse(points_.begin(), points_.end());
  if (!closed_) shift(options.side);
  if (closed_ && !inside_) centre();
  double shortest = kNever;
  for (std::size_t k = 0; k < segments(); ++k) shortest = std::min(shortest, (end_of(k) - begin_of(k)).norm());
  const double spacing = options.node_spacing > 0 ? options.node_spacing : shortest / 4;
  if (!closed_) place_wall_nodes(std::min(spacing, half_wall_));
  if (closed_ && !inside_) place_nodes(spacing);
  if (nodes_.size() > static_cast<std::size_t>(kMostNodes))
    throw OptionError("/node_spacing",
                      fmt::format("a spacing of {:.3g} m takes {} nodes; at most {} are possible. Take a larger one.",
                                  spacing, nodes_.size(), kMostNodes));
}

void Polyline::check(const PolylineOptions& options) const {
  for (std::size_t k = 0; k < segments(); ++k)
    if (!((end_of(k) - begin_of(k)).norm() > 0))
      throw OptionError("/points", fmt::format("points {} and {} are the same, ({:.6g}, {:.6g}) m. Leave one out.", k,
                                               (k + 1) % points_.size(), begin_of(k)[0], begin_of(k)[1]));
  for (std::size_t i = 0; i < segments(); ++i)
    for (std::size_t k = i + 2; k < segments(); ++k) {
      if (closed_ && i == 0 && k + 1 == segments()) continue;  // neighbours
      if (cross_each_other(begin_of(i), end_of(i), begin_of(k), end_of(k)))
        throw OptionError("/points", fmt::format("the segments that begin at points {} and {} cross or touch. Give "
                                                 "points in order along a line that does not cross itself.",
                                                 i, k));
    }
  if (closed_ && !(std::abs(signed_area(points_)) > 0))
    throw OptionError("/points", "enclose no area. Give the corners in order, or leave out \"closed\".");
  if (!closed_ && options.inside)
    throw OptionError("/inside", "only a closed line has an inside. Give \"closed\": true, or a \"side\".");
  if (!closed_ && !(options.wall > 0))
    throw OptionError("/wall",
                      "an open line needs the thickness of its wall. Give \"wall\" in metres, of the grains' "
                      "radius or more, or \"closed\": true.");
}

/// Moves the middle of the wall aside, so that the line the user gave is its surface. Corners are mitred.
void Polyline::shift(WallSide side) {
  if (side == WallSide::both) return;
  const double way = side == WallSide::right ? half_wall_ : -half_wall_;
  std::vector<Vec2> moved;
  for (std::size_t k = 0; k < points_.size(); ++k) {
    const Vec2 before = right_of(end_of(k == 0 ? 0 : k - 1) - begin_of(k == 0 ? 0 : k - 1));
    const Vec2 after = k + 1 < points_.size() ? right_of(end_of(k) - begin_of(k)) : before;
    moved.push_back(points_[k] + way * (before + after) / std::max(1e-3, 1 + before.dot(after)));
  }
  for (std::size_t k = 0; k < segments(); ++k)
    if (!((moved[k + 1] - moved[k]).dot(end_of(k) - begin_of(k)) > 0))
      throw OptionError(
          "/wall", fmt::format("the wall of {:.3g} m does not fit beside the segment that begins at point {}: give "
                               "a thinner wall, or \"side\": \"both\".",
                               2 * half_wall_, k));
  points_ = std::move(moved);
}

/// Area, centre and moments by Green's theorem; the centre of mass becomes the origin.
void Polyline::centre() {
  area_ = signed_area(points_);
  for (std::size_t k = 0; k < segments(); ++k)
    centre_ += cross(begin_of(k), end_of(k)) / (6 * area_) * (begin_of(k) + end_of(k));
  for (Vec2& p : points_) p -= centre_;
  for (std::size_t k = 0; k < segments(); ++k) {
    const Vec2 a = begin_of(k), b = end_of(k);
    moments_ += cross(a, b) / 12 * (a.cwiseProduct(a) + a.cwiseProduct(b) + b.cwiseProduct(b));
  }
}

void Polyline::place_nodes(double spacing) {
  for (std::size_t k = 0; k < segments(); ++k) {
    const Vec2 a = begin_of(k), b = end_of(k);
    const int parts = std::max(1, static_cast<int>(std::ceil((b - a).norm() / spacing - 1e-9)));
    for (int i = 0; i < parts; ++i) {
      const Vec2 p = a + (b - a) * (static_cast<double>(i) / parts);
      nodes_.push_back({p[0], p[1], 0});
    }
  }
}

/// Around the wall: along its right side, round its end and back, with arcs where corners stand out. What lies within
/// another segment's part of the wall is left out.
void Polyline::place_wall_nodes(double spacing) {
  const double r = half_wall_;
  const auto keep = [&](const Vec2& p) {
    if (nearest(p).foot.distance > r * (1 - 1e-9)) nodes_.push_back({p[0], p[1], 0});
  };
  const auto arc = [&](const Vec2& at, const Vec2& from, double turn) {
    const int parts = std::max(2, static_cast<int>(std::ceil(r * turn / spacing)));
    for (int i = 0; i < parts; ++i) keep(at + r * Vec2(Eigen::Rotation2Dd(turn * i / parts) * from));
  };
  const std::size_t n = segments();
  for (std::size_t step = 0; step < 2 * n; ++step) {
    const bool back = step >= n;
    const std::size_t k = back ? 2 * n - 1 - step : step;
    const Vec2 a = back ? end_of(k) : begin_of(k), b = back ? begin_of(k) : end_of(k), out = right_of(b - a);
    const int parts = std::max(1, static_cast<int>(std::ceil((b - a).norm() / spacing - 1e-9)));
    for (int i = 0; i < parts; ++i) keep(a + (b - a) * (static_cast<double>(i) / parts) + r * out);
    const bool last = back ? k == 0 : k + 1 == n;
    const std::size_t next = last ? k : back ? k - 1 : k + 1;
    const Vec2 onward = last   ? Vec2(a - b)
                        : back ? Vec2(begin_of(next) - end_of(next))
                               : Vec2(end_of(next) - begin_of(next));
    const double turn = last ? std::numbers::pi : std::atan2(cross(b - a, onward), (b - a).dot(onward));
    if (turn > 1e-9) arc(b, out, turn);
  }
}

const void* Polyline::facet(std::string_view name) const noexcept {
  if (name == ExactDistance::kName) return static_cast<const ExactDistance*>(this);
  if (name == SignedDistance::kName) return static_cast<const SignedDistance*>(this);
  if (name == Faces::kName) return static_cast<const Faces*>(this);
  if (name == BoundaryNodes::kName && !nodes_.empty()) return static_cast<const BoundaryNodes*>(this);
  return nullptr;
}

MassProperties Polyline::mass(double density) const {
  const double plane = density * thickness_, across = plane * area_ * thickness_ * thickness_ / 12;
  return {plane * area_,
          {plane * moments_[1] + across, plane * moments_[0] + across, plane * (moments_[0] + moments_[1])}};
}

double Polyline::bounding_radius() const noexcept { return inside_ ? kNever : rotation_reach(); }

double Polyline::rotation_reach() const noexcept {
  double reach = 0;
  for (const Vec2& p : points_) reach = std::max(reach, p.norm());
  return reach + half_wall_;
}

/// A closed line as it is; a wall as one rounded piece per segment.
Surface Polyline::surface() const {
  std::vector<Vec3> points;
  if (closed_) {
    for (const Vec2& p : points_) points.push_back({p[0], p[1], 0});
    return outline(std::move(points), !inside_);
  }
  Surface s;
  for (std::size_t k = 0; k < segments(); ++k) {
    std::vector<std::uint32_t> cell;
    const Vec2 out = half_wall_ * right_of(end_of(k) - begin_of(k));
    for (int i = 0; i < 26; ++i) {
      const Vec2 turned = Eigen::Rotation2Dd(std::numbers::pi * (i - (i < 13 ? 0 : 1)) / 12) * out;
      const Vec2 p = (i < 13 ? end_of(k) : begin_of(k)) + turned;
      cell.push_back(static_cast<std::uint32_t>(s.points.size()));
      s.points.push_back({p[0], p[1], 0});
    }
    s.cells.push_back(std::move(cell));
  }
  return s;
}

/// Out of the matter, for closed lines.
Vec2 Polyline::outward(std::size_t segment) const {
  return (inside_ ? -1 : 1) * right_of(end_of(segment) - begin_of(segment));
}

Polyline::Foot Polyline::foot_on(std::size_t segment, const Vec2& p) const {
  const Vec2 a = begin_of(segment), e = end_of(segment) - a;
  const double along = (p - a).dot(e) / e.squaredNorm();
  if (along > 0 && along < 1) {
    const Vec2 n = right_of(e);
    const double level = (p - a).dot(n);
    return {std::abs(level), along, level * n};
  }
  const Vec2 off = p - (along <= 0 ? a : end_of(segment));
  return {off.norm(), along <= 0 ? 0.0 : 1.0, off};
}

/// The first of those that are equally near.
Polyline::Nearest Polyline::nearest(const Vec2& p) const {
  Nearest best{0, foot_on(0, p)};
  for (std::size_t k = 1; k < segments(); ++k)
    if (const Foot foot = foot_on(k, p); foot.distance < best.foot.distance) best = {k, foot};
  return best;
}

/// By how often a ray to the right crosses the line.
bool Polyline::encloses(const Vec2& p) const {
  bool in = false;
  for (std::size_t k = 0; k < segments(); ++k) {
    const Vec2 a = begin_of(k), b = end_of(k);
    if ((a[1] > p[1]) != (b[1] > p[1]) && p[0] < a[0] + (p[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0])) in = !in;
  }
  return in;
}

FacePoint Polyline::seen_from(std::size_t segment, const Foot& foot, bool in_matter) const {
  const double sign = in_matter ? -1 : 1;
  Vec2 out = closed_ ? outward(segment) : right_of(end_of(segment) - begin_of(segment));
  const bool edge = foot.along > 0 && foot.along < 1;
  if (foot.distance > 0 && !(edge && closed_)) out = sign * foot.off / foot.distance;
  return {sign * foot.distance - half_wall_, Vec3(out[0], out[1], 0), {0, 0}};
}

/// Checks whether a sphere about p, outside the matter, touches the segment on its own account. It does from its free
/// side, with the foot on it, or at its first corner if this is the foot on the previous segment too.
bool Polyline::faces(std::size_t segment, const Vec2& p, const Foot& foot) const {
  if (foot.along > 0 && foot.along < 1) return !closed_ || foot.off.dot(outward(segment)) >= 0;
  if (foot.along >= 1) return !closed_ && segment + 1 == segments();
  if (segment == 0 && !closed_) return true;
  const std::size_t before = (segment + segments() - 1) % segments();
  if (foot_on(before, p).along < 1) return false;
  return !closed_ || foot.off.dot(outward(segment)) >= 0 || foot.off.dot(outward(before)) >= 0;
}

void Polyline::distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const {
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec2 p = points[i].head<2>();
    const Nearest near = nearest(p);
    const FacePoint seen = seen_from(near.segment, near.foot, in_matter(p));
    distance[i] = seen.distance;
    gradient[i] = seen.normal;
  }
}

void Polyline::face(int face, std::span<const Vec3> points, std::span<FacePoint> seen) const {
  const auto segment = static_cast<std::size_t>(face);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec2 p = points[i].head<2>();
    const Foot foot = foot_on(segment, p);
    const bool deep = in_matter(p);
    const bool touches = deep ? nearest(p).segment == segment : faces(segment, p, foot);
    seen[i] = touches ? seen_from(segment, foot, deep) : FacePoint{kNever, Vec3::UnitX(), {0, 0}};
  }
}

}  // namespace scree::obstacles
