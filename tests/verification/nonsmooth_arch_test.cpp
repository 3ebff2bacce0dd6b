// A semicircular arch of voussoirs that do not slip: how thin it may be. Reference: statics of the very blocks that are
// simulated, whose joints touch at the two ends of their faces; for many blocks with sharp corners that is
// Milankovitch's thickness of 0.1075 mean radii (Heyman: 0.106).

#include <algorithm>

#include "rigid_scene.hpp"

using namespace scree;
using namespace scree::test;

namespace {

/// An arch of mean radius 1 m on the ground y = 0. Its joints touch from 1 - thickness/2 to 1 + thickness/2.
struct Arch {
  int blocks;
  double thickness, radius = 0.002;

  double half_angle() const { return std::numbers::pi / (2 * blocks); }
  /// Of the middle of a block and of a joint, from the vertical, positive on the right.
  double of_block(int k) const { return std::numbers::pi / 2 - (2 * k + 1) * half_angle(); }

  /// The scene: blocks from right to left, then the ground. A block's vertices are those of the one at the crown, the
  /// centre of the arch in their origin.
  std::string scene() const {
    const double s = std::sin(half_angle()), c = std::cos(half_angle());
    const auto corner = [&](double along, double side) {
      return json({side * (along * s - radius * c), along * c + radius * s});
    };
    const double inner = 1 - thickness / 2, outer = 1 + thickness / 2;
    std::string places;
    for (int k = 0; k < blocks; ++k)
      places += fmt::format("{}{{\"position\": [0, 0], \"orientation\": {}}}", k == 0 ? "" : ", ", -of_block(k));
    return fmt::format(
        R"({{"dimension": 2, "gravity": [0, -9.81], "materials": {{"stone": {{"density": 2000}}, "ground": {{}}}},
"shapes": {{"voussoir": {{"type": "spheropolygon", "vertices": [{}, {}, {}, {}], "radius": {}}},
"ground": {{"type": "half-plane"}}}},
"bodies": [{{"shape": "voussoir", "material": "stone", "packing": {{"type": "list", "places": [{}]}}}},
{{"shape": "ground", "material": "ground", "fixed": true}}],
"interactions": [{{"between": ["stone", "stone"], "detector": {{"type": "vertex-edge", "corner_weight": 3}},
"law": {{"type": "coulomb", "friction": 2}}}},
{{"between": ["stone", "ground"], "law": {{"type": "coulomb", "friction": 2}}}}],
"integrator": {{"type": "moreau-jean", "dt": 2e-3, "tolerance": 1e-9, "max_sweeps": 20000, "margin": 0.01,
"max_unconverged_steps": 0}}, "output": {{"writers": []}}, "run": {{"duration": 1}}}})",
        corner(inner, 1), corner(outer, 1), corner(outer, -1), corner(inner, -1), radius, places);
  }
};

/// How far a symmetric line of thrust can be kept from leaving the joints [m], at best: >= 0 and the arch stands (safe
/// theorem; all blocks weigh the same). The thrust H at the crown acts at the height Q/H; at each joint its moment with
/// the weights above bounds Q from both sides, and what is between the bounds is a concave function of H.
double reserve(const Arch& arch, const std::vector<Vec3>& centres) {
  const auto room = [&](double thrust) {
    double low = -1e300, high = 1e300;
    const bool keystone = arch.blocks % 2 == 1;
    for (int joint = 0; 2 * joint <= arch.blocks; ++joint) {
      // Right half: blocks `joint` ... middle - 1 are above the joint; half of the keystone with them.
      const double angle = std::numbers::pi / 2 - 2 * joint * arch.half_angle();
      const auto moment = [&](double along) {
        const double x = along * std::sin(angle);
        double sum = 0;
        for (int k = joint; k < arch.blocks / 2; ++k) sum += centres[static_cast<std::size_t>(k)].x() - x;
        return keystone ? sum - x / 2 : sum;
      };
      const double inner = 1 - arch.thickness / 2, outer = 1 + arch.thickness / 2;
      low = std::max(low, inner * std::cos(angle) * thrust - moment(inner));
      high = std::min(high, outer * std::cos(angle) * thrust - moment(outer));
    }
    return high - low;
  };
  double from = 0, to = 10.0 * arch.blocks;
  for (int n = 0; n < 200; ++n) {
    const double a = from + (to - from) / 3, b = to - (to - from) / 3;
    (room(a) < room(b) ? from : to) = room(a) < room(b) ? a : b;
  }
  return room((from + to) / 2);
}

std::vector<Vec3> centres_of(const Arch& arch) {
  Running s(arch.scene());
  std::vector<Vec3> centres;
  for (int k = 0; k < arch.blocks; ++k)
    centres.push_back(s.world().position.read()[s.world().row(static_cast<Id>(k)).value()]);
  return centres;
}

/// The least thickness that stands.
double critical(int blocks, double radius) {
  double thin = 0.08, thick = 0.13;
  for (int n = 0; n < 40; ++n) {
    const Arch arch{blocks, (thin + thick) / 2, radius};
    (reserve(arch, centres_of(arch)) < 0 ? thin : thick) = arch.thickness;
  }
  return (thin + thick) / 2;
}

}  // namespace

TEST_CASE("statics of sharp voussoirs: the least thickness of an arch tends to 0.1075 mean radii") {
  for (const int blocks : {30, 31, 301})
    compare(fmt::format("statics, {} blocks", blocks), "least thickness/radius", 0.1075, critical(blocks, 1e-5),
            blocks > 100 ? 1e-3 : 5e-3);
}

TEST_CASE("an arch of 31 voussoirs stands just above its least thickness, starts to move just below") {
  const double least = critical(31, 0.002);
  // What a step of 1e-9 leaves is about 5e-8 m/s; the speed of a thinner arch after one step is proportional to what it
  // lacks: 1.3e-8 m/s for each 1e-6 of its thickness.
  double speed[2];
  for (const double off : {-1e-3, 1e-3}) {
    Running s(Arch{31, least * (1 + off)}.scene());
    s.prepared.methods.integrator->columns(s.world());
    s.steps(1);
    double& v = speed[off > 0];
    v = 0;
    for (const Vec3& u : s.world().velocity.read()) v = std::max(v, u.norm());
    fmt::print("arch of 31, thickness {:.6f} ({:+} of {:.6f}): {:.1e} m/s after one step, {} sweeps\n",
               least * (1 + off), off, least, v, s.world().metric("solver_sweeps"));
  }
  CHECK(speed[1] < 2e-7);
  CHECK(speed[0] > 5e-6);
}

TEST_CASE("an arch of 31 voussoirs falls within 0.6 s when it is 1 % too thin, and stands when it is 1 % thicker") {
  const double least = critical(31, 0.002);
  for (const double off : {-0.01, 0.01}) {
    Running s(Arch{31, least * (1 + off)}.scene(), {"/integrator/tolerance=1e-6", "/integrator/max_sweeps=2000"});
    World& w = s.world();
    s.prepared.methods.integrator->columns(w);
    const auto crown = [&] { return w.position.read()[w.row(15).value()].y(); };
    const double start = crown();
    s.steps(300);
    fmt::print("arch of 31, {:+} of its least thickness: after 0.6 s the crown has sunk by {:.1e} m\n", off,
               start - crown());
    CHECK((off < 0 ? start - crown() > 0.05 : std::abs(start - crown()) < 1e-4));
  }
}
