#pragma once
/// \file Bond law "elastic-rod": segments joined end to end that stretch, bend and twist about a natural shape, yield
/// and break.

#include <array>
#include <limits>
#include <numbers>
#include <optional>
#include <string>
#include <vector>

#include "bond/rod_joint.hpp"
#include "scree/law/bond_columns.hpp"
#include "scree/law/bond_law.hpp"
#include "scree/plugin/factories.hpp"

namespace scree::rods {

/// Stiffness of a cross-section.
struct Section {
  double stretch = 0;   ///< EA [N]
  double bend[2] = {};  ///< EI about the first and second axis across [N m^2]
  double twist = 0;     ///< GJ [N m^2]
};

struct ElasticRodOptions {
  int dimension = 3;
  double youngs_modulus = 0;       ///< E [Pa], of round sections
  double shear_modulus = 0;        ///< G [Pa], of round sections
  std::optional<Section> section;  ///< any other section
  bool as_placed = true;           ///< without stress in the attitudes in which bodies are placed
  bool sag_free = false;           ///< there with the stress that bears the weight; needs as_placed
  Vec3 curvature = Vec3::Zero();   ///< else: kappa_1, kappa_2, twist per length [1/m]
  double viscosity_time = 0;       ///< time of internal friction, tau_v [s]
  Yield yield;
  double tensile_strength = std::numeric_limits<double>::infinity();  ///< [Pa]
  double shear_strength = std::numeric_limits<double>::infinity();    ///< [Pa]
};

/// Eq. (1) to (11) of the page. One joint per bond; at a body without a segment the rod is clamped.
class ElasticRod final : public BondLaw, public BondForces, public EnergyTerm, public BondColumns {
 public:
  explicit ElasticRod(const ElasticRodOptions& options) : options_(options) {}

  void bind(const BondView& bonds, std::size_t bodies) override;
  const void* face(std::string_view name) const noexcept override;
  BondTraits traits() const override;
  void utilisation(const Configuration& x, std::span<double> out) const override;
  std::string fault(const BondView& bonds) const override;

  // What a joint remembers is how its rest differs from what the options say.
  bool end_step(const Configuration& x, std::span<double> memory) override;
  std::string balance(const BondView& bonds, std::span<const Wrench> loads, std::span<double> memory) const override;

  void add_wrenches(const Configuration& x, std::span<Wrench> out) const override;
  double energy(const Configuration& x) const override;
  double stable_time_step(const Configuration& x, std::span<const double> mass,
                          std::span<const double> moment) const override;

  std::size_t items() const override { return joints_.size(); }
  void energies(const Configuration& x, std::span<double> out) const override;
  void add_gradient(const Configuration& x, std::span<Wrench> out) const override;
  void add_hessian(const Configuration& x, Curvature curvature, const HessianSink& out) const override;
  void begin_step(const Configuration& x, double time) override;
  void list_pairs(std::vector<BodyPair>& out) const override;
  void list_links(std::vector<ChainLink>& out) const override;

  std::vector<BondColumn> columns() const override;
  void values(const Configuration& x, std::span<const std::span<double>> out) const override;

 private:
  struct Joint : RodJoint {
    std::uint32_t a, b;
    double radius, area;    ///< radius and area of the section [m], [m^2]
    double half_a, half_b;  ///< half lengths of the segments, 0 for a body without one [m]
  };
  /// Four joints that follow each other; the last one again where there are fewer.
  struct Four {
    JointOf<Wide> joint;
    std::array<std::uint32_t, 4> a, b;
  };
  /// A turn, in addition to RodJoint::rest; and the gap without load as bonds were made, world axes [m].
  static constexpr int kRemembered = 6;
  /// Natural bend and twist of one joint are below this [rad].
  static constexpr double kMostAtRest = std::numbers::pi / 2;

  /// A joint as one of its bodies sees it.
  struct End {
    std::uint32_t joint;
    bool is_b;
  };
  Joint made(const BondView& bonds, std::size_t k) const;
  int axis() const { return options_.dimension == 2 ? 0 : 2; }  ///< axis of the joint frame along the rod
  /// From a to b along the axis of the joint frame: 1, else against it: -1.
  double way(const Joint& joint) const;
  /// Along the rod [N].
  double pull(const Joint& joint, const JointState& s) const;
  double utilisation(const Joint& joint, const JointState& s) const;
  JointState state(const Configuration& x, const Joint& joint) const {
    return state_of(joint, x.position[joint.a], x.orientation[joint.a], x.position[joint.b], x.orientation[joint.b]);
  }
  std::span<const End> ends_of(std::size_t body) const {
    return std::span(ends_).subspan(first_[body], first_[body + 1] - first_[body]);
  }
  /// Returns a joint with its resistance in the step that has begun, or without internal friction.
  RodJoint in_step(std::size_t k) const {
    const RodJoint& joint = joints_[k];
    return before_.empty() ? joint : resisting(joint, before_[k], friction_);
  }
  /// 1 = it breaks. \param pull  along the rod [N]   \param moments  in the joint frame [N m]
  double use(const Joint& joint, double pull, Vec3 moments) const;
  std::string why_overloaded(const Joint& joint, const JointState& balanced) const;
  StateOf<Wide> state(const Configuration& x, const Four& four) const;
  JointOf<Wide> in_step(const Four& four) const;
  void check_step() const;
  std::vector<JointGradient> gradients(const Configuration& x) const;
  void gather(std::span<const JointGradient> of_joint, double sign, std::span<Wrench> out) const;

  ElasticRodOptions options_;
  std::vector<Joint> joints_;
  std::vector<Four> fours_;         ///< data of `joints_` for steps
  std::vector<std::size_t> first_;  ///< (bodies + 1)
  std::vector<End> ends_;           ///< ends of all bodies, one after the other
  // Of the step that has begun, with internal friction.
  std::vector<Vec3> before_;  ///< by joint: Omega_n
  double friction_ = 0;       ///< tau_v/dt
};

/// \throws OptionError
std::unique_ptr<BondLaw> make_elastic_rod(const Options& options, const BondLawContext& context);

}  // namespace scree::rods
