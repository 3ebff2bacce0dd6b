#include <fmt/format.h>

#include "command.hpp"
#include "scree/base/ranks.hpp"
#include "scree/base/tell.hpp"

namespace scree::cli {

void add_plugin_options(CommandLine& line) {
  line.options()("plugin-path", boost::program_options::value<std::vector<std::string>>()->value_name("PATH"),
                 "folder of plugins, or one plugin's library; may be given several times. Searched before "
                 "SCREE_PLUGIN_PATH (colon separated) and scree/plugins beside the library");
}

void load_plugins(const CommandLine& line, Registry& registry) {
  registry.load(default_plugin_search(line.texts("plugin-path")));
  if (!current_ranks().first()) return;
  for (const PluginFailure& failure : registry.failures())
    tell(stderr, fmt::format("warning: plugin not loaded: {}\n", failure.message));
  for (const std::string& warning : registry.warnings()) tell(stderr, fmt::format("warning: {}\n", warning));
}

}  // namespace scree::cli
