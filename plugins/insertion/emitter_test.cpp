#include "insertion_scene.hpp"

using namespace scree;
using namespace scree::insertion::test;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string kBox = R"("region": {"type": "box", "lower": [-0.02, -0.02, 0.02], "upper": [0.02, 0.02, 0.06]})";

/// On one thread: these scenes are small.
Simulation made(const std::string& scene) { return Simulation::from_text(scene, {.threads = 1}); }

}  // namespace

TEST_CASE("all at once: the number asked for, none touching another or the floor by more than rounding") {
  Simulation run =
      made(scene3(R"({"type": "emitter", "shape": "bead", "material": "g", "number": 2000, )" + kBox + "}"));
  run.step(1);
  CHECK(census(run).bodies == 2000);
  CHECK(deepest(run) < 1e-6);  // of one step of fall: 4e-9 m
  CHECK(figure(run, "emitter_count") == 2000);
  CHECK(figure(run, "emitter_mass_kg") == Approx(2000 * kBead).epsilon(1e-12));
  CHECK(figure(run, "emitter_owed") == 0);
}

TEST_CASE("bodies come without overlap above 1e-12 of their radius, among each other and what stands there") {
  // At rest and without weight, one step moves nobody who touches nobody: what there is to see is how they were placed.
  const std::string still = "\"gravity\": [0, 0, 0]", heavy = "\"gravity\": [0, 0, -9.81]";
  const std::string sizes = R"("scale": {"type": "lognormal", "sigma": 0.4}, )", crowd = R"("attempts": 2000, )";
  std::string scene = scene3(
      R"({"type": "emitter", "name": "a", "shape": ["bead", "large"], "material": "g", "number": 700, )" + sizes +
          crowd +
          R"("region": {"type": "box", "lower": [-0.015, -0.015, 0], "upper": [0.015, 0.015, 0.04]}},
                {"type": "emitter", "name": "b", "shape": ["bead", "pair"], "material": "g", "orientation": "random", "number": 300, )" +
          sizes + crowd + R"("region": {"type": "sphere", "centre": [0, 0, 0.02], "radius": 0.02}})",
      "", kFloor + R"(, {"name": "post", "shape": "large", "material": "w", "fixed": true, "position": [0, 0, 0.02]})");
  scene.replace(scene.find(heavy), heavy.size(), still);
  const std::string step = "\"dt\": 2e-5", short_enough = "\"dt\": 5e-6";  // for the smallest
  Simulation run = made(scene.replace(scene.find(step), step.size(), short_enough));
  run.step(1);
  CHECK(figure(run, "a_count") > 200);  // as many as there is room for
  CHECK(figure(run, "b_count") > 30);
  double most = -1;
  const auto x = run.world().position.read(), v = run.world().velocity.read();
  const auto r = run.world().radius.read();
  for (std::size_t i = 0; i < x.size(); ++i) {
    CHECK(v[i].norm() == 0);  // no contact has pushed
    if (!std::isfinite(r[i])) continue;
    most = std::max(most, (r[i] - x[i].z()) / r[i]);
    for (std::size_t k = 0; k < i; ++k)
      if (std::isfinite(r[k])) most = std::max(most, (r[i] + r[k] - (x[i] - x[k]).norm()) / std::min(r[i], r[k]));
  }
  INFO(most);
  CHECK(most < 1e-12);
}

TEST_CASE("a rate by number is exact at any time: floor(rate t)") {
  Simulation run =
      made(scene3(R"({"type": "emitter", "shape": "bead", "material": "g", "number_rate": 1700, "interval": 1e-3,
                                   "start": 0.01, "stop": 0.1, "number": 120, )" +
                  kBox + "}"));
  for (const double t : {0.005, 0.02, 0.05, 0.0705, 0.2}) {
    run.run_until(t + 2e-5);
    const double since = std::min(t, 0.1) - 0.01;
    const double due = since < 0 ? 0 : std::min(120.0, std::floor(1700 * std::floor(since * 1e3 + 1e-6) * 1e-3 + 1e-6));
    CHECK(figure(run, "emitter_count") == due);
    CHECK(static_cast<double>(census(run).bodies) == due);
  }
}

