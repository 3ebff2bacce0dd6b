// Rods that stay bent or twisted: what springs back, what breaks, and the same bits.

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "bond/test_chain.hpp"
#include "bond/yielding_wire.hpp"
#include "catch.hpp"
#include "scree/base/error.hpp"
#include "temporary_folder.hpp"
#include "test_scene.hpp"

using namespace scree;
using namespace scree::rods;
using namespace scree::rods::test;
using Catch::Matchers::Contains;

namespace {

/// Without gaps. \param clamp, joint  by what the rod turns there [rad]
void lay_as_arc(Chain& chain, const Vec3& axis, double clamp, double joint) {
  Quat q = Quat::Identity();
  Vec3 at = Vec3::Zero();
  for (std::size_t k = 1; k < chain.position.size(); ++k) {
    q = q * Quat(Eigen::AngleAxisd(k == 1 ? clamp : joint, axis));
    at += q * Vec3(0, 0, chain.h / 2);
    chain.position[k] = at, chain.orientation[k] = q;
    at += q * Vec3(0, 0, chain.h / 2);
  }
}

}  // namespace

TEST_CASE("a wire bent beyond yield to any side springs back by M_y/EI, and one twisted beyond by T_y/GJ") {
  // Bent to arcs of 3 rad, then let go: every joint keeps what is beyond M_y h/EI of its 2 tan(phi/2); at the clamp,
  // half a joint, beyond M_y h/2 EI. Twisted by a right hand and by a left one.
  for (const bool twist : {false, true})
    for (const double hand : {1., -1.}) {
      INFO((twist ? "twisted" : "bent") << (hand > 0 ? " to the right" : " to the left"));
      Chain chain(20);
      chain.options.section = Section{1e4, {2, 2}, 1.5};
      chain.options.yield = {4, 3};
      chain.make();
      const double stiffness = twist ? 1.5 : 2, yields = twist ? 3 : 4;
      const Vec3 axis = twist ? Vec3::UnitZ() : Vec3::UnitX();
      const auto lay = [&](double clamp, double joint) { lay_as_arc(chain, axis, hand * clamp, hand * joint); };
      lay(0.075, 0.15);
      const double bent = chain.law().energy(chain.configuration());
      CHECK(chain.flow());
      // As much as a joint bears, in 19 of them and half of one: M_y^2 h/2 EI each.
      const double left = chain.law().energy(chain.configuration());
      CHECK(left == Approx(yields * yields * chain.h / (2 * stiffness) * 19.5).epsilon(1e-12));
      CHECK(left < bent);
      const auto kept = [&](double angle, double h) {
        return 2 * std::atan(std::tan(angle / 2) - yields * h / (2 * stiffness));
      };
      lay(kept(0.075, chain.h / 2), kept(0.15, chain.h));
      INFO("energy left " << chain.law().energy(chain.configuration()) << " of " << bent);
      CHECK(chain.gradient().cwiseAbs().maxCoeff() < 1e-9);
      CHECK_FALSE(chain.flow());
      // Back the other way, less than twice what springs back: all of it is elastic.
      lay(kept(kept(0.075, chain.h / 2), 0.99 * chain.h / 2), kept(kept(0.15, chain.h), 0.99 * chain.h));
      CHECK_FALSE(chain.flow());
    }
}

TEST_CASE("a wire that yields gives the same bits for any number of threads, and resumed", "[long]") {
  for (const auto& sets : {std::vector<std::string>{"/integrator/dt=4e-6"}, implicit(5e-4)}) {
    const auto state = [](Simulation& s) {
      const auto memory = s.world().bonds().memory();
      return std::tuple(bead(s), dissipated(s), std::vector<double>(memory.begin(), memory.end()));
    };
    const scree::test::TemporaryFolder folder;
    const std::string file = folder / "half.h5";
    Simulation one = made(kWire, sets, 1);
    one.run_until(0.19);
    const double lost = dissipated(one);
    CHECK(lost > 0);
    one.save(file);
    one.run_until(0.21);
    CHECK(dissipated(one) > 1.1 * lost);  // it was saved while it yielded
    Simulation three = made(kWire, sets, 3);
    three.run_until(0.21);
    CHECK(state(three) == state(one));
    Simulation resumed = made(kWire, sets, 2);
    resumed.load(file);
    resumed.run_until(0.21);
    CHECK(state(resumed) == state(one));
  }
}

TEST_CASE("a joint breaks by the moment at which it yields, however far it is bent") {
  Chain chain(3);
  chain.options.section = Section{10, {2, 2}, 1.5};  // little EA: rounding of gaps makes tension
  chain.options.yield = {4, 3};
  chain.options.tensile_strength = 1e7;
  chain.make();
  lay_as_arc(chain, Vec3::UnitX(), 1.2, 1.2);
  const double area = 1e-4, radius = std::sqrt(area / std::numbers::pi),
               stress = 4 * radius / (area * area / (4 * std::numbers::pi));
  for (const bool flowed : {false, true}) {
    std::vector<double> use(3);
    chain.law().utilisation(chain.configuration(), use);
    for (const double u : use) CHECK(u == Approx(stress / 1e7).epsilon(1e-9));
    if (!flowed) CHECK(chain.flow());
  }
}

TEST_CASE("yield that cannot be is refused") {
  const auto refusal = [](const std::string& set) {
    try {
      made(kWire, {set});
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string("taken");
  };
  CHECK_THAT(refusal("/bonds/0/law/yield_moment=0"), Contains("/bonds/0/law/yield_moment"));
  CHECK_THAT(refusal("/bonds/0/law/yield_torque=-1"), Contains("/bonds/0/law/yield_torque"));
}
