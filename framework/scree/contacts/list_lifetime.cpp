/// \file How long the lists of ContactPipeline hold: the skin they are made with, and when bodies have outrun it.

#include <algorithm>
#include <cmath>

#include "scree/base/parallel.hpp"
#include "scree/contacts/detail/pipeline_parts.hpp"

namespace scree {

bool ContactPipeline::looks_ahead() const { return methods_.integrator && methods_.integrator->traits().looks_ahead; }

double ContactPipeline::skin_for(double dt) const {
  if (!looks_ahead()) return methods_.skin;
  const auto v = world_.velocity.read();
  const auto radius = world_.radius.read();
  double fastest2 = 0, largest = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    fastest2 = std::max(fastest2, v[i].squaredNorm());
    if (std::isfinite(radius[i])) largest = std::max(largest, radius[i]);
  }
  // Lists end when two bodies have gone, or are about to go, the skin towards each other: these last for two steps.
  double skin = std::max(methods_.skin, 4 * std::sqrt(fastest2) * dt);
  // A body must not meet itself around the cell.
  const double margin = methods_.largest_margin();
  for (int k = 0; k < 3; ++k)
    if (world_.cell.periodic(k))
      skin = std::min(skin, std::max(methods_.skin, 0.99 * (world_.cell.length[k] - 2 * largest - margin)));
  return skin;
}

/// Which walls turn, so that lists need to know how they stood.
void ContactPipeline::note_prescribed() {
  if (!reference_orientation_ && !world_.prescribed().empty())
    reference_orientation_ = world_.column<Quat>("reference_orientation", "", false);
}

/// How bodies stood when lists were made. Fixed walls stand as ever, and bodies that move freely may turn any way
/// without a list becoming another: where none is prescribed, orientations of now do.
std::span<const Quat> ContactPipeline::reference_orientations() const {
  return reference_orientation_ ? Column<Quat>(reference_orientation_).read() : world_.orientation.read();
}

bool ContactPipeline::stale(double ahead) const {
  if (world_.layout_version() != layout_ || world_.bonds().version() != bonds_) return true;
  return stale(ahead, ways(ahead).largest_squared());
}

double ContactPipeline::Ways::largest_squared() const {
  return parallel_max_of_fours(
      static_cast<std::ptrdiff_t>(x.size()),
      [this](std::ptrdiff_t i) { return squared_of_four(static_cast<std::size_t>(i)); },
      [this](std::ptrdiff_t i) { return squared(static_cast<std::size_t>(i)); });
}

bool ContactPipeline::stale(double ahead, double largest_squared_way) const {
  if (world_.layout_version() != layout_ || world_.bonds().version() != bonds_) return true;
  // Spheres: the two of a pair may both move. Walls without bound: their own motion, rotation included, comes on top.
  const double finite = std::sqrt(largest_squared_way);
  if (2 * finite > skin_) return true;
  const auto radius = world_.radius.read();
  double infinite = 0;
  for (const auto& [body, motion] : world_.prescribed()) {
    const auto row = world_.row(body);
    if (!row || std::isfinite(radius[*row])) continue;
    const double reach = world_.shapes()[world_.shape.read()[*row]].shape->rotation_reach();
    const Quat q = world_.orientation.read()[*row], q0 = reference_orientations()[*row];
    const double angle = q.angularDistance(q0) + ahead * world_.angular_velocity.read()[*row].norm();
    const double turn = angle == 0 || reach == 0 ? 0 : angle * reach;
    infinite = std::max(infinite, std::sqrt(ways(ahead).squared(*row)) + turn);
  }
  return finite + infinite > skin_;
}

}  // namespace scree