TEST_CASE("keep: each call brings what the region lacks, whoever is in it") {
  // 30 beads fall from rest for 0.1 s, 49 mm, out of a region of 40 mm. One that hangs in it counts, one that is fixed
  // does not.
  const std::string hook =
      R"({"type": "emitter", "shape": "bead", "material": "g", "keep": true, "interval": 0.1, "attempts": 1000,
                               "region": {"type": "box", "lower": [-0.02, -0.02, 0.2], "upper": [0.02, 0.02, 0.24]}, )";
  const std::string bodies =
      kFloor + R"(, {"name": "post", "shape": "bead", "material": "w", "fixed": true, "position": [0, 0, 0.22]},
    {"name": "guest", "shape": "bead", "material": "g", "position": [0, 0, 0.205]})";
  Simulation run = made(scene3(hook + R"("number": 30})", "", bodies));
  run.step(1);
  CHECK(figure(run, "emitter_count") == 29);  // the guest is there
  CHECK(figure(run, "emitter_owed") == 0);
  run.run_until(0.05);
  CHECK(figure(run, "emitter_count") == 29);
  run.run_until(0.1001);
  CHECK(figure(run, "emitter_count") == 59);
  run.run_until(0.2001);
  CHECK(figure(run, "emitter_count") == 89);
  Simulation wide = made(scene3(
      hook + R"("keep_region": {"type": "half-space", "point": [0, 0, 0.1], "normal": [0, 0, -1]}, "number": 30})", "",
      bodies));
  wide.run_until(0.1001);
  CHECK(figure(wide, "emitter_count") == 29);  // all are above 0.1 m
  Simulation by_mass = made(scene3(hook + fmt::format(R"("mass": {}}})", 30 * kBead), "", bodies));
  by_mass.run_until(0.1001);
  CHECK(figure(by_mass, "emitter_count") == 59);
}

TEST_CASE("keep without an interval, without a region or with a rate is refused") {
  const std::string hook = R"({"type": "emitter", "shape": "bead", "material": "g", "number": 3, )";
  for (
      const auto& [more, said] : {
          std::pair<std::string, std::string>{R"("keep": true, )" + kBox, "\"keep\" needs calls again and again"},
          {R"("keep": true, "interval": 0.1, "points": [[0, 0, 0.1]])", "needs a \"region\""},
          {R"("interval": 0.1, "keep": false, "keep_region": {"type": "sphere", "centre": [0, 0, 0.1], "radius": 0.1}, )" +
               kBox,
           "counts nothing without"},
          {R"("keep": true, "interval": 0.1, "number_rate": 5, )" + kBox, "what comes is what the region lacks"},
      })
    CHECK_THROWS_WITH(made(scene3(hook + more + "}")), ContainsSubstring(said));
}

namespace {

/// Beads whose sizes differ. \param amount  how many come, and when
std::string uneven_beads(const std::string& amount) {
  return scene3(R"({"type": "emitter", "shape": "bead", "material": "g",
                    "scale": {"type": "uniform", "lower": 0.5, "upper": 1.5}, )" +
                amount + ", " + kBox + "}");
}

/// Masses of all that came, in the order in which it came [kg].
std::vector<double> masses_in_turn(const Simulation& run) {
  const World& world = run.world();
  std::map<Id, double> masses;
  for (std::size_t i = 0; i < world.size(); ++i)
    if (world.inverse_mass.read()[i] > 0) masses[world.id.read()[i]] = world.mass.read()[i];
  std::vector<double> all;
  for (const auto& [id, mass] : masses) all.push_back(mass);
  return all;
}

/// Bodies of these masses that have come when `due` is due: each as soon as half of it is [-].
double bodies_due(const std::vector<double>& masses, double due) {
  double sum = 0, count = 0;
  for (const double mass : masses) {
    if (due - sum < mass / 2) break;
    sum += mass, ++count;
  }
  return count;
}

}  // namespace

TEST_CASE("a rate by mass is kept to half of the next body, with sizes as they are drawn") {
  Simulation at_once = made(uneven_beads(R"("number": 250)"));  // the same bodies, and those who would come next
  at_once.step(1);
  const std::vector<double> masses = masses_in_turn(at_once);
  REQUIRE(masses.size() == 250);
  Simulation run = made(uneven_beads(R"("mass_rate": 0.02, "interval": 1e-3, "mass": 0.0015)"));
  for (const double t : {0.02, 0.04, 0.06, 0.07}) {
    run.run_until(t + 2e-5);
    INFO("t = " << t << " s");
    CHECK(figure(run, "emitter_count") == bodies_due(masses, 0.02 * t));
    CHECK(census(run).mass == Approx(figure(run, "emitter_mass_kg")).epsilon(1e-12));
    CHECK(figure(run, "emitter_owed_kg") ==
          Approx(std::max(0.0, 0.02 * t - figure(run, "emitter_mass_kg"))).margin(1e-15));
  }
  run.run_until(0.09);
  CHECK(figure(run, "emitter_count") == bodies_due(masses, 0.0015));
  // The mean size is that of the distribution: 150 draws of standard deviation 0.29.
  const World& world = run.world();
  double mean = 0;
  for (std::size_t i = 0; i < world.size(); ++i) mean += world.inverse_mass.read()[i] > 0 ? world.scale.read()[i] : 0;
  CHECK(mean / static_cast<double>(census(run).bodies) == Approx(1).margin(4 * 0.29 / std::sqrt(100.)));
}

