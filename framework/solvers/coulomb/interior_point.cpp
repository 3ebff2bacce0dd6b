#include "solvers/coulomb/interior_point.hpp"

#include <limits>

namespace scree::coulomb {
namespace {

using Vector = Eigen::VectorXd;

/// A place on the way. Vectors hold D numbers per contact.
struct Point {
  Vector x, y;
  double t;
};

/// d x, d y, d log t.
struct Direction {
  Vector x, y;
  double t;

  Direction& operator+=(const Direction& other) {
    x += other.x;
    y += other.y;
    t += other.t;
    return *this;
  }
};

Direction operator*(double factor, const Direction& d) { return {factor * d.x, factor * d.y, factor * d.t}; }

template <int D>
double determinant(const Vec<D>& x) {
  const double tangential = x.template tail<D - 1>().norm();
  return (x[0] - tangential) * (x[0] + tangential);
}

template <int D>
bool inside(const Vec<D>& x) {
  return x[0] > 0 && determinant<D>(x) > 0;
}

template <int D>
Vec<D> reflected(Vec<D> x) {
  x.template tail<D - 1>() *= -1;
  return x;
}

/// Nesterov and Todd's scaling: H x = y, symmetric and positive definite.
template <int D>
struct Scaling {
  Mat<D> H, inverse;

  /// \pre both inside
  Scaling(const Vec<D>& x, const Vec<D>& y) {
    const double root_x = std::sqrt(determinant<D>(x)), root_y = std::sqrt(determinant<D>(y));
    const Vec<D> unit_x = x / root_x, unit_y = y / root_y;
    const Vec<D> w = (unit_y + reflected<D>(unit_x)) / std::sqrt(2 * (1 + unit_x.dot(unit_y)));
    const Vec<D> v = reflected<D>(w);
    Mat<D> J = -Mat<D>::Identity();
    J(0, 0) = 1;
    H = (2 * w * w.transpose() - J) * (root_y / root_x);
    inverse = (2 * v * v.transpose() - J) * (root_x / root_y);
  }
};

/// The x with which y = x - z has x o y = m e_N: x and y are z's parts in both cones, each a little inside.
template <int D>
Vec<D> central(const Vec<D>& z, double m) {
  const auto larger_root = [m](double lambda) {  // of a^2 - lambda a = m
    const double width = std::sqrt(lambda * lambda + 4 * m);
    return lambda > 0 ? 0.5 * (lambda + width) : 2 * m / (width - lambda);
  };
  const double length = z.template tail<D - 1>().norm();
  const double outer = larger_root(z[0] + length), inner = larger_root(z[0] - length);
  Vec<D> x;
  x[0] = 0.5 * (outer + inner);
  x.template tail<D - 1>().setZero();
  if (length > 0) x.template tail<D - 1>() = (0.5 * (outer - inner) / length) * z.template tail<D - 1>();
  return x;
}

/// The homotopy, seen from one point: its Jacobian, factorised, and the local norm.
template <int D>
class Path {
 public:
  /// \param from   impulses x near which it starts
  /// \param level  how far from the cones' boundary, relative to impulses and velocities
  Path(BarrierSystem<D>& system, const Vector& from, double level)
      : system_(system), n_(system.size()), scaling_(n_, {one(), one()}) {
    constexpr double kSoftness = 0.1;  // more makes longer paths, less many folds of them sharper
    Vector y = system.times(from) + system.c();
    for (std::size_t i = 0; i < n_; ++i) y[first(i)] += of(y, i).template tail<D - 1>().norm();
    const Vector z = from - y;
    barrier_ = level * level * z.squaredNorm() / static_cast<double>(n_);
    softness_ = kSoftness * std::sqrt(barrier_);
    start_ = {z, z, 1};
    for (std::size_t i = 0; i < n_; ++i) put(start_.x, i, central<D>(of(z, i), barrier_));
    start_.y = start_.x - z;
    offset_ = Vector::Zero(z.size());
    offset_ = residual(start_);
  }

  bool trivial() const { return !(barrier_ > 0); }
  const Point& start() const { return start_; }

  /// \return whether it went well
  bool look_from(const Point& at) {
    at_ = at;
    std::vector<Mat<D>> blocks(n_);
    for (std::size_t i = 0; i < n_; ++i) {
      scaling_[i] = Scaling<D>(of(at.x, i), of(at.y, i));
      blocks[i] = scaling_[i].H;
      blocks[i].row(0) -= slope(i).transpose() * scaling_[i].H.template bottomRows<D - 1>();
    }
    sign_ = system_.factorise(blocks);
    if (start_sign_ == 0) start_sign_ = sign_;
    return sign_ != 0;
  }

