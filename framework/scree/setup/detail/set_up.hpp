#pragma once
/// \file The parts of prepare().

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "scree/base/internal_error.hpp"
#include "scree/setup/detail/make_bonds.hpp"
#include "scree/setup/setup.hpp"

namespace scree::detail {

/// Runs a factory; its OptionError, or what it did against its interface, becomes an InputError with the place in the
/// scene in front.
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

/// Shapes, materials and bodies of the scene into the World. Adds a modifier for every `remove_at`.
/// \return by entry of the scene's `bodies`
std::vector<PlacedBodies> place_bodies(const Scene& scene, const Registry& registry, Prepared& prepared);

/// Prepared::laws
std::vector<std::string> laws_of(const Scene& scene);

/// Sizes of the bodies of the start.
struct Extremes {
  bool moves = false;  ///< some body
  double smallest_radius = std::numeric_limits<double>::infinity(), largest_radius = 0;
  double smallest_mass = std::numeric_limits<double>::infinity();
  Vec3 lower = Vec3::Constant(std::numeric_limits<double>::infinity()), upper = -lower;
};

/// Of bodies with bound: all of them, but radii and masses of those that move. Bodies that meet nobody do not count as
/// the smallest.
Extremes extremes(const World& world, const Methods& methods);

/// Notes in prepared.warnings what is rarely meant.
void warn_of_scene(const Scene& scene, Prepared& prepared);
void warn_of_fast_bodies(const Scene& scene, Prepared& prepared);
void warn_by_integrator(const Scene& scene, Prepared& prepared);

/// Whether bonds are integrated explicitly.
bool bonds_limit_step(const Prepared& prepared);

/// Explicit integration of bonds is stable up to a step that is known before the run. \pre prepared.engine is made
void warn_of_stiff_bonds(const Scene& scene, Prepared& prepared);
/// Implicit steps that are too long for cracks, or impacts that break bonds by their first wave.
void warn_of_fracture_steps(const Scene& scene, Prepared& prepared);

/// \throws InputError for a body outside of the domain: the run would end in its first step
void check_domain(const Scene& scene, const Prepared& prepared);

/// What bodies must be to move freely, and for the scene's integrator: at the start and whenever some come.
/// \throws InputError naming a body that does not fit
void check_bodies(const Scene& scene, const Prepared& prepared);

/// \throws InputError naming the shape of a body that the scene's integrator cannot move (DrivenBy), or that others are
/// to touch. Part of check_bodies(); asked before detectors are sought for shapes that have none.
void check_driven(const Scene& scene, const Prepared& prepared);

/// Bodies may meet one another in several images, but not themselves.
/// \throws InputError for a periodic cell that is too short for a body
void check_cell(const Scene& scene, const Prepared& prepared);

/// Laws, detectors and channels: which pair of (shape, material) is served by what. Leaves Methods::newcomers behind,
/// which refers to the three and serves bodies that come later.
/// \throws InputError naming the two parties, what one needs and the other lacks, and what would fit
void resolve_channels(const Scene& scene, const Registry& registry, Prepared& prepared);

/// \throws InputError for an integrator whose work several ranks cannot share
void check_ranks(const Scene& scene, const Integrator& integrator);
/// \throws InputError for an engine that several ranks cannot have
void check_ranks(const std::string& device);

/// On the other ranks, one in its place that tells what it needs and writes nothing.
std::unique_ptr<Observer> only_on_first_rank(std::unique_ptr<Observer> observer);

}  // namespace scree::detail
