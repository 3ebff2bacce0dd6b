/// \file Results of meters, compared with sums by hand.

#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <map>
#include <sstream>
#include <type_traits>

#include "catch.hpp"
#include "flow_meter.hpp"
#include "meters_scenes.hpp"
#include "region_meter.hpp"
#include "scree/base/error.hpp"
#include "temporary_folder.hpp"
#include "time_average.hpp"

namespace scree::meters {

namespace {

using test::TemporaryFolder;

/// Balls of 2 m^3 and 6 kg in a row along x, four metres apart, and a wall.
struct Row {
  World world{3};
  explicit Row(int balls) {
    world.add_shape("ball", std::make_shared<Ball>(3));
    world.add_material({"m", 3});
    world.group_names = {"balls", "wall"};
    std::vector<BodySpec> bodies(static_cast<std::size_t>(balls) + 1);
    for (int k = 0; k < balls; ++k) bodies[static_cast<std::size_t>(k)].position = {4.0 * k, 0, 0};
    bodies.back().group = 1, bodies.back().kind = BodyKind::fixed, bodies.back().position = {-2, 0, 0};
    world.add(bodies);
  }
};

constexpr const char* kBox =
    R"({"name": "box", "region": {"type": "box", "lower": [-1, -5, -5], "upper": [9, 5, 5], "outside": false}, "thickness": 1})";

}  // namespace

TEST_CASE("a region meter tells number, mass, fraction, centre, velocity and energy of what is in it") {
  const TemporaryFolder folder;
  Row row(5);
  row.world.velocity.write()[1] = {1, 2, 3};
  row.world.angular_velocity.write()[2] = {0, 2, 0};
  RegionMeter meter(Options::parse(kBox));
  meter.begin(row.world);
  meter.open(folder.path().string());
  meter.observe(row.world, nullptr, {0, 0, 0.5});
  const auto now = read(folder / "box.csv").at(0);
  CHECK(now.at("time_s") == 0.5);
  CHECK(now.at("count") == 3);
  CHECK(now.at("mass_kg") == 18);
  CHECK(now.at("solid_fraction") == Approx(6.0 / 1000));
  CHECK(now.at("centre_x_m") == Approx(4));
  CHECK(now.at("velocity_y_m_per_s") == Approx(2.0 / 3));
  CHECK(now.at("kinetic_energy_J") == Approx(0.5 * 6 * 14 + 0.5 * 1.5 * 4));
  CHECK(now.at("coordination") == 0);
  // Motion against the mean is stress too: sum m v' v'.
  CHECK(now.at("stress_zz_Pa") == Approx(6 * (4.0 + 1 + 1) / 1000));
}

TEST_CASE("a region's stress is the sum of force times branch over its volume, up to the contact point at a wall") {
  const TemporaryFolder folder;
  Row row(3);
  // Along x 10 N through all, from the wall; and a shear force that is held by another one.
  const auto contact = [](Id a, Id b, double x, const Vec3& force) {
    return ContactRecord{a, b, 0, 0, 0.1, Vec3::UnitX(), {x, 0, 0}, force};
  };
  const ContactView contacts = {contact(0, 1, 2, {10, 3, 0}), contact(0, 3, -1.5, {-10, 0, 0}),
                                contact(1, 2, 6, {10, 0, 0}), contact(1, 2, 20, {99, 0, 0})};
  RegionMeter meter(Options::parse(kBox));
  meter.begin(row.world);
  meter.open(folder.path().string());
  CHECK(meter.wants_contacts());
  meter.observe(row.world, &contacts, {0, 0, 0});
  const auto now = read(folder / "box.csv").at(0);
  CHECK(now.at("stress_xx_Pa") == Approx((10 * 4 + 10 * 4) / 1000.0));  // the wall's point is outside
  CHECK(now.at("stress_xy_Pa") == Approx(0.5 * 3 * 4 / 1000.0));
  CHECK(now.at("pressure_Pa") == Approx(80 / 3000.0));
  CHECK(now.at("coordination") == Approx(7.0 / 3));  // 4 contacts with 8 ends, one of them the wall's
}

TEST_CASE("a contact at a wall that is the region's border counts, though its point is half an overlap outside") {
  const TemporaryFolder folder;
  Row row(1);
  const ContactView contacts = {{0, 1, 0, 0, 0.1, -Vec3::UnitX(), {-1.05, 0, 0}, {-10, 0, 0}}};
  RegionMeter meter(Options::parse(kBox));
  meter.begin(row.world);
  meter.open(folder.path().string());
  meter.observe(row.world, &contacts, {0, 0, 0});
  CHECK(read(folder / "box.csv").at(0).at("stress_xx_Pa") == Approx(10 * 1.05 / 1000));
}

TEST_CASE("in 2D stresses are over area times thickness, and the pressure is half of the trace") {
  const TemporaryFolder folder;
  World world(2);
  world.add_shape("disc", std::make_shared<Ball>(2));
  world.add_material({"m", 3});
  world.group_names = {"discs"};
  std::vector<BodySpec> bodies(3);
  bodies[1].position = {4, 0, 0}, bodies[2].position = {0, 4, 0};
  world.add(bodies);
  const ContactView contacts = {{0, 1, 0, 0, 0.1, Vec3::UnitX(), {2, 0, 0}, {10, 0, 0}},
                                {0, 2, 0, 0, 0.1, Vec3::UnitY(), {0, 2, 0}, {0, 6, 0}}};
  RegionMeter meter(Options::parse(
      R"({"name": "box", "region": {"type": "box", "lower": [-1, -1], "upper": [9, 9], "outside": false}, "thickness": 0.5})"));
  meter.begin(world);
  meter.open(folder.path().string());
  meter.observe(world, &contacts, {0, 0, 0});
  const auto now = read(folder / "box.csv").at(0);
  CHECK(now.at("stress_xx_Pa") == Approx(10 * 4 / 50.).epsilon(1e-14));
  CHECK(now.at("stress_yy_Pa") == Approx(6 * 4 / 50.).epsilon(1e-14));
  CHECK(now.at("pressure_Pa") == Approx((10 * 4 + 6 * 4) / 100.).epsilon(1e-14));
}

TEST_CASE("only what is asked for is told: entries by name, and no densities without bounds") {
  const TemporaryFolder folder;
  Row row(2);
  RegionMeter meter(Options::parse(
      R"({"name": "half", "bodies": ["balls"], "region": {"type": "half-space", "point": [1, 0, 0], "normal": [1, 0, 0], "outside": true}})"));
  meter.begin(row.world);
  meter.open(folder.path().string());
  meter.observe(row.world, nullptr, {0, 0, 0});
  const auto now = read(folder / "half.csv").at(0);
  CHECK(now.at("count") == 1);
  CHECK(!now.contains("solid_fraction"));
  RegionMeter unknown(Options::parse(
      R"({"name": "half", "bodies": ["bals"], "region": {"type": "sphere", "centre": [1, 0, 0], "radius": 1, "outside": false}})"));
  CHECK_THROWS_WITH(
      unknown.begin(row.world),
      "there is no entry \"bals\" of bodies, and no emitter of this name before this hook. There are: balls, wall.");
  CHECK_THROWS_WITH(Series("metrics"), "\"metrics.csv\" is the name of another file of the run. Choose another one.");
}

TEST_CASE("a flow meter counts forth and back, within its region, and tells rates") {
  const TemporaryFolder folder;
  Row row(3);
  const auto options = [](const std::string& more) {
    return Options::parse(R"({"name": "gate", "point": [0, 0, -1], "normal": [0, 0, -2])" + more + "}");
  };
  FlowMeter meter(options("")),
      narrow(Options::parse(
          R"({"name": "narrow", "point": [0, 0, -1], "normal": [0, 0, -1], "region": {"type": "sphere", "centre": [4, 0, -1], "radius": 1, "outside": false}})"));
  const auto look = [&](std::uint64_t frame, double time) {
    meter.observe(row.world, nullptr, {frame, frame, time});
    narrow.observe(row.world, nullptr, {frame, frame, time});
  };
  const auto put = [&](std::size_t ball, double z) { row.world.position.write()[ball][2] = z; };
  for (FlowMeter* m : {&meter, &narrow}) m->begin(row.world), m->open(folder.path().string());
  look(0, 0);
  put(0, -3), put(1, -3);
  look(1, 0.5);
  put(0, 0);
  look(2, 1);
  const Table all = read(folder / "gate.csv");
  REQUIRE(all.size() == 3);
  CHECK(all[0].at("forward") == 0);
  CHECK(all[1].at("forward") == 2);
  CHECK(all[1].at("net_mass_kg") == 12);
  CHECK(all[1].at("rate_per_s") == 4);
  CHECK(all[1].at("mass_rate_kg_per_s") == 24);
  CHECK(all[2].at("backward") == 1);
  CHECK(all[2].at("net_mass_kg") == 6);
  CHECK(all[2].at("rate_per_s") == -2);
  CHECK(read(folder / "narrow.csv")[2].at("forward") == 1);
  CHECK(read(folder / "narrow.csv")[2].at("backward") == 0);
  CHECK_THROWS_WITH(FlowMeter(Options::parse(R"({"name": "x", "point": [0, 0, 0], "normal": [0, 0, 0]})")),
                    "has no direction. Give a vector that is not zero.");
}

TEST_CASE("a flow meter goes on from a checkpoint, and does not count a leap around the periodic cell") {
  const TemporaryFolder folder;
  Row row(2);
  row.world.cell = PeriodicCell(Vec3::Zero(), Vec3(0, 0, 10));
  const Options options = Options::parse(R"({"name": "gate", "point": [0, 0, 4], "normal": [0, 0, 1]})");
  const auto put = [&](double a, double b) {
    const auto x = row.world.position.write();
    x[0][2] = a, x[1][2] = b;
  };
  FlowMeter first(options), second(options);
  put(3, 9.9);
  first.begin(row.world);
  first.open(folder.path().string());
  first.observe(row.world, nullptr, {0, 0, 0});
  const auto state = first.save();
  put(5, 0.1);  // through the plane; through the side of the cell
  second.begin(row.world);
  second.open(folder.path().string());
  second.resume(1);
  second.load(state);
  second.observe(row.world, nullptr, {1, 1, 1});
  const Table table = read(folder / "gate.csv");
  REQUIRE(table.size() == 2);
  CHECK(table[1].at("forward") == 1);
  CHECK(table[1].at("backward") == 0);
  CHECK_THROWS_WITH(second.load({std::byte{1}}),
                    Catch::Matchers::StartsWith("the state of flow-meter in the checkpoint has another size"));
}

TEST_CASE("a region that fills a periodic cell loses nothing at its sides: contacts, bodies, flow through a side") {
  const TemporaryFolder folder;
  Row row(3);
  row.world.cell = PeriodicCell(Vec3(-2, -5, -5), Vec3(12, 10, 10));
  const std::string options =
      R"({"name": "box", "region": {"type": "box", "lower": [-2, -5, -5], "upper": [10, 5, 5], "outside": false}, "thickness": 1})";
  RegionMeter meter(Options::parse(options));
  meter.begin(row.world);
  meter.open(folder.path().string());
  row.world.position.write()[2] = {10.5, 0, 0};  // lists wrap it later
  // A row of three around the cell, pressed by 10 N: sum f l/V is 10 N over the section, wherever its contacts lie.
  const auto contact = [](Id a, Id b, std::int32_t image, double x) {
    return ContactRecord{a, b, image, 0, 0.1, Vec3::UnitX(), {x, 0, 0}, {10, 0, 0}};
  };
  const ContactView contacts = {contact(0, 1, 0, 2),
                                contact(1, 2, 0, 7.2),
                                {0, 2, packed(Image(-1, 0, 0)), 0, 0.1, -Vec3::UnitX(), {-0.9, 0, 0}, {-10, 0, 0}}};
  meter.observe(row.world, &contacts, {0, 0, 0});
  const auto now = read(folder / "box.csv").at(0);
  CHECK(now.at("count") == 3);
  CHECK(now.at("coordination") == 2);
  CHECK(now.at("stress_xx_Pa") == Approx(10.0 / 100).epsilon(1e-14));
  // The contact's point across a side.
  ContactView across = contacts;
  across[2].point[0] = -2.1;
  RegionMeter second(Options::parse(R"({"name": "c", )" + options.substr(16)));
  second.begin(row.world);
  second.open(folder.path().string());
  second.observe(row.world, &across, {0, 0, 0});
  CHECK(read(folder / "c.csv").at(0).at("stress_xx_Pa") == Approx(10.0 / 100).epsilon(1e-14));

  for (const int way : {1, -1}) {
    FlowMeter gate(
        Options::parse(R"({"name": "side", "point": [10, 0, 0], "normal": [)" + std::to_string(way) + ", 0, 0]}"));
    row.world.position.write()[2] = {9.8, 0, 0};
    gate.begin(row.world);
    gate.open(folder.path().string());
    gate.observe(row.world, nullptr, {0, 0, 0});
    for (const double x : {-1.9, -1.7, 9.9, 10.1, -1.9}) {  // forth, on, back; forth, and into the cell by the lists
      row.world.position.write()[2][0] = x;
      gate.observe(row.world, nullptr, {1, 1, 1});
    }
    const auto passed = read(folder / "side.csv").back();
    CHECK(passed.at(way > 0 ? "forward" : "backward") == 2);
    CHECK(passed.at(way > 0 ? "backward" : "forward") == 1);
  }
}

namespace {

std::string slurp(const std::filesystem::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A meter's options with `average`.
std::string averaging(std::string options, const std::string& average) {
  return options.insert(1, "\"average\": " + average + ", ");
}

/// A ball in the box of kBox at a speed that is another one each time, and a second one now and then.
void pose(Row& row, int k) {
  row.world.velocity.write()[0] = {0.1 * k * k, 0, std::sqrt(1.0 + k)};
  row.world.position.write()[1][0] = k % 3 == 0 ? 4.0 + 0.01 * k : 100;
}

}  // namespace

TEST_CASE("a region's averages begin at their start, and those of velocity and place are by mass") {
  const TemporaryFolder folder;
  Row row(2);
  RegionMeter meter(Options::parse(averaging(kBox, R"({"start": 0.3})")));
  meter.begin(row.world);
  meter.open(folder.path().string());
  const auto look = [&](std::uint64_t k, double vx, double second) {
    row.world.velocity.write()[0] = {vx, 0, 0};
    row.world.position.write()[1][0] = second;
    const double time = k == 3 ? std::nextafter(0.3, 0) : 0.1 * static_cast<double>(k);  // as steps times dt may be
    meter.observe(row.world, nullptr, {k, k, time});
  };
  look(0, 50, 4), look(1, 50, 4), look(2, 50, 4);
  look(3, 1, 100);
  look(4, 2, 100);
  look(5, 6, 4);  // the second ball is there, at rest
  const Table table = read(folder / "box.csv");
  CHECK(table[2].at("averaged_rows") == 0);
  CHECK(table[2].at("mean_mass_kg") == 0);
  CHECK(table[3].at("averaged_rows") == 1);
  CHECK(table[3].at("mean_velocity_x_m_per_s") == 1);
  CHECK(table[4].at("mean_velocity_x_m_per_s") == 1.5);
  const auto& last = table[5];
  CHECK(last.at("velocity_x_m_per_s") == 3);
  CHECK(last.at("averaged_rows") == 3);
  CHECK(last.at("mean_count") == Approx(4.0 / 3).epsilon(1e-15));
  CHECK(last.at("mean_mass_kg") == 8);
  CHECK(last.at("mean_velocity_x_m_per_s") == (6 * 1 + 6 * 2 + 12 * 3) / 24.0);
  CHECK(last.at("mean_centre_x_m") == 1);
  CHECK(last.at("mean_solid_fraction") == Approx(8.0 / 3 / 1000).epsilon(1e-15));
  CHECK(last.at("mean_kinetic_energy_J") == (3 + 12 + 108) / 3.0);
  CHECK(last.at("mean_stress_xx_Pa") == Approx(12 * 9 / 3000.0).epsilon(1e-15));  // against the mean of each moment
}

TEST_CASE("a window takes in the rows of so much time, the last one included, and nothing of what it has passed") {
  const TemporaryFolder folder;
  Row row(1);
  RegionMeter meter(Options::parse(averaging(kBox, R"({"start": 0, "window": 0.3})")));
  meter.begin(row.world);
  meter.open(folder.path().string());
  const double mass[] = {1e30, 1, 2, 3, 6, 0.1};
  for (std::uint64_t k = 0; k < 6; ++k) {
    row.world.velocity.write()[0] = {mass[k], 0, 0};
    meter.observe(row.world, nullptr, {k, k, 0.1 * static_cast<double>(k)});
  }
  const Table table = read(folder / "box.csv");
  CHECK(table[1].at("averaged_rows") == 2);
  for (std::size_t k = 2; k < 6; ++k) CHECK(table[k].at("averaged_rows") == 3);
  CHECK(table[3].at("mean_velocity_x_m_per_s") == 2);
  CHECK(table[4].at("mean_velocity_x_m_per_s") == Approx(11.0 / 3).epsilon(1e-15));
  CHECK(table[5].at("mean_velocity_x_m_per_s") == Approx(9.1 / 3).epsilon(1e-15));
}

TEST_CASE("a mean rate is what went through over the time that passed, whatever the rows' intervals") {
  const TemporaryFolder folder;
  Row row(3);
  FlowMeter meter(
      Options::parse(R"({"name": "gate", "point": [0, 0, -1], "normal": [0, 0, -1], "average": {"start": 1}})"));
  meter.begin(row.world);
  meter.open(folder.path().string());
  const auto look = [&](std::uint64_t k, double time, std::size_t falls) {
    row.world.position.write()[falls][2] = -3;
    meter.observe(row.world, nullptr, {k, k, time});
  };
  look(0, 0, 0), look(1, 1, 1);  // this one went before the start
  look(2, 1.25, 2);
  look(3, 3, 2);
  const Table table = read(folder / "gate.csv");
  CHECK(table[1].at("averaged_rows") == 0);
  CHECK(table[2].at("mean_rate_per_s") == 4);
  CHECK(table[3].at("averaged_rows") == 2);
  CHECK(table[3].at("mean_rate_per_s") == 0.5);
  CHECK(table[3].at("mean_mass_rate_kg_per_s") == 3);
}

TEST_CASE("averages that go on from a checkpoint are those of the whole run, to the last bit") {
  for (const char* const average : {R"({"start": 0.25})", R"({"start": 0, "window": 0.7})"}) {
    const TemporaryFolder whole, parts;
    const Options region = Options::parse(averaging(kBox, average));
    const Options flow =
        Options::parse(averaging(R"({"name": "gate", "point": [50, 0, 0], "normal": [1, 0, 0]})", average));
    constexpr int rows = 40, stop = 17;
    const auto observe = [](Row& row, Observer& meter, int from, int to) {
      for (int k = from; k < to; ++k) {
        pose(row, k);
        const auto frame = static_cast<std::uint64_t>(k);
        meter.observe(row.world, nullptr, {frame, frame, 0.03 * k});
      }
    };
    const auto compare = [&]<typename Meter>(std::type_identity<Meter>, const Options& options, const char* file) {
      Row row(2);
      Meter all(options), first(options), second(options);
      all.begin(row.world);
      all.open(whole.path().string());
      observe(row, all, 0, rows);
      first.begin(row.world);
      first.open(parts.path().string());
      observe(row, first, 0, stop);
      const auto state = first.save();
      observe(row, first, stop, stop + 5);  // lost with the process that was killed
      second.begin(row.world);
      second.open(parts.path().string());
      second.resume(stop);
      second.load(state);
      observe(row, second, stop, rows);
      CHECK(slurp(whole / file) == slurp(parts / file));
      CHECK(second.save() == all.save());
      CHECK_THROWS_WITH(second.load({state.begin(), state.end() - 1}), Catch::Contains("has another size"));
    };
    compare(std::type_identity<RegionMeter>{}, region, "box.csv");
    compare(std::type_identity<FlowMeter>{}, flow, "gate.csv");
  }
}

TEST_CASE("averages begin anew where a run goes on with another start or window") {
  const std::vector<Quantity> row = {{3, 1}};
  TimeAverage first(Options::parse(R"({"average": {"start": 0}})")),
      same(Options::parse(R"({"average": {"start": 0}})")),
      other(Options::parse(R"({"average": {"start": 0, "window": 2}})")), none(Options::parse("{}"));
  first.add(1, 1, row);
  CHECK(none.save().empty());
  for (TimeAverage* next : {&same, &other, &none}) next->load(first.save());
  same.add(2, 2, row), other.add(2, 2, row);
  CHECK(same.values(1) == std::vector<double>{2, 3});
  CHECK(other.values(1) == std::vector<double>{1, 3});
}

}  // namespace scree::meters
