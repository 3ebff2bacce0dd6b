#include "law/bonded_beam.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "incremental/stable_step.hpp"
#include "law/bond_strength.hpp"
#include "scree/base/parallel.hpp"

namespace scree::bonded {

Section<double> BondedBeam::section_of(double area) const {
  if (options_.thickness == 0) return round_section(area);
  return flat_section(std::sqrt(area / std::numbers::pi), options_.thickness);
}

void BondedBeam::bind(const BondView& bonds, std::size_t bodies) {
  const std::size_t n = bonds.size();
  section_.clear();
  strength_.clear();
  std::vector<double> stretch(n), shear(n), twist(n), bend(n), length(n);
  std::vector<Vec3> rest(n);
  for (std::size_t k = 0; k < n; ++k) {
    length[k] = bonds.branch[k].norm();
    rest[k] = bonds.branch[k] / length[k];
    const double per = options_.per_area ? length[k] : 1;
    section_.push_back(section_of(bonds.section[k]));
    const auto s =
        beam_stiffness(per * options_.youngs_modulus, per * options_.shear_modulus, section_.back(), length[k]);
    stretch[k] = s.stretch, shear[k] = s.shear, twist[k] = s.twist, bend[k] = s.bend;
    strength_.push_back({options_.tensile_strength, options_.shear_strength});
    if (options_.scatter > 0)
      strength_.back() = scattered(strength_.back(), options_.scatter, options_.seed, bonds.id_a[k], bonds.id_b[k]);
  }
  bonded::BondColumns columns{bonds.a, bonds.b, stretch, shear, twist, bend, length, rest, bonds.made_a, bonds.made_b};
  const auto unturned = [](const Quat& q) { return q.vec().isZero(0); };
  if (std::ranges::all_of(bonds.made_a, unturned) && std::ranges::all_of(bonds.made_b, unturned))
    columns.made_a = columns.made_b = {};
  term_ = BondTerm(columns, bodies);
}

const void* BondedBeam::face(std::string_view name) const noexcept {
  if (name == scree::BondColumns::kName) return static_cast<const scree::BondColumns*>(this);
  if (name == BondForces::kName) return static_cast<const BondForces*>(this);
  if (name == EnergyTerm::kName) return static_cast<const EnergyTerm*>(&term_);
  return nullptr;
}

BondTraits BondedBeam::traits() const {
  BondTraits traits;
  traits.modulus = options_.per_area ? 0 : kSolid * options_.youngs_modulus;
  traits.across_sides = true;
  traits.strength = std::min(options_.tensile_strength, options_.shear_strength);
  traits.can_break = traits.strength < std::numeric_limits<double>::infinity();
  return traits;
}

double BondedBeam::utilisation(const SectionForces<double>& forces, std::size_t bond) const {
  return bonded::utilisation(section_stress(forces, section_[bond], options_.form), strength_[bond]);
}

void BondedBeam::utilisation(const Configuration& x, std::span<double> out) const {
  std::vector<SectionForces<double>> forces(section_.size());
  term_.section_forces(x, forces);
  parallel_for(static_cast<std::ptrdiff_t>(out.size()), [&](std::ptrdiff_t bond) {
    const auto k = static_cast<std::size_t>(bond);
    out[k] = utilisation(forces[k], k);
  });
}

std::vector<BondColumn> BondedBeam::columns() const {
  return {{"tension", "N"}, {"shear_force", "N"}, {"bending_moment", "N m"}, {"utilisation", ""}};
}

void BondedBeam::values(const Configuration& x, std::span<const std::span<double>> out) const {
  std::vector<SectionForces<double>> forces(section_.size());
  term_.section_forces(x, forces);
  for (std::size_t k = 0; k < forces.size(); ++k) {
    const double value[] = {forces[k].normal, forces[k].shear, forces[k].bend, utilisation(forces[k], k)};
    for (std::size_t c = 0; c < out.size(); ++c) out[c][k] = value[c];
  }
}

double BondedBeam::energy(const Configuration& x) const {
  std::vector<double> of_bond(term_.items());
  term_.energies(x, of_bond);
  return ordered_sum(of_bond);
}

double BondedBeam::stable_time_step(const Configuration& x, std::span<const double> mass,
                                    std::span<const double> moment) const {
  return bonded::stable_time_step(term_, x, mass, moment);
}

}  // namespace scree::bonded
