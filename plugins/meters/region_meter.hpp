#pragma once
/// \file The observer `region-meter`: what is in a part of space, over time.

#include <optional>

#include "chosen.hpp"
#include "scree/scene/region.hpp"
#include "series.hpp"
#include "time_average.hpp"

namespace scree::meters {

/// Bodies count where their centre of mass is, contacts where their overlap is.
class RegionMeter final : public Observer {
 public:
  explicit RegionMeter(const Options& options);

  bool wants_contacts() const noexcept override { return true; }
  void begin(const World& world) override;
  void open(const std::string& directory) override { series_.open(directory); }
  void resume(std::uint64_t) override { series_.resume(); }
  std::vector<std::byte> save() const override { return average_.save(); }
  void load(const std::vector<std::byte>& state) override { average_.load(state); }
  void observe(const World& world, const ContactView* contacts, const Frame& frame) override;
  std::vector<std::string> files() const override { return {series_.file()}; }

 private:
  struct Known {
    bool ends = true, forces = true;
  };

  bool within(const World& world, const Vec3& x) const;
  bool reaches(const World& world, const Vec3& centre, double radius) const;
  Known what_is_known(const World& world, double time);

  Options options_;
  Series series_;
  Chosen chosen_;
  TimeAverage average_;
  std::optional<Region> region_;
  bool told_ = false;  ///< true after the warning that contacts are missing
};

}  // namespace scree::meters
