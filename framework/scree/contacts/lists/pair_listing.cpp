#include "scree/contacts/lists/pair_listing.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "scree/base/error.hpp"
#include "scree/base/first_failure.hpp"
#include "scree/contacts/lists/near_part.hpp"
#include "scree/contacts/parallel_pairs.hpp"
#include "scree/grid/periodic_pairs.hpp"
#include "scree/shape/facets.hpp"

namespace scree {

namespace {

Image image_of(const ImagePair& pair) { return pair.image; }
Image image_of(const RowPair&) { return Image::Zero(); }

}  // namespace

/// Finds candidates, and lists those that may touch, in any order. In place of the others it lists a pair of a body
/// with itself.
class PairListing::Search {
 public:
  Search(const ListingSource& source, const ListedPart& part, RawArray<ListedPair>& to)
      : s_(source),
        part_(part),
        world_(source.world),
        exclusions_(source.world, source.methods),
        owner_(world_.owner.read()),
        id_(world_.id.read()),
        shape_(world_.shape.read()),
        material_(world_.material.read()),
        radius_(world_.radius.read()),
        inverse_mass_(world_.inverse_mass.read()),
        grown_(grown_radii()),
        to_(to) {}

  void run() {
    Candidates found{pairs_of_large_bodies(), {}, {}};
    // In a solid in one piece, for example, no two of the others may touch.
    if (!s_.methods.channels.empty() && !exclusions_.exclude_all(s_.large.others())) find(found);
    to_.resize(found.with_large.size() + found.images.size() + found.rows.size());
    list(found.with_large, 0);
    list(found.images, found.with_large.size());
    list(found.rows, found.with_large.size() + found.images.size());
  }

 private:
  struct Candidates {
    std::vector<ImagePair> with_large, images;
    std::vector<RowPair> rows;
  };

  /// Finds pairs of bodies that are not large.
  void find(Candidates& found) const {
    const double reach = s_.skin + s_.methods.margin;
    const std::span<const double> radius = grown_.empty() ? radius_ : std::span(grown_);
    SlenderBodies::Search search{s_.poses, radius_, radius, s_.large.others(), reach, s_.paths, s_.skin};
    const std::vector<std::uint32_t> here = s_.paths.any() && !part_.whole
                                                ? homes_and_who_is_near(s_.slender.reaches_of_paths(search), 0)
                                                : homes_and_who_is_near(radius, reach);
    const std::span<const std::uint32_t> rows(part_.whole ? s_.large.others() : here);
    search.rows = rows;
    if (s_.slender.any())
      found.images = s_.slender.pairs(search);
    else if (s_.poses.cell.any())
      PeriodicPairs().find(s_.poses.cell, s_.poses.position, radius, rows, reach, found.images);
    else
      PairFinder().find(s_.poses.position, radius, rows, reach, found.rows);
  }

  /// Returns radii with which a search within skin and integrator's margin finds all pairs within the range of laws,
  /// and of fast bodies. Empty if nothing exceeds these. For bodies without such laws the search finds no more than
  /// otherwise: a law elsewhere costs them nothing.
  std::vector<double> grown_radii() const {
    const std::vector<double> further = s_.methods.further_reach();
    if (further.empty() && s_.beyond.beyond().empty()) return {};
    std::vector<double> grown(radius_.begin(), radius_.end());
    for (std::uint32_t i = 0; i < grown.size(); ++i) {
      if (!further.empty()) grown[i] += further[s_.methods.species(shape_[i], material_[i])];
      grown[i] += s_.beyond.beyond(i);
    }
    return grown;
  }

  std::int32_t channel_of(std::uint32_t i, std::uint32_t j) const {
    return s_.methods.channel(shape_[i], material_[i], shape_[j], material_[j]);
  }

  /// Returns the largest gap between the surfaces of a listed pair [m].
  double reach_of(std::int32_t channel) const {
    return s_.skin + s_.methods.channels[static_cast<std::size_t>(channel)].margin;
  }

  /// Checks whether two bodies that the search has found are within reach: the search covers any law of either.
  bool within_reach(std::uint32_t i, std::uint32_t j, const Image& image, std::int32_t channel) const {
    const auto position = s_.poses.position;
    const double most = radius_[i] + radius_[j] + s_.beyond.beyond(i) + s_.beyond.beyond(j) + reach_of(channel);
    return (position[j] + s_.poses.cell.shift(image) - position[i]).squaredNorm() < most * most;
  }

