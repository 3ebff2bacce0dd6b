#define BOOST_DLL_USE_STD_FS
#include <fmt/format.h>

#include <boost/dll/runtime_symbol_info.hpp>
#include <filesystem>
#include <regex>

#include "command.hpp"
#include "new_plugin_templates.hpp"
#include "scree/base/error.hpp"
#include "scree/output/atomic_file.hpp"

namespace scree::cli {

namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
  return text;
}

void check_name(const std::string& name, const Registry& registry) {
  if (!std::regex_match(name, std::regex("[a-z][a-z0-9_]*")))
    throw InputError(fmt::format(
        "\"{}\" cannot be the plugin's name: it names a C++ namespace. Use small letters, digits and _.", name));
  for (const std::string& known : registry.names("shape"))
    if (name == known) throw InputError(fmt::format("there is a shape \"{}\" already. Choose another name.", name));
}

}  // namespace

int new_plugin(const Arguments& arguments) {
  CommandLine line(
      "scree new-plugin shape NAME [options]",
      "Writes a folder NAME with a shape of your own: source, options, a test and a scene. It builds as it is\n"
      "against the installed scree; its README.md says how.",
      "NAME");
  line.options()("out", po::value<std::string>()->value_name("DIR"), "folder to write (default: NAME)");
  add_plugin_options(line);
  const bool help = !arguments.empty() && (arguments[0] == "--help" || arguments[0] == "-h");
  if (!help && (arguments.empty() || arguments[0] != "shape"))
    throw InputError(fmt::format("new-plugin {}: must be \"shape\". Usage: scree new-plugin shape NAME.",
                                 arguments.empty() ? "" : arguments[0]));
  if (!line.parse({arguments.begin() + !help, arguments.end()})) return kDone;

  Registry registry(OnCrash::end_program);
  load_plugins(line, registry);
  const std::string name = line.required();
  check_name(name, registry);
  const fs::path folder = line.has("out") ? fs::path(line.text("out")) : fs::path(name);
  if (fs::exists(folder))
    throw InputError(folder.string() + " is there already, and nothing is overwritten. Choose another name or --out.");
  prepare_folder(folder);
  const fs::path beside = fs::path(boost::dll::program_location()).parent_path().parent_path();
  const std::string prefix = fs::exists(beside / "include/scree") ? beside.string() : "<where scree is installed>";
  for (const PluginTemplate& file : kPluginTemplates)
    write_atomically(folder / replaced(file.name, "@name@", name),
                     replaced(replaced(file.text, "@name@", name), "@prefix@", prefix));
  fmt::print("{} is written. To build and run it, see {}.\n", folder.string(), (folder / "README.md").string());
  return kDone;
}

}  // namespace scree::cli
