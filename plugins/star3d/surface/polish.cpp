#include "surface/polish.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>

namespace scree::star3d {

namespace {

using Mat2 = Eigen::Matrix2d;
using Tangents = Eigen::Matrix<double, 3, 2>;

Tangents tangents(const Vec3& normal) {
  Tangents t;
  t.col(0) = normal.unitOrthogonal();
  t.col(1) = normal.cross(t.col(0));
  return t;
}

/// The nearest point of the surface, by Newton's method along the gradient.
Vec3 on_surface(const PlacedField& own, Vec3 at, double spacing) {
  for (int k = 0; k < 4; ++k) {
    double depth;
    Vec3 gradient;
    own.look({&at, 1}, {&depth, 1}, {&gradient, 1});
    at -= depth / gradient.squaredNorm() * gradient;
    if (std::abs(depth) < 1e-9 * spacing) break;  // the step just taken squares it
  }
  return at;
}

/// The depth along the surface at a point of it.
struct Spot {
  Vec3 at;
  DepthCurvature own, other;
  double lambda;  ///< Lagrange's multiplier of the surface
  double value;   ///< the depth, put right to first order for a point beside the surface
  Tangents t;     ///< tangents of the surface
  Vec2 slope;     ///< slope of the depth along the surface

  /// Second derivatives of the depth along the surface [1/m].
  Mat3 bend() const { return other.second + lambda * own.second; }
  /// Second derivatives of the depth in the tangents [1/m].
  Mat2 hessian() const { return t.transpose() * bend() * t; }
};

/// Step over which gradients of faces are compared [spacings]: large against rounding.
constexpr double kStep = 1e-3;

Spot spot(const Meeting& m, const Vec3& at) {
  Spot s;
  s.at = at;
  s.own = m.own.curvature(at, kStep * m.spacing);
  s.other = m.other.curvature(at, kStep * m.spacing);
  s.t = tangents(s.own.gradient.normalized());
  s.slope = s.t.transpose() * s.other.gradient;
  s.lambda = -s.other.gradient.dot(s.own.gradient) / s.own.gradient.squaredNorm();
  s.value = s.other.depth + s.lambda * s.own.depth;
  return s;
}

Stationary stationary(const Spot& s, bool found) {
  return {s.at, s.value, s.other.gradient, -s.own.gradient.normalized(), s.own.second, found};
}

/// The sort of stationary point that a step leads to.
enum class Towards { top, saddle };

/// Returns Newton's step with the signs of a top, or of a saddle, whatever the curvatures are: up along both axes of
/// the Hessian, or down along the one with the greater curvature.
/// \source C. J. Cerjan, W. H. Miller, J. Chem. Phys. 75 (1981) 2800, for saddles
Vec2 newton_step(const Mat2& hessian, const Vec2& slope, Towards towards, double longest) {
  Eigen::SelfAdjointEigenSolver<Mat2> solver;
  solver.computeDirect(hessian);  // the lesser curvature first
  const double flat = 1e-6 / longest;
  Vec2 step = Vec2::Zero();
  for (int k = 0; k < 2; ++k) {
    const Vec2 axis = solver.eigenvectors().col(k);
    const double sign = k == 1 && towards == Towards::saddle ? -1 : 1;
    step += axis * (sign * axis.dot(slope) / std::max(std::abs(solver.eigenvalues()[k]), flat));
  }
  return step;
}

Vec2 shortened(const Vec2& step, double longest) {
  const double length = step.norm();
  return length > longest ? Vec2(longest / length * step) : step;
}

constexpr double kConverged = 1e-8;  // of the spacing: Newton's last step squares it
constexpr double kSettled = 1e-4;    // of the spacing: where curvatures jump, steps go on at this length
constexpr double kBlocked = 0.01;    // a step of which less than this leads up has met a ridge
constexpr double kRounding = 1e-13;  // of the spacing: a depth that falls by less has not fallen

}  // namespace

namespace {

/// A step that leads up from a spot, as long as asked or shorter by powers of four; none at a ridge of the field.
std::optional<Spot> climb(const Meeting& m, const Spot& here, Vec2 step, double shortest) {
  for (; step.norm() >= shortest; step /= 4) {
    const Spot there = spot(m, on_surface(m.own, here.at + here.t * step, m.spacing));
    if (there.value >= here.value - kRounding * m.spacing) return there;
  }
  return std::nullopt;
}

/// The highest spot on the way of a step that leads up at first and down at its end: on a ridge of the field.
Spot highest_along(const Meeting& m, const Spot& here, const Vec2& step) {
  constexpr int kHalvings = 30;
  const Vec3 way = here.t * step;
  double low = 0, high = 1;
  Spot best = here;
  for (int k = 0; k < kHalvings; ++k) {
    const double middle = (low + high) / 2;
    const Spot there = spot(m, on_surface(m.own, here.at + middle * way, m.spacing));
    const bool rises = (there.t * there.slope).dot(way) > 0;
    (rises ? low : high) = middle;
    if (rises) best = there;
  }
  return best;
}

/// The shortest mean, with weights >= 0, of vectors of the plane.
struct ShortestMean {
  std::array<std::size_t, 3> of{};
  std::array<double, 3> weight{1, 0, 0};
  double length = std::numeric_limits<double>::infinity();

