#include "sphere_sphere.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>

#include "near_list.hpp"
#include "on_device.hpp"
#include "scree/base/error.hpp"
#include "scree/base/lanes.hpp"
#include "scree/detect/sphere_contact.hpp"
#include "scree/shape/facets.hpp"

namespace scree::spheres {

namespace {

/// More specific than detectors that sample boundaries or distances.
constexpr int kSpecificity = 20;

/// Bodies that are spheres, by pairs: spheres are numbered as rows.
struct SphereBodies {
  const BodyRow* row;
  const Pair* pairs;

  static constexpr bool kCentral = true;

  std::uint32_t pair(std::size_t k) const { return static_cast<std::uint32_t>(k); }
  Lanes a(std::size_t k) const { return load_lanes(&row[pairs[k].a].position); }  ///< centre and radius
  Lanes b(std::size_t k) const { return load_lanes(&row[pairs[k].b].position); }
};

/// Pairs of spheres of any bodies.
struct SpherePairs {
  const PlacedSphere* sphere;
  const std::uint32_t *of_pair, *of_a, *of_b;  ///< index of the bodies' pair, the two spheres

  static constexpr bool kCentral = false;  ///< the spheres' centres are not the bodies'

  std::uint32_t pair(std::size_t k) const { return of_pair[k]; }
  Lanes a(std::size_t k) const { return load_lanes(sphere + of_a[k]); }
  Lanes b(std::size_t k) const { return load_lanes(sphere + of_b[k]); }
};

/// One thread's working memory.
struct Workspace {
  SphereTile tile;
  std::vector<double> moved;            ///< per body: how far its points may have moved since its list was made [m]
  SpherePairColumns near;               ///< pairs of spheres if the chunk's list does not suffice
  std::vector<std::uint32_t> touching;  ///< indices of touching pairs of spheres
};

/// Not inlined: the compiler would look up the thread's address again in every loop.
[[gnu::noinline]] Workspace& workspace() {
  thread_local Workspace w;
  return w;
}

[[noreturn]] void coincide(const BodyView& bodies, const Pair& pair) {
  throw NumericalError(
      fmt::format("bodies {} and {}: the centres of two of their spheres coincide, so the contact has no normal. Use a "
                  "smaller dt or a stiffer law.",
                  bodies.row[pair.a].id, bodies.row[pair.b].id));
}

/// Marks which of the pairs first .. end - 1 of spheres touch; up to the next multiple of four is written.
template <class Pairs>
void filter(const Pairs& pairs, std::size_t first, std::size_t end, double margin, std::int64_t* touches) {
  constexpr Lanes difference_but_sum_of_radii = {-1, -1, -1, 1};
  for (std::size_t k = first; k < end; k += 4) {
    LaneBlock d;
    for (std::size_t l = 0; l < 4; ++l) {
      const std::size_t i = std::min(k + l, end - 1);
      d.v[l] = pairs.b(i) + pairs.a(i) * difference_but_sum_of_radii;
    }
    d = transposed(d);
    const Lanes reach = d.v[3] + all_lanes(margin);
    const auto near = d.v[0] * d.v[0] + d.v[1] * d.v[1] + d.v[2] * d.v[2] < reach * reach;
    std::memcpy(touches + (k - first), &near, sizeof near);
  }
}

/// Pairs, or contacts, that loops take through their stages at once: so few that they stay in the first-level cache.
constexpr std::size_t kBlock = 256;

/// The numbers of the pairs of spheres that touch, into w.touching. \return how many
template <class Pairs>
std::size_t find_touching(const Pairs& pairs, std::size_t count, double margin, Workspace& w) {
  if (w.touching.size() < count) w.touching.resize(count);
  std::uint32_t* const touching = w.touching.data();
  std::size_t size = 0;
  std::int64_t touches[kBlock];  // -1 or 0
  for (std::size_t first = 0; first < count; first += kBlock) {
    const std::size_t end = std::min(first + kBlock, count);
    filter(pairs, first, end, margin, touches);
    for (std::size_t k = first; k < end; ++k) {  // without branches: which pairs touch is hard to foresee
      touching[size] = static_cast<std::uint32_t>(k);
      size -= static_cast<std::size_t>(touches[k - first]);
    }
  }
  return size;
}

/// The contacts of the pairs of spheres that touch into the columns of `to`, but for their features.
template <class Pairs>
void geometry(const Pairs& pairs, const std::uint32_t* touching, std::size_t count, const ContactBuffer::Rows& to) {
  constexpr Lanes difference_but_last = {-1, -1, -1, 0};
  const auto one = [=](std::size_t k) {
    const double radius_a = to.overlap[k], radius_b = to.radius[k];
    const SphereContact<double> c = sphere_sphere(to.point[0][k], to.point[1][k], to.point[2][k], radius_a,
                                                  to.normal[0][k], to.normal[1][k], to.normal[2][k], radius_b);
    to.overlap[k] = c.overlap;
    to.normal[0][k] = c.nx, to.normal[1][k] = c.ny, to.normal[2][k] = c.nz;
    to.point[0][k] = c.px, to.point[1][k] = c.py, to.point[2][k] = c.pz;
    to.radius[k] = c.effective_radius;
    if constexpr (Pairs::kCentral)
      to.arm_a[k] = lever_arm(radius_a, c.overlap), to.arm_b[k] = lever_arm(radius_b, c.overlap);
  };
  for (std::size_t first = 0; first < count; first += kBlock) {
    const std::size_t end = std::min(first + kBlock, count);
    // First the two spheres go where the results will be, then each contact is computed in place.
    for (std::size_t k = first; k < end; k += 4) {
      LaneBlock a, d;
      for (std::size_t l = 0; l < 4; ++l) {
        const std::size_t i = touching[std::min(k + l, count - 1)];
        a.v[l] = pairs.a(i);
        d.v[l] = pairs.b(i) + a.v[l] * difference_but_last;
      }
      a = transposed(a);
      d = transposed(d);
      for (int axis = 0; axis < 3; ++axis) store_lanes(to.normal[axis] + k, d.v[axis]);
      for (int axis = 0; axis < 3; ++axis) store_lanes(to.point[axis] + k, a.v[axis]);
      store_lanes(to.overlap + k, a.v[3]);
      store_lanes(to.radius + k, d.v[3]);
    }
#pragma omp simd
    for (std::size_t k = first; k < end; ++k) one(k);
  }
  for (std::size_t k = 0; k < count; ++k) to.pair[k] = pairs.pair(touching[k]);
}

/// Two spheres at a common centre have no normal: 0/0 in geometry(), so the normal is not a number.
void check_normals(const BodyView& bodies, std::span<const Pair> pairs, std::size_t count,
                   const ContactBuffer::Rows& contacts) {
  const double* const nx = contacts.normal[0];
  bool bad = false;
  for (std::size_t k = 0; k < count; ++k) bad |= nx[k] != nx[k];
  if (!bad) return;
  for (std::size_t k = 0; k < count; ++k)
    if (nx[k] != nx[k]) coincide(bodies, pairs[contacts.pair[k]]);
}

/// Contacts of bodies that are all spheres.
void detect_spheres(const BodyView& bodies, std::span<const Pair> pairs, double margin, Workspace& w,
                    ContactBuffer& out) {
  const SphereBodies spheres{bodies.row, pairs.data()};
  const std::size_t count = find_touching(spheres, pairs.size(), margin, w);
  const ContactBuffer::Rows contacts = out.extend(count);
  geometry(spheres, w.touching.data(), count, contacts);
  std::fill_n(contacts.feature, count, 0u);
  std::fill_n(contacts.payload, count, payload_of(0));
  check_normals(bodies, pairs, count, contacts);
}

/// The pairs of spheres worth a look, which are those of the chunk's list but for bodies that have moved, or mostly
/// turned, further than it allows.
SpherePairs near_pairs(const BodyView& bodies, std::span<const Pair> pairs, double margin, const NearList& list,
                       Workspace& w, std::size_t& count) {
  const PlacedSphere* const spheres = w.tile.spheres.data();
  const auto reach = [&](std::uint32_t body) { return bodies.row[body].radius; };
  w.moved.resize(std::max(w.moved.size(), bodies.size));
  double furthest = list.made() ? 0 : std::numeric_limits<double>::infinity();
  for (std::uint32_t i = 0; i < bodies.size && list.made(); ++i)
    furthest = std::max(furthest, w.moved[i] = list.moved(bodies.row[i], i, reach(i)));
  if (2 * furthest <= list.slack() && list.made()) {
    count = list.size();
    return {spheres, list.pair, list.a, list.b};
  }
  w.near.size = 0;
  std::size_t k = 0;
  for (std::uint32_t p = 0; p < pairs.size(); ++p) {
    const auto [a, b] = pairs[p];
    const std::size_t begin = k;
    while (k < list.size() && list.pair[k] == p) ++k;
    if (!list.made() || w.moved[a] + w.moved[b] > list.slack()) {
      add_near(w.tile, bodies, pairs[p], p, reach(a), reach(b), margin, false, w.near);
      continue;
    }
    w.near.reserve(w.near.size + (k - begin));
    for (std::size_t i = begin; i < k; ++i, ++w.near.size)
      w.near.pair[w.near.size] = p, w.near.a[w.near.size] = list.a[i], w.near.b[w.near.size] = list.b[i];
  }
  count = w.near.size;
  return {spheres, w.near.pair.data(), w.near.a.data(), w.near.b.data()};
}

/// Contacts of any bodies.
void detect_sets(const BodyView& bodies, std::span<const Pair> pairs, std::span<const Set> sets, double margin,
                 PairCache& cache, Workspace& w, ContactBuffer& out) {
  w.tile.fill(bodies, sets);
  std::size_t listed = 0;
  const SpherePairs spheres = near_pairs(bodies, pairs, margin, NearList(cache, bodies.size), w, listed);
  const std::size_t count = find_touching(spheres, listed, margin, w);
  const ContactBuffer::Rows contacts = out.extend(count);
  geometry(spheres, w.touching.data(), count, contacts);
  const std::uint32_t* const first = w.tile.first.data();
  for (std::size_t k = 0; k < count; ++k) {
    const Pair& pair = pairs[contacts.pair[k]];
    const std::size_t i = w.touching[k];
    const std::uint32_t width = first[pair.b + 1] - first[pair.b];
    contacts.feature[k] = (spheres.of_a[i] - first[pair.a]) * width + (spheres.of_b[i] - first[pair.b]);
    contacts.payload[k] = payload_of(contacts.feature[k]);
  }
  check_normals(bodies, pairs, count, contacts);
}

}  // namespace

DetectorTraits SphereSphere::traits() const {
  DetectorTraits traits;
  traits.facets_a = {SphereSet::kName};
  traits.facets_b = {SphereSet::kName};
  traits.specificity = kSpecificity;
  traits.gradient_consistent = true;
  traits.curvature = true;
  traits.scales = true;
  return traits;
}

const void* SphereSphere::face(std::string_view name) const noexcept {
  return name == device::DevicePairs::kName ? &pairs_on_device() : nullptr;
}

void SphereSphere::bind(std::span<const Shape* const> shapes) {
  sets_.clear();
  only_spheres_ = true;
  for (const Shape* shape : shapes) {
    sets_.push_back(make_set(*shape));
    only_spheres_ = only_spheres_ && (sets_.back().radii.empty() || sets_.back().is_sphere);
  }
}

/// Twice the skin: what bodies may come closer, and as much again for turning.
void SphereSphere::prepare(const BodyView& bodies, std::span<const Pair> pairs, double skin, double margin,
                           PairCache& cache) const {
  if (only_spheres_) return;
  Workspace& w = workspace();
  w.tile.fill(bodies, sets_);
  NearList::make(w.tile, bodies, pairs, 2 * skin, margin, cache);
}

void SphereSphere::detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache& cache, double margin,
                          ContactBuffer& out) const {
  if (only_spheres_) return detect_spheres(bodies, pairs, margin, workspace(), out);
  detect_sets(bodies, pairs, sets_, margin, cache, workspace(), out);
}

}  // namespace scree::spheres
