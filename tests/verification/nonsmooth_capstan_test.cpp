// A rope laid about a drum through the angle beta (capstan): it sticks iff T2/T1 is between exp(-mu beta) and
// exp(mu beta).
//
// Rigid contact has no ropes. A chain of rigid links that push each other along the inside of a drum obeys the same
// statics, with thrusts T for tensions, and has nothing but contacts. A link touches the drum, of radius R, at two
// points, +-a from its middle, and each neighbour, without friction, at one point, +-s from its middle at the radius
// rho, in the direction of the tangent there. Where it is about to slide, friction is mu N at both points of the drum:
//   radial      (T2 + T1) sin s = (N+ + N-) cos a - mu (N+ - N-) sin a
//   tangential  (T2 - T1) cos s = mu (N+ + N-) cos a + (N+ - N-) sin a
//   moment      (T2 - T1) rho = mu (N+ + N-) R
// With rho cos a = R cos s the last two give N+ = N-, whatever the friction, and then the first
//   T2/T1 = g = (1 + mu tan s)/(1 - mu tan s);
// less friction bears all ratios between 1/g and g. Of n links, with beta = 2 n s, that is g^n, and
//   ln g^n = 2 n artanh(mu tan s) = mu beta (1 + s^2 (1 + mu^2)/3 + ...).

#include <algorithm>

#include "rigid_scene.hpp"

using namespace scree;
using namespace scree::test;

namespace {

/// Links 0 ... n - 1 counter-clockwise from the angle 0, in a drum of radius 1 m about the origin.
struct Chain {
  int links;
  double beta, friction;

  double half = beta / (2 * links), foot = half / 2;  ///< s, a [rad]
  double level = std::cos(half) / std::cos(foot);     ///< rho [m]
  double slope = friction * std::tan(half);
  double per_link = (1 + slope) / (1 - slope);  ///< g
  double ratio = std::pow(per_link, links);

  Id last() const { return static_cast<Id>(links - 1); }
  std::string name(int direction) const {
    return fmt::format("{} links, {:.0f} deg, mu {}, {:+}", links, beta / kDegree, friction, direction);
  }
  double middle(int link) const { return (2 * link + 1) * half; }  ///< [rad]

  /// Feet on the drum, a nose ahead, a flat face behind; the middle of the link on the x axis.
  std::string vertices(double round) const {
    const auto at = [](double radius, double angle, double ahead) {
      const double c = std::cos(angle), s = std::sin(angle);
      return json({radius * c - ahead * s, radius * s + ahead * c});
    };
    const double inner = level - half / 2, outer = level + half * half / 10;
    return fmt::format("[{}, {}, {}, {}, {}, {}]", at(1 - round, -foot, 0), at(1 - round, foot, 0),
                       at(level, half, -round), at(inner, half, -half / 4), at(inner, -half, round),
                       at(outer, -half, round));
  }

  /// \param spin  of the drum [rad/s]   \param stop  whether a link that is fixed holds the far end
  SceneText scene(double spin, bool stop) const {
    const double round = half * half / 50;
    std::string places;
    for (int k = 0; k < links; ++k)
      places += fmt::format("{}{{\"position\": [0, 0], \"orientation\": {}}}", k == 0 ? "" : ", ", middle(k));
    const std::string fixed =
        fmt::format(R"({{"shape": "link", "material": "link", "orientation": {}, "fixed": true}},)", middle(links));
    return {fmt::format(
        R"({{"dimension": 2, "materials": {{"link": {{"density": 1000}}, "drum": {{}}}},
"shapes": {{"link": {{"type": "spheropolygon", "vertices": {}, "radius": {}}},
"drum": {{"type": "circle", "radius": 1, "inside": true}}}},
"bodies": [{{"shape": "link", "material": "link", "packing": {{"type": "list", "places": [{}]}}}}, {}
{{"shape": "drum", "material": "drum", "motion": {{"angular_velocity": {}}}}}],
"interactions": [{{"between": ["link", "link"], "detector": {{"type": "vertex-edge", "corner_weight": 3}},
"law": {{"type": "coulomb", "friction": 0}}}},
{{"between": ["link", "drum"], "law": {{"type": "coulomb", "friction": {}}}}}],
"integrator": {{"type": "moreau-jean", "dt": 1e-3, "tolerance": 1e-12, "max_sweeps": 100000}},
"output": {{"writers": []}}, "run": {{"duration": 1}}}})",
        vertices(round), round, places, stop ? fixed : "", spin, friction)};
  }
};

/// Rounding of gaps, 1e-16 m, is 1e-13 m/s in a step; these give links of some kg 1e-2 m/s.
constexpr double kLoad = 100;  // [N]

/// A chain under thrusts on its ends.
class Capstan : public RigidScene {
 public:
  Capstan(const Chain& chain, double spin, bool stop) : RigidScene(chain.scene(spin, stop)), chain_(chain) {}

  /// A step under thrusts on the first and the last link [N]: forces from outside are velocities dt f/m that bodies
  /// have before impulses are sought.
  void push_ends(double first, double last) {
    push(0, -chain_.half, first);
    push(chain_.last(), chain_.half, -last);
    steps(1);
  }
  /// Between a link and the next in the last step [N].
  double thrust(Id link) { return impulse_between(link, link + 1).norm() / dt(); }
  /// Of the middle of a link [rad].
  double angle(Id link) { return 2 * std::atan2(orientation(link).z(), orientation(link).w()); }

  /// kLoad at one end, `ratio` times that at the other. \param direction  1: the chain is pushed ahead, -1: back
  void load(double ratio, int direction, int count) {
    for (int n = 0; n < count; ++n) direction > 0 ? push_ends(ratio * kLoad, kLoad) : push_ends(kLoad, ratio * kLoad);
  }

