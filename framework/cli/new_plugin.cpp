#define BOOST_DLL_USE_STD_FS
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/dll/runtime_symbol_info.hpp>
#include <filesystem>
#include <iterator>
#include <string_view>

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

/// Kind of plugin: its name here, the name of its kind in the registry, and its name in a sentence.
struct Kind {
  const char *name, *method, *sentence;
};
constexpr Kind kWritten[] = {{"shape", "shape", "a planar shape"},   {"shape-3d", "shape", "a shape in 3D"},
                             {"detector", "detector", "a detector"}, {"law", "law", "a contact law"},
                             {"bond-law", "bond-law", "a bond law"}, {"integrator", "integrator", "an integrator"},
                             {"packing", "packing", "a packing"},    {"modifier", "modifier", "a modifier"},
                             {"observer", "observer", "an observer"}};

const Kind& kind_of(const std::string& name) {
  std::vector<std::string> known;
  for (const Kind& kind : kWritten) {
    if (name == kind.name) return kind;
    known.push_back(kind.name);
  }
  const std::string nearest = nearest_name(name, known);
  throw InputError(fmt::format("new-plugin: unknown kind \"{}\".{} Known: {}. Usage: scree new-plugin KIND NAME.", name,
                               nearest.empty() ? "" : " Did you mean \"" + nearest + "\"?", fmt::join(known, ", ")));
}

/// Words of C++, and names used by its library, compilers, scree, its tests or CMake.
constexpr std::string_view kTaken[] = {"alignas",
                                       "alignof",
                                       "and",
                                       "and_eq",
                                       "asm",
                                       "auto",
                                       "bitand",
                                       "bitor",
                                       "bool",
                                       "break",
                                       "case",
                                       "catch",
                                       "char",
                                       "char16_t",
                                       "char32_t",
                                       "char8_t",
                                       "class",
                                       "co_await",
                                       "co_return",
                                       "co_yield",
                                       "compl",
                                       "concept",
                                       "const",
                                       "const_cast",
                                       "consteval",
                                       "constexpr",
                                       "constinit",
                                       "continue",
                                       "decltype",
                                       "default",
                                       "delete",
                                       "do",
                                       "double",
                                       "dynamic_cast",
                                       "else",
                                       "enum",
                                       "explicit",
                                       "export",
                                       "extern",
                                       "false",
                                       "float",
                                       "for",
                                       "friend",
                                       "goto",
                                       "if",
                                       "inline",
                                       "int",
                                       "long",
                                       "mutable",
                                       "namespace",
                                       "new",
                                       "noexcept",
                                       "not",
                                       "not_eq",
                                       "nullptr",
                                       "operator",
                                       "or",
                                       "or_eq",
                                       "private",
                                       "protected",
                                       "public",
                                       "register",
                                       "reinterpret_cast",
                                       "requires",
                                       "return",
                                       "short",
                                       "signed",
                                       "sizeof",
                                       "static",
                                       "static_assert",
                                       "static_cast",
                                       "struct",
                                       "switch",
                                       "template",
                                       "this",
                                       "thread_local",
                                       "throw",
                                       "true",
                                       "try",
                                       "typedef",
                                       "typeid",
                                       "typename",
                                       "typeof",
                                       "union",
                                       "unsigned",
                                       "using",
                                       "virtual",
                                       "void",
                                       "volatile",
                                       "wchar_t",
                                       "while",
                                       "xor",
                                       "xor_eq",  // C++
                                       "std",
                                       "main",
                                       "linux",
                                       "unix",
                                       "i386",
                                       "fmt",
                                       "scree",
                                       "expect",
                                       "abs",
                                       "acos",
                                       "asin",
                                       "atan",
                                       "ceil",
                                       "clock",
                                       "cos",
                                       "cosh",
                                       "div",
                                       "errno",
                                       "exp",
                                       "fabs",
                                       "floor",
                                       "fmod",
                                       "free",
                                       "index",
                                       "log",
                                       "logb",
                                       "pow",
                                       "rand",
                                       "random",
                                       "remove",
                                       "rename",
                                       "round",
                                       "signal",
                                       "sin",
                                       "sinh",
                                       "sqrt",
                                       "stderr",
                                       "stdin",
                                       "stdout",
                                       "system",
                                       "tan",
                                       "tanh",
                                       "time",
                                       "tm",
                                       "trunc",  // libraries
                                       "all",
                                       "clean",
                                       "edit_cache",
                                       "help",
                                       "install",
                                       "package",
                                       "package_source",
                                       "rebuild_cache",
                                       "test"};  // CMake

