#pragma once
/// \file Laws by pairs of materials.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "scree/setup/setup.hpp"

namespace scree::detail {

/// Returns Methods::alone for the current materials.
std::vector<std::uint8_t> lone_materials(const Scene& scene, const World& world);

/// Numbers the interactions of a run, and makes their laws at first use.
class InteractionTable {
 public:
  InteractionTable(const Scene& scene, const Registry& registry, Prepared& prepared);

  /// Numbers one interaction per entry and pair of elastic properties, before their first use: history is kept by these
  /// numbers.
  void number_interactions();
  /// Makes entries of the scene once that no two bodies use, so that their faults are found.
  void check_unused() const;
  /// Returns the entry of `interactions` for two materials: exact names before "*".
  std::optional<std::uint32_t> entry(const std::string& a, const std::string& b) const;
  /// Returns the interaction of two materials whose law is not "none", with its law.
  std::uint32_t interaction_of(std::uint32_t material_a, std::uint32_t material_b);
  /// Checks the ranges of laws, which are made for bodies up to a size.
  /// \throws InputError if the range is larger for the largest current body
  void check_ranges() const;

 private:
  std::unique_ptr<ContactLaw> law(const InteractionDef& def, const MaterialEntry& a, const MaterialEntry& b,
                                  double largest_radius) const;
  const MaterialEntry& material(const std::string& name) const;
  /// Returns the size of a law's history before the law is used: checkpoints are checked against it.
  int history_of(const InteractionDef& def, const MaterialEntry& a, const MaterialEntry& b) const;
  /// Sets the face that the integrator works with.
  void use_face(Interaction& interaction) const;
  void warn_of_columns(const Interaction& interaction, const InteractionDef& def) const;
  void require_face(const InteractionDef& def, const ContactLaw& law, const IntegratorTraits& traits) const;

  using Elastic = std::pair<double, double>;  ///< Young's modulus, Poisson's ratio

  const Scene& scene_;
  const Registry& registry_;
  Prepared& prepared_;
  World& world_;
  double largest_radius_ = 0;  ///< largest radius that laws are made for [m]
  std::map<std::tuple<std::uint32_t, Elastic, Elastic>, std::uint32_t> interactions_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> numbers_;  ///< numbers of interactions, by materials
  std::size_t numbered_ = 0;                                                  ///< number of materials included
  std::vector<std::pair<std::uint32_t, std::uint32_t>> materials_of_;         ///< materials of each interaction
};

}  // namespace scree::detail
