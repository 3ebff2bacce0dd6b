/// \file Stored bodies are counted, written and removed like all other bodies.

#include <fstream>
#include <sstream>

#include "one_thread.hpp"
#include "scenes_of_granules.hpp"
#include "scree/hooks/stored_bodies.hpp"
#include "temporary_folder.hpp"

using namespace scree;
using namespace scree::culling::test;
using Catch::Matchers::ContainsSubstring;
using scree::test::Running;
using scree::test::TemporaryFolder;

namespace {

constexpr double kRadius = 8;  ///< radius of the lump [d]

/// A lump that flies, of which the inside is stored in the first step or not, and a further hook.
Running flying(bool culled, const std::string& hook, const Vec3& velocity, const Vec3& spin = Vec3::Zero(),
               const std::string& body = "") {
  GranularScene scene{lump(kRadius), body};
  scene.gravity = "[0, 0, 0]";
  const std::string culling =
      R"({"type": "granular-culling", "window": 0.01, "interval": 0.001, "impact_height": 1e6, "bodies": ["grains"]})";
  Running run(scene.text(),
              {fmt::format("/hooks=[{}{}{}]", culled ? culling : "", culled && !hook.empty() ? ", " : "", hook)});
  World& world = run.world();
  for (std::size_t i = 0; i < world.size(); ++i) {
    if (world.group.read()[i] != 0) continue;
    world.velocity.write()[i] = velocity + spin.cross(world.position.read()[i]);
    world.angular_velocity.write()[i] = spin;
  }
  return run;
}

/// Returns an observer's file after some steps, called before the first of them and at intervals.
std::string written(Running& run, const std::string& file, std::uint64_t steps, std::uint64_t every) {
  const TemporaryFolder out;
  Observer& observer = *run.prepared.observers.at(0).observer;
  observer.open(out.path().string());
  std::uint64_t frame = 0;
  observer.observe(run.world(), nullptr, {frame++, 0, 0});
  for (std::uint64_t n = 0; n < steps; n += every) {
    run.steps(every);
    observer.observe(run.world(), nullptr, {frame++, run.world().step, run.world().time});
  }
  observer.flush();
  std::ifstream in(out / file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The cells of the last row of a table, by column.
std::map<std::string, double> last_row(const std::string& table) {
  std::istringstream lines(table);
  std::string names, values;
  std::getline(lines, names);
  for (std::string line; std::getline(lines, line);) values = line;
  std::map<std::string, double> row;
  std::istringstream of_names(names), of_values(values);
  for (std::string name, value; std::getline(of_names, name, ',') && std::getline(of_values, value, ',');)
    row[name] = std::stod(value);
  return row;
}

/// Compares two tables, last rows; columns that are nan in the first are returned.
std::vector<std::string> compare(const std::string& culled, const std::string& full, double tolerance) {
  std::vector<std::string> unknown;
  const auto a = last_row(culled), b = last_row(full);
  REQUIRE(a.size() == b.size());
  for (const auto& [name, value] : a) {
    INFO(name << ": " << value << " with culling, " << b.at(name) << " without");
    if (std::isnan(value))
      unknown.push_back(name);
    else
      CHECK(std::abs(value - b.at(name)) <= tolerance * std::max(std::abs(b.at(name)), 1e-3));
  }
  return unknown;
}

const std::string kBox = R"({"type": "box", "lower": [-0.04, -0.03, -0.05], "upper": [0.03, 0.05, 0.02]})";

}  // namespace

TEST_CASE("a region meter has the numbers of full DEM where granules are stored, and nan for what contacts tell") {
  const scree::test::OneThread one;
  const std::string meter = R"({"type": "region-meter", "name": "m", "interval": 1, "region": )" + kBox + "}";
  for (const double spin : {0.0, 5.0}) {
    std::vector<std::string> tables;
    for (const bool culled : {true, false}) {
      Running run = flying(culled, meter, {0.2, -0.1, 0.3}, {0, 0, spin});
      tables.push_back(written(run, "m.csv", 1, 1));
      if (culled) REQUIRE(figure(run, "stored") > 300);
    }
    // In a step of 2.5e-4 rad velocities in an aggregate turn, and free granules fly straight on.
    const auto unknown = compare(tables[0], tables[1], spin > 0 ? 1e-4 : 1e-12);
    CHECK(unknown == std::vector<std::string>{"coordination", "pressure_Pa", "stress_xx_Pa", "stress_xy_Pa",
                                              "stress_yy_Pa", "stress_yz_Pa", "stress_zx_Pa", "stress_zz_Pa"});
    CHECK(last_row(tables[0]).at("count") > 100);
  }
}

TEST_CASE("a region meter tells stress and coordination where nothing stored is in the region") {
  const scree::test::OneThread one;
  const std::string meter =
      R"({"type": "region-meter", "name": "m", "interval": 1,
          "region": {"type": "box", "lower": [0.2, -1, -1], "upper": [0.3, 1, 1]}})";
  Running run = flying(true, meter, {0, 0, 0});
  const auto row = last_row(written(run, "m.csv", 1, 1));
  REQUIRE(figure(run, "stored") > 300);
  for (const auto& [name, value] : row) CHECK(!std::isnan(value));
}

