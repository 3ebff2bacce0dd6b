#pragma once
/// \file All a plugin includes besides the interfaces it implements: registration of its factories.
///
///     #include <scree/plugin/plugin.hpp>
///     SCREE_PLUGIN(my_shape, "1.0.0") {
///       registrar.shape("superellipse", [](const scree::Options& o) { return std::make_shared<Superellipse>(o); });
///     }
///
/// The JSON Schema of each factory's options is in the plugin's schema.json, which scree_add_plugin() embeds.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/base/error.hpp"
#include "scree/base/types.hpp"
#include "scree/detect/contact_detector.hpp"
#include "scree/engine/engine.hpp"
#include "scree/hooks/hook.hpp"
#include "scree/integrate/integrator.hpp"
#include "scree/law/bond_law.hpp"
#include "scree/law/contact_law.hpp"
#include "scree/plugin/layout.hpp"
#include "scree/plugin/manifest.h"
#include "scree/scene/options.hpp"
#include "scree/shape/shape.hpp"
#include "scree/world/world.hpp"

namespace scree {

/// What a shape's factory is told besides its options, where it asks for it.
struct ShapeContext {
  int dimension = 2;
};

/// What a law's factory is told besides its options. One law serves all pairs of materials with the same elastic
/// properties; the names are those of the first such pair.
struct LawContext {
  int dimension = 2;
  MaterialEntry a, b;
  double largest_radius = 0;  ///< bounding radius of the largest finite body [m]: limits the range of an attraction
};

/// What a bond law's factory is told besides its options. \see scree/law/bond_law.hpp
struct BondLawContext {
  int dimension = 3;
  MaterialEntry a, b;  ///< of the bodies joined
};

/// One place of an initial packing: position of the reference point [m], and what the packing says about the rest.
struct Placement {
  Id id = kNewId;
  Vec3 position = Vec3::Zero();
  std::optional<Quat> orientation;  ///< unset: the entry's `orientation` decides
  std::optional<Vec3> velocity, angular_velocity;
  double scale = 1;  ///< size of the body, > 0, times what the entry's `scale` says
};

/// Two places that share a face: what a bond between them is made of.
struct SharedFace {
  std::uint32_t a, b;  ///< indices of places
  double area;         ///< [m^2], > 0
};

/// Values that go into a column of the bodies placed; the World registers it, hidden from pictures.
struct PlacedColumn {
  std::string name, unit;
  int components = 1;
  std::vector<double> values;  ///< (places x components)
};

/// What a packing returns. Most say nothing but where bodies are.
struct Packed {
  Packed() = default;
  Packed(std::vector<Placement> at) : places(std::move(at)) {}

  std::vector<Placement> places;
  std::vector<SharedFace> shared_faces;
  std::vector<PlacedColumn> columns;
  std::vector<std::string> notes;  ///< for the user, whole sentences: shown as warnings
};

/// What a packing's factory is told besides its options.
struct PackingContext {
  int dimension = 2;
  double bounding_radius = 0;  ///< of the largest body the entry may have, about its reference point [m]
  std::uint64_t seed = 0;
  std::vector<ShapeEntry> shapes = {};  ///< of the entry: places take them in turn
};

using ShapeFactory = std::function<std::shared_ptr<const Shape>(const Options&)>;
using SceneShapeFactory = std::function<std::shared_ptr<const Shape>(const Options&, const ShapeContext&)>;
using DetectorFactory = std::function<std::unique_ptr<ContactDetector>(const Options&)>;
using LawFactory = std::function<std::unique_ptr<ContactLaw>(const Options&, const LawContext&)>;
using IntegratorFactory = std::function<std::unique_ptr<Integrator>(const Options&)>;
using PackingFactory = std::function<Packed(const Options&, const PackingContext&)>;
using BondLawFactory = std::function<std::unique_ptr<BondLaw>(const Options&, const BondLawContext&)>;
using ModifierFactory = std::function<std::unique_ptr<Modifier>(const Options&)>;
using ObserverFactory = std::function<std::unique_ptr<Observer>(const Options&)>;
/// \throws InputError for a plan that the engine cannot serve
using EngineFactory = std::function<std::unique_ptr<Engine>(const EnginePlan&)>;

/// Receives a plugin's factories. Names are unique per kind over all loaded plugins.
class SCREE_API Registrar {
 public:
  virtual ~Registrar();
  /// The plugin's schema.json: {"shape/star": {JSON Schema of the options}, ...}; called by SCREE_PLUGIN.
  virtual void schemas(const char* json) = 0;
  virtual void shape(const std::string& name, ShapeFactory factory) = 0;
  virtual void detector(const std::string& name, DetectorFactory factory) = 0;
  virtual void law(const std::string& name, LawFactory factory) = 0;
  virtual void integrator(const std::string& name, IntegratorFactory factory) = 0;
  virtual void packing(const std::string& name, PackingFactory factory) = 0;
  virtual void modifier(const std::string& name, ModifierFactory factory) = 0;
  virtual void observer(const std::string& name, ObserverFactory factory) = 0;
  /// A shape that is made for the dimension of the scene: a sphere that is a disc in 2D.
  virtual void shape(const std::string& name, SceneShapeFactory factory) = 0;
  virtual void bond_law(const std::string& name, BondLawFactory factory) = 0;
  /// For --device.
  virtual void engine(const std::string& name, EngineFactory factory) = 0;
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

/// The manifest of whatever translation unit this macro stands in.
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
