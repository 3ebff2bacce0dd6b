#pragma once
/// \file The observer `body-meter`: state of chosen bodies, and the forces on them, over time.

#include <cstdint>
#include <optional>
#include <vector>

#include "scree/hooks/hook.hpp"
#include "scree/plugin/chosen_bodies.hpp"
#include "series.hpp"
#include "time_average.hpp"

namespace scree::meters {

/// A row per body and call, in the order of ids, or one row of all together. Fixed and prescribed bodies count as free
/// ones do. Forces are those of contacts and bonds in the last evaluation.
class BodyMeter final : public Observer {
 public:
  /// \throws OptionError
  explicit BodyMeter(const Options& options);

  void begin(const World& world) override { bodies_.begin(world); }
  void open(const std::string& directory) override { series_.open(directory); }
  void resume(std::uint64_t) override { series_.resume(); }
  std::vector<std::byte> save() const override { return average_.save(); }
  void load(const std::vector<std::byte>& state) override { average_.load(state); }
  void observe(const World& world, const ContactView* contacts, const Frame& frame) override;
  std::vector<std::string> files() const override { return {series_.file()}; }

 private:
  void write_each(const World& world, const Frame& frame);
  void write_together(const World& world, const Frame& frame);

  ChosenBodies bodies_;
  Series series_;
  TimeAverage average_;
  bool together_;
  std::optional<Vec3> point_;  ///< torques are about it [m]
};

}  // namespace scree::meters
