#include "surface/surface_detector.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "scree/base/error.hpp"
#include "surface/near_nodes.hpp"
#include "surface/payload.hpp"
#include "surface/regions.hpp"

namespace scree::star3d {

namespace {

constexpr int kSpecificity = 8;
/// Between corners of a triangle no point is farther from the nearest one than this part of the longest side.
constexpr double kFarthest = 0.58;
/// Nodes at least this deep are looked at, and near ones kept while the bodies move by no more than the other
/// [spacings].
constexpr double kLeastReach = 0.25, kSlack = 0.2;
/// Step over which normals are compared for a radius, as a part of the greatest depth, which is half the least radius.
constexpr double kCurvatureStep = 0.03;
/// Least component of a field's gradient along the outward normal of the surface that runs into the field.
constexpr double kLeastPressure = 0.1;
/// Flat contacts have at most this radius, of the bounding radius.
constexpr double kFlattest = 10;
/// A contact that has moved farther around its body than this is another one [rad].
constexpr double kMostTurn = 0.5;

struct Workspace {
  DeepNodes nodes;
  std::vector<Term> terms[2];  ///< by side
};

/// One side of a pair: a body's nodes, and the body whose fields they meet.
struct Side {
  const SurfaceShape &own, &other;
  const BodyRow &at_own, &at_other;
  double own_size, other_size;
  std::uint32_t pair;
  int number;    ///< 0: the nodes are body a's
  double share;  ///< share of the pair's energy
  /// Placements of the nodes' body and of the other one in the latter's axes, where lengths are those of the world.
  Placement nodes, of_field;

  double spacing() const { return own_size * own.mesh.spacing; }
  /// Returns how deep below the top of a region its nearest node may be [m].
  double reach(const Field& field) const {
    const double bend = spacing() * (own.fields[0].curvature / own_size + field.curvature / other_size);
    return spacing() * std::clamp(kFarthest * kFarthest / 2 * bend, kLeastReach, kFarthest);
  }
  void find_near(double margin, double slack, NearOfSide& near) const {
    near.clear();
    for (const Field& field : other.fields)
      add_near(own.mesh, nodes, field, of_field, at_other.radius, reach(field) + margin, slack, near);
  }
};

[[noreturn]] void throw_crushed(const Side& side, double depth, double greatest) {
  throw NumericalError(fmt::format(
      "bodies {} and {} overlap by {:.3g} m: one has reached the middle of the other, or more than {:.3g} m, "
      "to which depths are known. Take a shorter step, a stiffer law, thicker walls, or place them farther "
      "apart.",
      side.at_own.id, side.at_other.id, depth, greatest));
}

/// The terms of one field of the other body.
class SideTerms {
 public:
  SideTerms(const Side& side, std::uint16_t number, double margin, std::vector<Term>& terms)
      : side_(side),
        field_(side.other.fields[number]),
        meeting_{{side.own.fields[0], side.nodes}, {field_, side.of_field}, side.spacing(), -margin},
        number_(number),
        margin_(margin),
        terms_(terms) {}

  /// Finds those that near nodes lead to.
  void find(const NearOfSide& near, DeepNodes& nodes) {
    terms_.clear();
    if (near.blocks == 0) return;
    nodes.find(side_.own.mesh, near, side_.nodes, field_, side_.of_field, side_.reach(field_) + margin_);
    if (!nodes.tops().empty()) polish_regions(meeting_, nodes, terms_);
  }
  void add_unseen(const SideTerms& of_other) { star3d::add_unseen(meeting_, of_other.terms_, side_.nodes, terms_); }
  /// Appends the contacts.
  /// \param feature  number of the first contact   \return number of the next one
  std::uint32_t append(std::uint32_t feature, ContactBuffer& out) const {
    for (const Term& term : terms_)
      if (term.point.depth > -margin_) push(term, feature++, out);
    return feature;
  }

 private:
  void push(const Term& term, std::uint32_t feature, ContactBuffer& out) const {
    const Stationary& p = term.point;
    const double greatest =
        std::min(side_.own_size * side_.own.fields[0].greatest_depth, side_.other_size * field_.greatest_depth);
    // Depth that does not grow out of the own body: the surface has reached the middle of the other.
    const bool through = !term.saddle && p.gradient.dot(p.outward) < kLeastPressure;
    if (p.depth > 0 && (p.depth > greatest || through)) throw_crushed(side_, p.depth, greatest);
    const Quat& turn = side_.at_other.orientation;
    const double length = p.gradient.norm(), weight = (term.saddle ? -1 : 1) * side_.share;
    const Vec3 inward = p.gradient / length;
    const Vec3 normal = turn * ((side_.number == 0 ? 1 : -1) * inward);
    const Vec3 point = side_.at_other.position + turn * (p.at - p.depth / 2 * inward);
    const Vec3 direction = side_.nodes.turn.transpose() * (p.at - side_.nodes.position);
    out.push(side_.pair, p.depth, normal.normalized(), point, feature,
             pack_term({side_.number, term.saddle, number_, direction}));
    out.set_weights(weight, weight * length);
    out.set_radius(equivalent_radius(meeting_, p, kCurvatureStep * greatest, kFlattest * side_.at_own.radius));
  }

