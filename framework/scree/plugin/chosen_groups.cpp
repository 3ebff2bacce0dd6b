#include "scree/plugin/chosen_groups.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "scree/base/error.hpp"

namespace scree {

std::vector<std::string> chosen_names(const Options& options) {
  std::vector<std::string> names;
  if (options.has("bodies"))
    for (const Options& name : options.objects("bodies")) names.push_back(name.as_text());
  return names;
}

ChosenGroups::ChosenGroups(std::span<const std::string> names, const World& world)
    : all_(names.empty()), chosen_(world.group_names.size()) {
  for (std::size_t k = 0; k < names.size(); ++k) {
    const auto at = std::ranges::find(world.group_names, names[k]);
    if (at == world.group_names.end())
      throw OptionError(fmt::format("/bodies/{}", k),
                        fmt::format("there is no entry \"{}\" of bodies, and no emitter of this name before this hook. "
                                    "There are: {}.",
                                    names[k], fmt::join(world.group_names, ", ")));
    chosen_[static_cast<std::size_t>(at - world.group_names.begin())] = 1;
  }
}

}  // namespace scree
