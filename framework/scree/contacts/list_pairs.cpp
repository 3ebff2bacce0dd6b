/// \file Which pairs ContactPipeline looks at: those within reach that may touch, in canonical order.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "scree/base/error.hpp"
#include "scree/contacts/detail/pipeline_parts.hpp"
#include "scree/shape/facets.hpp"

namespace scree {

void ContactPipeline::list_pairs(std::span<const Vec3> position) {
  std::vector<std::uint32_t> finite, infinite;
  const auto radius = world_.radius.read();
  for (std::uint32_t i = 0; i < world_.size(); ++i)
    if (radius[i] > 0) (std::isfinite(radius[i]) ? finite : infinite).push_back(i);

  const double reach = skin_ + methods_.margin;
  const std::vector<double> grown = grown_radii();
  reach_varies_ = !grown.empty();
  const std::span<const double> search_radius = reach_varies_ ? std::span(grown) : radius;
  listed_.clear();
  find_fragments();
  infinite_candidates(position, reference_orientations(), finite, infinite);
  if (!anyone_may_touch(finite)) {
    // A solid in one piece: no pair to look for.
  } else if (world_.cell.any()) {
    std::vector<ImagePair> candidates;
    PeriodicPairs().find(world_.cell, position, search_radius, finite, reach, candidates);
    listed_.reserve(listed_.size() + candidates.size());
    for (const ImagePair& p : candidates) add_candidate(p.i, p.j, p.image);
  } else {
    std::vector<RowPair> candidates;
    PairFinder().find(position, search_radius, finite, reach, candidates);
    listed_.reserve(listed_.size() + candidates.size());
    for (const RowPair& p : candidates) add_candidate(p.i, p.j, Image::Zero());
  }
  release(bonded_);
  release(fragment_);
  sort_listed();
}

/// Radii with which a search within skin and integrator's margin finds all that laws reach; empty where no law reaches
/// beyond that margin. Who has no such law finds no more than without: a law elsewhere costs him nothing.
std::vector<double> ContactPipeline::grown_radii() const {
  const std::vector<double> further = methods_.further_reach();
  if (further.empty()) return {};
  const auto radius = world_.radius.read();
  const auto shape = world_.shape.read(), material = world_.material.read();
  std::vector<double> grown(radius.begin(), radius.end());
  for (std::size_t i = 0; i < grown.size(); ++i) grown[i] += further[methods_.species(shape[i], material[i])];
  return grown;
}

std::int32_t ContactPipeline::channel_of(std::uint32_t i, std::uint32_t j) const {
  const auto shape = world_.shape.read(), material = world_.material.read();
  return methods_.channel(shape[i], material[i], shape[j], material[j]);
}

/// How far apart the surfaces of a listed pair may be [m].
double ContactPipeline::reach_of(std::int32_t channel) const {
  return skin_ + methods_.channels[static_cast<std::size_t>(channel)].margin;
}

/// Of two bodies that the search has found: it reaches as far as any law of either.
bool ContactPipeline::within_reach(std::uint32_t i, std::uint32_t j, const Image& image, std::int32_t channel) const {
  const auto position = reference_position_.read();
  const auto radius = world_.radius.read();
  const double most = radius[i] + radius[j] + reach_of(channel);
  return (position[j] + world_.cell.shift(image) - position[i]).squaredNorm() < most * most;
}

/// Half-planes, containers: whoever is closer than reach by the wall's own distance.
void ContactPipeline::infinite_candidates(std::span<const Vec3> position, std::span<const Quat> orientation,
                                          const std::vector<std::uint32_t>& finite,
                                          const std::vector<std::uint32_t>& infinite) {
  constexpr std::size_t kAtOnce = 1024;
  std::vector<Vec3> local(kAtOnce), gradient(kAtOnce);
  std::vector<double> distance(kAtOnce);
  const auto radius = world_.radius.read();
  for (const std::uint32_t wall : infinite) {
    const Mat3 back = orientation[wall].conjugate().toRotationMatrix();
    const Shape& shape = *world_.shapes()[world_.shape.read()[wall]].shape;
    const auto* field = facet<ExactDistance>(shape);
    for (std::size_t first = 0; first < finite.size(); first += kAtOnce) {
      const auto rows = std::span(finite).subspan(first, std::min(kAtOnce, finite.size() - first));
      const std::size_t count = rows.size();
      for (std::size_t k = 0; k < count; ++k) local[k] = back * (position[rows[k]] - position[wall]);
      if (field)
        field->distance(std::span(local).first(count), std::span(distance).first(count),
                        std::span(gradient).first(count));
      for (std::size_t k = 0; k < count; ++k) {
        const std::int32_t channel = channel_of(rows[k], wall);
        if (channel == Methods::kNoChannel) continue;
        if (!field || distance[k] < radius[rows[k]] + reach_of(channel)) add_candidate(rows[k], wall, Image::Zero());
      }
    }
  }
}

/// \param image  of j, as seen from i
void ContactPipeline::add_candidate(std::uint32_t i, std::uint32_t j, Image image) {
  const auto owner = world_.owner.read();
  if (owner[i] == owner[j]) return;
  const auto inverse_mass = world_.inverse_mass.read();
  const auto ids = world_.id.read();
  const auto mobile = [&](std::uint32_t k) {
    if (owner[k] == ids[k]) return inverse_mass[k] > 0;
    const auto row = world_.row(owner[k]);
    return row && inverse_mass[*row] > 0;
  };
  if (!mobile(i) && !mobile(j)) return;
  if (held_together(i, j)) return;
  const std::int32_t channel = channel_of(i, j);
  if (channel == Methods::kNoChannel) return;
  const auto radius = world_.radius.read();
  if (reach_varies_ && std::isfinite(radius[i] + radius[j]) && !within_reach(i, j, image, channel)) return;
  if (world_.scaled() && !methods_.channels[static_cast<std::size_t>(channel)].scales) check_unscaled(i, j);
  if (ids[i] > ids[j]) {
    std::swap(i, j);
    image = -image;
  }
  listed_.push_back({static_cast<std::uint32_t>(channel), i, j, packed(image)});
}

/// Set-up saw to it for the bodies there were then.
void ContactPipeline::check_unscaled(std::uint32_t i, std::uint32_t j) const {
  const auto scale = world_.scale.read();
  for (const std::uint32_t k : {i, j})
    if (scale[k] != 1)
      throw NumericalError(fmt::format(
          "body {} was added with the scale {:.6g}, but the detector of its shape \"{}\" was chosen when no body of it "
          "had one, and takes bodies of their shape's own size only. Make a shape of that size.",
          world_.id.read()[k], scale[k], world_.shapes()[world_.shape.read()[k]].name));
}

/// By (place of the channel, lower row, higher row, image): into buckets of (channel, lower row), where they stand,
/// then each short bucket by insertion. Pairs of one chunk so belong to consecutive rows and to few rows beyond.
void ContactPipeline::sort_listed() {
  const std::size_t n = world_.size();
  const auto bucket = [&](const Listed& p) { return methods_.channels[p.channel].place * n + p.low(); };
  row_start_.assign(methods_.channels.size() * n + 1, 0);
  for (const Listed& p : listed_) ++row_start_[bucket(p) + 1];
  for (std::size_t k = 1; k < row_start_.size(); ++k) row_start_[k] += row_start_[k - 1];

  std::vector<std::uint32_t> filled(row_start_.begin(), row_start_.end() - 1);
  for (std::size_t k = 0; k < filled.size(); ++k) {
    while (filled[k] < row_start_[k + 1]) {
      Listed& p = listed_[filled[k]];
      const std::size_t home = bucket(p);
      if (home != k)
        std::swap(p, listed_[filled[home]++]);
      else
        ++filled[k];
    }
  }
  const auto before = [](const Listed& p, const Listed& q) {
    return p.high() != q.high() ? p.high() < q.high() : p.image < q.image;
  };
  for (std::size_t k = 0; k < filled.size(); ++k)
    for (std::size_t i = row_start_[k] + 1; i < row_start_[k + 1]; ++i) {
      const Listed p = listed_[i];
      std::size_t place = i;
      for (; place > row_start_[k] && before(p, listed_[place - 1]); --place) listed_[place] = listed_[place - 1];
      listed_[place] = p;
    }
}

}  // namespace scree
