#pragma once
/// \file The header that a plugin includes besides the interfaces it implements: registration of its factories.
///
///     #include <scree/plugin/plugin.hpp>
///     SCREE_PLUGIN(my_shape, "1.0.0") {
///       registrar.shape("superellipse", [](const scree::Options& o) { return std::make_shared<Superellipse>(o); });
///     }
///
/// The JSON Schema of each factory's options is in the plugin's schema.json, which scree_add_plugin() embeds.

#include <string>
#include <utility>

#include "scree/base/api.hpp"
#include "scree/base/error.hpp"
#include "scree/plugin/factories.hpp"
#include "scree/plugin/layout.hpp"
#include "scree/plugin/manifest.h"
#include "scree/world/world.hpp"

namespace scree {

/// Receives a plugin's factories. Names are unique per kind over all loaded plugins.
class SCREE_API Registrar {
 public:
  virtual ~Registrar();
  /// Receives the plugin's schema.json: {"shape/star": {JSON Schema of the options}, ...}; called by SCREE_PLUGIN.
  virtual void schemas(const char* json) = 0;
  /// Adds a method of any kind, given by the type of its factory.
  virtual void add(const std::string& name, AnyFactory factory) = 0;

  void shape(const std::string& name, ShapeFactory factory) {
    SceneShapeFactory with_context;
    if (factory) with_context = [f = std::move(factory)](const Options& o, const ShapeContext&) { return f(o); };
    add(name, std::move(with_context));
  }
  /// Adds a shape that depends on the dimension of the scene: a sphere that is a disc in 2D.
  void shape(const std::string& name, SceneShapeFactory factory) { add(name, std::move(factory)); }
  void detector(const std::string& name, DetectorFactory factory) { add(name, std::move(factory)); }
  void law(const std::string& name, LawFactory factory) { add(name, std::move(factory)); }
  void bond_law(const std::string& name, BondLawFactory factory) { add(name, std::move(factory)); }
  void integrator(const std::string& name, IntegratorFactory factory) { add(name, std::move(factory)); }
  void packing(const std::string& name, PackingFactory factory) { add(name, std::move(factory)); }
  void modifier(const std::string& name, ModifierFactory factory) { add(name, std::move(factory)); }
  void observer(const std::string& name, ObserverFactory factory) { add(name, std::move(factory)); }
  /// Adds an engine for --device.
  void engine(const std::string& name, EngineFactory factory) { add(name, std::move(factory)); }
};

}  // namespace scree

#if defined(__clang__)
#define SCREE_COMPILER_NAME "clang "
#define SCREE_COMPILER_MAJOR __clang_major__
#else
#define SCREE_COMPILER_NAME "gcc "
#define SCREE_COMPILER_MAJOR __GNUC__
#endif
#define SCREE_STRINGIZE_(x) #x
#define SCREE_STRINGIZE(x) SCREE_STRINGIZE_(x)

#ifdef _GLIBCXX_DEBUG
#define SCREE_GLIBCXX_DEBUG 1
#else
#define SCREE_GLIBCXX_DEBUG 0
#endif
#ifdef EIGEN_DEFAULT_TO_ROW_MAJOR
#define SCREE_EIGEN_ROW_MAJOR 1
#else
#define SCREE_EIGEN_ROW_MAJOR 0
#endif

/// Manifest of the translation unit in which this macro is used.
#define SCREE_MANIFEST_OF_THIS_BUILD(plugin_name, plugin_version)                                              \
  {                                                                                                            \
    SCREE_MANIFEST_MAGIC, sizeof(scree_manifest), SCREE_API_VERSION, SCREE_API_REVISION,                       \
        static_cast<std::uint32_t>(sizeof(double)), static_cast<std::uint32_t>(EIGEN_MAX_ALIGN_BYTES),         \
        EIGEN_WORLD_VERSION * 10000 + EIGEN_MAJOR_VERSION * 100 + EIGEN_MINOR_VERSION, _GLIBCXX_USE_CXX11_ABI, \
        SCREE_GLIBCXX_DEBUG, SCREE_EIGEN_ROW_MAJOR, SCREE_COMPILER_NAME SCREE_STRINGIZE(SCREE_COMPILER_MAJOR), \
        plugin_name, plugin_version, ::scree::layout_fingerprint()                                             \
  }

/// Defines a plugin: manifest, entry point, and the body that registers its factories on `registrar`.
/// `plugin_name` is an identifier, the same as given to scree_add_plugin().
#define SCREE_PLUGIN(plugin_name, plugin_version)                                                              \
  extern "C" const char* const scree_schema_of_##plugin_name;                                                  \
  extern "C" {                                                                                                 \
  SCREE_API extern const scree_manifest scree_plugin_manifest;                                                 \
  constexpr scree_manifest scree_plugin_manifest = SCREE_MANIFEST_OF_THIS_BUILD(#plugin_name, plugin_version); \
  }                                                                                                            \
  static void scree_register_factories([[maybe_unused]] ::scree::Registrar& registrar);                        \
  extern "C" SCREE_API void scree_plugin_register(::scree::Registrar& registrar) {                             \
    registrar.schemas(scree_schema_of_##plugin_name);                                                          \
    scree_register_factories(registrar);                                                                       \
  }                                                                                                            \
  static void scree_register_factories([[maybe_unused]] ::scree::Registrar& registrar)
