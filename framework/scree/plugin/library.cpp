#define BOOST_DLL_USE_STD_FS
#include <cxxabi.h>

#include <array>
#include <boost/dll/shared_library.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <list>

#include "scree/base/error.hpp"
#include "scree/base/version.hpp"
#include "scree/plugin/detail/library.hpp"

namespace scree {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const std::string& file, const std::string& what) {
  throw InputError(fs::path(file).filename().string() + ": " + what + " (" + file + ")");
}

void check_is_elf(const std::string& file) {
  std::array<char, 4> magic{};
  std::ifstream stream(file, std::ios::binary);
  stream.read(magic.data(), magic.size());
  if (!stream && stream.gcount() == 0) fail(file, "cannot be read, or is empty.");
  if (magic != std::array<char, 4>{'\x7f', 'E', 'L', 'F'}) fail(file, "is not a shared library (no ELF file).");
}

std::string demangled(const std::string& symbol) {
  int status = 0;
  char* text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  const std::string name = status == 0 ? text : symbol;
  std::free(text);
  return name;
}

/// The dynamic linker's own words, without what Boost puts around them.
std::string linker_text(std::string text) {
  const std::string suffix = ": Bad file descriptor";
  if (text.size() > suffix.size() && text.compare(text.size() - suffix.size(), suffix.size(), suffix) == 0)
    text.resize(text.size() - suffix.size());
  const std::string prefix = "boost::dll::shared_library::load() failed (dlerror system message: ";
  if (text.compare(0, prefix.size(), prefix) == 0) text = text.substr(prefix.size());
  if (!text.empty() && text.back() == ')' && text.find('(') == std::string::npos) text.pop_back();
  const std::string mark = "undefined symbol: ";
  if (const std::size_t at = text.find(mark); at != std::string::npos) {
    const std::size_t start = at + mark.size();
    const std::size_t end = std::min(text.find_first_of(" ,)", start), text.size());
    return "uses " + demangled(text.substr(start, end - start)) +
           ", which neither it nor this scree defines. Link the library that does, or rebuild the plugin for this "
           "scree.";
  }
  return "cannot be loaded: " + text + ".";
}

/// Libraries stay open until the process ends: objects made by a plugin may outlive any place that could close it.
std::list<boost::dll::shared_library>& open_libraries() {
  static auto* const libraries = new std::list<boost::dll::shared_library>;
  return *libraries;
}

boost::dll::shared_library& open(const std::string& file) {
  try {
    auto& libraries = open_libraries();
    libraries.emplace_back(file, boost::dll::load_mode::rtld_now | boost::dll::load_mode::rtld_local);
    return libraries.back();
  } catch (const boost::dll::fs::system_error& e) {
    fail(file, linker_text(e.what()));
  }
}

/// What differs, as the plugin has it and as this build does.
struct Comparison {
  std::string plugin, host;

  void add(const std::string& of_plugin, const std::string& of_host) {
    if (of_plugin == of_host) return;
    plugin += (plugin.empty() ? "" : ", ") + of_plugin;
    host += (host.empty() ? "" : ", ") + of_host;
  }
};

std::string eigen_text(std::uint32_t version) {
  return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
         std::to_string(version % 100);
}

/// The fields that must be equal, in words.
std::vector<std::string> build_traits(const scree_manifest& m) {
  return {std::to_string(m.real_bytes) + "-byte reals", "Eigen alignment " + std::to_string(m.eigen_alignment),
          "Eigen " + eigen_text(m.eigen_version), "libstdc++ ABI " + std::to_string(m.glibcxx_abi), m.compiler};
}

}  // namespace

scree_manifest host_manifest() { return SCREE_MANIFEST_OF_THIS_BUILD("scree", SCREE_VERSION); }

std::string manifest_fault(const scree_manifest& plugin) {
  const scree_manifest host = host_manifest();
  const std::string rebuild = " Rebuild it with the installed package's scree_add_plugin().";
  if (plugin.magic != host.magic)
    return "its symbol scree_plugin_manifest is not scree's (wrong magic number). Define it with SCREE_PLUGIN().";
  if (plugin.api_version != host.api_version)
    return "built for scree API " + std::to_string(plugin.api_version) + "; this scree has API " +
           std::to_string(host.api_version) + "." + rebuild;
  if (plugin.api_revision > host.api_revision)
    return "needs revision " + std::to_string(plugin.api_revision) + " of scree API " +
           std::to_string(host.api_version) + "; this scree has revision " + std::to_string(host.api_revision) +
           ". Install a newer scree.";
  if (plugin.size < host.size)
    return "its manifest has " + std::to_string(plugin.size) + " bytes; this scree's has " + std::to_string(host.size) +
           "." + rebuild;
  Comparison differing;
  const std::vector<std::string> of_plugin = build_traits(plugin), of_host = build_traits(host);
  for (std::size_t i = 0; i < of_host.size(); ++i) differing.add(of_plugin[i], of_host[i]);
  if (differing.plugin.empty()) return "";
  return "built with " + differing.plugin + "; this scree has " + differing.host + "." + rebuild;
}

Library open_library(const std::string& file) {
  if (!fs::exists(file)) fail(file, "no such file.");
  if (fs::is_directory(file)) fail(file, "is a folder, not a shared library.");
  check_is_elf(file);
  boost::dll::shared_library& library = open(file);
  if (!library.has("scree_plugin_manifest"))
    fail(file,
         "is a shared library but no scree plugin: it has no symbol scree_plugin_manifest. Define it with "
         "SCREE_PLUGIN().");
  const auto& manifest = library.get<const scree_manifest>("scree_plugin_manifest");
  if (const std::string fault = manifest_fault(manifest); !fault.empty()) fail(file, fault);
  if (!library.has("scree_plugin_register"))
    fail(file, "has a manifest but no function scree_plugin_register(). Define both with SCREE_PLUGIN().");
  return {manifest.name, manifest.version, &library.get<void(Registrar&)>("scree_plugin_register")};
}

}  // namespace scree
