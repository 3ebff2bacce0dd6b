#include "scree/scene/region.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "scree/base/error.hpp"

namespace scree {

namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();
constexpr double kPi = std::numbers::pi;

/// Depth, measure and points of each form. \param n  dimension
struct Depth {
  const Vec3& p;
  int n;

  double operator()(const Region::Box& box) const {
    double least = kEndless;
    for (int k = 0; k < n; ++k) least = std::min({least, p[k] - box.lower[k], box.upper[k] - p[k]});
    return least;
  }
  double operator()(const Region::Sphere& s) const { return s.radius - (p - s.centre).norm(); }
  double operator()(const Region::Frustum& f) const {
    const Vec3 local = f.turn.conjugate() * (p - f.centre);
    const double length = 2 * f.half_length, growth = f.upper - f.lower;
    const double ends = f.half_length - std::abs(local[2]), rho = std::hypot(local[0], local[1]);
    if (length == 0) return std::min(ends, f.lower - rho);
    const double radius = f.lower + growth * (local[2] + f.half_length) / length;
    return std::min(ends, (radius - rho) * length / std::hypot(length, growth));
  }
  double operator()(const Region::HalfSpace& h) const { return -(p - h.point).dot(h.normal); }
  double operator()(const Region::Polygon& polygon) const {
    const std::vector<Vec2>& c = polygon.corners;
    const Vec2 q = p.head<2>();
    bool in = false;
    double nearest = kEndless;
    for (std::size_t k = 0; k < c.size(); ++k) {
      const Vec2 a = c[k], b = c[(k + 1) % c.size()], e = b - a;
      const double t = std::clamp((q - a).dot(e) / e.squaredNorm(), 0.0, 1.0);
      nearest = std::min(nearest, (q - a - t * e).norm());
      if ((a[1] > q[1]) != (b[1] > q[1]) && q[0] < a[0] + (q[1] - a[1]) / e[1] * e[0]) in = !in;
    }
    return in ? nearest : -nearest;
  }
};

struct Measure {
  int n;

  double operator()(const Region::Box& box) const {
    double product = 1;
    for (int k = 0; k < n; ++k) product *= box.upper[k] - box.lower[k];
    return product;
  }
  double operator()(const Region::Sphere& s) const {
    return n == 2 ? kPi * s.radius * s.radius : 4 * kPi / 3 * s.radius * s.radius * s.radius;
  }
  double operator()(const Region::Frustum& f) const {
    return kPi / 3 * 2 * f.half_length * (f.lower * f.lower + f.lower * f.upper + f.upper * f.upper);
  }
  double operator()(const Region::HalfSpace&) const { return kEndless; }
  double operator()(const Region::Polygon& polygon) const {
    double sum = 0;
    for (std::size_t k = 0; k < polygon.corners.size(); ++k) {
      const Vec2 a = polygon.corners[k], b = polygon.corners[(k + 1) % polygon.corners.size()];
      sum += (a[0] * b[1] - a[1] * b[0]) / 2;
    }
    return std::abs(sum);
  }
};

struct Point {
  const Vec3& u;
  int n;

  std::optional<Vec3> operator()(const Region::Box& box) const {
    return box.lower + (box.upper - box.lower).cwiseProduct(n == 2 ? Vec3(u[0], u[1], 0) : u);
  }
  std::optional<Vec3> operator()(const Region::Sphere& s) const {
    const double turn = 2 * kPi * u[1];
    if (n == 2) return s.centre + s.radius * std::sqrt(u[0]) * Vec3(std::cos(turn), std::sin(turn), 0);
    const double z = 2 * u[2] - 1, across = std::sqrt(1 - z * z);
    return s.centre + s.radius * std::cbrt(u[0]) * Vec3(across * std::cos(turn), across * std::sin(turn), z);
  }
  /// Draws a point in the cylinder around it; points outside of the frustum are rejected.
  std::optional<Vec3> operator()(const Region::Frustum& f) const {
    const double turn = 2 * kPi * u[1], rho = std::max(f.lower, f.upper) * std::sqrt(u[0]);
    if (rho > f.lower + (f.upper - f.lower) * u[2]) return std::nullopt;
    const Vec3 local(rho * std::cos(turn), rho * std::sin(turn), f.half_length * (2 * u[2] - 1));
    return f.centre + f.turn * local;
  }
  std::optional<Vec3> operator()(const Region::HalfSpace&) const { return std::nullopt; }
  std::optional<Vec3> operator()(const Region::Polygon& polygon) const {
    Vec2 low = polygon.corners[0], high = low;
    for (const Vec2& c : polygon.corners) low = low.cwiseMin(c), high = high.cwiseMax(c);
    const Vec3 p(low[0] + u[0] * (high[0] - low[0]), low[1] + u[1] * (high[1] - low[1]), 0);
    if (Depth{p, 2}(polygon) < 0) return std::nullopt;
    return p;
  }
};

/// Visitor of Region::continued().
struct Continued {
  const Vec3 &lower, &length;

