/* The plain-C manifest every plugin exports under the symbol `scree_plugin_manifest`. It is a constant without
 * pointers: the loader reads it from the file, and opens the library only when its fields fit. Never change the order
 * or size of fields; append only, and raise SCREE_API_VERSION when interfaces change incompatibly. */
#ifndef SCREE_PLUGIN_MANIFEST_H
#define SCREE_PLUGIN_MANIFEST_H

#include <stdint.h>

#define SCREE_MANIFEST_MAGIC 0x45455243u /* "CREE" */
#define SCREE_API_VERSION 3u             /* interfaces of this header set; a plugin must have the same */
#define SCREE_API_REVISION 0u            /* additions; a plugin may have this or a lower one */

typedef struct scree_manifest {
  uint32_t magic;
  uint32_t size; /* sizeof(scree_manifest) */
  uint32_t api_version;
  uint32_t api_revision;
  uint32_t real_bytes;      /* sizeof(double) */
  uint32_t eigen_alignment; /* EIGEN_MAX_ALIGN_BYTES */
  uint32_t eigen_version;   /* world*10000 + major*100 + minor */
  uint32_t glibcxx_abi;     /* _GLIBCXX_USE_CXX11_ABI */
  uint32_t glibcxx_debug;   /* 1 with _GLIBCXX_DEBUG, whose containers have another layout */
  uint32_t eigen_row_major; /* 1 with EIGEN_DEFAULT_TO_ROW_MAJOR */
  char compiler[16];        /* "gcc 12", "clang 16": major version */
  char name[64];            /* the plugin's name */
  char version[32];         /* the plugin's own version, "1.2.0" */
  uint64_t layout;          /* of the types of the interfaces: layout_fingerprint() in layout.hpp */
} scree_manifest;

#endif
