#pragma once
/// \file The observer `mixing-meter`: how well entries of bodies are mixed, over time.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "chosen.hpp"
#include "scree/scene/region.hpp"
#include "series.hpp"
#include "time_average.hpp"

namespace scree::meters {

/// Variances of composition by number [-], and Lacey's index of them.
struct Mixing {
  double variance = 0;   ///< variance of the cells
  double separated = 0;  ///< variance of cells that hold only one kind each
  double random = 0;     ///< expected variance of cells filled at random
  double index = 0;      ///< 0 separated, 1 random; 0 too where there is nothing to mix
};

/// P. M. C. Lacey, J. Appl. Chem. 4 (1954) 257: M = (s0^2 - s^2) / (s0^2 - sr^2), s0^2 = p (1 - p), sr^2 = s0^2 / n
/// with n the mean number of bodies in a cell. Departures: cells weigh as many bodies as they hold, so that sr^2 is
/// what labels at random give on average whatever the cells hold; and of more than two kinds, variances are half the
/// sum over kinds, which for two is Lacey's. \param counts  (cells, kinds): bodies of each kind in each cell, none of
/// them empty
Mixing mixing_of(std::span<const std::uint64_t> counts, std::size_t kinds);

/// Bodies count in the cell of a cubic (in 2D square) grid that has their centre of mass.
class MixingMeter final : public Observer {
 public:
  explicit MixingMeter(const Options& options);

  void begin(const World& world) override;
  void open(const std::string& directory) override { series_.open(directory); }
  void resume(std::uint64_t) override { series_.resume(); }
  std::vector<std::byte> save() const override { return average_.save(); }
  void load(const std::vector<std::byte>& state) override { average_.load(state); }
  void observe(const World& world, const ContactView* contacts, const Frame& frame) override;
  std::vector<std::string> files() const override { return {series_.file()}; }

 private:
  void check_cells(int dimension) const;
  /// (cells, kinds), cells in the order of their places.
  std::vector<std::uint64_t> count(const World& world) const;

  Options options_;
  Series series_;
  TimeAverage average_;
  std::vector<ChosenGroups> kinds_;
  Vec3 origin_;
  double cell_;  ///< edge of a cell [m]
  std::optional<Region> region_;
};

}  // namespace scree::meters
