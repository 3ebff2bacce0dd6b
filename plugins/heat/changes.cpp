#include "changes.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace scree::heat {

Column<double> given_source_of(World& world) { return world.column<double>("heat_source", "W"); }

std::vector<Change> read_changes(const Options& options) {
  std::vector<Change> changes;
  for (const Options& o : options.objects("changes")) {
    Change change{o.number("time"), read_region(o, "region", 3), {}, {}};
    if (o.has("temperature")) change.temperature = o.number("temperature");
    if (o.has("source")) change.source = o.number("source");
    if (!change.temperature && !change.source)
      throw OptionError(fmt::format("/changes/{}", changes.size()),
                        "changes nothing. Give a \"temperature\" [K], a \"source\" [W], or both.");
    changes.push_back(std::move(change));
  }
  std::ranges::stable_sort(changes, {}, &Change::time);
  return changes;
}

void make_changes(World& world, const std::vector<Change>& changes, double last, double now,
                  std::span<const std::uint32_t> carrier, std::span<double> temperature) {
  for (const Change& change : changes) {
    if (!(change.time > last && change.time <= now)) continue;
    const auto x = world.position.read();
    const auto free = world.inverse_mass.read();
    const auto chosen = [&](std::size_t row) { return free[row] > 0 && change.region.contains(x[row]); };
    if (change.temperature)
      for (std::size_t i = 0; i < x.size(); ++i)
        if (chosen(carrier[i])) temperature[i] = *change.temperature;
    if (!change.source) continue;
    auto column = given_source_of(world);
    const auto source = column.write();
    for (std::size_t i = 0; i < x.size(); ++i)
      if (carrier[i] == i && chosen(i)) source[i] = *change.source;
  }
}

}  // namespace scree::heat
