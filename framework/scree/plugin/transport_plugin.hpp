#pragma once
/// \file The header that the library of a transport includes.
///
///     #include <scree/plugin/transport_plugin.hpp>
///     SCREE_TRANSPORT(my_transport, "1.0.0") { return std::make_unique<MyTransport>(); }
///
/// The library goes into scree/transports beside libscree. It is opened only if several processes share a run.

#include <memory>

#include "scree/base/transport.hpp"
#include "scree/plugin/plugin.hpp"

/// Defines the manifest and the function that starts the transport, whose body follows.
#define SCREE_TRANSPORT(transport_name, transport_version)                                                           \
  extern "C" {                                                                                                       \
  SCREE_API extern const scree_manifest scree_plugin_manifest;                                                       \
  constexpr scree_manifest scree_plugin_manifest = SCREE_MANIFEST_OF_THIS_BUILD(#transport_name, transport_version); \
  }                                                                                                                  \
  static std::unique_ptr<::scree::Transport> scree_make_transport();                                                 \
  extern "C" SCREE_API ::scree::Transport* scree_start_transport() { return scree_make_transport().release(); }      \
  static std::unique_ptr<::scree::Transport> scree_make_transport()