  void consider(const std::array<std::size_t, 3>& which, const std::array<double, 3>& w, std::span<const Vec2> v) {
    const double found = (w[0] * v[which[0]] + w[1] * v[which[1]] + w[2] * v[which[2]]).norm();
    if (*std::ranges::min_element(w) >= 0 && found < length) of = which, weight = w, length = found;
  }
};

/// Returns the shortest mean of one, two or three vectors: a corner, an edge, or the inside of their hull.
ShortestMean shortest_mean(std::span<const Vec2> v) {
  const auto cross = [](const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); };
  ShortestMean best;
  for (std::size_t i = 0; i < v.size(); ++i) {
    best.consider({i, i, i}, {1, 0, 0}, v);
    for (std::size_t j = 0; j < i; ++j) {
      const Vec2 way = v[j] - v[i];
      if (const double square = way.squaredNorm(); square > 0) {
        const double t = std::clamp(-v[i].dot(way) / square, 0.0, 1.0);
        best.consider({i, j, j}, {1 - t, t, 0}, v);
      }
      for (std::size_t k = 0; k < j; ++k) {
        const double a = cross(v[j], v[k]), b = cross(v[k], v[i]), c = cross(v[i], v[j]), sum = a + b + c;
        if (std::abs(sum) > 1e-9) best.consider({i, j, k}, {a / sum, b / sum, c / sum}, v);
      }
    }
  }
  return best;
}

/// A spot on a ridge of the field, such as those inside the edges and corners of a box. There the depth along the
/// surface changes by a mean of the gradients around: the one that leads up least.
Spot on_ridge(const Meeting& m, const Spot& here) {
  constexpr std::size_t kAround = 8;
  const double radius = 1e-5 * m.spacing;
  std::array<Vec3, kAround> points, gradients;
  std::array<double, kAround> depths;
  for (std::size_t k = 0; k < kAround; ++k) {
    const double angle = std::numbers::pi / 4 * static_cast<double>(k);
    points[k] = here.at + radius * (here.t * Vec2(std::cos(angle), std::sin(angle)));
  }
  m.other.look(points, depths, gradients);
  std::array<Vec2, kAround> slopes;
  for (std::size_t k = 0; k < kAround; ++k) slopes[k] = here.t.transpose() * gradients[k];
  const ShortestMean mean = shortest_mean(slopes);
  Spot ridge = here;
  ridge.other.gradient.setZero();
  for (std::size_t k = 0; k < 3; ++k) ridge.other.gradient += mean.weight[k] * gradients[mean.of[k]];
  ridge.slope = ridge.t.transpose() * ridge.other.gradient;
  return ridge;
}

}  // namespace

Stationary polished_peak(const Meeting& m, const Vec3& start) {
  constexpr int kMostSteps = 40;
  const double longest = 0.5 * m.spacing, shortest = kConverged * m.spacing;
  Spot here = spot(m, on_surface(m.own, start, m.spacing));
  for (int k = 0; k < kMostSteps; ++k) {
    const Mat2 curved = here.hessian();
    const Vec2 whole = newton_step(curved, here.slope, Towards::top, longest);
    if (here.value + 2 * here.slope.dot(whole) < m.least) return stationary(here, false);
    if (whole.norm() < shortest)
      return stationary(spot(m, on_surface(m.own, here.at + here.t * whole, m.spacing)), true);
    const Vec2 step = shortened(whole, longest);
    std::optional<Spot> next = climb(m, here, step, std::max(shortest, kBlocked * step.norm()));
    if (!next) {
      const Spot ridge = on_ridge(m, highest_along(m, here, step));
      const double bend = std::abs(ridge.slope.dot(curved * ridge.slope)), rise = ridge.slope.squaredNorm();
      if (bend > 0) next = climb(m, ridge, shortened(rise / bend * ridge.slope, longest), shortest);
      if (!next) return stationary(ridge, true);
    }
    here = *next;
  }
  return stationary(on_ridge(m, here), true);
}

