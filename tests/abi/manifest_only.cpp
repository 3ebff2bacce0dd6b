// A library with a manifest that differs from this build's in what the compile definitions say, and without factories.
// Whoever opens it is ended: its manifest must be judged before.
#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "scree/plugin/plugin.hpp"

namespace {

constexpr scree_manifest odd_manifest() {
  scree_manifest manifest = SCREE_MANIFEST_OF_THIS_BUILD("odd", "1.0.0");
#ifdef ODD_MAGIC
  manifest.magic = ODD_MAGIC;
#endif
#ifdef ODD_SIZE
  manifest.size = ODD_SIZE;
#endif
#ifdef ODD_API_VERSION
  manifest.api_version = ODD_API_VERSION;
#endif
#ifdef ODD_API_REVISION
  manifest.api_revision = ODD_API_REVISION;
#endif
#ifdef ODD_ALIGNMENT
  manifest.eigen_alignment = ODD_ALIGNMENT;
#endif
#ifdef ODD_REAL_BYTES
  manifest.real_bytes = ODD_REAL_BYTES;
#endif
#ifdef ODD_DEBUG
  manifest.glibcxx_debug = ODD_DEBUG;
#endif
#ifdef ODD_LAYOUT
  manifest.layout = ODD_LAYOUT;
#endif
#ifdef ODD_NAME
  manifest.name[0] = '\0';
#endif
#ifdef ODD_COMPILER
  constexpr std::string_view compiler = ODD_COMPILER;
  std::fill(std::begin(manifest.compiler), std::end(manifest.compiler), '\0');
  std::copy(compiler.begin(), compiler.end(), std::begin(manifest.compiler));
#endif
  return manifest;
}

[[maybe_unused]] const int ended = (std::abort(), 0);

}  // namespace

extern "C" {
SCREE_API extern const scree_manifest scree_plugin_manifest;
constexpr scree_manifest scree_plugin_manifest = odd_manifest();
}
