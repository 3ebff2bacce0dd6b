#pragma once
/// \file What bodies move against each other where they touch, beyond what closes gaps and undoes overlaps, summed over
/// steps. A body that rolls moves, and its contacts do not: this tells creep of the contact law apart from motion that
/// the law allows.

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <vector>

#include "scree/integrate/impulse_problem.hpp"
#include "scree/world/world.hpp"

namespace scree::test {

/// Of a set of speeds [m/s].
struct Spread {
  std::size_t count = 0;
  double median = 0, nine_of_ten = 0, largest = 0;
  std::size_t creeping = 0;  ///< how many are above kCreep

  static constexpr double kCreep = 1e-9;

  Spread() = default;
  explicit Spread(std::vector<double> speeds) : count(speeds.size()) {
    if (speeds.empty()) return;
    std::sort(speeds.begin(), speeds.end());
    median = speeds[count / 2];
    nine_of_ten = speeds[count * 9 / 10];
    largest = speeds.back();
    creeping = static_cast<std::size_t>(speeds.end() - std::upper_bound(speeds.begin(), speeds.end(), kCreep));
  }
};

/// Bodies are free ones, or at rest, and hit each other without restitution.
class ContactSlip {
 public:
  /// \param dt             of a step [s]
  /// \param slop           gaps and overlaps up to this size stay as they are [m]
  /// \param drift_rate     fraction of a larger overlap that is undone per step
  /// \param least_impulse  of a contact that counts as carrying [N s per step]
  ContactSlip(double dt, double slop, double drift_rate, double least_impulse)
      : dt_(dt), slop_(slop), drift_rate_(drift_rate), least_(least_impulse) {}

  /// Before a step: where bodies touch.
  void before(const World& world, std::span<const ConeContact> contacts) {
    const auto id = world.id.read();
    points_.clear();
    for (const ConeContact& c : contacts)
      points_.push_back({key(world, c), id[c.a], id[c.b], c.normal, c.arm_a, c.arm_b, closing(c.gap)});
  }

  /// After it: how they have moved there, with the impulses of the step.
  void after(const World& world, std::span<const ConeContact> contacts) {
    std::map<Key, const ConeContact*> now;
    for (const ConeContact& c : contacts) now[key(world, c)] = &c;
    ++steps_;
    for (const Point& p : points_) {
      const auto found = now.find(p.key);
      if (found == now.end()) continue;
      const ConeContact& c = *found->second;
      const double push = c.impulse.dot(p.normal);
      if (push < least_) continue;
      Track& track = tracks_[p.key];
      track.moved += dt_ * (velocity(world, p.b, p.arm_b) - velocity(world, p.a, p.arm_a) - p.closing * p.normal);
      ++track.carried;
      if ((c.impulse - push * p.normal).norm() < kWithin * c.friction * push) ++track.stuck;
    }
  }

  /// Of contacts that carried and stuck in every step: Coulomb's law has them not move at all.
  Spread sticking(double time) const {
    return spread(time, [this](const Track& t) { return t.stuck == steps_; });
  }
  /// Of the others that carried in every step: they were at the limit of friction at times.
  Spread at_the_limit(double time) const {
    return spread(time, [this](const Track& t) { return t.stuck < steps_; });
  }

 private:
  static constexpr double kWithin = 0.99;  ///< of the limit of friction: a contact below sticks

  /// Ids, and which face of a box it is.
  using Key = std::tuple<Id, Id, int>;
  struct Point {
    Key key;
    Id a, b;
    Vec3 normal, arm_a, arm_b;
    double closing;  ///< normal velocity that the law asks for where it pushes [m/s]
  };
  struct Track {
    Vec3 moved = Vec3::Zero();  ///< of b against a [m]
    int carried = 0, stuck = 0;
  };

  double closing(double gap) const {
    if (std::abs(gap) <= slop_) return 0;
    return -gap / dt_ * (gap < 0 ? drift_rate_ : 1);
  }
  static Key key(const World& world, const ConeContact& c) {
    const auto id = world.id.read();
    const auto mass = world.inverse_mass.read();
    int face = 0;
    if (mass[c.a] == 0 || mass[c.b] == 0)
      for (int k = 0; k < 3; ++k) face = 3 * face + static_cast<int>(std::lround(c.normal[k]));
    return {id[c.a], id[c.b], face};
  }
  static Vec3 velocity(const World& world, Id body, const Vec3& arm) {
    const std::size_t row = *world.row(body);
    return world.velocity.read()[row] + world.angular_velocity.read()[row].cross(arm);
  }
  template <class Which>
  Spread spread(double time, const Which& which) const {
    std::vector<double> speeds;
    for (const auto& [k, track] : tracks_)
      if (track.carried == steps_ && which(track)) speeds.push_back(track.moved.norm() / time);
    return Spread(std::move(speeds));
  }

  double dt_, slop_, drift_rate_, least_;
  int steps_ = 0;
  std::vector<Point> points_;
  std::map<Key, Track> tracks_;
};

}  // namespace scree::test
