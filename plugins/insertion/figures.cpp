#include "figures.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "scree/base/error.hpp"

namespace scree::insertion {

void claim_name(const std::string& name, const World& world) {
  if (world.figures().contains(name + "_count"))
    throw OptionError("/name", fmt::format("\"{}\" is the name of another hook too, and of its columns. Give each a "
                                           "\"name\" of its own.",
                                           name));
}

std::vector<char> groups_of(const Options& options, const World& world) {
  std::vector<char> chosen(world.group_names.size());
  std::size_t number = 0;
  for (const Options& entry : options.objects("bodies")) {
    const std::string name = entry.as_text();
    const auto at = std::ranges::find(world.group_names, name);
    if (at == world.group_names.end())
      throw OptionError(fmt::format("/bodies/{}", number),
                        fmt::format("there is no entry \"{}\" of bodies, and no emitter of this name before this hook. "
                                    "There are: {}.",
                                    name, fmt::join(world.group_names, ", ")));
    chosen[static_cast<std::size_t>(at - world.group_names.begin())] = 1;
    ++number;
  }
  return chosen;
}

}  // namespace scree::insertion
