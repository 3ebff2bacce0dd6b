#pragma once
/// \file The observer `flow-meter`: what goes through a plane, over time.

#include <map>
#include <optional>

#include "chosen.hpp"
#include "scree/scene/region.hpp"
#include "series.hpp"
#include "time_average.hpp"

namespace scree::meters {

/// A body goes through where the way of its centre of mass since the last call crosses the plane, if that is within the
/// region given. Along the normal counts positive. In a periodic cell the way is the shortest there is: between two
/// calls a body goes less than half of the cell's length.
class FlowMeter final : public Observer {
 public:
  explicit FlowMeter(const Options& options);

  void begin(const World& world) override;
  void open(const std::string& directory) override { series_.open(directory); }
  void resume(std::uint64_t) override { series_.resume(); }
  std::vector<std::byte> save() const override;
  void load(const std::vector<std::byte>& state) override;
  void observe(const World& world, const ContactView* contacts, const Frame& frame) override;
  std::vector<std::string> files() const override { return {series_.file()}; }

 private:
  double height(const Vec3& x) const { return (x - point_).dot(normal_); }
  /// 1, -1 or 0.
  int crossing(const World& world, const Vec3& from, const Vec3& to) const;
  double image_spacing(const PeriodicCell& cell) const;

  Options options_;
  Series series_;
  Chosen chosen_;
  TimeAverage average_;
  Vec3 point_, normal_;
  std::optional<Region> region_;
  std::map<Id, Vec3> before_;  ///< places at the last call [m]
  struct Sums {
    double time = 0, forward = 0, backward = 0, mass = 0;  ///< time of the last call [s]; bodies; net mass [kg]
  } sums_;
};

}  // namespace scree::meters
