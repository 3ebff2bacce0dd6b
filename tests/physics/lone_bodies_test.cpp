// Bodies whose pairs all have the law "none" are left alone, and leave others alone.

#include "catch.hpp"
#include "scenes.hpp"

using namespace scree;

namespace {

/// Spheres of 1 mm in a box. \param lone  entries of bodies of 0.05 mm, each after a comma
std::string box_of_spheres(const std::string& lone = "") {
  return R"({
    "dimension": 3, "gravity": [0, 0, -9.81],
    "materials": {"g": {"density": 2500}, "w": {}, "dust": {"density": 1000}},
    "shapes": {"bead": {"type": "sphere", "radius": 0.001}, "mote": {"type": "sphere", "radius": 5e-5},
               "floor": {"type": "half-space", "normal": [0, 0, 1]}},
    "bodies": [{"name": "floor", "shape": "floor", "material": "w", "fixed": true},
               {"shape": "bead", "material": "g", "packing": {"type": "lattice", "lower": [0, 0, 0.0011], "counts": [4, 4, 6], "jitter": 1e-5}})" +
         lone + R"(],
    "interactions": [{"between": ["*", "*"], "law": {"type": "linear", "normal_stiffness": 1000, "normal_damping": 0.1,
                      "tangential": "spring", "tangential_stiffness": 500, "friction": 0.3}},
                     {"between": ["dust", "*"], "law": "none"}],
    "integrator": {"type": "velocity-verlet", "dt": 1e-5}, "output": {"writers": []}, "run": {"duration": 1}
  })";
}

const std::string kDust =
    R"(, {"name": "dust", "shape": "mote", "material": "dust", "velocity": [3, 1, 50], "packing": {"type": "lattice", "lower": [0, 0, 0.0005], "counts": [5, 5, 5], "spacing": 0.001}})";

/// Of beads, by id.
std::vector<Vec3> beads(test::Running& run) {
  std::vector<Vec3> x;
  for (Id id = 1; id <= 96; ++id) x.push_back(run.world().position[*run.world().row(id)]);
  return x;
}

}  // namespace

TEST_CASE("bodies that meet nobody set neither skin nor smallest radius and fly through the others") {
  test::Running alone(box_of_spheres()), dusty(box_of_spheres(kDust));
  CHECK(dusty.prepared.smallest_radius == 0.001);
  CHECK(dusty.prepared.methods.skin == alone.prepared.methods.skin);
  alone.steps(60);
  dusty.steps(60);
  CHECK(beads(dusty) == beads(alone));
  alone.steps(440);
  dusty.steps(440);
  // Lists were made at other times, so that sums have other orders.
  const auto with = beads(dusty), without = beads(alone);
  for (std::size_t k = 0; k < with.size(); ++k) CHECK((with[k] - without[k]).norm() < 1e-12);
  const World& world = dusty.world();
  for (std::size_t i = 0; i < world.size(); ++i)
    if (world.radius[i] == 5e-5) CHECK(world.velocity[i][2] == Approx(50 - 9.81 * 5e-3));
  // The dust has gone 0.25 m, 500 skins: no list has ended for it. Rows were brought into order every 64 steps.
  const std::uint64_t rebuilds = mechanics_of(dusty.prepared).pipeline().rebuilds;
  CHECK(rebuilds >= 500 / 64);
  CHECK(rebuilds < 500 / 64 + mechanics_of(alone.prepared).pipeline().rebuilds + 2);
}

TEST_CASE("a material that some law makes meet somebody is not left alone") {
  test::Running run(box_of_spheres(kDust), {R"(/interactions/1/between=["dust","w"])", "/integrator/dt=1e-10"});
  CHECK(run.prepared.smallest_radius == 5e-5);
}