TEST_CASE("a mass in all is kept to half of a body: 10.4 beads are 10 of them, and 10.6 are 11") {
  for (const auto& [beads, number] : {std::pair(10.4, 10u), std::pair(10.6, 11u)}) {
    Simulation run = made(scene3(fmt::format(
        R"({{"type": "emitter", "shape": "bead", "material": "g", "mass": {:.17g}, {}}})", beads * kBead, kBox)));
    run.step(1);
    CHECK(census(run).bodies == number);
  }
}

TEST_CASE("bodies come at points in turn, also where all points are free") {
  std::string points = "[0, 0, 0.01]";
  for (int k = 1; k < 8; ++k) points += fmt::format(", [{}, 0, 0.01]", 0.003 * k);
  Simulation run = made(scene3(
      R"({"type": "emitter", "shape": "bead", "material": "g", "number_rate": 1000, "interval": 0.001, "points": [)" +
      points + "]}"));
  for (int k = 0; k < 16; ++k) {
    run.run_until(0.001 * (k + 1) + 2e-5);  // one is due, and has fallen for a step
    World& world = run.world();
    REQUIRE(census(run).bodies == 1);
    const std::size_t row = world.inverse_mass.read()[0] > 0 ? 0 : 1;
    CHECK(world.position.read()[row].x() == Approx(0.003 * (k % 8)).margin(1e-15));
    world.remove(std::vector<Id>{world.id.read()[row]});
  }
}

TEST_CASE("in 2D bodies come at the angle, with the spin, the velocity and the speed asked for") {
  std::string scene = scene2(
      R"({"type": "emitter", "shape": ["star", "tile"], "material": "g", "number": 40, "orientation": 0.3,
          "angular_velocity": 2, "velocity": [1, 0.5], "random_speed": 0.2,
          "region": {"type": "box", "lower": [0, 0.1], "upper": [0.5, 0.3]}})");
  const std::string heavy = "\"gravity\": [0, -9.81]";
  Simulation run = made(scene.replace(scene.find(heavy), heavy.size(), "\"gravity\": [0, 0]"));
  run.step(1);
  const World& world = run.world();
  REQUIRE(census(run).bodies == 40);
  Vec3 mean = Vec3::Zero();
  for (std::size_t i = 0; i < world.size(); ++i) {
    if (world.inverse_mass.read()[i] == 0) continue;
    const Vec3 v = world.velocity.read()[i], w = world.angular_velocity.read()[i];
    const Quat q = world.orientation.read()[i];
    const std::string& shape = world.shapes()[world.shape.read()[i]].name;
    INFO(shape);
    CHECK((v - Vec3(1, 0.5, 0)).norm() == Approx(0.2).epsilon(1e-12));
    CHECK(v.z() == 0);
    CHECK((w - Vec3(0, 0, 2)).norm() < 1e-12);
    // A polygon's body frame is that of its principal axes; a star's is its own. A step turns by 2e-5 rad.
    if (shape == "star") CHECK(2 * std::atan2(q.z(), q.w()) == Approx(0.3 + 2 * 1e-5).epsilon(1e-12));
    mean += (v - Vec3(1, 0.5, 0)) / 40;
  }
  CHECK(mean.norm() < 4 * 0.2 / std::sqrt(40.));  // directions are drawn
}

