#include "scree/setup/detail/interaction_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scree/setup/detail/law_inputs.hpp"
#include "scree/setup/detail/set_up.hpp"
#include "scree/setup/detail/species.hpp"

namespace scree::detail {

namespace {

std::optional<std::uint32_t> entry_for(const Scene& scene, const std::string& a, const std::string& b) {
  std::optional<std::uint32_t> best;
  int best_rank = -1;
  for (std::uint32_t k = 0; k < scene.interactions.size(); ++k) {
    const InteractionDef& def = scene.interactions[k];
    const auto match = [](const std::string& pattern, const std::string& name) {
      return pattern == "*" || pattern == name;
    };
    if (!(match(def.a, a) && match(def.b, b)) && !(match(def.a, b) && match(def.b, a))) continue;
    const int rank = (def.a != "*") + (def.b != "*");
    if (rank > best_rank) best = k, best_rank = rank;
  }
  return best;
}

}  // namespace

std::vector<std::uint8_t> lone_materials(const Scene& scene, const World& world) {
  const auto materials = world.materials();
  const auto pass = [&](const MaterialEntry& a, const MaterialEntry& b) {
    const auto k = entry_for(scene, a.name, b.name);
    return k && scene.interactions[*k].law.type == "none";
  };
  std::vector<std::uint8_t> alone(materials.size());
  for (std::size_t m = 0; m < alone.size(); ++m)
    alone[m] = std::ranges::all_of(materials, [&](const MaterialEntry& other) { return pass(materials[m], other); });
  return alone;
}

InteractionTable::InteractionTable(const Scene& scene, const Registry& registry, Prepared& prepared)
    : scene_(scene), registry_(registry), prepared_(prepared), world_(*prepared.world) {
  for (const double r : world_.radius.read())
    if (std::isfinite(r)) largest_radius_ = std::max(largest_radius_, r);
  for (const ShapeEntry& entry : world_.shapes())
    if (std::isfinite(entry.shape->bounding_radius()))
      largest_radius_ = std::max(largest_radius_, entry.shape->bounding_radius());
}

std::unique_ptr<ContactLaw> InteractionTable::law(const InteractionDef& def, const MaterialEntry& a,
                                                  const MaterialEntry& b, double largest_radius) const {
  auto law = made(scene_, def.law, [&] {
    return registry_.law(def.law.type)(def.law.options, LawContext{scene_.dimension, a, b, largest_radius});
  });
  require_face(def, *law, prepared_.methods.integrator->traits());
  return law;
}

void InteractionTable::check_unused() const {
  for (const InteractionDef& def : scene_.interactions)
    if (def.law.type != "none" && def.a != "*" && def.b != "*")
      law(def, material(def.a), material(def.b), largest_radius_);
}

const MaterialEntry& InteractionTable::material(const std::string& name) const {
  return *std::ranges::find(world_.materials(), name, &MaterialEntry::name);
}

void InteractionTable::number_interactions() {
  const auto materials = world_.materials();
  if (numbered_ == materials.size()) return;
  numbered_ = materials.size();
  prepared_.methods.alone = lone_materials(scene_, world_);
  const auto elastic = [&](std::uint32_t m) {
    return std::pair(materials[m].youngs_modulus, materials[m].poisson_ratio);
  };
  for (std::uint32_t i = 0; i < materials.size(); ++i)
    for (std::uint32_t j = i; j < materials.size(); ++j) {
      if (numbers_.contains({i, j})) continue;
      const auto k = entry(materials[i].name, materials[j].name);
      if (!k || scene_.interactions[*k].law.type == "none") continue;
      const auto [a, b] = elastic(j) < elastic(i) ? std::pair(j, i) : std::pair(i, j);
      const auto [place, added] = interactions_.try_emplace(
          std::tuple(*k, elastic(a), elastic(b)), static_cast<std::uint32_t>(prepared_.methods.interactions.size()));
      numbers_[{i, j}] = place->second;
      if (!added) continue;
      Interaction& interaction = prepared_.methods.interactions.emplace_back();
      interaction.entry = *k;
      interaction.history = history_of(scene_.interactions[*k], materials[a], materials[b]);
      materials_of_.emplace_back(a, b);
    }
}

int InteractionTable::history_of(const InteractionDef& def, const MaterialEntry& a, const MaterialEntry& b) const {
  Interaction trial;
  try {
    trial.law = law(def, a, b, largest_radius_);
    use_face(trial);
  } catch (const InputError&) {
    return 0;  // reported when it is needed
  }
  return trial.history;
}

std::uint32_t InteractionTable::interaction_of(std::uint32_t material_a, std::uint32_t material_b) {
  const std::uint32_t number = numbers_.at(std::minmax(material_a, material_b));
  Interaction& interaction = prepared_.methods.interactions[number];
  if (interaction.law) return number;
  const InteractionDef& def = scene_.interactions[interaction.entry];
  const auto [a, b] = materials_of_[number];
  interaction.name = def.a + "-" + def.b;
  interaction.law_name = def.law.type;
  auto made = law(def, world_.materials()[a], world_.materials()[b], largest_radius_);
  interaction.law = std::move(made);
  use_face(interaction);
  warn_of_columns(interaction, def);
  bind_inputs(interaction, world_, def.law.type, scene_.where(def.law.options.pointer()));
  return number;
}

/// Warns of columns that the law reads, and that nothing in the scene fills.
void InteractionTable::warn_of_columns(const Interaction& interaction, const InteractionDef& def) const {
  for (const std::string_view input : interaction.law->body_inputs()) {
    const std::string name(input);
    const auto given = [&](const BodiesDef& bodies) { return bodies.columns.contains(name); };
    if (world_.find_column(name) || std::ranges::any_of(scene_.bodies, given)) continue;
    prepared_.warnings.push_back(fmt::format(
        "{}: law \"{}\" reads column \"{}\" of bodies, which no method of this scene makes: it is 0 for all. Add "
        "the hook that makes it, or start values (\"columns\" of bodies).",
        scene_.where(def.law.options.pointer()), def.law.type, name));
  }
}

void InteractionTable::use_face(Interaction& interaction) const {
  const std::string_view name = prepared_.methods.integrator->traits().face;
  if (name == ConeFace::kName) {
    interaction.cone = face<ConeFace>(*interaction.law);
    interaction.history = Interaction::kImpulse;
  } else if (name == PotentialFace::kName) {
    interaction.potential = face<PotentialFace>(*interaction.law);
    interaction.needs = interaction.potential->needs();
  } else if (name == ForceFace::kName) {
    interaction.force = face<ForceFace>(*interaction.law);
    interaction.needs = interaction.force->needs();
    interaction.history = interaction.force->history_size();
  }
  if (interaction.history <= ForceFace::kMostHistory) return;
  const InteractionDef& def = scene_.interactions[interaction.entry];
  throw InputError(fmt::format(
      "{}: law \"{}\" remembers {} numbers of each contact; {} are allowed at most. Choose another law, or ask its "
      "author for a smaller one.",
      scene_.where(def.law.options.pointer()), def.law.type, interaction.history, ForceFace::kMostHistory));
}

void InteractionTable::require_face(const InteractionDef& def, const ContactLaw& law,
                                    const IntegratorTraits& traits) const {
  if (law.face(traits.face)) return;
  throw InputError(
      fmt::format("{}: law \"{}\" has no face {}, which integrator \"{}\" needs. Laws that fit: {}. "
                  "Or choose another integrator.",
                  scene_.where(def.pointer + "/law"), def.law.type, traits.face, scene_.integrator.type,
                  listed(registry_.laws_with_face(std::string(traits.face)))));
}

std::optional<std::uint32_t> InteractionTable::entry(const std::string& a, const std::string& b) const {
  return entry_for(scene_, a, b);
}

void InteractionTable::check_ranges() const {
  double largest = 0;
  for (const double r : world_.radius.read())
    if (std::isfinite(r)) largest = std::max(largest, r);
  if (largest <= largest_radius_) return;
  for (const Interaction& made : prepared_.methods.interactions) {
    if (!made.law || made.law->range() == 0) continue;
    const InteractionDef& def = scene_.interactions[made.entry];
    const auto [a, b] = materials_of_.at(static_cast<std::size_t>(&made - prepared_.methods.interactions.data()));
    if (law(def, world_.materials()[a], world_.materials()[b], largest)->range() <= made.law->range()) continue;
    throw InputError(fmt::format(
        "{}: the range of law \"{}\" grows with the size of bodies, and was made for radii up to {:.6g} m; a body of "
        "radius {:.6g} m came during the run. Add a shape of that size to /shapes.",
        scene_.where(def.law.options.pointer()), def.law.type, largest_radius_, largest));
  }
}

}  // namespace scree::detail
