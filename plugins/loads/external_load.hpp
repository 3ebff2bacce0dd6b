#pragma once
/// \file The modifier `external-load`: forces and torques on bodies as functions of time.

#include <string>
#include <vector>

#include "load_curve.hpp"
#include "scree/hooks/hook.hpp"
#include "scree/plugin/chosen_groups.hpp"

namespace scree::loads {

/// Puts a force and a torque on each of the bodies, in world axes, beside what others put there. Both are held for an
/// interval at the values of its middle. At the last call before `stop` they end.
class ExternalLoad final : public Modifier {
 public:
  /// \throws OptionError
  explicit ExternalLoad(const Options& options);

  void begin(World& world) override;
  void apply(World& world, const ContactView* contacts, HistoryStore& history) override;

 private:
  void check_bodies(const World& world) const;
  void show(World& world, const Vec3& force, const Vec3& torque) const;

  std::string name_;
  std::vector<std::string> bodies_;
  LoadCurve force_, torque_;
  double start_, interval_, stop_;  ///< [s]
  ChosenGroups groups_;
};

}  // namespace scree::loads
