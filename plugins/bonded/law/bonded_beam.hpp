#pragma once
/// \file Law `bonded-beam`: a short round beam between the centres of two bodies, that breaks when its section is torn
/// or sheared.

#include <algorithm>
#include <limits>

#include "incremental/bond_term.hpp"
#include "scree/law/bond_columns.hpp"
#include "scree/law/bond_law.hpp"

namespace scree::bonded {

struct BondedBeamOptions {
  double youngs_modulus = 0;  ///< micro E [Pa]; with per_area E/l0 [Pa/m]
  double shear_modulus = 0;   ///< micro G [Pa]; with per_area G/l0 [Pa/m]
  bool per_area = false;      ///< true for stiffness per area, as of parallel bonds
  double thickness = 0;       ///< thickness of sections in 2D [m]; 0 in 3D: they are round
  double scatter = 0;         ///< standard deviation of strengths over their means [-]
  std::uint64_t seed = 1;     ///< seed of strengths
  double tensile_strength = std::numeric_limits<double>::infinity();  ///< sigma_c [Pa]
  double shear_strength = std::numeric_limits<double>::infinity();    ///< tau_c [Pa]
  FractureForm form = FractureForm::corrected;
};

class BondedBeam final : public BondLaw, public BondForces, public scree::BondColumns {
 public:
  explicit BondedBeam(const BondedBeamOptions& options) : options_(options) {}

  void bind(const BondView& bonds, std::size_t bodies) override;
  const void* face(std::string_view name) const noexcept override;
  BondTraits traits() const override;
  void utilisation(const Configuration& x, std::span<double> out) const override;

  void add_wrenches(const Configuration& x, std::span<Wrench> out) const override { term_.add_wrenches(x, out); }
  double energy(const Configuration& x) const override;
  double stable_time_step(const Configuration& x, std::span<const double> mass,
                          std::span<const double> moment) const override;

  std::vector<BondColumn> columns() const override;
  void values(const Configuration& x, std::span<const std::span<double>> out) const override;

 private:
  /// Modulus of a solid of tetrahedra over that of its beams, at a shear ratio of 0.4: README.md of packing/.
  static constexpr double kSolid = 0.61;

  Section<double> section_of(double area) const;
  double utilisation(const SectionForces<double>& forces, std::size_t bond) const;
  BondedBeamOptions options_;
  BondTerm term_;  ///< the face energy/1: stays where it is
  std::vector<Section<double>> section_;
  std::vector<SectionStress<double>> strength_;
};

}  // namespace scree::bonded
