#include "surface/surface_detector.hpp"

#include <algorithm>

#include "surface/pair_sides.hpp"

namespace scree::star3d {

namespace {

constexpr int kSpecificity = 8;
/// A contact that has moved farther around its body than this is another one [rad].
constexpr double kMostTurn = 0.5;

}  // namespace

DetectorTraits SurfaceDetector::traits() const {
  DetectorTraits traits;
  traits.facets_a = {SurfaceNodes::kName, SmoothField::kName};
  traits.facets_b = {partner_};
  traits.dimension = 3;
  traits.specificity = kSpecificity;
  traits.gradient_consistent = true;
  traits.curvature = true;
  traits.weighted = true;
  traits.cache_row = sizeof(PairMemory);
  traits.scales = true;
  return traits;
}

void SurfaceDetector::bind(std::span<const Shape* const> shapes) {
  shapes_.clear();
  for (const Shape* shape : shapes) shapes_.push_back(make_surface_shape(*shape));
}

void SurfaceDetector::detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache& cache, double margin,
                             ContactBuffer& out) const {
  static thread_local Workspace w;
  PairMemory* const memory = cache.rows<PairMemory>(pairs.size());
  LastContacts::Range last;
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    const BodyRow &a = bodies.row[pairs[i].a], &b = bodies.row[pairs[i].b];
    const double limit = a.radius + b.radius + margin;
    if ((a.position - b.position).squaredNorm() > limit * limit) continue;
    last = cache.last().of_pair(i, last.end);
    w.last.clear();
    for (std::size_t k = last.first; k < last.end; ++k)
      if (const std::uint64_t payload = cache.last().payload(k); payload != 0) w.last.push_back(unpack_term(payload));
    PairSides(bodies, pairs[i], i, shapes_).add(margin, memory[i], w, out);
  }
}

namespace {

/// Returns how far a new contact lies from an old one around its body, or more than kMostTurn when they cannot be the
/// same.
double turn_between(std::uint64_t old_payload, std::uint64_t new_payload) {
  if (!same_place(old_payload, new_payload)) return 2 * kMostTurn;
  return (unpack_term(old_payload).direction - unpack_term(new_payload).direction).norm();
}

struct Continuation {
  double turn = kMostTurn;
  std::size_t now = 0, old = 0;
  bool found = false;
};

/// The closest pair of an old and a new contact that nothing is decided about.
Continuation closest(const ContactMatch& m) {
  Continuation best;
  for (std::size_t o = 0; o < m.old_count; ++o) {
    if (std::find(m.source, m.source + m.new_count, static_cast<std::int32_t>(o)) != m.source + m.new_count) continue;
    for (std::size_t i = 0; i < m.new_count; ++i) {
      if (m.source[i] >= 0) continue;
      const double turn = turn_between(m.old_payload[o], m.new_payload[i]);
      const bool tie = best.found && turn == best.turn && m.old_feature[o] < m.old_feature[best.old];
      if (turn < best.turn || tie) best = {turn, i, o, true};
    }
  }
  return best;
}

}  // namespace

void SurfaceDetector::match(const ContactMatch& m) const {
  std::fill_n(m.source, m.new_count, -1);
  for (Continuation next = closest(m); next.found; next = closest(m))
    m.source[next.now] = static_cast<std::int32_t>(next.old);
  for (std::size_t i = 0; i < m.new_count; ++i)
    m.new_feature[i] = m.source[i] < 0 ? unused_feature(m, i) : m.old_feature[m.source[i]];
}

}  // namespace scree::star3d