  /// Finds pairs with walls, containers and other large bodies.
  std::vector<ImagePair> pairs_of_large_bodies() const {
    const auto reach = [this](std::uint32_t i, std::uint32_t large) {
      const std::int32_t channel = channel_of(i, large);
      return channel == Methods::kNoChannel ? -1 : reach_of(channel) + s_.beyond.beyond(i);
    };
    const double farthest = s_.skin + s_.beyond.largest_beyond() + s_.methods.largest_margin();
    if (part_.whole) return s_.large.pairs(world_, s_.poses, s_.large.others(), reach, farthest);
    std::vector<std::uint32_t> here;
    const auto may_count = [this](std::uint32_t i) { return is_home(i) || s_.blocks.held(i); };
    std::ranges::copy_if(s_.large.others(), std::back_inserter(here), may_count);
    return s_.large.pairs(world_, s_.poses, here, reach, farthest);
  }

  bool moves(std::uint32_t i) const { return inverse_mass_[i] > 0 || may_move(world_, i); }
  bool is_home(std::uint32_t i) const { return part_.holds(s_.blocks.rank(i)); }

  /// Returns bodies in the part, and bodies of which pairs with them have their homes in it: held ones, and others
  /// behind the part along the curve.
  std::vector<std::uint32_t> homes_and_who_is_near(std::span<const double> radius, double reach) const {
    std::vector<std::uint32_t> rows;
    if (part_.whole || std::ranges::none_of(s_.large.others(), [this](std::uint32_t i) { return is_home(i); }))
      return rows;  // all, or none
    const NearPart near(s_.large.others(), s_.blocks, part_, {s_.poses, radius, reach});
    for (const std::uint32_t i : s_.large.others()) {
      const std::uint32_t place = s_.blocks.rank(i);
      if (part_.holds(place) || ((place >= part_.end || s_.blocks.held(i)) && near.reaches(i))) rows.push_back(i);
    }
    return rows;
  }

  /// Lists candidates. \param first  index of the first one listed
  template <class Candidate>
  void list(const std::vector<Candidate>& candidates, std::size_t first) {
    ListedPair* const to = to_.data() + first;
    FirstFailure failure;
#pragma omp parallel for schedule(static) if (candidates.size() > kParallelPairs)
    for (std::size_t k = 0; k < candidates.size(); ++k)
      failure.watch(k, [&] { to[k] = listed(candidates[k].i, candidates[k].j, image_of(candidates[k])); });
    failure.rethrow();
  }

  /// Returns a candidate as a listed pair. If the two may not touch, it is a pair of a body with itself.
  /// \param image  image of j, as seen from i
  ListedPair listed(std::uint32_t i, std::uint32_t j, Image image) const {
    constexpr ListedPair kNoPair{0, 0, 0, 0, 0};
    if (owner_[i] == owner_[j]) return kNoPair;
    if (!moves(i) && !moves(j)) return kNoPair;
    if (exclusions_.exclude(i, j)) return kNoPair;
    const std::int32_t channel = channel_of(i, j);
    if (channel == Methods::kNoChannel) return kNoPair;
    if (!grown_.empty() && !s_.paths.any() && std::isfinite(radius_[i] + radius_[j]) &&
        !within_reach(i, j, image, channel))
      return kNoPair;
    if (world_.scaled() && !s_.methods.channels[static_cast<std::size_t>(channel)].scales) check_unscaled(i, j);
    const std::uint32_t home = s_.blocks.home_first(i, j).first;
    if (!is_home(home)) return kNoPair;
    if (id_[i] > id_[j]) {
      std::swap(i, j);
      image = -image;
    }
    return {static_cast<std::uint32_t>(channel), home == j, i, j, packed(image)};
  }

  /// Refuses a scaled body whose detector does not support scales; set-up did so for the bodies that existed then.
  void check_unscaled(std::uint32_t i, std::uint32_t j) const {
    const auto scale = world_.scale.read();
    for (const std::uint32_t k : {i, j})
      if (scale[k] != 1)
        throw NumericalError(fmt::format(
            "body {} was added with the scale {:.6g}, but the detector of its shape \"{}\" was chosen when no body of "
            "it had one, and takes bodies of their shape's own size only. Make a shape of that size.",
            world_.id.read()[k], scale[k], world_.shapes()[world_.shape.read()[k]].name));
  }

