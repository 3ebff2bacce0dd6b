#include "surface/pair_sides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scree/base/error.hpp"

namespace scree::star3d {

namespace {

/// Between corners of a triangle no point is farther from the nearest one than this part of the longest side.
constexpr double kFarthest = 0.58;
/// Nodes at least this deep are looked at, and near ones kept while the bodies move by no more than the other
/// [spacings].
constexpr double kLeastReach = 0.25, kSlack = 0.2;
/// Least component of a field's gradient along the outward normal of the surface that runs into the field.
constexpr double kLeastPressure = 0.1;
/// Overlap up to which convex bodies have one top, as a part of the greatest depth: as long as the fields' surfaces of
/// equal depth are convex too.
constexpr double kShallow = 0.2;
/// Flat contacts have at most this radius, of the bounding radius.
constexpr double kFlattest = 10;

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
  SideTerms(const Side& side, std::size_t field, double margin, std::vector<Term>& terms)
      : side_(side),
        field_(side.other.fields[field]),
        meeting_{{side.own.fields[0], side.nodes},
                 {field_, side.of_field},
                 side.spacing(),
                 side.one_top(field_) ? -std::numeric_limits<double>::infinity() : -margin},
        number_(static_cast<std::uint16_t>(field)),
        margin_(margin),
        terms_(terms) {
    terms_.clear();
  }

  /// Follows the top of the last step. \return false where Newton's method fails, or the bodies overlap so far that
  /// there may be another top
  bool follow(const Vec3& direction) {
    const std::optional<Stationary> top = followed_peak(meeting_, on_ray(direction));
    if (!top || top->depth > kShallow * greatest_depth()) return false;
    terms_.push_back({*top, false});
    return true;
  }
  /// Finds terms that near nodes lead to.
  void find(const NearOfSide& near, DeepNodes& nodes) {
    nodes.find(side_.own.mesh, near, side_.nodes, field_, side_.of_field, side_.reach(field_) + margin_);
    if (!nodes.tops().empty()) polish_regions(meeting_, nodes, terms_);
  }
  void add_unseen(const SideTerms& of_other) { star3d::add_unseen(meeting_, of_other.terms_, side_.nodes, terms_); }
  /// Checks whether a term is a contact.
  bool touches() const {
    return std::ranges::any_of(terms_, [&](const Term& term) { return term.point.depth > -margin_; });
  }
  /// Returns how far the bodies may move before the top, the only one, may be a contact [m]. \pre not touches()
  double gap_of_top() const {
    const bool known = side_.one_top(field_) && terms_.size() == 1 && terms_[0].point.found;
    return known ? (-margin_ - terms_[0].point.depth) / field_.steepest : 0;
  }
  /// Returns how far the bodies may move if no node is deep [m]. \param deepest  depth of the deepest node [m]
  double gap_of_nodes(double deepest) const { return (-side_.reach(field_) - margin_ - deepest) / field_.steepest; }
  /// Appends the contacts.
  /// \param feature  number of the first contact   \return number of the next one
  std::uint32_t append(std::uint32_t feature, ContactBuffer& out) const {
    for (const Term& term : terms_)
      if (term.point.depth > -margin_) push(term, feature++, out);
    return feature;
  }

 private:
  /// Depth up to which both fields tell depths well [m].
  double greatest_depth() const {
    return std::min(side_.own_size * side_.own.fields[0].greatest_depth, side_.other_size * field_.greatest_depth);
  }
  /// Returns the point of the surface in a direction, in the frame of the nodes' body. Along a ray from the centre of a
  /// star its depth is linear.
  Vec3 on_ray(const Vec3& direction) const {
    const Vec3 ray = side_.nodes.turn * direction, outer = side_.nodes.position + side_.at_own.radius * ray;
    double depth;
    Vec3 gradient;
    meeting_.own.look({&outer, 1}, {&depth, 1}, {&gradient, 1});
    return outer - depth / gradient.dot(ray) * ray;
  }

  void push(const Term& term, std::uint32_t feature, ContactBuffer& out) const {
    const Stationary& p = term.point;
    const double greatest = greatest_depth();
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
    out.set_radius(equivalent_radius(meeting_, p, kFlattest * side_.at_own.radius));
  }

  const Side& side_;
  const Field& field_;
  Meeting meeting_;
  std::uint16_t number_;
  double margin_;
  std::vector<Term>& terms_;
};

/// Returns the direction of the only contact of the last step on a side and field, if it was the only one and a top.
std::optional<Vec3> only_top(std::span<const TermKey> last, int side, std::size_t field) {
  std::optional<Vec3> found;
  for (const TermKey& key : last) {
    if (key.side != side || key.field != field) continue;
    if (found || key.saddle) return std::nullopt;
    found = key.direction;
  }
  return found;
}

}  // namespace

double Side::reach(const Field& field) const {
  const double bend = spacing() * (own.fields[0].curvature / own_size + field.curvature / other_size);
  return spacing() * std::clamp(kFarthest * kFarthest / 2 * bend, kLeastReach, kFarthest);
}

