#pragma once
/// \file Parts of prepare().

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "scree/base/internal_error.hpp"
#include "scree/setup/detail/make_bonds.hpp"
#include "scree/setup/setup.hpp"

namespace scree::detail {

/// Runs a factory. Its OptionError, or a breach of its interface, becomes an InputError with the place in the scene in
/// front.
template <class Make>
auto made(const Scene& scene, const ObjectDef& object, Make&& make) -> decltype(make()) {
  try {
    return make();
  } catch (const OptionError& e) {
    throw InputError(scene.where(object.options.pointer() + e.pointer()) + ": " + e.what());
  } catch (const InternalError& e) {
    throw InputError(scene.where(object.options.pointer()) + ": " + e.what());
  }
}

/// Makes shapes, materials and bodies of the scene in the World. Adds a modifier for every `remove_at`.
/// \return bodies by entry of the scene's `bodies`
std::vector<PlacedBodies> place_bodies(const Scene& scene, const Registry& registry, Prepared& prepared);

/// Sets the start values that the scene gives columns of bodies. \pre methods have made their columns
/// \param placed  by entry of the scene's `bodies`
/// \throws InputError for a column that no method has, or that holds something else
void set_start_values(const Scene& scene, std::span<const PlacedBodies> placed, World& world);

/// Returns Prepared::laws.
std::vector<std::string> laws_of(const Scene& scene);

/// Sizes of the bodies of the start.
struct Extremes {
  bool moves = false;  ///< true if some body moves
  double smallest_radius = std::numeric_limits<double>::infinity(), largest_radius = 0;
  double smallest_mass = std::numeric_limits<double>::infinity();
  Vec3 lower = Vec3::Constant(std::numeric_limits<double>::infinity()), upper = -lower;
};

/// Returns the extremes of bounded bodies; radii and masses only of those that move. Bodies that touch nothing do not
/// count as the smallest.
Extremes extremes(const World& world, const Methods& methods);

/// Adds warnings of unusual values to prepared.warnings.
void warn_of_scene(const Scene& scene, Prepared& prepared);
void warn_of_fast_bodies(const Scene& scene, Prepared& prepared);
void warn_by_integrator(const Scene& scene, Prepared& prepared);

/// Checks whether bonds are integrated explicitly.
bool bonds_limit_step(const Prepared& prepared);

/// Warns of bonds that are too stiff: explicit integration is stable up to a step that is known before the run. \pre
/// prepared.engine is made
void warn_of_stiff_bonds(const Scene& scene, Prepared& prepared);
/// Warns of implicit steps that are too long for cracks, or for impacts that break bonds by their first wave.
void warn_of_fracture_steps(const Scene& scene, Prepared& prepared);

/// Checks that no body is outside of the domain, since the run would end in its first step. \throws InputError
void check_domain(const Scene& scene, const Prepared& prepared);

/// Checks that bodies fulfil the conditions for moving freely, and those of the integrator: at the start and whenever
/// some are added.
/// \throws InputError naming a body that does not fit
void check_bodies(const Scene& scene, const Prepared& prepared);

/// Checks shapes that the scene's integrator cannot move (ShapeTraits::driven_by), or that others are to touch. Part of
/// check_bodies(); called before detectors are sought for shapes that have none. \throws InputError naming the shape
void check_driven(const Scene& scene, const Prepared& prepared);

/// Checks the periodic cell: bodies may touch one another in several images, but not themselves.
/// \throws InputError for a periodic cell that is too short for a body
void check_cell(const Scene& scene, const Prepared& prepared);

/// Finds laws, detectors and channels of all pairs of (shape, material). Makes Methods::species_resolver, which refers
/// to the three and serves later bodies.
/// \throws InputError naming the two species, what one needs and the other lacks, and what would fit
void resolve_channels(const Scene& scene, const Registry& registry, Prepared& prepared);

/// Checks that several ranks can divide the integrator's work. \throws InputError
void check_ranks(const Scene& scene, const Integrator& integrator);
/// Checks that several ranks can have this engine. \throws InputError
void check_ranks(const std::string& device);

/// Returns the observer on the first rank. On other ranks it returns one in its place that reports its needs and writes
/// nothing.
std::unique_ptr<Observer> only_on_first_rank(std::unique_ptr<Observer> observer);

}  // namespace scree::detail
