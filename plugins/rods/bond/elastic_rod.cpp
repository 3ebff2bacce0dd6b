#include "bond/elastic_rod.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "scree/base/error.hpp"
#include "scree/base/parallel.hpp"
#include "scree/shape/segment.hpp"

namespace scree::rods {

namespace {

/// A joint bent or twisted beyond this has no answer: the Rodrigues vector is infinite at half a turn. Cosine of half
/// of 2.8 rad.
constexpr double kMostTurned = 0.16996714290024104;

double half_length(const Shape* shape, double scale) {
  const auto* const segment = facet<Segment>(*shape);
  return segment ? scale * segment->half_length() : 0;
}

/// The axes of a section in the joint frame, which is the body frame: the rod runs along x in 2D, along z in 3D.
Vec3 along_axes(int dimension, double first, double second, double along) {
  return dimension == 2 ? Vec3(along, second, first) : Vec3(first, second, along);
}

/// Second moments of a round section of area A: I = A^2/(4 pi), J = 2 I.
Section round_section(double youngs_modulus, double shear_modulus, double area) {
  const double moment = area * area / (4 * std::numbers::pi);
  return {youngs_modulus * area, {youngs_modulus * moment, youngs_modulus * moment}, 2 * shear_modulus * moment};
}

/// One number of each joint.
JointOf<Wide> packed(const RodJoint& a, const RodJoint& b, const RodJoint& c, const RodJoint& d) {
  const auto of_all = [&](auto RodJoint::*what) { return pack(a.*what, b.*what, c.*what, d.*what); };
  return {of_all(&RodJoint::place_a), of_all(&RodJoint::place_b), of_all(&RodJoint::frame_a),
          of_all(&RodJoint::frame_b), of_all(&RodJoint::rest),    of_all(&RodJoint::stretch),
          of_all(&RodJoint::turn)};
}

}  // namespace

/// Eq. (3), (7). A clamp lies at the body without a segment: half a joint, whose frame is that of the segment as
/// it was placed.
ElasticRod::Joint ElasticRod::made(const BondView& bonds, std::size_t k) const {
  Joint joint;
  joint.a = bonds.a[k], joint.b = bonds.b[k];
  joint.half_a = half_length(bonds.shape_a[k], bonds.scale_a[k]);
  joint.half_b = half_length(bonds.shape_b[k], bonds.scale_b[k]);
  const double h = joint.half_a + joint.half_b;
  const Quat &made_a = bonds.made_a[k], &made_b = bonds.made_b[k];
  const auto memory = bonds.memory_of(k);
  const Vec3 turn = memory.empty() ? Vec3::Zero() : Vec3(memory[0], memory[1], memory[2]);
  const Vec3 gap = memory.empty() ? Vec3::Zero() : Vec3(memory[3], memory[4], memory[5]);
  joint.place_a = made_a.conjugate() * (bonds.joint[k] - gap / 2);
  joint.place_b = made_b.conjugate() * (bonds.joint[k] - bonds.branch[k] + gap / 2);
  joint.frame_a = joint.half_a > 0 ? Quat(Quat::Identity()) : Quat(made_a.conjugate() * made_b);
  joint.frame_b = joint.half_b > 0 ? Quat(Quat::Identity()) : Quat(made_b.conjugate() * made_a);
  joint.area = bonds.section[k];
  joint.radius = std::sqrt(joint.area / std::numbers::pi);
  const Section s =
      options_.section.value_or(round_section(options_.youngs_modulus, options_.shear_modulus, joint.area));
  joint.stretch = s.stretch / h;
  joint.turn = along_axes(options_.dimension, s.bend[0], s.bend[1], s.twist) / h;
  if (options_.as_placed) {
    const Quat between = (made_a * joint.frame_a).conjugate() * (made_b * joint.frame_b);
    joint.rest = 2 * between.vec() / between.w();
  } else {
    const Vec3 u = along_axes(options_.dimension, options_.curvature[0], options_.curvature[1], options_.curvature[2]);
    const double norm = u.norm();
    joint.rest = norm > 0 ? Vec3(way(joint) * 2 * std::tan(norm * h / 2) / norm * u) : Vec3::Zero();
  }
  joint.rest += turn;
  return joint;
}

void ElasticRod::bind(const BondView& bonds, std::size_t bodies) {
  joints_.clear();
  before_.clear();
  first_.assign(bodies + 1, 0);
  for (std::size_t k = 0; k < bonds.size(); ++k) {
    joints_.push_back(made(bonds, k));
    ++first_[bonds.a[k] + 1], ++first_[bonds.b[k] + 1];
  }
  fours_.clear();
  for (std::size_t k = 0; k < joints_.size(); k += 4) {
    const auto at = [&](std::size_t lane) -> const Joint& { return joints_[std::min(k + lane, joints_.size() - 1)]; };
    Four& four = fours_.emplace_back(Four{packed(at(0), at(1), at(2), at(3)), {}, {}});
    for (std::size_t lane = 0; lane < 4; ++lane) four.a[lane] = at(lane).a, four.b[lane] = at(lane).b;
  }
  for (std::size_t i = 0; i < bodies; ++i) first_[i + 1] += first_[i];
  ends_.resize(2 * joints_.size());
  std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
  for (std::uint32_t k = 0; k < joints_.size(); ++k) {
    ends_[next[joints_[k].a]++] = {k, false};
    ends_[next[joints_[k].b]++] = {k, true};
  }
}

const void* ElasticRod::face(std::string_view name) const noexcept {
  if (name == BondForces::kName) return static_cast<const BondForces*>(this);
  if (name == EnergyTerm::kName) return static_cast<const EnergyTerm*>(this);
  if (name == BondColumns::kName) return static_cast<const BondColumns*>(this);
  return nullptr;
}

BondTraits ElasticRod::traits() const {
  BondTraits traits;
  traits.can_break =
      std::min(options_.tensile_strength, options_.shear_strength) < std::numeric_limits<double>::infinity();
  traits.facet_of_either = Segment::kName;
  traits.memory_changes = options_.yield.flows();
  traits.balances = options_.sag_free;
  traits.memory = traits.balances || traits.memory_changes ? kRemembered : 0;
  traits.resists_rates = options_.viscosity_time > 0;
  return traits;
}

std::string ElasticRod::fault(const BondView& bonds) const {
  for (std::size_t k = 0; k < bonds.size(); ++k) {
    const double h = half_length(bonds.shape_a[k], bonds.scale_a[k]) + half_length(bonds.shape_b[k], bonds.scale_b[k]);
    if (!(h > 0))
      return "joins two bodies without segments. Choose shapes with the facet Segment/1, such as \"capsule\".";
    const double angle =
        options_.as_placed ? 2 * std::atan(made(bonds, k).rest.norm() / 2) : options_.curvature.norm() * h;
    if (!(angle < kMostAtRest))
      return fmt::format(
          "the rod's natural shape turns by {:.3g} rad at one joint; at most {:.3g} are possible. Use "
          "segments of at most {:.3g} times the length.",
          angle, kMostAtRest, kMostAtRest / angle);
  }
  return {};
}

double ElasticRod::way(const Joint& joint) const {
  return (joint.half_a > 0 ? joint.place_a : Vec3(-joint.place_b))[axis()] < 0 ? -1 : 1;
}

/// max((max(F, 0)/A + |m_bend| r/I)/sigma_c, |m_twist| r/(J tau_c)) of a round section.
double ElasticRod::pull(const Joint& joint, const JointState& s) const {
  return way(joint) * joint.stretch * s.gap.dot(tangent(s, axis()));
}
double ElasticRod::use(const Joint& joint, double pull, Vec3 moments) const {
  const double twist = std::abs(moments[axis()]);
  moments[axis()] = 0;
  const double inertia = joint.area * joint.area / (4 * std::numbers::pi);
  const double tension = std::max(pull, 0.0) / joint.area + moments.norm() * joint.radius / inertia;
  const double shear = twist * joint.radius / (2 * inertia);
  return std::max(tension / options_.tensile_strength, shear / options_.shear_strength);
}

double ElasticRod::utilisation(const Joint& joint, const JointState& s) const {
  // Moments are those that are left when what is beyond them has flowed.
  const Vec3 flow = plastic_flow(joint, s, options_.yield, axis());
  return use(joint, pull(joint, s), moments(joint, s) - joint.turn.cwiseProduct(flow));
}
void ElasticRod::utilisation(const Configuration& x, std::span<double> out) const {
  parallel_for(static_cast<std::ptrdiff_t>(joints_.size()), [&](std::ptrdiff_t k) {
    const Joint& joint = joints_[static_cast<std::size_t>(k)];
    out[static_cast<std::size_t>(k)] = utilisation(joint, state(x, joint));
  });
}

std::vector<BondColumn> ElasticRod::columns() const {
  return {{"tension", "N"},        {"bending_moment", "N m"}, {"twisting_moment", "N m"}, {"curvature", "1/m", false},
          {"twist", "1/m", false}, {"utilisation", ""}};
}

/// Forces and moments are those of eq. (5), without internal friction.
void ElasticRod::values(const Configuration& x, std::span<const std::span<double>> out) const {
  parallel_for(static_cast<std::ptrdiff_t>(joints_.size()), [&](std::ptrdiff_t k) {
    const auto i = static_cast<std::size_t>(k);
    const Joint& joint = joints_[i];
    const JointState s = state(x, joint);
    const SectionLoad load = load_of(joint, s, axis());
    const RodShape shape = shape_of(s, joint.half_a + joint.half_b, axis());
    const double sign = way(joint);
    const double value[] = {sign * load.tension, load.bending,       sign * load.twisting,
                            shape.curvature,     sign * shape.twist, utilisation(joint, s)};
    for (std::size_t c = 0; c < out.size(); ++c) out[c][i] = value[c];
  });
}

void ElasticRod::begin_step(const Configuration& x, double time) {
  friction_ = options_.viscosity_time / time;
  before_.resize(joints_.size());
  parallel_for(static_cast<std::ptrdiff_t>(joints_.size()), [&](std::ptrdiff_t k) {
    before_[static_cast<std::size_t>(k)] = state(x, joints_[static_cast<std::size_t>(k)]).rodrigues;
  });
}

void ElasticRod::check_step() const {
  if (options_.viscosity_time > 0 && before_.size() < joints_.size())
    throw Error(
        "internal friction needs an integrator that tells bonds when a step begins, and this one does "
        "not. Choose another integrator, or leave viscosity_time out.");
}

void ElasticRod::energies(const Configuration& x, std::span<double> out) const {
  check_step();
  parallel_for(static_cast<std::ptrdiff_t>(joints_.size()), [&](std::ptrdiff_t k) {
    const auto i = static_cast<std::size_t>(k);
    out[i] = rods::energy(in_step(i), state(x, joints_[i]));
  });
}

/// Returns the stored energy, without losses of internal friction.
double ElasticRod::energy(const Configuration& x) const {
  std::vector<double> of_joint(joints_.size());
  parallel_for(static_cast<std::ptrdiff_t>(joints_.size()), [&](std::ptrdiff_t k) {
    const Joint& joint = joints_[static_cast<std::size_t>(k)];
    of_joint[static_cast<std::size_t>(k)] = rods::energy(joint, state(x, joint));
  });
  return std::accumulate(of_joint.begin(), of_joint.end(), 0.0);
}

StateOf<Wide> ElasticRod::state(const Configuration& x, const Four& four) const {
  const auto of_all = [](const auto& column, const std::array<std::uint32_t, 4>& i) {
    return pack(column[i[0]], column[i[1]], column[i[2]], column[i[3]]);
  };
  return state_of<Wide>(four.joint, of_all(x.position, four.a), of_all(x.orientation, four.a),
                        of_all(x.position, four.b), of_all(x.orientation, four.b));
}

JointOf<Wide> ElasticRod::in_step(const Four& four) const {
  if (before_.empty()) return four.joint;
  const std::size_t k = 4 * static_cast<std::size_t>(&four - fours_.data());
  const auto at = [&](std::size_t lane) -> const Vec3& { return before_[std::min(k + lane, before_.size() - 1)]; };
  return resisting<Wide>(four.joint, pack(at(0), at(1), at(2), at(3)), friction_);
}

std::vector<JointGradient> ElasticRod::gradients(const Configuration& x) const {
  std::vector<JointGradient> of_joint(4 * fours_.size());
  parallel_for(static_cast<std::ptrdiff_t>(fours_.size()), [&](std::ptrdiff_t k) {
    const Four& four = fours_[static_cast<std::size_t>(k)];
    unpack(gradient(in_step(four), state(x, four)), &of_joint[4 * static_cast<std::size_t>(k)]);
  });
  return of_joint;
}

/// Each joint has left its part, each body adds those of its joints in their order: the same bits for any threads.
void ElasticRod::gather(std::span<const JointGradient> of_joint, double sign, std::span<Wrench> out) const {
  parallel_for(static_cast<std::ptrdiff_t>(first_.size() - 1), [&](std::ptrdiff_t body) {
    const auto i = static_cast<std::size_t>(body);
    const auto ends = ends_of(i);
    if (ends.empty()) return;
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
    for (const End end : ends) {
      const JointGradient& g = of_joint[end.joint];
      force += end.is_b ? g.force : Vec3(-g.force);
      torque += end.is_b ? g.turn_b : g.turn_a;
    }
    out[i].force += sign * force;
    out[i].torque += sign * torque;
  });
}

void ElasticRod::add_gradient(const Configuration& x, std::span<Wrench> out) const {
  check_step();
  gather(gradients(x), 1, out);
}

void ElasticRod::add_wrenches(const Configuration& x, std::span<Wrench> out) const {
  const auto of_joint = gradients(x);
  const auto worst = std::ranges::min_element(of_joint, {}, &JointGradient::cosine);
  if (worst != of_joint.end() && !(worst->cosine >= kMostTurned)) {
    const auto k = std::min(static_cast<std::size_t>(worst - of_joint.begin()), joints_.size() - 1);
    const Vec3& at = x.position[joints_[k].a];
    throw NumericalError(
        fmt::format("the rod is bent or twisted by more than 2.8 rad at the joint of two of its bodies "
                    "at ({:.6g}, {:.6g}, {:.6g}) m. Use more segments or a smaller /integrator/dt.",
                    at.x(), at.y(), at.z()));
  }
  gather(of_joint, -1, out);
}

void ElasticRod::add_hessian(const Configuration& x, Curvature curvature, const HessianSink& out) const {
  std::vector<JointHessian> of_joint(4 * fours_.size());
  parallel_for(static_cast<std::ptrdiff_t>(fours_.size()), [&](std::ptrdiff_t k) {
    const Four& four = fours_[static_cast<std::size_t>(k)];
    unpack(hessian(in_step(four), state(x, four), curvature == Curvature::clamped),
           &of_joint[4 * static_cast<std::size_t>(k)]);
  });
  // A row is written by its own body alone.
  parallel_for(static_cast<std::ptrdiff_t>(first_.size() - 1), [&](std::ptrdiff_t body) {
    const auto i = static_cast<std::uint32_t>(body);
    Block6* const diagonal = ends_of(i).empty() ? nullptr : out.block(i, i);
    if (!diagonal) return;
    for (const End end : ends_of(i)) {
      const JointHessian& h = of_joint[end.joint];
      const Joint& joint = joints_[end.joint];
      const Mat3 k = h.stretch * Mat3::Identity();
      const Mat3 own = end.is_b ? Mat3(-h.place_a_turn_b) : h.place_a_turn_a;
      const Mat3 others = end.is_b ? Mat3(-h.place_a_turn_a) : h.place_a_turn_b;
      diagonal->topLeftCorner<3, 3>() += k;
      diagonal->topRightCorner<3, 3>() += own;
      diagonal->bottomLeftCorner<3, 3>() += own.transpose();
      diagonal->bottomRightCorner<3, 3>() += end.is_b ? h.turn_b_turn_b : h.turn_a_turn_a;
      Block6* const coupled = out.block(i, end.is_b ? joint.a : joint.b);
      if (!coupled) continue;
      coupled->topLeftCorner<3, 3>() -= k;
      coupled->topRightCorner<3, 3>() += others;
      coupled->bottomLeftCorner<3, 3>() -= own.transpose();
      coupled->bottomRightCorner<3, 3>() += end.is_b ? Mat3(h.turn_a_turn_b.transpose()) : h.turn_a_turn_b;
    }
  });
}

void ElasticRod::list_pairs(std::vector<BodyPair>& out) const {
  for (const Joint& joint : joints_) out.emplace_back(joint.a, joint.b);
}

void ElasticRod::list_links(std::vector<ChainLink>& out) const {
  for (const Joint& joint : joints_) out.push_back({joint.a, joint.b, joint.place_a, joint.place_b});
}

}  // namespace scree::rods