TEST_CASE("a mixture by mass has these shares of mass, by number these of number, with random orientations") {
  for (const bool by_mass : {true, false}) {
    Simulation run = made(scene3(fmt::format(
        R"({{"type": "emitter", "shape": ["bead", "pair", "large"], "shares": [1, 1, 2], "by": "{}", "material": "g",
             "number": 1500, "orientation": "random", "velocity": [1, 0, 0], "random_speed": 0.2,
             "region": {{"type": "box", "lower": [0, 0, 0.1], "upper": [0.1, 0.1, 0.2]}}}})",
        by_mass ? "mass" : "number")));
    run.step(1);
    const Census c = census(run);
    REQUIRE(c.bodies == 1500);
    const double share = by_mass ? c.mass_of_shape.at("large") / c.mass
                                 : static_cast<double>(c.of_shape.at("large")) / static_cast<double>(c.bodies);
    CHECK(share == Approx(0.5).margin(by_mass ? 0.08 : 0.05));  // four standard deviations
    double spread = 0;
    Vec3 mean = Vec3::Zero();
    const World& world = run.world();
    for (std::size_t i = 0; i < world.size(); ++i) {
      if (world.inverse_mass.read()[i] == 0) continue;
      const Vec3 v = world.velocity.read()[i];
      mean += v / 1500;
      spread = std::max(spread, std::abs((v - Vec3(1, 0, -9.81 * 2e-5)).norm() - 0.2));
    }
    CHECK(spread < 1e-3);  // the step has shifted velocities by its half
    CHECK((mean - Vec3(1, 0, 0)).norm() < 0.02);
  }
}

TEST_CASE("discs, stars and polygons come into a polygon, a disc, a line, and onto points in 2D") {
  const char* regions[] = {R"("region": {"type": "polygon", "points": [[0, 0.01], [0.1, 0.01], [0.05, 0.1]]})",
                           R"("region": {"type": "sphere", "centre": [0, 0.1], "radius": 0.05})",
                           R"("region": {"type": "box", "lower": [0, 0.05], "upper": [0.5, 0.05]})",
                           R"("points": [[0, 0.01], [0.01, 0.01], [0.02, 0.01], [0.03, 0.01], [0.04, 0.01]])"};
  for (const char* region : regions) {
    const bool points = std::string(region).find("points\": [[0, 0.01], [0.01") != std::string::npos;
    Simulation run = made(scene2(fmt::format(
        R"({{"type": "emitter", "shape": ["disc", "star", "tile"], "material": "g", "orientation": "random", "number": {}, {}}})",
        points ? 5 : 60, region)));
    INFO(region);
    run.step(1);
    CHECK(census(run).bodies == (points ? 5u : 60u));
    CHECK(deepest(run) < 1e-4);  // bounding discs, after one step
  }
}

TEST_CASE("a full inlet makes what there is room for, keeps owing, and goes on when there is room again") {
  // Eight beads fit at eight points; an outlet makes room.
  std::string points = "[0, 0, 0.0011]";
  for (int k = 1; k < 8; ++k) points += fmt::format(", [{}, 0, 0.0011]", 0.003 * k);
  Simulation run = made(scene3(
      R"({"type": "emitter", "name": "tap", "shape": "bead", "material": "g", "number": 12, "interval": 0.001, "points": [)" +
      points +
      R"(]}, {"type": "outlet", "start": 0.05, "interval": 0, "region": {"type": "box", "lower": [-0.001, -1, -1], "upper": [0.004, 1, 1]}})"));
  run.run_until(0.04);
  CHECK(figure(run, "tap_count") == 8);
  CHECK(figure(run, "tap_owed") == 4);
  run.run_until(0.06);
  CHECK(figure(run, "outlet_count") == 2);
  CHECK(figure(run, "tap_count") == 10);
  CHECK(figure(run, "tap_owed") == 2);
  CHECK(deepest(run) < 0.03);  // beads that rest sink in by m g / k = 1e-4 radii
}

TEST_CASE("after max_wait the run ends, naming the emitter, what it reached and how often it tried") {
  Simulation run = made(scene3(
      R"({"type": "emitter", "name": "tap", "shape": "bead", "material": "g", "number": 3, "interval": 0.001, "attempts": 7, "max_wait": 0.01,
          "points": [[0, 0, 0.0011], [0.003, 0, 0.0011]]})"));
  CHECK_THROWS_WITH(run.run_until(0.1),
                    ContainsSubstring("emitter \"tap\": no room for body 2 at t = 0.01 s: 77 of 77 places tried") &&
                        ContainsSubstring("were taken, most by \"tap\", for 0.01 s") &&
                        ContainsSubstring("It has made 2, ") && ContainsSubstring("max_wait"));
}

TEST_CASE("a body that waits has waited as long, and tries the same places, where a run is resumed") {
  const std::string scene = scene3(
      R"({"type": "emitter", "name": "tap", "shape": "bead", "material": "g", "number": 3, "interval": 0.001, "attempts": 7, "max_wait": 0.01,
          "points": [[0, 0, 0.0011], [0.003, 0, 0.0011]]})");
  Simulation run = made(scene), resumed = made(scene);
  run.run_until(0.0047);
  resumed.restore(*run.snapshot());
  CHECK_THROWS_WITH(resumed.run_until(0.1),
                    ContainsSubstring("emitter \"tap\": no room for body 2 at t = 0.01 s: 77 of 77 places tried"));
}