TEST_CASE("averages of a region meter leave out rows in which contacts are not known") {
  const scree::test::OneThread one;
  const std::string meter =
      R"({"type": "region-meter", "name": "m", "interval": 1, "average": {}, "region": )" + kBox + "}";
  Running run = flying(true, meter, {0, 0, 0});
  const auto row = last_row(written(run, "m.csv", 1, 1));
  CHECK(std::isnan(row.at("stress_xx_Pa")));
  CHECK(row.at("mean_stress_xx_Pa") == 0);  // that of the row before the first step, without contacts
  CHECK(row.at("averaged_rows") == 2);
}

TEST_CASE("a flow meter and a mixing meter count stored granules as full DEM does") {
  const scree::test::OneThread one;
  const std::string flow =
      R"({"type": "flow-meter", "name": "m", "interval": 1, "point": [0.03, 0, 0], "normal": [1, 0, 0]})";
  const std::string other =
      R"(, {"name": "others", "shape": "grain", "material": "g", "packing": {"type": "lattice", "lower": [0.2, 0, 0], "counts": [6, 6, 6], "spacing": 0.02}})";
  const std::string mixing =
      R"({"type": "mixing-meter", "name": "m", "interval": 1, "bodies": ["grains", "others"], "cell_size": 0.03})";
  for (const std::string& meter : {flow, mixing}) {
    std::vector<std::string> tables;
    for (const bool culled : {true, false}) {
      Running run = flying(culled, meter, {4, 0, 0}, Vec3::Zero(), meter == mixing ? other : "");
      tables.push_back(written(run, "m.csv", 240, 40));
    }
    CHECK(compare(tables[0], tables[1], 1e-12).empty());
    CHECK(last_row(tables[0]).at(meter == flow ? "forward" : "count") > 600);
  }
}

TEST_CASE("particle files list stored granules where full DEM has them") {
  const scree::test::OneThread one;
  for (const std::string format : {"csv", "dump", "xyzr"}) {
    const std::string writer = R"({"type": "particle-files", "interval": 1, "format": ")" + format + R"("})";
    std::vector<std::vector<double>> numbers;
    for (const bool culled : {true, false}) {
      Running run = flying(culled, writer, {0.2, -0.1, 0.3});
      std::string text = written(run, "bodies/bodies_000001." + std::string(format == "xyzr" ? "txt" : format), 1, 1);
      if (culled) REQUIRE(figure(run, "stored") > 300);
      for (int line = format == "dump" ? 9 : 1; line > 0; --line) text.erase(0, text.find('\n') + 1);
      std::ranges::replace(text, ',', ' ');
      std::istringstream in(text);
      numbers.emplace_back(std::istream_iterator<double>(in), std::istream_iterator<double>());
    }
    REQUIRE(numbers[0].size() == numbers[1].size());
    REQUIRE(numbers[0].size() > 4000);
    double worst = 0;
    for (std::size_t k = 0; k < numbers[0].size(); ++k)
      worst = std::max(worst, std::abs(numbers[0][k] - numbers[1][k]));
    CHECK(worst < 1e-12);  // components of quaternions; places err by 1e-15 m
  }
}

