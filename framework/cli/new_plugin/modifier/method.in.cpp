// A modifier for scree: it changes bodies between steps.

#include "@name@.hpp"

#include <scree/plugin/plugin.hpp>

namespace @name@ {

/// Figures are kept in checkpoints: nothing else needs save() and load().
void Remover::begin(scree::World& world) { world.metric("@name@_removed"); }

void Remover::apply(scree::World& world, const scree::ContactView*, scree::HistoryStore&) {
  const int up = world.dimension() - 1;
  const auto position = world.position.read();
  const auto inverse_mass = world.inverse_mass.read();
  const auto id = world.id.read();
  std::vector<scree::Id> gone;
  for (std::size_t row = 0; row < world.size(); ++row)
    if (inverse_mass[row] > 0 && position[row][up] < height_) gone.push_back(id[row]);
  world.metric("@name@_removed") += static_cast<double>(gone.size());
  world.remove(gone);
}

}  // namespace @name@

SCREE_PLUGIN(@name@, "0.1.0") {
  registrar.modifier("@name@", [](const scree::Options& o) { return std::make_unique<@name@::Remover>(o.number("height")); });
}
