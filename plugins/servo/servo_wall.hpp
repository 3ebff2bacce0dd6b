#pragma once
/// \file The modifier `servo-wall`: a wall that moves until what it holds presses against it with a given force.

#include <map>
#include <vector>

#include "gain.hpp"
#include "scree/hooks/hook.hpp"
#include "settings.hpp"

namespace scree::servo {

/// Every `interval` the wall gets the speed v = G (F_target - F), |v| <= max_speed, along its direction, on top of the
/// motion that the scene gives it. F is the force against that direction by which its contacts press on it.
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
  double speed(const World& world, const ContactView* contacts, double missing) const;
  double within_stroke(double speed) const;
  void move(World& world) const;
  void show(World& world, double force, double target) const;

  Settings set_;
  std::map<Id, std::vector<Motion>> scene_motions_;  ///< of the wall's bodies
  std::vector<std::array<std::uint32_t, 2>> spans_;  ///< groups
  /// The state: displacement at `since_`, and speed from then on, for an interval.
  struct {
    double displacement = 0, speed = 0, since = 0;  ///< [m], [m/s], [s]
  } state_;
};

}  // namespace scree::servo
