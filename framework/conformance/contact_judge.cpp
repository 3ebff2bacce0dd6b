#include "conformance/contact_judge.hpp"

#include <fmt/format.h>

#include <set>

namespace scree::conformance {

void ContactJudge::say(const std::string& what, double error, double bound, std::size_t pair) {
  Tally& t = tallies_[what];
  ++t.looked;
  if (!(error <= t.worst)) t.worst = error;
  if (error <= bound) return;
  if (t.wrong++ > 0) return;
  const PairPose& p = poses_[pair];
  const auto put = [](const Pose& q) {
    return fmt::format("[{:.17g}, {:.17g}, {:.17g}; {:.17g}, {:.17g}, {:.17g}, {:.17g}]", q.position.x(),
                       q.position.y(), q.position.z(), q.orientation.w(), q.orientation.x(), q.orientation.y(),
                       q.orientation.z());
  };
  t.first = fmt::format("error {:.3g}, bound {:.3g}, a at {}, b at {}", error, bound, put(p.a), put(p.b));
}

std::vector<PairPose> ContactJudge::draw_block() {
  const double way = m_.depth_scale() / 20;
  const double larger = std::isfinite(m_.b.bound()) ? std::max(m_.a.bound(), m_.b.bound()) : m_.a.bound();
  std::vector<PairPose> poses;
  for (int tries = 0; poses.size() < kBlock && tries < 200; ++tries) {
    // Finding a pose takes longer than checking it: four of a kind.
    const bool another = poses.size() % 4 == 0;
    const PairPose pose = another ? m_.draw(draws_) : m_.stray(poses.back(), draws_, way, way / larger);
    const std::string refused = m_.refusal(pose);
    if (refused.empty()) {
      poses.push_back(pose);
    } else if (refused_++ == 0) {
      refusal_ = refused;
    }
  }
  return poses;
}

void ContactJudge::well_formed(const Touch& t, std::size_t pair) {
  const bool finite = std::isfinite(t.overlap) && t.normal.allFinite() && t.point.allFinite();
  hold("finite", finite && std::isfinite(t.energy_weight) && std::isfinite(t.force_weight), pair);
  say("unit normal", std::abs(t.normal.norm() - 1), 1e-12, pair);
  if (m_.dimension == 2) hold("in the plane", t.normal.z() == 0 && t.point.z() == 0, pair);
  if (m_.traits.curvature) hold("radius of curvature > 0", t.radius > 0 && std::isfinite(t.radius), pair);
  if (!m_.detector->central()) return;
  const PairPose& p = poses_[pair];
  const Vec3 from_a = p.a.position + t.arm_a * t.normal, from_b = p.b.position - t.arm_b * t.normal;
  say("arms lead to the point", std::max((from_a - t.point).norm(), (from_b - t.point).norm()) / m_.unit, 1e-12, pair);
}

void ContactJudge::distinct(const Touches& touches, std::size_t pair) {
  std::set<std::uint32_t> features;
  for (const Touch& t : touches) features.insert(t.feature);
  hold("features are distinct", features.size() == touches.size(), pair);
}

void ContactJudge::same_bits(const std::string& what, const Touches& x, const Touches& y, std::size_t pair) {
  bool same = x.size() == y.size();
  for (std::size_t i = 0; same && i < x.size(); ++i)
    same = x[i].overlap == y[i].overlap && x[i].normal == y[i].normal && x[i].point == y[i].point &&
           x[i].radius == y[i].radius && x[i].energy_weight == y[i].energy_weight &&
           x[i].force_weight == y[i].force_weight && x[i].feature == y[i].feature && x[i].payload == y[i].payload;
  hold(what, same, pair);
}

/// Compares contact by contact, in any order; contacts that hardly touch may be missing on either side.
void ContactJudge::alike(const std::string& what, const Touches& x, const Touches& y, double tolerance,
                         std::size_t pair) {
  const auto off = [&](const Touch& s, const Touch& t) {
    return std::max({std::abs(s.overlap - t.overlap) / m_.unit, (s.point - t.point).norm() / m_.unit,
                     (s.normal - t.normal).norm(), std::abs(s.radius / t.radius - 1),
                     std::abs(s.energy_weight - t.energy_weight), std::abs(s.force_weight - t.force_weight)});
  };
  std::vector<bool> taken(y.size());
  double worst = 0;
  const auto count = [&](double error) { worst = std::max(worst, error); };
  for (const Touch& s : x) {
    double best = std::abs(s.overlap) / m_.unit;  // alone
    std::size_t which = y.size();
    for (std::size_t j = 0; j < y.size(); ++j)
      if (!taken[j] && off(s, y[j]) < best) best = off(s, y[j]), which = j;
    if (which < y.size()) taken[which] = true;
    count(best);
  }
  for (std::size_t j = 0; j < y.size(); ++j)
    if (!taken[j]) count(std::abs(y[j].overlap) / m_.unit);
  say(what, worst, tolerance, pair);
}

/// Checks that touching contacts are the same with and without gaps. If a contact is a run of nodes, the gap between
/// two of them may be one, too: then the deeper one is left.
void ContactJudge::margin(const Touches& touches, const Touches& of_wider, std::size_t pair) {
  if (m_.traits.gradient_consistent) return alike("with a margin", touches, of_wider, 1e-11, pair);
  if (sees_a_first_) return;  // with a margin more of a's nodes begin a region
  const auto deepest = [](const Touches& list) {
    double most = 0;
    for (const Touch& t : list) most = std::max(most, t.overlap);
    return most;
  };
  say("with a margin the deepest", std::abs(deepest(touches) - deepest(of_wider)) / m_.unit, 1e-11, pair);
}

/// Checks gaps: bodies that hardly touch are drawn apart along the normal of their deepest contact by a part of the
/// margin. No distance grows by more than the displacement, so at least this gap is within the margin.
void ContactJudge::gap(const PairPose& pose, const Touches& touches, std::size_t pair) {
  constexpr double kPart = 0.25;
  const double margin = Encounter::kMargin * m_.unit;
  if (touches.empty()) return;
  const Touch& deepest = *std::ranges::max_element(touches, {}, &Touch::overlap);
  if (deepest.overlap > kPart * margin) return;
  PairPose apart = pose;
  apart.a.position -= (deepest.overlap + kPart * margin) * deepest.normal;
  try {
    hold("with a margin, gaps within it are told", !m_.detect({apart}, {.margin = margin})[0].empty(), pair);
  } catch (const NumericalError&) {  // it does not take this pose
  }
}

/// Returns the energy of a law with energy overlap^2/2 per contact.
double ContactJudge::energy_at(const PairPose& pose) const {
  double sum = 0;
  const Touches touches = m_.detect({pose})[0];
  for (const Touch& t : touches)
    if (t.overlap > 0) sum += t.energy_weight * t.overlap * t.overlap / 2;
  return sum;
}

/// Compares forces and torques with central differences of the energy, along one motion of one body.
void ContactJudge::energy(const PairPose& pose, const Touches& touches, std::size_t pair) {
  if (!m_.traits.gradient_consistent || touches.empty()) return;
  const bool move_a = !std::isfinite(m_.b.bound()) || draws_.unit() < 0.5;
  const Vec3 shift = m_.unit * draws_.direction(m_.dimension);
  const Vec3 turn = draws_.between(-1, 1) * (m_.dimension == 3 ? draws_.direction(3) : Vec3::UnitZ());
  const Vec3& centre = (move_a ? pose.a : pose.b).position;
  double slope = 0, scale = 1e-3 * m_.unit * m_.unit;
  for (const Touch& t : touches) {
    if (t.overlap <= 0) continue;
    const Vec3 force = (move_a ? -1 : 1) * t.force_weight * t.overlap * t.normal;
    slope -= force.dot(shift) + (t.point - centre).cross(force).dot(turn);
    scale += force.norm() * m_.unit;
  }
  double error = 1e300;
  for (const double h : {1e-6, 1e-7, 1e-8}) {  // smaller ones where a contact begins within the larger
    PairPose to[2] = {pose, pose};
    for (const int k : {0, 1}) {
      Pose& moved = move_a ? to[k].a : to[k].b;
      const double s = k == 0 ? -h : h;
      moved.position += s * shift;
      const double angle = s * turn.norm();
      if (angle != 0) moved.orientation = Quat(Eigen::AngleAxisd(angle, turn / turn.norm())) * moved.orientation;
    }
    try {
      error = std::min(error, std::abs((energy_at(to[1]) - energy_at(to[0])) / (2 * h) - slope) / scale);
    } catch (const NumericalError&) {
      return;
    }
    if (error < 1e-6) break;
  }
  say("forces are the gradient of the energy", error, 1e-5, pair);
}

namespace {

/// Returns the overlaps of round parts with round parts, or with faces, in ascending order.
std::optional<std::vector<double>> round_overlaps(const Encounter& m, const PairPose& pose) {
  std::vector<double> list;
  const auto needs = [&](std::string_view one, std::string_view other) {
    return m.traits.facets_a == std::vector{one} && m.traits.facets_b == std::vector{other};
  };
  if (needs(SphereSet::kName, SphereSet::kName)) {
    for (std::size_t i = 0; i < m.a.round().centre.size(); ++i)
      for (std::size_t k = 0; k < m.b.round().centre.size(); ++k)
        list.push_back(m.a.round().radius[i] + m.b.round().radius[k] -
                       (to_world(pose.a, m.a.round().centre[i]) - to_world(pose.b, m.b.round().centre[k])).norm());
  } else if (needs(SphereSet::kName, Faces::kName) || needs(RoundVertices::kName, WallFaces::kName)) {
    const bool wall_is_b = m.b.find<Faces>() != nullptr;
    const Solid &grain = wall_is_b ? m.a : m.b, &wall = wall_is_b ? m.b : m.a;
    const Pose &here = wall_is_b ? pose.a : pose.b, &there = wall_is_b ? pose.b : pose.a;
    const auto& faces = *wall.find<Faces>();
    const Parts& spheres = needs(RoundVertices::kName, WallFaces::kName) ? grain.vertices() : grain.round();
    for (int f = 0; f < faces.face_count(); ++f)
      for (std::size_t i = 0; i < spheres.centre.size(); ++i) {
        const Vec3 p = to_body(there, to_world(here, spheres.centre[i])) / wall.scale();
        FacePoint seen;
        faces.face(f, {&p, 1}, {&seen, 1});
        list.push_back(spheres.radius[i] - wall.scale() * seen.distance);
      }
  } else {
    return std::nullopt;
  }
  std::erase_if(list, [](double overlap) { return overlap <= 0; });
  std::sort(list.begin(), list.end());
  return list;
}

/// Range of the deepest overlap [m], with a tolerance over the smaller body.
struct DepthRange {
  double least, most, tolerance;
};

/// Returns the depth of nodes in outlines r(theta).
DepthRange node_depth(const Encounter& m, const PairPose& pose) {
  const bool radial = m.options.value("distance", "") == "radial";
  const std::string scheme = m.options.value("scheme", "");
  const auto depth = [&](const Solid& other, const Solid& own, const Pose& there, const Pose& here) {
    return std::max(0.0, radial ? other.radial_depth_of(own.nodes(), here, there)
                                : other.depth_of(own.nodes(), here, there).deepest);
  };
  const double of_a = depth(m.b, m.a, pose.b, pose.a), of_b = depth(m.a, m.b, pose.a, pose.b);
  const double either = std::max(of_a, of_b);
  constexpr double table = 1e-6;  // of 20000 samples, linear between them: (2 pi/20000)^2/8 r'', and r'' <= 16 r
  if (scheme == "s1-only") return {of_a, of_a, table};
  if (scheme == "s1-then-s2") return {of_a, of_a > 0 ? either : 0, table};
  return {either, either, table};
}

/// Returns the depth by comparing all parts; nothing if neither body has parts that are known here.
std::optional<DepthRange> brute_depth(const Encounter& m, const PairPose& pose) {
  const auto needs = [&](std::string_view one, std::string_view other) {
    return m.traits.facets_a == std::vector{one} && m.traits.facets_b == std::vector{other};
  };
  if (needs(RadialFunction::kName, RadialFunction::kName)) return node_depth(m, pose);
  const bool nodes = needs(BoundaryNodes::kName, SignedDistance::kName),
             outlines = needs(RadialFunction::kName, SignedDistance::kName);
  const auto parts = [&](const Solid& s) {
    if (outlines) return s.find<RadialFunction>() != nullptr ? s.nodes() : Parts();
    return nodes ? s.nodes() : s.parts();
  };
  const Depth known = depth_between(m.a, parts(m.a), pose.a, m.b, parts(m.b), pose.b);
  if (!known.known()) return std::nullopt;
  const double depth = std::max(0.0, known.deepest);
  // Others find places between the parts, and measure depths to first order in their own way.
  const bool exact = nodes || needs(SweptPolygon::kName, RoundVertices::kName);
  return DepthRange{depth, depth, exact ? 1e-12 : 0.25};  // 0.18 at worst, of bumpy solids in 3D
}

}  // namespace

/// Compares the detector's contacts with those found by comparing every part.
void ContactJudge::geometry(const PairPose& pose, const Touches& touches, std::size_t pair) {
  if (const auto expected = round_overlaps(m_, pose)) {
    std::vector<double> found;
    for (const Touch& t : touches) found.push_back(t.overlap);
    std::sort(found.begin(), found.end());
    const double hardly = 1e-12 * m_.unit;
    const auto trim = [&](std::vector<double> v) {
      std::erase_if(v, [&](double overlap) { return overlap < hardly; });
      return v;
    };
    const std::vector<double> want = trim(*expected), have = trim(found);
    double error = want.size() == have.size() ? 0 : 1;
    for (std::size_t i = 0; error < 1 && i < want.size(); ++i)
      error = std::max(error, std::abs(want[i] - have[i]) / m_.unit);
    return say("overlaps are those of brute force", error, 1e-11, pair);
  }
  const std::optional<DepthRange> brute = brute_depth(m_, pose);
  if (!brute) return;
  double deepest = 0;
  for (const Touch& t : touches)
    if (t.energy_weight > 0) deepest = std::max(deepest, t.overlap);
  const auto [least, most, tolerance] = *brute;
  const double error = std::max({0.0, least - deepest, deepest - most});
  say("the deepest overlap is that of brute force", error / m_.unit, tolerance, pair);
}

/// Checks that contacts that hardly moved keep their springs and their names.
void ContactJudge::stable(const Touches& old, const Touches& now, std::size_t pair) {
  if (old.empty() || now.empty()) return;
  std::vector<std::uint32_t> old_feature, new_feature;
  std::vector<std::uint64_t> old_payload, new_payload;
  for (const Touch& t : old) old_feature.push_back(t.feature), old_payload.push_back(t.payload);
  for (const Touch& t : now) new_feature.push_back(t.feature), new_payload.push_back(t.payload);
  std::vector<std::int32_t> source(now.size(), -1);
  // The core does not call match() for contacts that look the same.
  bool same = old.size() == now.size();
  for (std::size_t i = 0; same && i < now.size(); ++i)
    same = old_payload[i] == new_payload[i] && (old_payload[i] != 0 || old_feature[i] == new_feature[i]);
  if (same) {
    for (std::size_t i = 0; i < now.size(); ++i) source[i] = static_cast<std::int32_t>(i);
    new_feature = old_feature;
  } else {
    m_.detector->match({old.size(), now.size(), old_feature.data(), old_payload.data(), new_feature.data(),
                        new_payload.data(), source.data()});
  }
  hold("features stay distinct", std::set(new_feature.begin(), new_feature.end()).size() == now.size(), pair);
  const auto near = [&](const Touch& s, const Touch& t, double way) {
    return (s.point - t.point).norm() < way * m_.unit && (s.normal - t.normal).norm() < 10 * way;
  };
  for (std::size_t i = 0; i < now.size(); ++i) {
    hold("sources exist", source[i] >= -1 && source[i] < static_cast<std::int32_t>(old.size()), pair);
    std::size_t before = old.size(), close = 0, beside = 0;
    for (std::size_t j = 0; j < old.size(); ++j)
      if (near(now[i], old[j], 0.1)) ++close, before = j;
    for (const Touch& other : now) beside += near(now[i], other, 0.1);
    if (close != 1 || beside != 1 || !near(now[i], old[before], 1e-3)) continue;
    hold("a contact that hardly moved goes on", source[i] == static_cast<std::int32_t>(before), pair);
    // A foot that crosses the end of an edge makes another contact, of another payload, which takes over the spring.
    const bool crossed = new_payload[i] != old_payload[before];
    if (!crossed) hold("and keeps its feature", new_feature[i] == old_feature[before], pair);
  }
}

void ContactJudge::block() {
  poses_ = draw_block();
  const std::size_t n = poses_.size();
  if (n == 0) return;
  const std::vector<Touches> touches = m_.detect(poses_);
  const std::vector<Touches> swapped = m_.detect(poses_, {.swapped = true});
  const std::vector<Touches> wider = m_.detect(poses_, {.margin = Encounter::kMargin * m_.unit});
  std::vector<PairPose> elsewhere, before, slightly, turned = poses_;
  const double way = 0.04 * m_.unit;
  for (PairPose& pose : poses_) {
    const Quat turn = draws_.turn(m_.dimension, 3);
    const Vec3 shift = 3 * m_.unit * draws_.direction(m_.dimension);
    PairPose all = pose;
    for (Pose* p : {&all.a, &all.b}) {
      p->position = turn * p->position + shift;
      p->orientation = turn * p->orientation;
    }
    elsewhere.push_back(all);
    before.push_back(m_.stray(pose, draws_, way, 0.3));
    slightly.push_back(m_.stray(pose, draws_, 1e-5 * m_.unit, 1e-5));
  }
  const std::vector<Touches> moved = m_.detect(elsewhere);
  const bool blind = !m_.detector->sees_orientation();
  for (PairPose& pose : turned) pose = m_.stray(pose, draws_, 0, 3);
  const std::vector<Touches> unseen = blind ? m_.detect(turned) : touches;
  const std::vector<Touches> larger = m_.traits.scales ? m_.detect(poses_, {.scaled = 2}) : touches;

  for (std::size_t p = 0; p < n; ++p) {
    touching_ += !touches[p].empty();
    for (const Touch& t : touches[p]) well_formed(t, p), hold("overlap > 0", t.overlap > 0, p);
    for (const Touch& t : wider[p])
      well_formed(t, p), hold("overlap > -margin", t.overlap > -Encounter::kMargin * m_.unit, p);
    distinct(touches[p], p);
    distinct(wider[p], p);
    same_bits("alone as among others", touches[p], m_.detect({poses_[p]})[0], p);
    const std::vector<PairPose> listed_at{before[p]};
    try {
      same_bits("old lists as new ones", touches[p],
                m_.detect({poses_[p]}, {.listed_at = &listed_at, .skin = 2 * way})[0], p);
    } catch (const NumericalError&) {
      hold("old lists as new ones", !m_.takes(before[p]), p);
    }
    Touches mirror = swapped[p];
    for (Touch& t : mirror) t.normal = -t.normal;
    if (!sees_a_first_) alike("swapped bodies", touches[p], mirror, 1e-11, p);
    Touches back = moved[p];
    const Quat turn = elsewhere[p].a.orientation * poses_[p].a.orientation.conjugate();
    for (Touch& t : back) {
      t.normal = turn.conjugate() * t.normal;
      t.point = poses_[p].a.position + turn.conjugate() * (t.point - elsewhere[p].a.position);
    }
    alike("moved and turned", touches[p], back, 1e-10, p);
    same_bits("orientations are not seen", touches[p], unseen[p], p);
    if (m_.traits.scales) {
      Touches smaller = larger[p];
      for (Touch& t : smaller) t.overlap /= 2, t.point /= 2, t.radius /= m_.traits.curvature ? 2 : 1;
      alike("twice as large", touches[p], smaller, 1e-12, p);
    }
    Touches touching = wider[p];
    std::erase_if(touching, [](const Touch& t) { return t.overlap <= 0; });
    margin(touches[p], touching, p);
    gap(poses_[p], touches[p], p);
    energy(poses_[p], touches[p], p);
    geometry(poses_[p], touches[p], p);
  }
  const std::vector<Touches> after = m_.detect(slightly);
  for (std::size_t p = 0; p < n; ++p) stable(touches[p], after[p], p);
}

}  // namespace scree::conformance
