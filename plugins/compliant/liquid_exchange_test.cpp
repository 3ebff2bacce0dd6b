// The modifier liquid-films by itself: a million bridges come and go, and not a bit of liquid is lost.

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include "catch.hpp"
#include "liquid_films.hpp"
#include "liquid_force.hpp"
#include "scree/base/error.hpp"
#include "scree/base/exact_sum.hpp"

using namespace scree;
using namespace scree::compliant;

namespace {

class WetGrain final : public Shape {
 public:
  int dimension() const noexcept override { return 3; }
  MassProperties mass(double density) const override { return {density * 4e-9, Vec3::Constant(density * 1e-15)}; }
  double bounding_radius() const noexcept override { return 1e-3; }
  Surface surface() const override { return {}; }
  const void* facet(std::string_view) const noexcept override { return nullptr; }
};

/// Contacts as a law would keep them.
struct Touching final : HistoryStore {
  std::vector<HistoryRecord> records;
  std::vector<HistoryRecord> extract() const override { return records; }
  void insert(std::span<const HistoryRecord>) override {}
  void add(Id a, Id b, double volume) { records.push_back({0, a, b, 0, 0, 0, {7, 8, volume, kLiquidMark}}); }
};

constexpr std::size_t kGrains = 20;

std::unique_ptr<World> wet_world() {
  auto world = std::make_unique<World>(3);
  world->group_names = {"grains", "wall"};
  world->add_shape("grain", std::make_shared<WetGrain>());
  world->add_material({"glass", 2500, 0, -1});
  std::vector<BodySpec> bodies(kGrains + 1);
  bodies.back().group = 1;
  world->add(bodies);
  return world;
}

std::string films(const std::string& film) { return R"({"share": 0.05, "interval": 1e-5, "films": [)" + film + "]}"; }

double all_liquid(World& world, const Touching& contacts) {
  ExactSum sum;
  for (const double film : world.column<double>("liquid_volume").read()) sum.add(film);
  for (const HistoryRecord& r : contacts.records) sum.add(std::max(0.0, r.values[2]));
  return sum.value();
}

}  // namespace

TEST_CASE("films: over a million formations the liquid is the same to the last bit") {
  const auto world = wet_world();
  LiquidFilms modifier(Options::parse(films(R"({"bodies": "grains", "volume": 1.23456789e-12})")));
  modifier.begin(*world);
  Touching contacts;
  const double start = all_liquid(*world, contacts);
  CHECK(start == Approx(kGrains * 1.23456789e-12).epsilon(1e-9));
  std::mt19937 random(3);
  std::uniform_int_distribution<Id> any(0, kGrains);
  std::size_t formed = 0;
  while (formed < 1000000) {
    modifier.apply(*world, nullptr, contacts);
    REQUIRE(world->metric("liquid_m3") == start);
    const auto offer = world->column<double>("liquid_offer");
    for (HistoryRecord& r : contacts.records)
      if (double& volume = r.values[2]; volume < 0) {
        const double offered = offer[r.a] + offer[r.b];
        volume = offered > 0 ? std::min(offered, largest_bridge(9e-14)) : volume;
        formed += volume > 0;
      }
    modifier.apply(*world, nullptr, contacts);
    REQUIRE(all_liquid(*world, contacts) == start);
    for (const double film : world->column<double>("liquid_volume").read()) REQUIRE(film >= 0);
    // A third part, as many touch anew.
    std::erase_if(contacts.records, [&](const HistoryRecord&) { return random() % 3 == 0; });
    std::set<std::pair<Id, Id>> there;
    for (const HistoryRecord& r : contacts.records) there.insert({r.a, r.b});
    for (int k = 0; k < 300; ++k) {
      const Id a = any(random), b = any(random);
      if (a != b && there.insert(std::minmax(a, b)).second) contacts.add(std::min(a, b), std::max(a, b), -1);
    }
  }
  CHECK(world->column<double>("liquid_volume")[kGrains] == 0);  // the wall holds none
  contacts.records.clear();
  modifier.apply(*world, nullptr, contacts);
  CHECK(all_liquid(*world, contacts) == start);
}

