#pragma once
/// \file The modifier `heat`: temperatures of bodies, and heat that flows through their contacts.

#include <cstdint>
#include <string>
#include <vector>

#include "changes.hpp"
#include "scree/hooks/hook.hpp"
#include "scree/plugin/plugin.hpp"
#include "scree/shape/facets.hpp"

namespace scree::heat {

/// Each time it runs, it moves heat for the time since it ran last, through the contacts of the last step. A body has
/// one temperature; so have all members of an owner.
///
/// Conductances are constant meanwhile, so that temperatures obey dT/dt = A T + s. Steps take the series of its
/// solution to fourth order, and are at most half of C/sum H of any body. What a contact takes from one body it gives
/// to the other. Contacts are added in their canonical order, so bits depend on neither threads nor ranks.
class Heat final : public Modifier {
 public:
  explicit Heat(const Options& options);

  bool wants_contacts() const noexcept override { return true; }
  void begin(World& world) override;
  void apply(World& world, const ContactView* contacts, HistoryStore& history) override;
  std::vector<std::byte> save() const override;
  void load(const std::vector<std::byte>& state) override;

 private:
  /// Material values of the options.
  struct Substance {
    std::string name;
    double conductivity = 0, heat_capacity = 0;       ///< [W/m/K], [J/kg/K]; 0: not given
    double real_modulus = 0;                          ///< [Pa]; 0: that of the scene
    double effusivity = 0;                            ///< [W s^0.5/m^2/K]
    double soft_compliance = 0, real_compliance = 0;  ///< (1 - nu^2)/E [1/Pa]
  };
  /// Conditions of the bodies of an entry.
  struct Condition {
    std::string bodies;
    double temperature = 0;  ///< at the start [K]
    bool given = false;      ///< true if the scene gives it
    bool fixed = false, insulated = false;
    double source = 0;    ///< power into each body [W]
    double capacity = 0;  ///< [J/K]; 0: mass times heat capacity
  };
  /// Two bodies that exchange heat, by rows of those that carry the temperatures.
  struct Link {
    std::uint32_t a, b;
    double conductance;  ///< [W/K]
  };
  /// Bodies of now, by row. Members count with their owner, and have a capacity of 0 here.
  struct Network {
    std::vector<std::uint32_t> carrier;  ///< row of the owner, or of the body itself
    std::vector<double> capacity;        ///< [J/K]; 0: keeps its temperature
    std::vector<double> source, made;    ///< power from outside, and that contacts turn into heat [W]
    std::vector<Link> links;
  };

  void read_materials(const World& world);
  void read_conditions(const World& world);
  void require_values(const World& world, std::size_t row) const;
  const Condition& condition(const World& world, std::size_t row) const;
  double own_capacity(const World& world, std::size_t row, double mass) const;
  bool gives_sources() const;
  void start_new_bodies(World& world);
  void hold_fixed_bodies(World& world) const;
  void join_members(const World& world, Network& net, std::span<double> temperature) const;
  Network network(World& world, const ContactView& contacts);
  double contact_radius(const World& world, const ContactRecord& contact, std::size_t a, std::size_t b);
  double local_radius(const World& world, std::size_t row, const Vec3& point);
  void add_dissipation(World& world, const ContactView& contacts, Network& net, double elapsed);
  double longest_step(const Network& net, std::uint32_t& row) const;
  std::size_t steps_for(const World& world, const Network& net, double elapsed) const;
  void exchange(World& world, const Network& net, double elapsed, std::span<double> temperature);
  void check(const World& world, std::span<const double> temperature) const;
  void show(World& world, const Network& net, std::span<const double> temperature) const;

  std::vector<Substance> given_;
  std::vector<Condition> conditions_;
  std::vector<Change> changes_;  ///< by time
  bool held_ = false;            ///< true if bodies of fixed temperature have theirs
  double interval_, temperature_;
  bool crossing_, dissipation_;
  double softness_power_;  ///< 0: no correction
  std::size_t most_steps_;
  std::vector<Substance> substances_;          ///< by material
  std::vector<Condition> of_group_;            ///< by group
  std::vector<const SphereSet*> sphere_sets_;  ///< by shape
  // State:
  double last_ = -1;  ///< time when heat was moved last [s]; < 0: never
};

}  // namespace scree::heat
