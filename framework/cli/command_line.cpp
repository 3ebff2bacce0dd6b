#include <fmt/format.h>

#include "command.hpp"
#include "scree/base/error.hpp"

namespace scree::cli {

namespace po = boost::program_options;

CommandLine::CommandLine(std::string usage, std::string about, std::string positional)
    : usage_(std::move(usage)), about_(std::move(about)), positional_(std::move(positional)), options_("Options", 100) {
  options().operator()("help,h", "print this and stop");
}

bool CommandLine::parse(const Arguments& arguments) {
  po::options_description all;
  all.add(options_);
  po::positional_options_description positions;
  if (!positional_.empty()) {
    all.add_options()(positional_.c_str(), po::value<std::string>());
    positions.add(positional_.c_str(), 1);
  }
  const int style = po::command_line_style::default_style & ~po::command_line_style::allow_guessing;
  try {
    po::store(po::command_line_parser(arguments).options(all).positional(positions).style(style).run(), values_);
    po::notify(values_);
  } catch (const po::unknown_option& e) {
    std::vector<std::string> known;
    for (const auto& option : options_.options()) known.push_back("--" + option->long_name());
    const std::string name = e.get_option_name(), nearest = nearest_name(name, known);
    throw InputError(fmt::format("unknown option {}.{} Known: {}.", name,
                                 nearest.empty() ? "" : " Did you mean " + nearest + "?", fmt::join(known, ", ")));
  } catch (const po::too_many_positional_options_error&) {
    throw InputError("too many arguments. Usage: scree " + usage_ + ".");
  } catch (const po::error& e) {
    throw InputError(std::string(e.what()) + ". Usage: scree " + usage_ + ".");
  }
  if (!has("help")) return true;
  std::ostringstream text;
  text << options_;
  fmt::print("Usage: scree {}\n\n{}\n\n{}", usage_, about_, text.str());
  return false;
}

std::string CommandLine::text(const std::string& name) const {
  return has(name) ? values_[name].as<std::string>() : "";
}

std::vector<std::string> CommandLine::texts(const std::string& name) const {
  return has(name) ? values_[name].as<std::vector<std::string>>() : std::vector<std::string>{};
}

std::string CommandLine::required() const {
  if (!has(positional_)) throw InputError(positional_ + " is missing. Usage: scree " + usage_ + ".");
  return text(positional_);
}

void add_plugin_options(CommandLine& line) {
  line.options()("plugin-path", po::value<std::vector<std::string>>()->value_name("PATH"),
                 "folder of plugins, or one plugin's library; may be given several times. Searched before "
                 "SCREE_PLUGIN_PATH (colon separated) and ../lib/scree/plugins beside the program");
}

void load_plugins(const CommandLine& line, Registry& registry) {
  registry.load(default_plugin_search(line.texts("plugin-path")));
  for (const PluginFailure& failure : registry.failures())
    fmt::print(stderr, "warning: plugin not loaded: {}\n", failure.message);
}

}  // namespace scree::cli
