#include "sphere_sphere.hpp"

#include <fmt/format.h>

#include "scree/base/error.hpp"
#include "scree/shape/facets.hpp"
#include "sphere_contact.hpp"

namespace scree::spheres {

namespace {

/// More specific than detectors that sample boundaries or distances.
constexpr int kSpecificity = 20;

/// Pairs of spheres that may touch, as columns.
struct Candidates {
  std::vector<std::uint32_t> pair, a, b;  ///< index of the pair, the two spheres in the tile
  std::vector<std::uint32_t> touches;     ///< 0 or 1

  void reserve(std::size_t n) {
    if (touches.size() >= n) return;
    for (auto* column : {&pair, &a, &b, &touches}) column->resize(n);
  }
};

/// One thread's working memory.
struct Workspace {
  SphereTile tile;
  Candidates found;
  std::vector<double> x, y, z, r;     ///< spheres of b near a
  std::vector<std::uint32_t> number;  ///< which they are
};

[[noreturn]] void coincide(const BodyView& bodies, const Pair& pair) {
  throw NumericalError(
      fmt::format("bodies {} and {}: the centres of two of their spheres coincide, so the contact has no normal. Use a "
                  "smaller dt or a stiffer law.",
                  bodies.id[pair.a], bodies.id[pair.b]));
}

/// Marks which of `count` candidate pairs of spheres touch. \param sphere_a, sphere_b  (k) -> sphere in the tile
template <class SphereA, class SphereB>
void filter(const SphereTile& t, std::size_t count, double margin, const SphereA& sphere_a, const SphereB& sphere_b,
            std::uint32_t* touches) {
  const auto one = [=, x = t.x.data(), y = t.y.data(), z = t.z.data(), r = t.r.data()](std::size_t k) {
    const std::uint32_t a = sphere_a(k), b = sphere_b(k);
    const double dx = x[b] - x[a], dy = y[b] - y[a], dz = z[b] - z[a];
    touches[k] = dx * dx + dy * dy + dz * dz < squared_reach(r[a], r[b], margin) ? 1 : 0;
  };
#pragma omp simd
  for (std::size_t k = 0; k < count; ++k) one(k);
}

/// The contacts of the first `count` pairs of spheres in `f` into the columns of `to`, but for their features.
void geometry(const SphereTile& t, const Candidates& f, std::size_t count, const ContactBuffer::Rows& to) {
  const auto one = [=, x = t.x.data(), y = t.y.data(), z = t.z.data(), r = t.r.data(), pair = f.pair.data(),
                    sa = f.a.data(), sb = f.b.data()](std::size_t k) {
    const std::uint32_t a = sa[k], b = sb[k];
    const Contact<double> c = sphere_sphere(x[a], y[a], z[a], r[a], x[b] - x[a], y[b] - y[a], z[b] - z[a], r[b]);
    to.pair[k] = pair[k];
    to.overlap[k] = c.overlap;
    to.normal[0][k] = c.nx, to.normal[1][k] = c.ny, to.normal[2][k] = c.nz;
    to.point[0][k] = c.px, to.point[1][k] = c.py, to.point[2][k] = c.pz;
    to.radius[k] = c.effective_radius;
  };
#pragma omp simd
  for (std::size_t k = 0; k < count; ++k) one(k);
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

/// Features tell the contacts of a pair apart, and are all there is to tell: the payload, which lets the core see at a
/// glance that nothing changed, is the feature again, from 1 on.
void set_feature(const ContactBuffer::Rows& to, std::size_t k, std::uint32_t feature) {
  to.feature[k] = feature;
  to.payload[k] = std::uint64_t{feature} + 1;
}

/// Pairs begin .. end - 1 are all of two single spheres.
void detect_spheres(const BodyView& bodies, std::span<const Pair> pairs, std::size_t begin, std::size_t end,
                    double margin, Workspace& w, ContactBuffer& out) {
  Candidates& f = w.found;
  const std::size_t count = end - begin;
  f.reserve(count);
  const Pair* const p = pairs.data() + begin;
  const std::uint32_t* const first = w.tile.first.data();
  if (w.tile.only_spheres)
    filter(
        w.tile, count, margin, [=](std::size_t k) { return p[k].a; }, [=](std::size_t k) { return p[k].b; },
        f.touches.data());
  else
    filter(
        w.tile, count, margin, [=](std::size_t k) { return first[p[k].a]; },
        [=](std::size_t k) { return first[p[k].b]; }, f.touches.data());
  std::size_t touching = 0;
  for (std::size_t k = 0; k < count; ++k) {
    f.pair[touching] = static_cast<std::uint32_t>(begin + k);
    f.a[touching] = first[p[k].a];
    f.b[touching] = first[p[k].b];
    touching += f.touches[k];
  }
  const ContactBuffer::Rows contacts = out.extend(touching);
  geometry(w.tile, f, touching, contacts);
  for (std::size_t k = 0; k < touching; ++k) set_feature(contacts, k, 0);
  check_normals(bodies, pairs, touching, contacts);
}

/// The spheres of body b that come near body a as columns of w. \return how many
std::size_t near_spheres(const BodyView& bodies, const Pair& pair, double reach, Workspace& w) {
  const SphereTile& t = w.tile;
  const std::uint32_t first = t.first[pair.b], last = t.first[pair.b + 1];
  if (w.x.size() < last - first) {
    for (auto* column : {&w.x, &w.y, &w.z, &w.r}) column->resize(last - first);
    w.number.resize(last - first);
  }
  const Vec3& centre = bodies.position[pair.a];
  std::size_t count = 0;
  for (std::uint32_t s = first; s < last; ++s) {
    const double dx = t.x[s] - centre[0], dy = t.y[s] - centre[1], dz = t.z[s] - centre[2];
    w.x[count] = t.x[s], w.y[count] = t.y[s], w.z[count] = t.z[s], w.r[count] = t.r[s];
    w.number[count] = s;
    count += dx * dx + dy * dy + dz * dz < squared_reach(t.r[s], reach, 0.0) ? 1 : 0;
  }
  return count;
}

/// Marks which of the near spheres touch sphere `s` of a.
void filter_near(const Workspace& w, std::uint32_t s, std::size_t count, double margin, std::uint32_t* touches) {
  const SphereTile& t = w.tile;
  const auto one = [=, xs = t.x[s], ys = t.y[s], zs = t.z[s], rs = t.r[s], x = w.x.data(), y = w.y.data(),
                    z = w.z.data(), r = w.r.data()](std::size_t k) {
    const double dx = x[k] - xs, dy = y[k] - ys, dz = z[k] - zs;
    touches[k] = dx * dx + dy * dy + dz * dz < squared_reach(rs, r[k], margin) ? 1 : 0;
  };
#pragma omp simd
  for (std::size_t k = 0; k < count; ++k) one(k);
}

/// Any two bodies: only spheres of one that reach into the other's bounding sphere are compared.
void detect_sets(const BodyView& bodies, std::span<const Pair> pairs, std::uint32_t index, const Set& set_a,
                 const Set& set_b, double margin, Workspace& w, ContactBuffer& out) {
  const Pair& pair = pairs[index];
  const SphereTile& t = w.tile;
  Candidates& f = w.found;
  const std::size_t near = near_spheres(bodies, pair, set_a.reach + margin, w);
  if (near == 0) return;
  const Vec3& centre = bodies.position[pair.b];
  const std::uint32_t first_a = t.first[pair.a], last_a = t.first[pair.a + 1];
  std::size_t touching = 0;
  for (std::uint32_t s = first_a; s < last_a; ++s) {
    const double dx = t.x[s] - centre[0], dy = t.y[s] - centre[1], dz = t.z[s] - centre[2];
    if (dx * dx + dy * dy + dz * dz >= squared_reach(t.r[s], set_b.reach, margin)) continue;
    f.reserve(touching + near);
    filter_near(w, s, near, margin, f.touches.data());
    for (std::size_t k = 0; k < near; ++k) {
      f.pair[touching] = index;
      f.a[touching] = s;
      f.b[touching] = w.number[k];
      touching += f.touches[k];
    }
  }
  if (touching == 0) return;
  const ContactBuffer::Rows contacts = out.extend(touching);
  geometry(t, f, touching, contacts);
  const auto width = static_cast<std::uint32_t>(set_b.radii.size());
  for (std::size_t k = 0; k < touching; ++k)
    set_feature(contacts, k, (f.a[k] - first_a) * width + (f.b[k] - t.first[pair.b]));
  check_normals(bodies, pairs, touching, contacts);
}

}  // namespace

DetectorTraits SphereSphere::traits() const {
  DetectorTraits traits;
  traits.facets_a = {SphereSet::kName};
  traits.facets_b = {SphereSet::kName};
  traits.specificity = kSpecificity;
  traits.gradient_consistent = true;
  traits.curvature = true;
  return traits;
}

void SphereSphere::bind(std::span<const Shape* const> shapes) {
  sets_.clear();
  for (const Shape* shape : shapes) sets_.push_back(make_set(*shape));
}

void SphereSphere::detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache&, double margin,
                          ContactBuffer& out) const {
  thread_local Workspace w;
  w.tile.fill(bodies, sets_);
  const auto single = [&](const Pair& p) {
    return w.tile.only_spheres || (sets_[bodies.shape[p.a]].is_sphere && sets_[bodies.shape[p.b]].is_sphere);
  };
  for (std::size_t begin = 0; begin < pairs.size();) {
    std::size_t end = w.tile.only_spheres ? pairs.size() : begin;
    while (end < pairs.size() && single(pairs[end])) ++end;
    if (end > begin) detect_spheres(bodies, pairs, begin, end, margin, w, out);
    if (end < pairs.size())
      detect_sets(bodies, pairs, static_cast<std::uint32_t>(end), sets_[bodies.shape[pairs[end].a]],
                  sets_[bodies.shape[pairs[end].b]], margin, w, out);
    begin = end + 1;
  }
}

}  // namespace scree::spheres
