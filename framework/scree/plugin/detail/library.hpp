#pragma once
/// \file Shared library of a plugin: read, checked against this build, and opened only then. No code runs of a file
/// that is no plugin, or none for this build.

#include <cstdint>
#include <memory>
#include <string>

#include "scree/base/api.hpp"
#include "scree/base/transport.hpp"
#include "scree/plugin/plugin.hpp"

namespace scree {

struct Library {
  std::string plugin, version;
  std::uint64_t hash = 0;  ///< hash of the file's bytes
  void (*register_factories)(Registrar&) = nullptr;
};

/// Returns the manifest of this build, with which a plugin's is compared.
SCREE_API scree_manifest host_manifest();

/// Returns the reason why a plugin with this manifest cannot work with this build; empty if it can.
SCREE_API std::string manifest_fault(const scree_manifest& manifest);

/// Starts the transport of a library that SCREE_TRANSPORT() defines. \throws InputError like open_library()
std::unique_ptr<Transport> start_transport(const std::string& file);

/// Opens a library. \throws InputError that begins with the library's file name
Library open_library(const std::string& file);

}  // namespace scree
