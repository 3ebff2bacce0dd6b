// A library with a manifest that differs from this build's in what the compile definitions say, and without factories.
#include "scree/plugin/plugin.hpp"

namespace {

scree_manifest odd_manifest() {
  scree_manifest manifest = SCREE_MANIFEST_OF_THIS_BUILD("odd", "1.0.0");
#ifdef ODD_MAGIC
  manifest.magic = ODD_MAGIC;
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
#ifdef ODD_COMPILER
  manifest.compiler = ODD_COMPILER;
#endif
  return manifest;
}

}  // namespace

extern "C" {
SCREE_API extern const scree_manifest scree_plugin_manifest;
const scree_manifest scree_plugin_manifest = odd_manifest();
}
