#pragma once
/// \file The modifier `servo-wall`: a wall that moves until what it holds presses against it with a given force.

#include <set>
#include <vector>

#include "gain.hpp"
#include "scree/hooks/hook.hpp"
#include "settings.hpp"

namespace scree::servo {

/// Every `interval` the speed v of the wall along its direction becomes v + share (G e + v_0 - v), at most max_speed,
/// on top of the motion that the scene gives it. e = F_target - F is what is missing; F is the force by which contacts
/// press on the wall against its direction. v_0 is G over a time times the integral of e, from when F is near its
/// target on average over that time.
class ServoWall final : public Modifier {
 public:
  explicit ServoWall(const Settings& settings) : set_(settings) {}

  bool wants_contacts() const noexcept override { return !set_.gain; }
  void begin(World& world) override;
  void apply(World& world, const ContactView* contacts, HistoryStore& history) override;
  std::vector<std::byte> save() const override;
  void load(const std::vector<std::byte>& state) override;

 private:
  double reaction(const World& world) const;
  double area(const World& world) const;
  WallContacts touching(const World& world, const ContactView& contacts, double force);
  double speed(const World& world, const ContactView* contacts, double target, double force);
  double within_stroke(double speed) const;
  bool drives(const World& world, Id id) const;
  void move(World& world, Id id, bool replace, double speed) const;
  void show(World& world, double force, double target) const;

  Settings set_;
  std::set<Id> walls_;                               ///< the wall's bodies
  std::vector<std::array<std::uint32_t, 2>> spans_;  ///< groups
  /// Displacement at `since`, and speed from then on, for an interval.
  struct {
    double displacement = 0, speed = 0, since = 0;  ///< [m], [m/s], [s]
    double origin = 0;                              ///< displacement where the motion set by the scene began [m]
    double steady_speed = 0;                        ///< v_0 [m/s]
    double mean_missing = 0;                        ///< mean of e over the integral's time since contact began [N]
    double contact_stiffness = 0;                   ///< stiffness of each contact [N/m]; 0: none, or unknown
    bool touching = false;
  } state_;
};

}  // namespace scree::servo