  const ListingSource& s_;
  const ListedPart& part_;
  const World& world_;
  const Exclusions exclusions_;
  const std::span<const Id> owner_, id_;
  const std::span<const std::uint32_t> shape_, material_;
  const std::span<const double> radius_, inverse_mass_;
  const std::vector<double> grown_;
  RawArray<ListedPair>& to_;
};

PairListing::PairListing(const ListingSource& source, const ListedPart& part)
    : methods_(source.methods), blocks_(source.blocks), part_(part) {
  Search(source, part, pairs_).run();
  sort();
}

/// Sorts a bucket by (place of the other body, image). Most bodies have few pairs, but a large one may have thousands.
void PairListing::sort_bucket(std::span<ListedPair> bucket) const {
  constexpr std::size_t kFew = 32;
  const auto before = [&](const ListedPair& p, const ListedPair& q) {
    const std::uint32_t of_p = blocks_.rank(p.other()), of_q = blocks_.rank(q.other());
    return of_p != of_q ? of_p < of_q : p.image < q.image;
  };
  if (bucket.size() > kFew) return std::sort(bucket.begin(), bucket.end(), before);
  for (std::size_t i = 1; i < bucket.size(); ++i) {
    const ListedPair p = bucket[i];
    std::size_t place = i;
    for (; place > 0 && before(p, bucket[place - 1]); --place) bucket[place] = bucket[place - 1];
    bucket[place] = p;
  }
}

/// Sorts pairs into buckets of group and home, then each bucket. Each thread has some of the buckets, and finds their
/// pairs.
void PairListing::sort() {
  const bool parallel = pairs_.size() > kParallelPairs;
  constexpr std::uint32_t kNoBucket = ~std::uint32_t{0};
  RawArray<std::uint32_t> bucket;
  bucket.resize(pairs_.size());
#pragma omp parallel for schedule(static) if (parallel)
  for (std::size_t k = 0; k < pairs_.size(); ++k) {
    const ListedPair& p = pairs_[k];
    bucket[k] = p.a == p.b ? kNoBucket : static_cast<std::uint32_t>(bucket_of(group_of(p), p.home()));
  }
  const std::size_t buckets = methods_.group_count() * std::size_t{part_.end - part_.first};
  const std::size_t parts = parallel ? static_cast<std::size_t>(omp_get_max_threads()) : 1;
  const auto each_of_part = [&](std::size_t part, const auto& each) {
    const std::size_t first = buckets * part / parts, end = buckets * (part + 1) / parts;
    for (std::size_t k = 0; k < bucket.size(); ++k)
      if (bucket[k] - first < end - first) each(k);  // also false for earlier ones
  };

  bucket_start_.assign(buckets + 1, 0);
#pragma omp parallel for schedule(static, 1) if (parallel)
  for (std::size_t part = 0; part < parts; ++part)
    each_of_part(part, [&](std::size_t k) { ++bucket_start_[bucket[k] + 1]; });
  for (std::size_t k = 1; k < bucket_start_.size(); ++k) bucket_start_[k] += bucket_start_[k - 1];

  RawArray<ListedPair> in_order;
  in_order.resize(bucket_start_.back());
  std::vector<std::uint32_t> next(bucket_start_.begin(), bucket_start_.end() - 1);
#pragma omp parallel for schedule(static, 1) if (parallel)
  for (std::size_t part = 0; part < parts; ++part)
    each_of_part(part, [&](std::size_t k) { in_order[next[bucket[k]]++] = pairs_[k]; });
  pairs_ = std::move(in_order);
#pragma omp parallel for schedule(dynamic, 1024) if (parallel)
  for (std::size_t k = 0; k < next.size(); ++k)
    sort_bucket(pairs().subspan(bucket_start_[k], bucket_start_[k + 1] - bucket_start_[k]));
}

std::size_t PairListing::find(std::uint32_t channel, std::uint32_t a, std::uint32_t b, std::int32_t image) const {
  const auto [home, other] = blocks_.home_first(a, b);
  if (!part_.holds(blocks_.rank(home))) return kNone;
  const std::size_t bucket = bucket_of(methods_.channels[channel].group, home);
  for (std::size_t k = bucket_start_[bucket]; k < bucket_start_[bucket + 1]; ++k)
    if (const ListedPair& p = pairs_[k]; p.other() == other && p.image == image && p.channel == channel) return k;
  return kNone;
}

std::size_t PairListing::end_of_block(std::size_t first, std::size_t end) const {
  const std::uint32_t group = group_of(pairs_[first]);
  const std::uint64_t block = blocks_.block(pairs_[first].home());
  const auto same = [&](const ListedPair& p) { return group_of(p) == group && blocks_.block(p.home()) == block; };
  std::size_t last = first + 1;
  while (last < end && same(pairs_[last])) ++last;
  return last;
}

}  // namespace scree
