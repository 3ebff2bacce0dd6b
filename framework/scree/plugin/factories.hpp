#pragma once
/// \file Factories of methods: the kinds, and the context that each receives.

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "scree/base/types.hpp"
#include "scree/detect/contact_detector.hpp"
#include "scree/engine/engine.hpp"
#include "scree/hooks/hook.hpp"
#include "scree/integrate/integrator.hpp"
#include "scree/law/bond_law.hpp"
#include "scree/law/contact_law.hpp"
#include "scree/scene/options.hpp"
#include "scree/shape/shape.hpp"

namespace scree {

/// Context of a shape's factory besides its options, if it takes one.
struct ShapeContext {
  int dimension = 2;
};

/// Context of a law's factory besides its options. One law serves all pairs of materials with the same elastic
/// properties; the names are those of the first such pair.
struct LawContext {
  int dimension = 2;
  MaterialEntry a, b;
  double largest_radius = 0;  ///< bounding radius of the largest finite body [m]: limits the range of an attraction
};

/// Context of a bond law's factory besides its options. \see scree/law/bond_law.hpp
struct BondLawContext {
  int dimension = 3;
  MaterialEntry a, b;  ///< materials of the bodies joined
};

/// Place of an initial packing: position of the reference point [m], and optional properties of its body.
struct Placement {
  Id id = kNewId;
  Vec3 position = Vec3::Zero();
  std::optional<Quat> orientation;  ///< unset: the entry's `orientation` is used
  std::optional<Vec3> velocity, angular_velocity;
  double scale = 1;                         ///< size of the body, > 0, times the entry's `scale`
  std::optional<std::uint32_t> shape = {};  ///< index of the shape among the entry's; unset: they alternate in turn
};

/// Two places that share a face: the data of a bond between them.
struct SharedFace {
  std::uint32_t a, b;  ///< indices of places
  double area;         ///< [m^2], > 0
};

/// Consecutive places along a strand: segments of a rod, from its root to its tip.
struct Strand {
  std::uint32_t first, count;  ///< index of its first place; number of places, >= 1
};

/// Values for a column of the bodies placed; the World registers it, hidden from pictures.
struct PlacedColumn {
  std::string name, unit;
  int components = 1;
  std::vector<double> values;  ///< (places x components)
};

/// Result of a packing. Most give only positions.
struct Packed {
  Packed() = default;
  Packed(std::vector<Placement> at) : places(std::move(at)) {}

  std::vector<Placement> places;
  std::vector<SharedFace> shared_faces;
  std::vector<Strand> strands = {};
  std::vector<PlacedColumn> columns;
  std::vector<std::string> notes;  ///< whole sentences for the user: shown as warnings
};

/// Context of a packing's factory besides its options.
struct PackingContext {
  int dimension = 2;
  double bounding_radius = 0;  ///< radius of the largest body the entry may have, about its reference point [m]
  std::uint64_t seed = 0;
  std::vector<ShapeEntry> shapes = {};  ///< shapes of the entry: places take them in turn
  double density = 0;                   ///< density of the entry's material [kg/m^3]
  /// Size of the body of place i by the entry's `scale` [-]; unset: 1 for all.
  std::function<double(std::size_t)> size = {};
  /// World with the bodies of earlier entries; null if none are known.
  const World* world = nullptr;
  /// World with the walls of later entries: single bodies that are fixed or prescribed. Null if none are known.
  const World* later_walls = nullptr;
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
/// Factory of engines. \throws InputError for a plan that the engine cannot serve
using EngineFactory = std::function<std::unique_ptr<Engine>(const EnginePlan&)>;

/// Factory of any kind, in the order of the data flow. A new kind is one more alternative, at the end so that older
/// plugins stay right, and its name below.
using AnyFactory = std::variant<SceneShapeFactory, PackingFactory, DetectorFactory, LawFactory, BondLawFactory,
                                IntegratorFactory, ModifierFactory, ObserverFactory, EngineFactory>;
inline constexpr std::array<const char*, std::variant_size_v<AnyFactory>> kKinds = {
    "shape", "packing", "detector", "law", "bond-law", "integrator", "modifier", "observer", "engine"};

}  // namespace scree