TEST_CASE("films: shares are of the film, and of no more than there is; bridges are halved when they break") {
  const auto world = wet_world();
  LiquidFilms modifier(Options::parse(films(R"({"bodies": "grains", "fraction": 0.01})")));
  modifier.begin(*world);
  auto film = world->column<double>("liquid_volume"), offer = world->column<double>("liquid_offer");
  const double full = film[0];
  CHECK(full == Approx(4e-11).epsilon(1e-10));
  Touching contacts;
  contacts.add(0, 1, -1);
  modifier.apply(*world, nullptr, contacts);
  CHECK(offer[0] == Approx(0.05 * full).epsilon(1e-9));
  contacts.records[0].values[2] = offer[0] + offer[1];
  for (Id b = 2; b < kGrains; ++b)
    for (int k = 0; k < 2; ++k) contacts.add(0, b, -1);  // 36 wait for grain 0, two each for the others
  modifier.apply(*world, nullptr, contacts);
  CHECK(film[0] == Approx(0.95 * full).epsilon(1e-9));
  CHECK(offer[0] == Approx(film[0] / 36).epsilon(1e-9));
  CHECK(offer[0] * 36 <= film[0]);
  CHECK(offer[2] == Approx(0.05 * full).epsilon(1e-9));

  const std::vector<std::byte> state = modifier.save();
  LiquidFilms other(Options::parse(films(R"({"bodies": "grains", "fraction": 0.01})")));
  const std::vector<double> kept(film.read().begin(), film.read().end());
  other.begin(*world);
  std::ranges::copy(kept, film.write().begin());
  other.load(state);
  CHECK(other.save() == state);
  contacts.records.clear();
  other.apply(*world, nullptr, contacts);
  CHECK(film[0] == full);
  CHECK(film[1] == full);
  CHECK(world->metric("wet_pairs") == 0);
  std::vector<std::byte> cut(state.begin(), state.end() - 1);
  CHECK_THROWS_WITH(other.load(cut), Catch::Matchers::ContainsSubstring("liquid-films: its state in the checkpoint has "
                                                                        "another size"));
}

TEST_CASE("films: a wall gets nothing back, and unknown entries are refused") {
  const auto world = wet_world();
  LiquidFilms modifier(Options::parse(films(R"({"bodies": "grains", "volume": 1e-12})")));
  modifier.begin(*world);
  Touching contacts;
  contacts.add(3, kGrains, -1);
  modifier.apply(*world, nullptr, contacts);
  const double offered = world->column<double>("liquid_offer")[3], full = world->column<double>("liquid_volume")[3];
  CHECK(world->column<double>("liquid_offer")[kGrains] == 0);
  contacts.records[0].values[2] = offered;
  modifier.apply(*world, nullptr, contacts);
  CHECK(world->column<double>("liquid_volume")[3] == full - offered);
  contacts.records.clear();
  modifier.apply(*world, nullptr, contacts);
  CHECK(world->column<double>("liquid_volume")[3] == full);

  LiquidFilms unknown(Options::parse(films(R"({"bodies": "grain", "volume": 1e-12})")));
  CHECK_THROWS_WITH(unknown.begin(*world), Catch::Matchers::ContainsSubstring(
                                               "no entry of the scene's bodies is called \"grain\". There are: grains, "
                                               "wall."));
  CHECK_THROWS_WITH(LiquidFilms(Options::parse(films(R"({"bodies": "grains"})"))),
                    Catch::Matchers::ContainsSubstring("either a \"volume\" [m^3] or a \"fraction\""));
  CHECK_THROWS_WITH(LiquidFilms(Options::parse(R"({"share": 0.05, "films": [{"bodies": "grains", "volume": 1e-12}]})")),
                    Catch::Matchers::ContainsSubstring("has no \"interval\""));
}
