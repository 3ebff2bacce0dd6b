#pragma once
/// \file Reads a plugin's shared library, checks that it fits this build, and opens it only then: no code of a file
/// runs that is no plugin, or none for this build.

#include <cstdint>
#include <memory>
#include <string>

#include "scree/base/api.hpp"
#include "scree/base/transport.hpp"
#include "scree/plugin/plugin.hpp"

namespace scree {

struct Library {
  std::string plugin, version;
  std::uint64_t hash = 0;  ///< of the file's bytes
  void (*register_factories)(Registrar&) = nullptr;
};

/// The manifest of this build, which a plugin's is compared with.
SCREE_API scree_manifest host_manifest();

/// What keeps a plugin with this manifest from working with this build; empty when nothing does.
SCREE_API std::string manifest_fault(const scree_manifest& manifest);

/// Starts the transport of a library that SCREE_TRANSPORT() defines. \throws InputError as open_library() does
std::unique_ptr<Transport> start_transport(const std::string& file);

/// \throws InputError that begins with the library's file name
Library open_library(const std::string& file);

}  // namespace scree