/// Returns the fault of a namespace; empty if there is none.
std::string namespace_fault(std::string_view name) {
  const auto small = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto allowed = [&](char c) { return small(c) || (c >= '0' && c <= '9') || c == '_'; };
  if (name.empty() || !small(name[0]) || !std::ranges::all_of(name, allowed))
    return "use small letters, digits and _, with a letter in front";
  if (name.size() > 60) return "it has more than 60 letters";
  if (name.find("__") != std::string_view::npos) return "names with two _ side by side are those of the compiler";
  if (std::ranges::find(kTaken, name) != std::end(kTaken))
    return "it has a meaning there already. Put another word in front, as in my_" + std::string(name);
  return "";
}

void check_name(const std::string& kind, const std::string& name, const Registry& registry) {
  if (const std::string fault = namespace_fault(name); !fault.empty())
    throw InputError(
        fmt::format("\"{}\" cannot be the plugin's name, which names a C++ namespace and a CMake target: {}.",
                    name.substr(0, 100), fault));
  for (const std::string& known : registry.names(kind))
    if (name == known) throw InputError(fmt::format("there is a {} \"{}\" already. Choose another name.", kind, name));
}

}  // namespace

int new_plugin(const Arguments& arguments) {
  CommandLine line(
      "scree new-plugin KIND NAME [options]",
      "Writes a folder NAME with a method of your own: source, options, a test and a scene. It builds as it\n"
      "is against the installed scree; its README.md says how. KIND: shape (planar), shape-3d, detector,\n"
      "law, bond-law, integrator, packing, modifier, observer.",
      "NAME");
  line.options()("out", po::value<std::string>()->value_name("DIR"), "folder to write (default: NAME)");
  add_plugin_options(line);
  if (arguments == Arguments{"--list-kinds"}) {  // for completion in shells
    for (const Kind& kind : kWritten) fmt::print("{}\n", kind.name);
    return kDone;
  }
  const bool help = !arguments.empty() && arguments[0].starts_with('-');
  const Kind& kind = help ? kWritten[0] : kind_of(arguments.empty() ? "" : arguments[0]);
  if (!line.parse({arguments.begin() + !help, arguments.end()})) return kDone;

  Registry registry(OnCrash::end_program);
  load_plugins(line, registry);
  const std::string name = line.required();
  check_name(kind.method, name, registry);
  const fs::path folder = line.has("out") ? fs::path(line.text("out")) : fs::path(name);
  if (fs::exists(folder))
    throw InputError(folder.string() + " is there already, and nothing is overwritten. Choose another name or --out.");
  prepare_folder(folder);
  const fs::path beside = fs::path(boost::dll::program_location()).parent_path().parent_path();
  const std::string prefix = fs::exists(beside / "include/scree") ? beside.string() : "<where scree is installed>";
  const auto filled = [&](std::string text) {
    text = replaced(std::move(text), "@name@", name);
    text = replaced(std::move(text), "@prefix@", prefix);
    text = replaced(std::move(text), "@sentence@", kind.sentence);
    return replaced(std::move(text), "@kind@", kind.method);
  };
  for (const PluginTemplate& file : kPluginTemplates)
    if (file.kind == std::string_view(kind.name) || file.kind == std::string_view("common"))
      write_atomically(folder / filled(file.name), filled(file.text));
  fmt::print("{} is written. To build and run it, see {}.\n", folder.string(), (folder / "README.md").string());
  return kDone;
}

}  // namespace scree::cli
