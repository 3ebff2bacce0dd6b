#pragma once
/// \file Which law serves two materials.

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "scree/setup/setup.hpp"

namespace scree::detail {

/// Methods::alone, for the current materials.
std::vector<std::uint8_t> lone_materials(const Scene& scene, const World& world);

/// Numbers the interactions of a run, and makes their laws when somebody needs them first.
class InteractionTable {
 public:
  InteractionTable(const Scene& scene, const Registry& registry, Prepared& prepared);

  /// One interaction per entry and pair of elastic properties, numbered before anybody needs them: history is kept by
  /// these numbers.
  void number_interactions();
  /// Entries of the scene that no two bodies need are made once all the same, so that their mistakes are found.
  void check_unused() const;
  /// The entry of `interactions` for two materials: exact names before "*".
  std::optional<std::uint32_t> entry(const std::string& a, const std::string& b) const;
  /// The interaction of two materials whose law is not "none", with its law.
  std::uint32_t interaction_of(std::uint32_t material_a, std::uint32_t material_b);
  /// A law has been made for bodies up to a size.
  /// \throws InputError where it reaches farther about the largest current one
  void check_ranges() const;

 private:
  std::unique_ptr<ContactLaw> law(const InteractionDef& def, const MaterialEntry& a, const MaterialEntry& b,
                                  double largest_radius) const;
  const MaterialEntry& material(const std::string& name) const;
  /// What a law will remember of a contact once it is needed: checkpoints are judged by it before that.
  int history_of(const InteractionDef& def, const MaterialEntry& a, const MaterialEntry& b) const;
  /// The face the integrator works with.
  void use_face(Interaction& interaction) const;
  void require_face(const InteractionDef& def, const ContactLaw& law, const IntegratorTraits& traits) const;

  using Elastic = std::pair<double, double>;  ///< Young's modulus, Poisson's ratio

  const Scene& scene_;
  const Registry& registry_;
  Prepared& prepared_;
  World& world_;
  double largest_radius_ = 0;  ///< [m] that laws are made for
  std::map<std::tuple<std::uint32_t, Elastic, Elastic>, std::uint32_t> interactions_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> numbers_;  ///< of interactions, by materials
  std::size_t numbered_ = 0;                                                  ///< materials
  std::vector<std::pair<std::uint32_t, std::uint32_t>> materials_of_;         ///< that an interaction is made for
};

}  // namespace scree::detail
