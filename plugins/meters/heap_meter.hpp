#pragma once
/// \file The observer `heap-meter`: angle of repose, height and radius of a heap, over time.

#include <optional>
#include <utility>
#include <vector>

#include "chosen.hpp"
#include "scree/scene/region.hpp"
#include "series.hpp"
#include "time_average.hpp"

namespace scree::meters {

/// Body of a heap, as seen from its axis, or from the middle of a ridge.
struct Grain {
  Id id;
  double mass, radius;      ///< [kg], [m]
  double distance, height;  ///< place of its centre: from the axis, above the floor [m]
  double turn;              ///< direction from the axis: 0 to 1; of a ridge 0 or 0.5
  double along;             ///< place along a ridge [m]
};

/// Figures of a heap. Angles [rad]; nan where the heap is too small to have them.
struct Heap {
  double fit, fit_error;          ///< angle of lines through the surface
  double slope, slope_error;      ///< angle of height over radius
  double moments;                 ///< angle of the cone, or wedge, that has the same centre of mass and spread
  double height = 0, radius = 0;  ///< highest point; radius of the foot at the floor [m]
};

/// Part of the foot's radius within which tops are fitted, and most sectors around the axis.
struct HeapFit {
  double from, to;
  int sectors;
};

/// \param ridge  the heap has two flat sides
Heap heap_of(const std::vector<Grain>& grains, const HeapFit& fit, bool ridge);

class HeapMeter final : public Observer {
 public:
  /// \throws OptionError
  explicit HeapMeter(const Options& options);

  void begin(const World& world) override;
  void open(const std::string& directory) override { series_.open(directory); }
  void resume(std::uint64_t) override { series_.resume(); }
  std::vector<std::byte> save() const override { return average_.save(); }
  void load(const std::vector<std::byte>& state) override { average_.load(state); }
  void observe(const World& world, const ContactView* contacts, const Frame& frame) override;
  std::vector<std::string> files() const override { return {series_.file()}; }

 private:
  std::vector<Grain> grains(const World& world) const;

  Options options_;
  Series series_;
  Chosen chosen_;
  TimeAverage average_;
  HeapFit fit_;
  std::optional<Region> region_;
  std::optional<Vec3> ridge_;  ///< unit
  Vec3 up_ = Vec3::UnitZ();
};

}  // namespace scree::meters
