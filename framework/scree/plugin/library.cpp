#define BOOST_DLL_USE_STD_FS
#include <cxxabi.h>

#include <algorithm>
#include <boost/dll/shared_library.hpp>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <list>
#include <optional>

#include "scree/base/content_hash.hpp"
#include "scree/base/error.hpp"
#include "scree/base/version.hpp"
#include "scree/plugin/detail/elf_file.hpp"
#include "scree/plugin/detail/library.hpp"
#include "scree/plugin/detail/library_file.hpp"

namespace scree {

namespace {

namespace fs = std::filesystem;

std::string demangled(const std::string& symbol) {
  int status = 0;
  char* text = abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status);
  const std::string name = status == 0 ? text : symbol;
  std::free(text);
  return name;
}

/// Returns the dynamic linker's message, without Boost's text around it.
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

/// Returns the open libraries. They stay open until the process ends: objects made by a plugin may outlive any place
/// that could close it.
std::list<boost::dll::shared_library>& open_libraries() {
  static auto* const libraries = new std::list<boost::dll::shared_library>;
  return *libraries;
}

/// Opens the library. \return its function of that name  \throws InputError, a sentence about the file
template <class Function>
Function* function_of(const std::string& file, const char* name) {
  try {
    auto& libraries = open_libraries();
    libraries.emplace_back(file, boost::dll::load_mode::rtld_now | boost::dll::load_mode::rtld_local);
    return &libraries.back().get<Function>(name);
  } catch (const boost::dll::fs::system_error& e) {
    throw InputError(linker_text(e.what()));
  } catch (...) {
    std::terminate();  // thrown by an initialiser, through the dynamic linker, which cannot go on: see LoadingGuard
  }
}

/// Property that differs, in the plugin and in this build.
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

/// Returns the text of a field of fixed length; nothing if it is not ended, empty, or has unprintable characters.
template <std::size_t N>
std::optional<std::string> text_of(const char (&field)[N]) {
  const char* const end = std::find(field, field + N, '\0');
  const bool printable = std::all_of(field, end, [](char c) { return c >= ' ' && c < 127; });
  if (end == field || end == field + N || !printable) return std::nullopt;
  return std::string(field, end);
}

/// Returns the properties that must be equal, in words.
std::vector<std::string> build_traits(const scree_manifest& m) {
  return {std::to_string(m.real_bytes) + "-byte reals",
          "Eigen alignment " + std::to_string(m.eigen_alignment),
          "Eigen " + eigen_text(m.eigen_version),
          std::string(m.eigen_row_major ? "row" : "column") + "-major matrices",
          "libstdc++ ABI " + std::to_string(m.glibcxx_abi),
          std::string(m.glibcxx_debug ? "_GLIBCXX_DEBUG" : "no _GLIBCXX_DEBUG"),
          text_of(m.compiler).value_or("a compiler without a name")};
}

/// Returns the remedy for a difference. The package's CMake function cannot choose the compiler.
std::string remedy(const scree_manifest& plugin, const scree_manifest& host) {
  const std::string of_host = text_of(host.compiler).value_or("");
  if (text_of(plugin.compiler) != of_host) {
    std::string program = of_host;  // "gcc 12" -> g++-12
    std::replace(program.begin(), program.end(), ' ', '-');
    program.replace(0, program.find('-'), program[0] == 'g' ? "g++" : "clang++");
    return " Rebuild it with " + of_host + ": cmake -DCMAKE_CXX_COMPILER=" + program + ".";
  }
  return " Rebuild it with the installed package's scree_add_plugin().";
}

/// Reads the manifest in the file. A shorter one, of another scree, is padded with zeros.
/// \throws InputError, a sentence about the file
scree_manifest read_manifest(const ElfFile& elf) {
  constexpr const char* kSymbol = "scree_plugin_manifest";
  if (!elf.defines(kSymbol))
    throw InputError(
        "is a shared library but no scree plugin: it has no symbol scree_plugin_manifest. Define it with "
        "SCREE_PLUGIN().");
  const std::span<const std::byte> bytes = elf.constant(kSymbol);
  scree_manifest manifest{};
  std::memcpy(&manifest, bytes.data(), std::min({bytes.size(), 2 * sizeof(std::uint32_t)}));
  std::memcpy(&manifest, bytes.data(), std::min({bytes.size(), sizeof(manifest), std::size_t{manifest.size}}));
  return manifest;
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
  if (!differing.plugin.empty())
    return "built with " + differing.plugin + "; this scree has " + differing.host + "." + remedy(plugin, host);
  if (plugin.layout != host.layout)
    return "built with headers in which types of the interfaces have another layout than in this scree, though both "
           "have "
           "API " +
           std::to_string(host.api_version) + "." + rebuild;
  if (!text_of(plugin.name) || !text_of(plugin.version))
    return "its manifest has no readable name and version." + rebuild;
  return "";
}

namespace {

/// Reads the manifest, and checks that it fits this build and that the function exists. \throws InputError, a sentence
/// about the file
scree_manifest fitting_manifest(const ElfFile& elf, const std::string& function, const std::string& macro) {
  const scree_manifest manifest = read_manifest(elf);
  if (const std::string fault = manifest_fault(manifest); !fault.empty()) throw InputError(fault);
  if (!elf.defines(function))
    throw InputError("has a manifest but no function " + function + "(). Define both with " + macro + "().");
  return manifest;
}

[[noreturn]] void fail_to_open(const std::string& file, const InputError& e) {
  throw InputError(fs::path(file).filename().string() + ": " + e.what() + " (" + file + ")");
}

}  // namespace

Library open_library(const std::string& file) {
  constexpr const char* kFunction = "scree_plugin_register";
  try {
    const std::vector<std::byte> bytes = read_library_file(file);
    const scree_manifest manifest = fitting_manifest(ElfFile(bytes), kFunction, "SCREE_PLUGIN");
    return {*text_of(manifest.name), *text_of(manifest.version), content_hash(bytes),
            function_of<void(Registrar&)>(file, kFunction)};
  } catch (const InputError& e) {
    fail_to_open(file, e);
  }
}

std::unique_ptr<Transport> start_transport(const std::string& file) {
  constexpr const char* kFunction = "scree_start_transport";
  try {
    const std::vector<std::byte> bytes = read_library_file(file);
    fitting_manifest(ElfFile(bytes), kFunction, "SCREE_TRANSPORT");
    return std::unique_ptr<Transport>(function_of<Transport*()>(file, kFunction)());
  } catch (const InputError& e) {
    fail_to_open(file, e);
  }
}

}  // namespace scree