  /// Angular acceleration at first [rad/s^2] under that, beyond the limit: the three equations with m c x alpha and
  /// I alpha on their right sides make T1 = g T2 + alpha K/(cos s - mu sin s) of a link.
  double spin_up(double ratio, int direction) {
    // Centre of mass of a link whose middle is on the x axis.
    const Vec3 centre = Eigen::AngleAxisd(-angle(0), Vec3::UnitZ()) * position(0);
    const double m = mass(0), mu = chain_.friction;
    const double about_drum = (inertia(0) + m * centre.squaredNorm()) * std::cos(chain_.foot);
    const double k = about_drum + mu * mu * (about_drum - m * centre.x()) + direction * mu * m * centre.y();
    return direction * (ratio - chain_.ratio) * kLoad * 2 * mu * std::sin(chain_.half) / (k * (chain_.ratio - 1));
  }

 private:
  /// Along the tangent where the neighbour would touch.
  void push(Id link, double ahead, double force) {
    const double at = angle(link) + ahead, c = std::cos(at), s = std::sin(at);
    const Vec3 impulse = dt() * force * Vec3(-s, c, 0), arm = chain_.level * Vec3(c, s, 0) - position(link);
    world().velocity.write()[row(link)] += impulse / mass(link);
    world().angular_velocity.write()[row(link)] += arm.cross(impulse) / inertia(link);
  }

  Chain chain_;
};

/// That of the values [any] which is farthest from the reference.
double farthest(double reference, const std::vector<double>& values) {
  return *std::max_element(values.begin(), values.end(),
                           [&](double a, double b) { return std::abs(a - reference) < std::abs(b - reference); });
}

const std::vector<Chain>& chains() {
  static const std::vector<Chain> all = {{6, 180 * kDegree, 0.3},
                                         {12, 180 * kDegree, 0.3},
                                         {24, 180 * kDegree, 0.3},
                                         {6, 90 * kDegree, 0.1},
                                         {22, 330 * kDegree, 0.6}};
  return all;
}

}  // namespace

TEST_CASE("a drum that turns drags a chain along its inside: from end to end thrusts grow by exp(mu beta)") {
  for (const Chain& chain : chains()) {
    const double exponent = chain.friction * chain.beta;
    for (const int spin : {1, -1}) {
      Capstan s(chain, spin, true);
      for (int n = 0; n < 20; ++n) s.push_ends(kLoad, 0);
      const double ratio = s.thrust(chain.last()) / kLoad;
      // What a tolerance of 1e-12 leaves adds up along the chain, and is relative to the larger of both thrusts: 2e-7.
      compare(chain.name(spin), "T2/T1", std::pow(chain.ratio, spin), ratio, 1e-6);
      compare("", "ln(T2/T1)/(mu beta)", spin, std::log(ratio) / exponent, 0.03);
      compare("", "its excess", chain.half * chain.half * (1 + chain.friction * chain.friction) / 3,
              spin * std::log(ratio) / exponent - 1, 0.05);  // terms of s^4
      std::vector<double> single;
      for (Id k = 0; k < chain.last(); ++k) single.push_back(std::pow(s.thrust(k + 1) / s.thrust(k), spin));
      compare("", "worst single link", chain.per_link, farthest(chain.per_link, single), 1e-6);
      double speed = 0;
      for (Id k = 0; k <= chain.last(); ++k) speed = std::max(speed, s.velocity(k).norm());
      compare("", "speed of links [m/s]", 0, speed, 1e-9);
    }
  }
}

TEST_CASE("a chain in a drum at rest sticks while the ratio of its thrusts is 1e-6 below the limit") {
  for (const Chain& chain : chains())
    for (const int direction : {1, -1}) {
      Capstan s(chain, 0, false);
      std::vector<Vec3> start;
      for (Id k = 0; k <= chain.last(); ++k) start.push_back(s.position(k));
      s.load(chain.ratio * (1 - 1e-6), direction, 1000);
      double drift = 0;
      for (Id k = 0; k <= chain.last(); ++k) drift = std::max(drift, (s.position(k) - start[k]).norm());
      compare(chain.name(direction), "drift in 1 s [m]", 0, drift, 1e-12);
      CHECK(s.world().metric("solver_unconverged_steps_total") == 0);
    }
}

TEST_CASE("a chain in a drum at rest slides as one where the ratio of its thrusts is beyond the limit") {
  for (const Chain& chain : chains())
    for (const int direction : {1, -1})
      for (const double beyond : {1e-5, 0.1}) {
        Capstan s(chain, 0, false);
        const double ratio = chain.ratio * (1 + beyond), alpha = s.spin_up(ratio, direction);
        s.load(ratio, direction, 1);
        std::vector<double> spins;
        for (Id k = 0; k <= chain.last(); ++k) spins.push_back(s.spin(k).z() / s.dt());
        // Of 1e-5 of the thrust, the solver's 1e-9 are 1e-4.
        compare(chain.name(direction), fmt::format("(1 + {}): spin-up", beyond), alpha, farthest(alpha, spins),
                beyond < 1e-3 ? 1e-3 : 1e-7);
        s.load(ratio, direction, 199);
        // Links that gather speed press on the drum by m v^2/R, which slows them down: by 4e-4 in this time.
        compare("", "angle, steps of dt", alpha * 200 * 201 / 2 * s.dt() * s.dt(), s.angle(0) - chain.middle(0),
                beyond < 1e-3 ? 1e-5 : 1e-3);
      }
}