  /// Along the path, towards its end, of length 1; by log t it is at most 1 long.
  Direction tangent() const {
    Vector target = at_.y, change = -at_.t * offset_;
    for (std::size_t i = 0; i < n_; ++i) {
      put(target, i, inverse_of(i));
      const double soft = at_.t * softness_;
      change[first(i)] -= soft * soft / smoothed(at_, i);
    }
    const Direction d = solve(change, target, 1);
    return (-sign_ * start_sign_ / std::sqrt(dot(d, d))) * d;
  }

  /// To the path, perpendicular to the tangent.
  Direction correction(const Direction& tangent) const {
    Vector target = at_.y;
    for (std::size_t i = 0; i < n_; ++i) put(target, i, inverse_of(i) - of(at_.y, i));
    Direction d = solve(residual(at_), target, 0);
    d += -dot(d, tangent) * tangent;
    return d;
  }

  /// How far from the path, in the local norm: below 1 where Newton's method may be trusted.
  double distance(const Point& p) const {
    if (!(p.t > 0)) return kFar;
    const double barrier = p.t * barrier_;
    const Vector F = residual(p);
    double largest = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      const Vec<D> x = of(p.x, i), y = of(p.y, i), f = of(F, i);
      if (!inside<D>(x) || !inside<D>(y)) return kFar;
      const double product = x.dot(y), off = product / barrier - 1;
      const double spread = product * product - determinant<D>(x) * determinant<D>(y);
      largest = std::max(largest, off * off + spread / (barrier * barrier));
      largest = std::max(largest, f.dot(Scaling<D>(x, y).inverse * f) / barrier);
    }
    return std::sqrt(largest);
  }

 private:
  static constexpr double kFar = std::numeric_limits<double>::infinity();

  static Vec<D> one() { return Vec<D>::Unit(0); }
  static Eigen::Index first(std::size_t i) { return static_cast<Eigen::Index>(D * i); }
  static Vec<D> of(const Vector& all, std::size_t i) { return all.segment<D>(first(i)); }
  static void put(Vector& all, std::size_t i, const Vec<D>& one) { all.segment<D>(first(i)) = one; }

  /// (|y_T|^2 + (t eps)^2)^(1/2).
  double smoothed(const Point& p, std::size_t i) const {
    return std::hypot(of(p.y, i).template tail<D - 1>().norm(), p.t * softness_);
  }
  /// Its derivative by y_T.
  Vec<D - 1> slope(std::size_t i) const { return of(at_.y, i).template tail<D - 1>() / smoothed(at_, i); }
  /// t m x^-1, in Jordan's sense.
  Vec<D> inverse_of(std::size_t i) const {
    const Vec<D> x = of(at_.x, i);
    return reflected<D>(x) * (at_.t * barrier_ / determinant<D>(x));
  }

  Vector residual(const Point& p) const {
    Vector F = p.y - system_.times(p.x) - system_.c() - p.t * offset_;
    for (std::size_t i = 0; i < n_; ++i) F[first(i)] -= smoothed(p, i);
    return F;
  }

  /// dx, dy with (dy - slope . dy_T e_N) - A dx = -F and H dx + dy = target.
  Direction solve(const Vector& F, const Vector& target, double t) const {
    Vector b = F + target;
    for (std::size_t i = 0; i < n_; ++i) b[first(i)] -= slope(i).dot(of(target, i).template tail<D - 1>());
    Direction d{system_.solve(b), target, t};
    for (std::size_t i = 0; i < n_; ++i) d.y.segment<D>(first(i)) -= scaling_[i].H * of(d.x, i);
    return d;
  }

  double dot(const Direction& a, const Direction& b) const {
    double sum = 0;
    for (std::size_t i = 0; i < n_; ++i) {
      sum += of(a.x, i).dot(scaling_[i].H * of(b.x, i)) + of(a.y, i).dot(scaling_[i].inverse * of(b.y, i));
    }
    return a.t * b.t + sum / (at_.t * barrier_ * static_cast<double>(n_));
  }

