// Edits that wait for the next step belong to the state: a snapshot or checkpoint taken between the edit and the step
// goes on with the same bits as the run that was not looked at.

#include <functional>

#include "catch.hpp"
#include "scree/output/metrics.hpp"
#include "scree/run/simulation.hpp"
#include "temporary_folder.hpp"

using namespace scree;
using namespace scree::test;

namespace {

/// Beads that fall into a box and still bounce: contacts with springs of friction, and free flight.
constexpr const char* kScene = R"({
  "dimension": 3, "gravity": [0, 0, -9.81],
  "materials": {"grain": {"density": 2500}, "wall": {}},
  "shapes": {"ball": {"type": "sphere", "radius": 0.002},
             "floor": {"type": "half-space", "normal": [0, 0, 1]}},
  "bodies": [{"name": "g", "shape": "ball", "material": "grain", "random_speed": 0.05,
              "packing": {"type": "lattice", "lower": [0, 0, 0.0021], "counts": [3, 3, 3], "spacing": 0.0041,
                          "jitter": 0.0001}},
             {"name": "floor", "shape": "floor", "material": "wall", "fixed": true}],
  "interactions": [{"between": ["*", "*"], "law": {"type": "linear", "normal_stiffness": 2000, "normal_damping": 0.05,
                                                   "tangential_stiffness": 1500, "friction": 0.4}}],
  "integrator": {"type": "symplectic-euler", "dt": 2e-5},
  "run": {"duration": 0.2}
})";

struct Edit {
  const char* name;
  std::function<void(World&)> make;
};

const Edit kEdits[] = {
    {"add",
     [](World& w) {
       BodySpec b;
       b.shape = w.shape[0], b.material = w.material[0];
       b.position = {0.004, 0.004, 0.0145}, b.velocity = {0, 0, -1};
       w.add({&b, 1});
     }},
    {"remove",
     [](World& w) {
       const Id gone[] = {5, 17, 21};
       w.remove(gone);
     }},
    {"a body under the id of one that has gone",
     [](World& w) {
       const Id gone[] = {4};
       BodySpec b;
       b.id = 4, b.shape = w.shape[0], b.material = w.material[0];
       b.position = w.position[*w.row(4)] + Vec3(1e-5, 0, 0);
       w.remove(gone);
       w.add({&b, 1});
     }},
    {"mark_moved",
     [](World& w) {
       const Id moved[] = {7};
       w.position.write()[*w.row(7)].z() += 1e-4;
       w.velocity.write()[*w.row(7)].x() = 0.3;
       w.mark_moved(moved);
     }},
    {"attach",
     [](World& w) {
       const Id member[] = {3};
       const std::size_t owner = *w.row(4);
       RigidBody whole;
       whole.mass = 2 * w.mass[owner], whole.inertia = 8 * w.inertia[owner];
       whole.frame.position = w.position[owner], whole.frame.orientation = w.orientation[owner];
       whole.twist = {w.velocity[owner], w.angular_velocity[owner]};
       w.attach(member, 4, whole);
     }},
    {"a row of a table of one's own", [](World& w) { w.table("marks").add(2); }},
};

constexpr std::uint64_t kStepsAfter = 30;

std::uint64_t hash_after(Simulation& simulation) {
  simulation.step(kStepsAfter);
  return state_hash(simulation.world());
}

}  // namespace

TEST_CASE("a snapshot between an edit and the next step goes on with the same bits, in memory and as a file") {
  const TemporaryFolder folder;
  const std::string file = (folder / "half.h5").string();
  for (const char* integrator : {"velocity-verlet", "gear", "symplectic-euler"}) {
    const SimulationOptions options{.sets = {std::string("/integrator/type=") + integrator}, .threads = 1};
    Simulation simulation = Simulation::from_text(kScene, options), other = Simulation::from_text(kScene, options);
    simulation.step(200);
    const auto before = simulation.snapshot();
    for (const Edit& edit : kEdits)
      for (const bool looked : {false, true}) {
        INFO(integrator << ", " << edit.name << (looked ? ", looked at" : ""));
        simulation.restore(*before);
        edit.make(simulation.world());
        if (looked) simulation.contacts();  // the engine has seen the edit, and nobody has heard of it yet
        const auto between = simulation.snapshot();
        if (!looked) simulation.save(file);
        const std::uint64_t uninterrupted = hash_after(simulation);
        simulation.restore(*between);
        const EditLog waiting = simulation.world().edits();
        CHECK(simulation.world().edited());
        CHECK(hash_after(simulation) == uninterrupted);
        if (looked) continue;
        other.load(file);
        CHECK(other.world().edits().added == waiting.added);
        CHECK(hash_after(other) == uninterrupted);
      }
  }
}
