/// \file Which pairs ContactPipeline looks at: those within reach that may touch, in canonical order.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "scree/base/error.hpp"
#include "scree/base/first_failure.hpp"
#include "scree/contacts/detail/pipeline_parts.hpp"
#include "scree/shape/facets.hpp"

namespace scree {

void ContactPipeline::list_pairs(std::span<const Vec3> position) {
  const auto radius = world_.radius.read();
  const std::vector<std::uint32_t>& rows = large_.others();
  const double reach = skin_ + methods_.margin;
  const std::vector<double> grown = grown_radii();
  reach_varies_ = !grown.empty();
  const std::span<const double> search_radius = reach_varies_ ? std::span(grown) : radius;
  listed_.clear();
  find_fragments();
  add_candidates(pairs_of_large_bodies(position));
  if (!anyone_may_touch(rows)) {
    // A solid in one piece: no pair to look for.
  } else if (world_.reference_cell.any()) {
    std::vector<ImagePair> candidates;
    PeriodicPairs().find(world_.reference_cell, position, search_radius, rows, reach, candidates);
    add_candidates(candidates);
  } else {
    std::vector<RowPair> candidates;
    PairFinder().find(position, search_radius, rows, reach, candidates);
    add_candidates(candidates);
  }
  release(bonded_);
  release(fragment_);
  blocks_ = SpaceBlocks({radius, world_.kind.read(), large_.rows()}, order_, world_.dimension(), cell_width());
  order_ = {};
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
  return (position[j] + world_.reference_cell.shift(image) - position[i]).squaredNorm() < most * most;
}

/// Who is near walls, containers and other large bodies.
std::vector<ImagePair> ContactPipeline::pairs_of_large_bodies(std::span<const Vec3> position) const {
  const auto reach = [this](std::uint32_t i, std::uint32_t large) {
    const std::int32_t channel = channel_of(i, large);
    return channel == Methods::kNoChannel ? -1 : reach_of(channel);
  };
  return large_.pairs(world_, {position, reference_orientations(), world_.reference_cell}, reach,
                      skin_ + methods_.largest_margin());
}

namespace {

Image image_of(const ImagePair& pair) { return pair.image; }
Image image_of(const RowPair&) { return Image::Zero(); }

}  // namespace

/// Lists those candidates that may touch. They are sorted later: their order is of no account here.
template <class Candidate>
void ContactPipeline::add_candidates(const std::vector<Candidate>& candidates) {
  const std::size_t before = listed_.size();
  listed_.resize(before + candidates.size());
  FirstFailure failure;
#pragma omp parallel for schedule(static) if (candidates.size() > kParallelPairs)
  for (std::size_t k = 0; k < candidates.size(); ++k)
    failure.watch(k, [&] { listed_[before + k] = listed(candidates[k].i, candidates[k].j, image_of(candidates[k])); });
  failure.rethrow();
  std::erase_if(listed_, [](const Listed& p) { return p.a == p.b; });
}

/// A candidate as it is listed, or, where the two may not touch, a pair of a body with itself.
/// \param image  of j, as seen from i
ContactPipeline::Listed ContactPipeline::listed(std::uint32_t i, std::uint32_t j, Image image) const {
  constexpr Listed kNone{0, 0, 0, 0, 0};
  const auto owner = world_.owner.read();
  if (owner[i] == owner[j]) return kNone;
  if (!may_move(world_, i) && !may_move(world_, j)) return kNone;
  if (held_together(i, j)) return kNone;
  const std::int32_t channel = channel_of(i, j);
  if (channel == Methods::kNoChannel) return kNone;
  const auto radius = world_.radius.read();
  if (reach_varies_ && std::isfinite(radius[i] + radius[j]) && !within_reach(i, j, image, channel)) return kNone;
  if (world_.scaled() && !methods_.channels[static_cast<std::size_t>(channel)].scales) check_unscaled(i, j);
  const auto ids = world_.id.read();
  if (ids[i] > ids[j]) {
    std::swap(i, j);
    image = -image;
  }
  return {static_cast<std::uint32_t>(channel), 0, i, j, packed(image)};
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

/// By (rank of the other body, image). Most bodies have few pairs, but a large one may have those of thousands.
void ContactPipeline::sort_bucket(std::span<Listed> bucket) const {
  constexpr std::size_t kFew = 32;
  const auto before = [&](const Listed& p, const Listed& q) {
    const std::uint32_t of_p = blocks_.rank(p.other()), of_q = blocks_.rank(q.other());
    return of_p != of_q ? of_p < of_q : p.image < q.image;
  };
  if (bucket.size() > kFew) return std::sort(bucket.begin(), bucket.end(), before);
  for (std::size_t i = 1; i < bucket.size(); ++i) {
    const Listed p = bucket[i];
    std::size_t place = i;
    for (; place > 0 && before(p, bucket[place - 1]); --place) bucket[place] = bucket[place - 1];
    bucket[place] = p;
  }
}

/// By (group of channels, home, other body, image), bodies in the order of the curve: into buckets of group and home,
/// where they stand, then each bucket. Pairs of one block so follow each other.
void ContactPipeline::sort_listed() {
  const std::size_t n = world_.size();
  const bool parallel = listed_.size() > kParallelPairs;
#pragma omp parallel for schedule(static) if (parallel)
  for (std::size_t k = 0; k < listed_.size(); ++k) {
    Listed& p = listed_[k];
    p.home_is_b = blocks_.home_first(p.a, p.b).first == p.b;
  }
  const auto bucket = [&](const Listed& p) { return group_of(p) * n + blocks_.rank(p.home()); };
  row_start_.assign(methods_.group_count() * n + 1, 0);
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
#pragma omp parallel for schedule(dynamic, 1024) if (parallel)
  for (std::size_t k = 0; k < filled.size(); ++k)
    sort_bucket(std::span(listed_).subspan(row_start_[k], row_start_[k + 1] - row_start_[k]));
}

}  // namespace scree
