#pragma once
/// \file Opens a plugin's shared library and checks that it fits this build before any of its C++ is called.

#include <string>

#include "scree/base/api.hpp"
#include "scree/plugin/plugin.hpp"

namespace scree {

struct Library {
  std::string plugin, version;
  void (*register_factories)(Registrar&) = nullptr;
};

/// The manifest of this build, which a plugin's is compared with.
SCREE_API scree_manifest host_manifest();

/// What keeps a plugin with this manifest from working with this build; empty when nothing does.
SCREE_API std::string manifest_fault(const scree_manifest& manifest);

/// \throws InputError that begins with the library's file name
Library open_library(const std::string& file);

}  // namespace scree
