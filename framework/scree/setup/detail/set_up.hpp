#pragma once
/// \file The parts of prepare().

#include <functional>
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

/// What bodies must be to move freely, and for the scene's integrator: at the start and whenever some come.
/// \throws InputError naming a body that does not fit
void check_bodies(const Scene& scene, const Prepared& prepared);

/// Bodies may meet one another in several images, but not themselves.
/// \throws InputError for a periodic cell that is too short for a body
void check_cell(const Scene& scene, const Prepared& prepared);

/// Laws, detectors and channels: which pair of (shape, material) is served by what. Leaves Methods::newcomers behind,
/// which refers to the three and serves bodies that come later.
/// \throws InputError naming the two parties, what one needs and the other lacks, and what would fit
void resolve_channels(const Scene& scene, const Registry& registry, Prepared& prepared);

}  // namespace scree::detail
