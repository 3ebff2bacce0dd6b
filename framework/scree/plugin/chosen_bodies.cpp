#include "scree/plugin/chosen_bodies.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scree/base/error.hpp"

namespace scree {

ChosenBodies::ChosenBodies(const Options& options, const std::string& hook) : options_(options) {
  if (!options.has("bodies") && !options.has("ids"))
    throw OptionError(
        "", fmt::format("{}: names no bodies. Give names of entries in \"bodies\", or numbers in \"ids\".", hook));
}

void ChosenBodies::begin(const World& world) {
  if (options_.has("bodies")) groups_.emplace(chosen_names(options_), world);
  if (!options_.has("ids")) return;
  const std::vector<double> ids = options_.numbers("ids");
  for (std::size_t k = 0; k < ids.size(); ++k) {
    ids_.push_back(static_cast<Id>(ids[k]));
    if (!world.row(ids_.back()))
      throw OptionError(fmt::format("/ids/{}", k),
                        fmt::format("is {}, but no body of this number exists at the start. Numbers count from 0, in "
                                    "the order of the entries; {} bodies exist.",
                                    ids_.back(), world.size()));
  }
  std::ranges::sort(ids_);
}

std::vector<std::size_t> ChosenBodies::rows(const World& world) const {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < world.size(); ++i)
    if ((groups_ && (*groups_)(world.group[i])) || std::ranges::binary_search(ids_, world.id[i])) all.push_back(i);
  std::ranges::sort(all, {}, [&](std::size_t i) { return world.id[i]; });
  return all;
}

}  // namespace scree
