/// \file Bodies that overlap at the start by more than the scene allows.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "scree/base/error.hpp"
#include "scree/setup/setup.hpp"

namespace scree {

void check_initial_overlaps(const Scene& scene, Prepared& prepared, Wanted wanted) {
  const World& world = *prepared.world;
  Engine& engine = *prepared.engine;
  const auto look = [&] {
    try {
      engine.find_contacts(wanted);
    } catch (const NumericalError& e) {
      throw InputError(fmt::format("{}: the bodies start too deep in each other: {} Move them apart.",
                                   scene.where("/bodies"), e.what()));
    }
  };
  look();
  const auto radius = world.radius.read();
  if (radius.empty()) return;
  // Records of all contacts take much memory: they are made only if the largest overlap is too much for the smallest
  // body, whether or not these two touch.
  if (engine.totals().max_overlap / *std::ranges::min_element(radius) <= scene.max_initial_overlap) return;
  if (!std::exchange(wanted.contacts, true)) look();
  const ContactView contacts = engine.contacts();
  const ContactRecord* worst = nullptr;
  double worst_ratio = scene.max_initial_overlap, worst_radius = 0;
  std::size_t count = 0;
  for (const ContactRecord& c : contacts) {
    const double r = std::min(radius[*world.row(c.a)], radius[*world.row(c.b)]);
    const double ratio = c.overlap / r;
    count += ratio > scene.max_initial_overlap;
    if (ratio > worst_ratio) worst = &c, worst_ratio = ratio, worst_radius = r;
  }
  if (!worst) return;
  const auto owner = [&](Id id) { return world.group_names[world.group.read()[*world.row(id)]]; };
  throw InputError(fmt::format(
      "{}: bodies {} (of \"{}\") and {} (of \"{}\") overlap by {:.4g} m at the start, {:.3g} of the smaller radius "
      "{:.4g} m; "
      "allowed is {:g} (/run/max_initial_overlap); {} contact(s) are beyond it. Move them apart, widen the packing, or "
      "raise the bound.",
      scene.where("/bodies"), worst->a, owner(worst->a), worst->b, owner(worst->b), worst->overlap, worst_ratio,
      worst_radius, scene.max_initial_overlap, count));
}

}  // namespace scree
