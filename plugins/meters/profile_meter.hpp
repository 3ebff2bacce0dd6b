#pragma once
/// \file The observer `profile-meter`: what bins along a direction or a radius hold, over time.

#include <optional>

#include "bins.hpp"
#include "chosen.hpp"
#include "series.hpp"
#include "time_average.hpp"

namespace scree::meters {

/// A row per bin and call. Bodies count where their centre of mass is; volume, mass and momentum of spheres are shared
/// among the bins that they reach into, and those of other bodies belong to the bin of their centre. Stress of contacts
/// is sum f l / V with l the part of the branch in the bin: Christoffersen, Mehrabadi, Nemat-Nasser, J. Appl. Mech. 48
/// (1981) 339, with Hardy's share of the line (J. Chem. Phys. 76 (1982) 622).
class ProfileMeter final : public Observer {
 public:
  explicit ProfileMeter(const Options& options);

  bool wants_contacts() const noexcept override { return true; }
  void begin(const World& world) override;
  void open(const std::string& directory) override { series_.open(directory); }
  void resume(std::uint64_t) override { series_.resume(); }
  std::vector<std::byte> save() const override { return average_.save(); }
  void load(const std::vector<std::byte>& state) override { average_.load(state); }
  void observe(const World& world, const ContactView* contacts, const Frame& frame) override;
  std::vector<std::string> files() const override { return {series_.file()}; }

 private:
  struct Bin;
  bool within(const World& world, const Vec3& x) const { return !region_ || region_->contains(world.cell.inside(x)); }
  void find_volumes(const World& world);
  void add_bodies(const World& world, std::vector<Bin>& bins) const;
  void add_contacts(const World& world, const ContactView& contacts, std::vector<Bin>& bins) const;
  void mark_unknown(const World& world, std::vector<Bin>& bins) const;
  std::vector<std::string> columns() const;
  /// Figures of a bin from its sums. \param volume  [m^3]; 0: unknown
  std::vector<double> figures(const double* sums, double volume) const;

  Options options_;
  Series series_;
  Chosen chosen_;
  TimeAverage average_;
  std::optional<Region> region_;
  std::optional<Bins> bins_;
  std::vector<std::uint32_t> entries_;          ///< groups that are counted apart
  std::vector<std::string> names_;              ///< names of these
  std::optional<std::vector<double>> volumes_;  ///< volumes of bins, if they are known [m^3], in 2D [m^2]
  bool dense_ = false;                          ///< volumes are known
  bool by_volume_;
  int dimension_ = 3;
};

}  // namespace scree::meters