Stationary polished_saddle(const Meeting& m, const Vec3& start) {
  constexpr int kMostSteps = 30;
  double longest = 0.5 * m.spacing;
  Spot here = spot(m, on_surface(m.own, start, m.spacing));
  Mat2 curved = here.hessian();
  bool converged = false, settled = false;
  for (int k = 0; k < kMostSteps && !converged; ++k) {
    const Vec2 step = newton_step(curved, here.slope, Towards::saddle, longest);
    converged = step.norm() < kConverged * m.spacing;
    settled = step.norm() < kSettled * m.spacing;
    const Spot next = spot(m, on_surface(m.own, here.at + here.t * shortened(step, longest), m.spacing));
    if ((here.t * here.slope).dot(next.t * next.slope) < 0) longest /= 2;  // stepped over a narrow valley
    here = next;
    curved = here.hessian();
  }
  const bool near = (here.at - start).norm() < 3 * m.spacing;
  return stationary(here, settled && near && curved.determinant() < 0);
}

std::optional<Stationary> followed_peak(const Meeting& m, const Vec3& start) {
  constexpr int kMostSteps = 6;
  constexpr double kNear = 2e-5;  // of the spacing: a step that ends within its square of the top
  Vec3 at = start;
  for (int k = 0; k < kMostSteps; ++k) {
    const Spot here = spot(m, at);
    const Mat3 bend = here.bend();
    const Mat2 curved = here.t.transpose() * bend * here.t;
    const double determinant = curved.determinant();
    if (!(curved(0, 0) < 0 && determinant > 0)) return std::nullopt;
    const Vec3 back = -here.own.depth / here.own.gradient.squaredNorm() * here.own.gradient;  // to the surface
    const Vec2 slope = here.slope + here.t.transpose() * (bend * back);
    const Vec2 along =
        Vec2(curved(0, 1) * slope.y() - curved(1, 1) * slope.x(), curved(1, 0) * slope.x() - curved(0, 0) * slope.y()) /
        determinant;
    const Vec3 step = back + here.t * along;
    const double length = step.norm();
    if (!(length < 0.5 * m.spacing)) return std::nullopt;
    at += step;
    if (length > kNear * m.spacing) continue;
    const Vec3 outward = -(here.own.gradient + here.own.second * step).normalized();
    return Stationary{at,
                      here.value + here.slope.dot(along) / 2,
                      here.other.gradient + here.other.second * step,
                      outward,
                      here.own.second,
                      true};
  }
  return std::nullopt;
}

namespace {

/// The curvature tensor of a field's surface at a point of it, in a common tangent plane: the change of its normals,
/// projected from the centre of the unit sphere onto that plane.
/// \param normal  normal of the plane
Mat2 curvature_tensor(const DepthCurvature& field, const Vec3& normal, const Tangents& t) {
  const double along = field.gradient.dot(normal);
  const Vec2 across = t.transpose() * field.gradient;
  const Eigen::Matrix<double, 1, 2> lengthened = normal.transpose() * field.second * t;
  return (t.transpose() * field.second * t - across * lengthened / along) / along;
}

}  // namespace

double equivalent_radius(const Meeting& m, const Stationary& peak, double largest) {
  const Vec3 foot = peak.at - peak.depth / peak.gradient.squaredNorm() * peak.gradient;
  const Tangents t = tangents(peak.outward);
  const auto of = [&](const PlacedField& placed, const Vec3& at, const Vec3& normal, const Mat3* second) -> Mat2 {
    if (const double nominal = placed.placement.size * placed.field.nominal_radius; nominal > 0)
      return Mat2::Identity() / nominal;
    if (second) return curvature_tensor({0, -normal, *second}, normal, t);
    return curvature_tensor(placed.curvature(at, kStep * m.spacing), normal, t);
  };
  const double det =
      (of(m.own, peak.at, peak.outward, &peak.own_second) + of(m.other, foot, -peak.outward, nullptr)).determinant();
  return std::abs(det) * largest * largest > 1 ? 1 / std::sqrt(std::abs(det)) : largest;
}

}  // namespace scree::star3d