  /// Checks whether [from, to] is one period along the axis, to rounding.
  bool is_period(int axis, double from, double to) const {
    const double slack = 1e-9 * length[axis];
    return length[axis] > 0 && std::abs(from - lower[axis]) <= slack &&
           std::abs(to - lower[axis] - length[axis]) <= slack;
  }
  Region::Form operator()(Region::Box box) const {
    for (int k = 0; k < 3; ++k)
      if (is_period(k, box.lower[k], box.upper[k])) box.lower[k] = -kEndless, box.upper[k] = kEndless;
    return box;
  }
  Region::Form operator()(Region::Frustum f) const {
    const Vec3 axis = f.turn * Vec3::UnitZ();
    for (int k = 0; k < 3; ++k)
      if (f.lower == f.upper && std::abs(axis[k]) > 1 - 1e-12 &&
          is_period(k, f.centre[k] - f.half_length, f.centre[k] + f.half_length))
        f.half_length = 1e6 * length[k];
    return f;
  }
  template <class Other>
  Region::Form operator()(const Other& other) const {
    return other;
  }
};

/// Reads one region, and keeps the place of its options.
class RegionReader {
 public:
  RegionReader(const Options& region, std::string_view key, int dimension)
      : region_(region), key_(key), dimension_(dimension) {}

  Region::Form form() const {
    const std::string type = region_.text("type");
    if (type == "box") return box();
    if (type == "sphere") return Region::Sphere{region_.vector("centre"), region_.number("radius")};
    if (type == "half-space") return Region::HalfSpace{region_.vector("point"), unit("normal")};
    const bool plane = type == "polygon";
    if (plane != (dimension_ == 2))
      fail("/type", fmt::format("a {} is a region of {} dimensions; the scene has dimension {}. Take a box, {}.", type,
                                plane ? 2 : 3, dimension_, plane ? "cylinder or frustum" : "sphere or polygon"));
    if (type == "polygon") return polygon();
    return frustum(type == "cylinder");
  }

 private:
  [[noreturn]] void fail(const std::string& pointer, const std::string& message) const {
    throw OptionError("/" + key_ + pointer, message);
  }

  Vec3 unit(const char* key) const {
    const Vec3 v = region_.vector(key);
    if (!(v.norm() > 0)) fail(std::string("/") + key, "has no direction. Give a vector that is not zero.");
    return v.normalized();
  }

  Region::Box box() const {
    const Region::Box box{region_.vector("lower"), region_.vector("upper")};
    for (int k = 0; k < dimension_; ++k)
      if (box.upper[k] < box.lower[k])
        fail("/upper", fmt::format("{} = {} m is below the lower corner's {} m. Exchange the two or enlarge the box.",
                                   "xyz"[k], box.upper[k], box.lower[k]));
    return box;
  }

  Region::Frustum frustum(bool cylinder) const {
    const double lower = region_.number(cylinder ? "radius" : "lower_radius");
    const double upper = region_.number(cylinder ? "radius" : "upper_radius");
    if (!(lower > 0 || upper > 0)) fail("/upper_radius", "both radii are 0. Give at least one of them above 0.");
    return {region_.vector("centre"), Quat::FromTwoVectors(Vec3::UnitZ(), unit("axis")), lower, upper,
            region_.number("length") / 2};
  }

  Region::Polygon polygon() const {
    Region::Polygon polygon;
    for (const Options& corner : region_.objects("points")) {
      const std::vector<double> xy = corner.as_numbers();
      polygon.corners.emplace_back(xy[0], xy[1]);
    }
    if (!(Measure{2}(polygon) > 0)) fail("/points", "enclose no area. Give the corners in order around the polygon.");
    return polygon;
  }

  const Options& region_;
  std::string key_;
  int dimension_;
};

}  // namespace

double Region::form_depth(const Vec3& p) const { return std::visit(Depth{p, dimension_}, form_); }
double Region::depth(const Vec3& p) const { return outside_ ? -form_depth(p) : form_depth(p); }
double Region::measure() const { return outside_ ? kEndless : std::visit(Measure{dimension_}, form_); }
Region Region::continued(const Vec3& lower, const Vec3& length) const {
  return {std::visit(Continued{lower, length}, form_), dimension_, outside_};
}

std::optional<Vec3> Region::at(const Vec3& u) const { return std::visit(Point{u, dimension_}, form_); }

Region read_region(const Options& options, std::string_view key, int dimension) {
  const Options region = options.object(key);
  return {RegionReader(region, key, dimension).form(), dimension, region.boolean("outside")};
}

}  // namespace scree
