#pragma once

#include <scree/law/bond_law.hpp>

#include <vector>

namespace @name@ {

/// A spring between the centres of two bodies, as long as they were apart when they were joined.
class Bond final : public scree::BondLaw, public scree::BondForces {
 public:
  /// \param stiffness [N/m], strength [N]; bonds break at that pull
  Bond(double stiffness, double strength) : stiffness_(stiffness), strength_(strength) {}
  void bind(const scree::BondView& bonds, std::size_t bodies) override;
  const void* face(std::string_view name) const noexcept override {
    return name == scree::BondForces::kName ? static_cast<const scree::BondForces*>(this) : nullptr;
  }
  scree::BondTraits traits() const override { return {.can_break = true}; }
  void utilisation(const scree::Configuration& x, std::span<double> out) const override;
  void add_wrenches(const scree::Configuration& x, std::span<scree::Wrench> out) const override;
  double energy(const scree::Configuration& x) const override;
  double stable_time_step(const scree::Configuration& x, std::span<const double> mass,
                          std::span<const double> moment) const override;

 private:
  struct Joined {
    std::uint32_t a, b;
    double length;  ///< [m]
  };
  double stretch(const Joined& bond, const scree::Configuration& x) const;
  double stiffness_, strength_;
  std::vector<Joined> bonds_;
};

}  // namespace @name@