TEST_CASE("bodies come among obstacles, images in a periodic cell and the bodies of another emitter, touching none") {
  const std::string scene = scene3(
      R"({"type": "emitter", "name": "a", "shape": "bead", "material": "g", "number": 300, "region": {"type": "cylinder", "centre": [0.01, 0.01, 0.02], "radius": 0.01, "length": 0.03}},
         {"type": "emitter", "name": "b", "shape": "large", "material": "g", "number": 25, "attempts": 20000, "region": {"type": "sphere", "centre": [0, 0.01, 0.02], "radius": 0.012}})",
      R"(, "periodic": {"x": [0, 0.02], "y": [0, 0.02]})");
  Simulation run = made(scene);
  run.step(1);
  const World& world = run.world();
  CHECK(census(run).bodies == 325);
  const auto x = world.position.read();
  const auto r = world.radius.read(), free = world.inverse_mass.read();
  double most = -1;
  for (std::size_t i = 0; i < world.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) {
      if (free[i] == 0 || free[k] == 0) continue;
      Vec3 d = x[i] - x[k];
      for (int axis = 0; axis < 2; ++axis) d[axis] -= 0.02 * std::round(d[axis] / 0.02);
      most = std::max(most, r[i] + r[k] - d.norm());
    }
  CHECK(most < 1e-8);  // one step of fall
}

TEST_CASE("nothing to make, two rates, a rate without calls, regions without end and unknown names are refused") {
  const auto refused = [](const std::string& options, const std::string& text) {
    INFO(options);
    CHECK_THROWS_WITH(made(scene3(R"({"type": "emitter", "material": "g", )" + options + "}")),
                      ContainsSubstring(text));
  };
  const std::string bead = R"("shape": "bead", )";
  refused(bead + kBox, "nothing says how much is to come");
  refused(bead + R"("number_rate": 1, "mass_rate": 1, "interval": 0.1, )" + kBox,
          "/hooks/0/mass_rate: there is a number_rate too");
  refused(bead + R"("number_rate": 1, )" + kBox, "/hooks/0/interval: a rate needs calls again and again");
  refused(bead + R"("number": 1)", "Give one of the two.");
  refused(bead + R"("number": 1, "region": {"type": "half-space", "point": [0, 0, 0], "normal": [0, 0, 1]})",
          "has no end");
  refused(bead + R"("number": 1, "region": {"type": "polygon", "points": [[0, 0], [1, 0], [0, 1]]})",
          "/hooks/0/region/type: a polygon is a region of 2 dimensions; the scene has dimension 3");
  refused(bead + R"("number": 1, "region": {"type": "box", "lower": [0, 0, 1], "upper": [1, 1, 0]})",
          "/hooks/0/region/upper: z = 0 m is below the lower corner's 1 m");
  refused(R"("shape": "bread", "number": 1, )" + kBox,
          "/hooks/0/shape: there is no shape \"bread\". The scene has: bead");
  refused(R"("shape": ["bead", "floor"], "number": 1, )" + kBox,
          "/hooks/0/shape/1: shape \"floor\" of material \"g\" has mass 0");
  refused(R"("shape": ["bead", "pair"], "shares": [1], "number": 1, )" + kBox,
          "/hooks/0/shares: 1 shares for 2 shapes");
  refused(bead + R"("scale": {"type": "table", "sizes": [1, 1], "fractions": [1, 1]}, "number": 1, )" + kBox,
          "/hooks/0/scale/sizes/1: 1 is not above the size before it");
  const std::string twice = R"({"type": "emitter", "material": "g", "shape": "bead", "number": 1, )" + kBox + "}";
  CHECK_THROWS_WITH(made(scene3(twice + ", " + twice)),
                    ContainsSubstring("/hooks/1/name: \"emitter\" is the name of another hook"));
}

TEST_CASE("a pair of materials without an interaction is refused before the first step, whoever has yet to come") {
  std::string scene =
      scene3(R"({"type": "emitter", "start": 0.5, "shape": "bead", "material": "g", "number": 2, )" + kBox + "}");
  const std::string any = R"("between": ["*", "*"])";
  scene.replace(scene.find(any), any.size(), R"("between": ["g", "g"])");
  CHECK_THROWS_WITH(made(scene), ContainsSubstring("nothing says what happens between materials \"g\" and \"w\""));
}
