#include "conformance/law_cycles.hpp"

#include <cmath>
#include <numbers>

namespace scree::conformance {

namespace {

/// Contacts that are followed together, each in its own columns.
class Followed {
 public:
  /// \param contacts  the first `size` keep all columns except overlap, normal and motion
  Followed(const ForceFace& law, Contacts contacts, std::size_t size, double dt)
      : law_(law),
        contacts_(std::move(contacts)),
        size_(size),
        dt_(dt),
        history_(static_cast<std::size_t>(law.history_size()), std::vector<double>(kRoom)),
        next_(history_),
        out_(6, std::vector<double>(kRoom)) {}

  std::vector<double>& column(std::size_t k) { return contacts_.column[k]; }

  /// Evaluates the law, and keeps its history.
  void step() {
    const double* last[ForceFace::kMostHistory] = {};
    double* now[ForceFace::kMostHistory] = {};
    for (std::size_t k = 0; k < history_.size(); ++k) last[k] = history_[k].data(), now[k] = next_[k].data();
    ForceColumns out;
    for (std::size_t k = 0; k < 3; ++k) out.force[k] = out_[k].data(), out.moment[k] = out_[3 + k].data();
    ContactColumns view = contacts_.view(size_);
    view.dt = dt_;
    law_.force(view, last, now, out);
    std::swap(history_, next_);
  }

  /// Clears the history of contacts that are apart, as the core does.
  void forget(double range) {
    for (std::size_t i = 0; i < size_; ++i)
      if (contacts_.column[0][i] <= -range)
        for (auto& column : history_) column[i] = 0;
  }

  Vec3 vector(const std::vector<std::vector<double>>& of, std::size_t first, std::size_t i) const {
    return {of[first][i], of[first + 1][i], of[first + 2][i]};
  }
  Vec3 force(std::size_t i) const { return vector(out_, 0, i); }
  Vec3 moment(std::size_t i) const { return law_.needs().moment ? vector(out_, 3, i) : Vec3::Zero(); }
  Vec3 velocity(std::size_t i) const { return vector(contacts_.column, 4, i); }
  Vec3 spin(std::size_t i) const { return vector(contacts_.column, 9, i); }
  Vec3 normal(std::size_t i) const { return vector(contacts_.column, 1, i); }

 private:
  const ForceFace& law_;
  Contacts contacts_;
  std::size_t size_;
  double dt_;
  std::vector<std::vector<double>> history_, next_, out_;
};

/// Path of a contact: it closes to a depth and opens again, and slides and rolls back and forth in one or two waves.
struct Path {
  double depth, apart, time;  ///< [m], [m], [s]
  Vec3 slide, roll;           ///< largest slide and roll [m], [rad]; the slide is across the normal
  double waves;

  double overlap(double t) const {
    return depth - (depth + apart) * 0.5 * (1 + std::cos(2 * std::numbers::pi * t / time));
  }
  double wave(double t) const { return std::sin(2 * std::numbers::pi * waves * t / time); }
};

constexpr std::size_t kPaths = 64;
constexpr int kSteps = 2000;

}  // namespace

double work_of_cycles(const ForceFace& law, double range, const Contacts& contacts) {
  Draws draws(3);
  std::vector<Path> paths(kPaths);
  const double duration = law.contact_duration(contacts.column[7][0], contacts.column[8][0]);
  const double dt = duration / kSteps * 2;
  Followed followed(law, contacts, kPaths, dt);
  for (std::size_t i = 0; i < kPaths; ++i) {
    Path& path = paths[i];
    path.depth = 1e-4 * draws.between(0.1, 1), path.apart = 1.1 * range + 1e-5;
    path.time = kSteps * dt;
    const Vec3 along = draws.direction(3), n = followed.normal(i);
    path.slide = 2e-4 * draws.unit() * (along - along.dot(n) * n);
    path.roll = 0.1 * draws.unit() * draws.direction(3);
    path.waves = draws.unit() < 0.5 ? 1 : 2;
    for (const std::size_t k : {12, 13, 14}) followed.column(k)[i] = 0;
  }
  std::vector<double> gained(kPaths), moved(kPaths);
  for (int s = 0; s < kSteps; ++s) {
    const double then = s * dt, now = (s + 1) * dt;
    for (std::size_t i = 0; i < kPaths; ++i) {
      const Path& path = paths[i];
      followed.column(0)[i] = path.overlap(now);
      const Vec3 velocity = ((path.wave(now) - path.wave(then)) * path.slide -
                             (path.overlap(now) - path.overlap(then)) * followed.normal(i)) /
                            dt;
      const Vec3 spin = (path.wave(now) - path.wave(then)) / dt * path.roll;
      for (std::size_t k = 0; k < 3; ++k)
        followed.column(4 + k)[i] = velocity[static_cast<Eigen::Index>(k)],
                            followed.column(9 + k)[i] = spin[static_cast<Eigen::Index>(k)];
    }
    followed.step();
    for (std::size_t i = 0; i < kPaths; ++i) {
      const double normal =
          dt * followed.force(i).dot(followed.normal(i)) * followed.velocity(i).dot(followed.normal(i));
      const double all = dt * (followed.force(i).dot(followed.velocity(i)) + followed.moment(i).dot(followed.spin(i)));
      gained[i] += all;
      moved[i] += std::abs(normal) + std::abs(all - normal);
    }
    followed.forget(range);
  }
  double most = -1;
  for (std::size_t i = 0; i < kPaths; ++i)
    if (moved[i] > 0) most = std::max(most, gained[i] / moved[i]);
  return most;
}

double half_period(const ForceFace& law, const Contacts& contacts) {
  constexpr double kMass = 1e-3, kRadius = 1e-3, kDepth = 1e-3 * kRadius;
  constexpr int kPerContact = 2000;
  const double told = law.contact_duration(kMass, kRadius), dt = told / kPerContact;
  if (!std::isfinite(told)) return 0;
  Followed followed(law, contacts, 1, dt);
  followed.column(7)[0] = kMass, followed.column(8)[0] = kRadius;
  for (const std::size_t k : {4, 5, 6, 9, 10, 11, 12, 13, 14}) followed.column(k)[0] = 0;
  double overlap = 0, speed = kDepth * std::numbers::pi / told;
  const auto push = [&] {
    followed.column(0)[0] = overlap;
    followed.step();
    return followed.force(0).dot(followed.normal(0));
  };
  for (int s = 1; s <= 20 * kPerContact; ++s) {
    overlap += dt * speed;
    if (overlap <= 0) return s * dt;
    speed -= dt * push() / kMass;
    if (!(overlap < 1e3 * kRadius)) return 0;
  }
  return 0;
}

}  // namespace scree::conformance