/// Finds the terms of a pair's sides, by what is known of them.
class PairSides::Search {
 public:
  Search(const PairSides& pair, double margin, PairMemory& memory, Workspace& w)
      : pair_(pair), margin_(margin), memory_(memory), w_(w), pose_(pair.pose()), reach_(pair.moving_reach()) {
    const Apart& apart = memory.apart;
    if (apart.of != 0 && margin <= apart.margin) {
      moved_ = apart.at.moved(pose_, reach_);
      if (moved_ <= apart.way) return;
    }
    memory.apart.reset(pose_, margin);
    moved_ = 0;
  }

  void find(const Side& side, std::size_t field, SideTerms& terms) {
    if (side.one_top(side.other.fields[field]))
      if (const auto direction = only_top(w_.last, side.number, field); direction && terms.follow(*direction))
        return note(side, field, terms, terms.gap_of_top());
    if (memory_.apart.covers(side.number, field)) return;
    refresh_near();
    const NearOfSide& near = memory_.near.sides[side.number];
    const double listed = memory_.near.slack - memory_.near.at.moved(pose_, reach_);
    if (near.blocks == 0) return note(side, field, terms, listed);
    terms.find(near, w_.nodes);
    const double gap = w_.nodes.tops().empty() ? terms.gap_of_nodes(w_.nodes.deepest()) : terms.gap_of_top();
    note(side, field, terms, std::min(gap, listed));
  }

 private:
  /// Notes how far the bodies may move before this side can touch, if it does not.
  void note(const Side& side, std::size_t field, const SideTerms& terms, double gap) {
    if (terms.touches()) return;
    memory_.apart.add(side.number, field, gap, pose_, moved_);
    moved_ = 0;
  }

  /// Finds near nodes again where the bodies have moved.
  void refresh_near() {
    NearNodes& near = memory_.near;
    if (near.slack > 0 && margin_ <= near.margin && near.at.moved(pose_, reach_) <= near.slack) return;
    near.at.set(pose_);
    near.slack = kSlack * pair_.first().spacing();
    near.margin = margin_;
    for (const auto& side : pair_.sides_) {
      if (!side) continue;
      NearOfSide& found = near.sides[side->number];
      found.clear();
      for (const Field& field : side->other.fields)
        add_near(side->own.mesh, side->nodes, field, side->of_field, side->at_other.radius,
                 side->reach(field) + margin_, near.slack, found);
    }
  }

  const PairSides& pair_;
  double margin_;
  PairMemory& memory_;
  Workspace& w_;
  RelativePose pose_;
  double reach_, moved_ = 0;
};

PairSides::PairSides(const BodyView& bodies, const Pair& pair, std::uint32_t index,
                     std::span<const SurfaceShape> shapes) {
  const std::uint32_t row[2] = {pair.a, pair.b};
  const auto shape = [&](int k) -> const SurfaceShape& { return shapes[bodies.shape[row[k]]]; };
  const double share = shape(0).has_nodes() && shape(1).has_nodes() ? 0.5 : 1;
  const Mat3 turn[2] = {bodies.row[pair.a].orientation.toRotationMatrix(),
                        bodies.row[pair.b].orientation.toRotationMatrix()};
  for (const int own : {0, 1}) {
    if (!shape(own).has_nodes()) continue;
    const int other = 1 - own;
    const BodyRow &a = bodies.row[row[own]], &b = bodies.row[row[other]];
    const Mat3 back = turn[other].transpose();
    const double own_size = bodies.scale_of(row[own]), other_size = bodies.scale_of(row[other]);
    const Placement nodes{back * turn[own], back * (a.position - b.position), own_size};
    sides_[own].emplace(Side{shape(own), shape(other), a, b, own_size, other_size, index, own, share, nodes,
                             Placement{.size = other_size, .turned = false}});
  }
}

RelativePose PairSides::pose() const {
  const Side& side = first();
  return {side.nodes.position, side.at_other.orientation.conjugate() * side.at_own.orientation};
}

double PairSides::moving_reach() const {
  const Side& side = first();
  const bool both = sides_[0] && sides_[1];
  return both ? std::max(side.at_own.radius, side.nodes.position.norm() + side.at_other.radius) : side.at_own.radius;
}

void PairSides::add(double margin, PairMemory& memory, Workspace& w, ContactBuffer& out) const {
  Search search(*this, margin, memory, w);
  std::uint32_t feature = 0;
  if (sides_[0] && sides_[1]) {  // each of them shows one field
    SideTerms one(*sides_[0], 0, margin, w.terms[0]), two(*sides_[1], 0, margin, w.terms[1]);
    search.find(*sides_[0], 0, one);
    search.find(*sides_[1], 0, two);
    one.add_unseen(two);
    two.add_unseen(one);
    two.append(one.append(feature, out), out);
    return;
  }
  const Side& side = first();
  for (std::size_t k = 0; k < side.other.fields.size(); ++k) {
    SideTerms terms(side, k, margin, w.terms[0]);
    search.find(side, k, terms);
    feature = terms.append(feature, out);
  }
}

}  // namespace scree::star3d