  BarrierSystem<D>& system_;
  std::size_t n_;
  double barrier_;   ///< m
  double softness_;  ///< eps
  Vector offset_;    ///< f
  Point start_, at_;
  std::vector<Scaling<D>> scaling_;
  int sign_ = 0, start_sign_ = 0;  ///< of the Jacobian's determinant for a fixed t: here, and at the start
};

/// t goes down by a share: at the end of the path steps of almost 1 are good, and the path need not be resolved in
/// log t.
Point moved(const Point& from, const Direction& correction, const Direction& tangent, double length) {
  constexpr double kMost = 0.5;
  return {from.x + correction.x + length * tangent.x, from.y + correction.y + length * tangent.y,
          from.t * (1 + length * tangent.t) * std::exp(std::clamp(correction.t, -kMost, kMost))};
}

/// Steps along the path, the next one longer where the first length tried was good.
template <int D>
class Follower {
 public:
  /// \param near  distance from the path that is allowed
  Follower(Path<D>& path, double near) : path_(path), near_(near), at_(path.start()) {}

  const Point& at() const { return at_; }

  /// \return whether it got on
  bool advance() {
    constexpr int kHalvings = 8;
    constexpr double kShare = 0.99;  // of t that a step may take away
    if (!path_.look_from(at_)) return false;
    const Direction tangent = path_.tangent(), correction = path_.correction(tangent);
    if (!tangent.x.allFinite() || !correction.x.allFinite()) return false;
    const double most = kShare / std::fabs(tangent.t);
    double length = std::min(length_, most);
    for (int halving = 0; halving < kHalvings; ++halving, length *= 0.5) {
      Point next = moved(at_, correction, tangent, length);
      if (!(path_.distance(next) < near_)) continue;
      const bool at_once = halving == 0;
      const bool long_steps = length > 0.45 / std::fabs(tangent.t);
      length_ = at_once ? 2 * length : length;
      if (at_once && long_steps) length_ = std::max(length_, most - 0.3 * (most - length));
      at_ = std::move(next);
      return true;
    }
    length_ = std::max(0.1 * length_, 1e-3);
    return return_to_path(tangent, correction);
  }

 private:
  bool return_to_path(const Direction& tangent, const Direction& correction) {
    constexpr int kHalvings = 10;
    double best = std::numeric_limits<double>::infinity();
    const double now = path_.distance(at_);
    Point nearest;
    double share = 1;
    for (int halving = 0; halving < kHalvings; ++halving, share *= 0.5) {
      Point trial = moved(at_, share * correction, tangent, 0);
      const double distance = path_.distance(trial);
      if (distance < best) {
        best = distance;
        nearest = std::move(trial);
      }
      if (best < (1 - 0.1 * share) * now) break;
    }
    if (!(best < std::numeric_limits<double>::infinity())) return false;
    at_ = std::move(nearest);
    return ++failures_ < kFailures;
  }

  static constexpr int kFailures = 100;

  Path<D>& path_;
  double near_;
  Point at_;
  double length_ = 0.5;
  int failures_ = 0;
};

/// Levels of the attempts, spread evenly over the logarithms, whenever one stops: paths from different levels wind
/// differently, and which is short cannot be told beforehand.
double level(int attempt) {
  constexpr double kLowest = -1, kDecades = 2, kFirst = 0.35, kGolden = 0.6180339887498949;
  const double place = kFirst + kGolden * attempt;
  return std::pow(10, kLowest + kDecades * (place - std::floor(place)));
}

/// Iterations without a lower t after which a path is left for another.
int patience(int attempt) { return 100 + 20 * attempt; }

}  // namespace

template <int D>
int solve_interior_point(BarrierSystem<D>& system, std::span<const Vec<D>> start, const InteriorPointOptions& options,
                         const Judgement<D>& judge) {
  constexpr double kNear = 0.4;
  constexpr double kBeyond = 2;  // t of a path that turned back for good
  const Vector from = system.variables(start);
  int done = 0;
  for (int attempt = 0; done < options.max_iterations; ++attempt) {
    Path<D> path(system, from, level(attempt));
    if (path.trivial()) break;
    Follower<D> follower(path, kNear);
    double lowest = 1;
    int reached = done;  // the iteration that brought t to its lowest
    while (done < options.max_iterations && done - reached < patience(attempt)) {
      ++done;
      if (!follower.advance() || follower.at().t > kBeyond) break;
      if (judge(system.impulses(follower.at().x)) <= options.tolerance) return done;
      if (follower.at().t >= lowest) continue;
      lowest = follower.at().t;
      reached = done;
    }
  }
  return done;
}

template int solve_interior_point(BarrierSystem<2>&, std::span<const Vec<2>>, const InteriorPointOptions&,
                                  const Judgement<2>&);
template int solve_interior_point(BarrierSystem<3>&, std::span<const Vec<3>>, const InteriorPointOptions&,
                                  const Judgement<3>&);

}  // namespace scree::coulomb