  const Side& side_;
  const Field& field_;
  Meeting meeting_;
  std::uint16_t number_;
  double margin_;
  std::vector<Term>& terms_;
};

/// A pair of bodies, seen from both sides.
class PairSides {
 public:
  PairSides(const BodyView& bodies, const Pair& pair, std::uint32_t index, std::span<const SurfaceShape> shapes) {
    const std::uint32_t row[2] = {pair.a, pair.b};
    const auto shape = [&](int k) -> const SurfaceShape& { return shapes[bodies.shape[row[k]]]; };
    const double share = shape(0).has_nodes() && shape(1).has_nodes() ? 0.5 : 1;
    for (const int own : {0, 1}) {
      if (!shape(own).has_nodes()) continue;
      const int other = 1 - own;
      const BodyRow &a = bodies.row[row[own]], &b = bodies.row[row[other]];
      const Mat3 back = b.orientation.toRotationMatrix().transpose();
      const double own_size = bodies.scale_of(row[own]), other_size = bodies.scale_of(row[other]);
      const Placement nodes{back * a.orientation.toRotationMatrix(), back * (a.position - b.position), own_size};
      sides_[own].emplace(Side{shape(own), shape(other), a, b, own_size, other_size, index, own, share, nodes,
                               Placement{.size = other_size}});
    }
  }

  /// Finds near nodes again where the bodies have moved.
  void refresh(double margin, NearNodes& near) const {
    const bool both = sides_[0] && sides_[1];
    const Side& first = sides_[0] ? *sides_[0] : *sides_[1];
    const RelativePose pose{first.nodes.position, first.at_other.orientation.conjugate() * first.at_own.orientation};
    const double reach =
        both ? std::max(first.at_own.radius, pose.position.norm() + first.at_other.radius) : first.at_own.radius;
    if (near.slack > 0 && margin <= near.margin && near.moved(pose, reach) <= near.slack) return;
    near.set_pose(pose);
    near.slack = kSlack * first.spacing();
    near.margin = margin;
    for (const auto& side : sides_)
      if (side) side->find_near(margin, near.slack, near.sides[side->number]);
  }

  void add(double margin, const NearNodes& near, Workspace& w, ContactBuffer& out) const {
    std::uint32_t feature = 0;
    if (sides_[0] && sides_[1]) {  // each of them shows one field
      SideTerms first(*sides_[0], 0, margin, w.terms[0]), second(*sides_[1], 0, margin, w.terms[1]);
      first.find(near.sides[0], w.nodes);
      second.find(near.sides[1], w.nodes);
      first.add_unseen(second);
      second.add_unseen(first);
      second.append(first.append(feature, out), out);
      return;
    }
    const Side& side = sides_[0] ? *sides_[0] : *sides_[1];
    for (std::size_t k = 0; k < side.other.fields.size(); ++k) {
      SideTerms terms(side, static_cast<std::uint16_t>(k), margin, w.terms[0]);
      terms.find(near.sides[side.number], w.nodes);
      feature = terms.append(feature, out);
    }
  }

 private:
  std::optional<Side> sides_[2];
};

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
  traits.cache_row = sizeof(NearNodes);
  traits.scales = true;
  return traits;
}

void SurfaceDetector::bind(std::span<const Shape* const> shapes) {
  shapes_.clear();
  for (const Shape* shape : shapes) {
    SurfaceShape& known = shapes_.emplace_back();
    if (shape->dimension() != 3) continue;
    known.fields = fields_of(*shape);
    if (const auto* nodes = facet<SurfaceNodes>(*shape); nodes && facet<SmoothField>(*shape))
      known.mesh = make_node_mesh(*nodes);
  }
}

void SurfaceDetector::detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache& cache, double margin,
                             ContactBuffer& out) const {
  static thread_local Workspace w;
  NearNodes* const near = cache.rows<NearNodes>(pairs.size());
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    const BodyRow &a = bodies.row[pairs[i].a], &b = bodies.row[pairs[i].b];
    const double limit = a.radius + b.radius + margin;
    if ((a.position - b.position).squaredNorm() > limit * limit) continue;
    const PairSides sides(bodies, pairs[i], i, shapes_);
    sides.refresh(margin, near[i]);
    sides.add(margin, near[i], w, out);
  }
}

namespace {

/// Returns how far a new contact lies from an old one around its body, or more than kMostTurn when they cannot be the
/// same.
double turn_between(std::uint64_t old_payload, std::uint64_t new_payload) {
  const TermKey then = unpack_term(old_payload), now = unpack_term(new_payload);
  const bool alike = then.saddle == now.saddle && then.side == now.side && then.field == now.field;
  return alike ? (then.direction - now.direction).norm() : 2 * kMostTurn;
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