TEST_CASE("an outlet takes granules of an aggregate one by one, when they come in, as in full DEM") {
  const scree::test::OneThread one;
  const std::string outlet =
      R"({"type": "outlet", "interval": 0.002, "region": {"type": "half-space", "point": [0.05, 0, 0], "normal": [-1, 0, 0]}})";
  Running culled = flying(true, outlet, {4, 0, 0}), full = flying(false, outlet, {4, 0, 0});
  const std::size_t granules = full.world().size();
  culled.steps(1), full.steps(1);
  REQUIRE(figure(culled, "stored") > 300);
  for (int call = 0; call < 20; ++call) {
    for (Running* const run : {&culled, &full}) run->steps(40);
    const auto left = [](Running& run) { return run.world().metrics().at("outlet_count"); };
    CHECK(left(culled) == left(full));
    CHECK(culled.world().metrics().at("outlet_mass_kg") ==
          Approx(full.world().metrics().at("outlet_mass_kg")).epsilon(1e-12));
    CHECK(count_free_bodies(culled.world()) + static_cast<std::size_t>(left(culled)) == granules);
  }
  CHECK(culled.world().size() == 0);
  CHECK(figure(culled, "aggregates") == 0);
  CHECK(figure(culled, "momentum_error") < 1e-12);
}

TEST_CASE("an outlet for other entries leaves an aggregate in its region alone") {
  const scree::test::OneThread one;
  const std::string ball = R"(, {"name": "balls", "shape": "ball", "material": "g", "position": [0.5, 0, 0]})";
  const std::string outlet =
      R"({"type": "outlet", "interval": 0.002, "bodies": ["balls"], "region": {"type": "sphere", "centre": [0, 0, 0], "radius": 1}})";
  Running run = flying(true, outlet, {0, 0, 0}, Vec3::Zero(), ball);
  const std::size_t bodies = count_free_bodies(run.world());
  run.steps(50);
  CHECK(run.world().metrics().at("outlet_count") == 1);
  CHECK(count_free_bodies(run.world()) == bodies - 1);
  CHECK(figure(run, "stored") > 300);
}

TEST_CASE("an emitter puts nothing where stored granules are") {
  const scree::test::OneThread one;
  const auto owed = [](bool culled) {
    const std::string emitter =
        R"({"type": "emitter", "start": 1e-3, "number": 1, "shape": "grain", "material": "g", "attempts": 200,
            "region": {"type": "sphere", "centre": [0, 0, 0], "radius": 0.01}})";
    Running run = flying(culled, emitter, {0, 0, 0});
    run.steps(30);
    if (culled) REQUIRE(figure(run, "stored") > 300);
    return run.world().metrics().at("emitter_owed");
  };
  CHECK(owed(true) == 1);
  CHECK(owed(false) == 1);
}

TEST_CASE("bodies that are removed at a time go, whether they are stored or not") {
  const scree::test::OneThread one;
  GranularScene scene{lump(kRadius)};
  scene.gravity = "[0, 0, 0]";
  Running run(scene.text(), {"/bodies/0/remove_at=0.01"});
  run.steps(1);
  REQUIRE(figure(run, "stored") > 300);
  run.steps(300);
  CHECK(run.world().size() == 0);
  CHECK(figure(run, "stored") == 0);
}

TEST_CASE("free bodies are those in the World and those that are stored, each once") {
  const scree::test::OneThread one;
  Running culled = flying(true, "", {0, 0, 0}), full = flying(false, "", {0, 0, 0});
  culled.steps(1);
  std::map<Id, BodyState> states;
  for_each_free_body(culled.world(), [&](const BodyState& state) { CHECK(states.emplace(state.id, state).second); });
  REQUIRE(states.size() == full.world().size());
  CHECK(count_free_bodies(culled.world()) == states.size());
  CHECK(figure(culled, "granule_bytes") < 40 * figure(culled, "stored"));
  for (std::size_t i = 0; i < full.world().size(); ++i) {
    const BodyState &here = states.at(full.world().id.read()[i]), there = state_of(full.world(), i);
    CHECK(here.rigid.mass == there.rigid.mass);
    CHECK(here.rigid.inertia == there.rigid.inertia);
    CHECK(here.shape == there.shape);
    CHECK((here.rigid.frame.position - there.rigid.frame.position).norm() < 1e-14);
  }
}

TEST_CASE("two hooks granular-culling are refused") {
  const scree::test::OneThread one;
  GranularScene scene{lump(3)};
  const std::string hook = R"({"type": "granular-culling", "window": 0.01})";
  CHECK_THROWS_WITH(Running(scene.text(), {"/hooks=[" + hook + ", " + hook + "]"}),
                    ContainsSubstring("granular-culling: there is another hook of this kind"));
}
