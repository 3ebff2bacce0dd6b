// Laws of spheres that are worked out where contacts are found: the same bits as in a kernel of their own.
#include <fmt/format.h>

#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "engine/device_code.hpp"
#include "scree/device/sphere_pairs.hpp"
#include "tests/bare_engine.hpp"
#include "tests/evaluation.hpp"

using namespace scree;
using namespace scree::device;

namespace {

/// A law that offers no stage for spheres.
class Apart final : public ContactLaw {
 public:
  explicit Apart(std::unique_ptr<ContactLaw> law) : law_(std::move(law)) {}
  double range() const noexcept override { return law_->range(); }
  const void* face(std::string_view name) const noexcept override {
    const void* const face = law_->face(name);
    if (name != DeviceLaw::kName || !face) return face;
    offer_ = *static_cast<const DeviceLaw*>(face);
    offer_.of_spheres = nullptr;
    return &offer_;
  }

 private:
  std::unique_ptr<ContactLaw> law_;
  mutable DeviceLaw offer_;
};

void keep_apart(Methods& methods) {
  for (Interaction& interaction : methods.interactions)
    interaction.law = std::make_unique<Apart>(std::move(interaction.law));
}

/// Forces of a law, and as its energy a number made of the mass and the radius that it is told.
class TellsMass final : public ForceFace {
 public:
  explicit TellsMass(const ForceFace& force) : force_(force) {}
  ForceNeeds needs() const noexcept override { return force_.needs(); }
  int history_size() const noexcept override { return force_.history_size(); }
  void force(const ContactColumns& contacts, const double* const* last, double* const* now,
             ForceColumns out) const override {
    force_.force(contacts, last, now, out);
  }
  void energy(const ContactColumns& contacts, const double* const*, double* energy) const override {
    for (std::size_t i = 0; i < contacts.size; ++i) energy[i] = contacts.mass[i] / 2 + contacts.radius[i];
  }
  double contact_duration(double mass, double radius) const noexcept override {
    return force_.contact_duration(mass, radius);
  }

 private:
  const ForceFace& force_;
};

struct Places {
  std::string name, json;  ///< json: with {} for the law and the integrator
};

const std::string kRest =
    R"("materials": {{"glass": {{"density": 2500, "youngs_modulus": 1e7, "poisson_ratio": 0.25}}}},
"interactions": [{{"between": ["*", "*"], "law": {}}}], "integrator": {{"type": "{}", "dt": 2e-5}}, "run": {{"duration": 1}},
"output": {{"writers": []}})";

const std::vector<Places> kPlaces = {
    {"spheres in a box", R"({{"dimension": 3, "gravity": [0, 0, -9.81], "shapes": {{"bead": {{"type": "sphere",
"radius": 0.01}}, "box": {{"type": "box", "half_sizes": [0.04, 0.04, 0.04], "inside": true}}}}, "bodies": [
{{"shape": "bead", "material": "glass", "seed": 3, "random_speed": 2, "packing": {{"type": "lattice",
"lower": [-0.028, -0.028, -0.028], "counts": [3, 3, 3], "spacing": 0.0199}}}},
{{"shape": "box", "material": "glass", "fixed": true, "position": [0, 0, 0]}}], )" +
                             kRest + "}}"},
    {"discs in the plane", R"({{"dimension": 2, "gravity": [0, -9.81], "shapes": {{"disc": {{"type": "sphere",
"radius": 0.01}}, "floor": {{"type": "half-plane", "normal": [0, 1]}}}}, "bodies": [
{{"shape": "disc", "material": "glass", "seed": 3, "random_speed": 2, "packing": {{"type": "lattice",
"lower": [0, 0.0095], "counts": [6, 5], "spacing": 0.0199}}}},
{{"shape": "floor", "material": "glass", "fixed": true, "position": [0, 0]}}], )" +
                               kRest + "}}"},
    {"spheres of many sizes in a periodic cell", R"({{"dimension": 3, "gravity": [3, 0, 0], "shapes": {{"bead":
{{"type": "sphere", "radius": 0.01}}}}, "bodies": [{{"shape": "bead", "material": "glass", "seed": 5, "random_speed": 2,
"scale": {{"type": "uniform", "lower": 0.7, "upper": 1.1}}, "packing": {{"type": "lattice",
"lower": [0.01, 0.01, 0.01], "counts": [3, 3, 3], "spacing": 0.02}}}}],
"periodic": {{"x": [0, 0.06], "y": [0, 0.06], "z": [0, 0.06]}}, )" +
                                                     kRest + "}}"},
    {"clumps", R"({{"dimension": 3, "gravity": [0, 0, -9.81], "shapes": {{"clump": {{"type": "clump", "spheres": [
{{"position": [0, 0, 0], "radius": 0.01}}, {{"position": [0.012, 0, 0], "radius": 0.008}}]}}, "box": {{"type": "box",
"half_sizes": [0.056, 0.056, 0.056], "inside": true}}}}, "bodies": [{{"shape": "clump", "material": "glass", "seed": 7,
"random_speed": 4, "orientation": "random", "packing": {{"type": "lattice", "lower": [-0.037, -0.037, -0.037],
"counts": [3, 3, 3], "spacing": 0.037}}}},
{{"shape": "box", "material": "glass", "fixed": true, "position": [0, 0, 0]}}], )" +
                   kRest + "}}"},
};

const std::vector<std::string> kLaws = {
    R"({"type": "hertz-mindlin", "restitution": 0.6, "friction": 0.4})",
    R"({"type": "hertz-mindlin", "restitution": 0.6, "friction": 0})",
    R"({"type": "hertz-mindlin", "restitution": 0.6, "friction": 0.4, "cohesion": {"model": "jkr", "work_of_adhesion": 0.2}})",
    R"({"type": "linear", "normal_stiffness": 2e4, "restitution": 0.6, "friction": 0.4})",
    R"({"type": "linear", "normal_stiffness": 2e4, "normal_damping": 0.3, "tangential": "viscous",
        "friction": 0.4, "cohesion": {"model": "constant", "force": 0.05}})",
};
/// Gives couples, and so has a kernel of its own.
const std::string kRolling = R"({"type": "linear", "normal_stiffness": 2e4, "restitution": 0.6, "friction": 0.4,
    "rolling": {"model": "constant", "friction": 0.1}})";

/// What a run tells of its contacts.
struct Contacts {
  std::vector<double> numbers;
  explicit Contacts(BareEngine& run) {
    const auto observation = run.engine->observe({true, true, true});
    for (const ContactRecord& c : run.engine->contacts())
      numbers.insert(numbers.end(), {double(c.a), double(c.b), c.overlap, c.normal[0], c.normal[1], c.normal[2],
                                     c.point[0], c.point[1], c.point[2], c.force[0], c.force[1], c.force[2]});
    const ContactTotals totals = run.engine->totals();
    numbers.insert(numbers.end(),
                   {double(totals.contacts), double(totals.history_hits), totals.max_overlap, totals.elastic_energy});
    for (const HistoryRecord& r : run.engine->extract())
      numbers.insert(numbers.end(), r.values.begin(), r.values.end());
  }
};

}  // namespace

TEST_CASE("laws of spheres in the kernel that finds the contacts: the bits of a kernel of their own") {
  for (const Places& places : kPlaces)
    for (const std::string& law : kLaws)
      for (const char* const integrator : {"symplectic-euler", "velocity-verlet"}) {
        CAPTURE(places.name, law, integrator);
        const std::string json = fmt::format(fmt::runtime(places.json), law, integrator);
        BareEngine together(json), apart(json, keep_apart);
        std::size_t most = 0;
        for (int i = 0; i < 4; ++i) {
          for (BareEngine* const run : {&together, &apart}) run->engine->advance(100, {}, nullptr);
          CHECK(state_hash(together.world()) == state_hash(apart.world()));
          const Contacts found(together), expected(apart);
          CHECK(found.numbers == expected.numbers);
          most = std::max(most, found.numbers.size());
        }
        CHECK(most > 60);  // some contacts, of ten numbers and more
        const std::string own = law.find("linear") == std::string::npos ? "hertz-mindlin" : "linear";
        CHECK(together.counts.stages.count(own + "-of-spheres") == 1);
        CHECK(together.counts.stages.count("sphere-sphere") == 0);
        CHECK(apart.counts.stages.count(own + "-of-spheres") == 0);
        CHECK(apart.counts.stages.count("sphere-sphere") == 1);
      }
}

TEST_CASE("laws of spheres that find the contacts themselves: energies are told masses and radii too") {
  std::vector<std::unique_ptr<TellsMass>> told;
  const auto tell = [&](Methods& methods) {
    for (Interaction& interaction : methods.interactions)
      interaction.force = told.emplace_back(std::make_unique<TellsMass>(*interaction.force)).get();
  };
  for (const Places& places : kPlaces) {
    CAPTURE(places.name);
    const std::string json = fmt::format(fmt::runtime(places.json), kLaws.front(), "symplectic-euler");
    const auto tell_and_keep_apart = [&](Methods& methods) {
      tell(methods);
      keep_apart(methods);
    };
    BareEngine together(json, tell), apart(json, tell_and_keep_apart);
    double energies[2];
    for (BareEngine* const run : {&together, &apart}) {
      run->engine->advance(200, {}, nullptr);
      const auto observation = run->engine->observe({true, true, true});
      energies[run == &apart] = run->engine->totals().elastic_energy;
    }
    CHECK(energies[0] > 0);
    CHECK(energies[0] == energies[1]);
  }
}

TEST_CASE("a law with couples against rolling has a kernel of its own for spheres too") {
  BareEngine run(fmt::format(fmt::runtime(kPlaces.front().json), kRolling, "symplectic-euler"));
  run.engine->advance(10, {}, nullptr);
  CHECK(run.counts.stages.count("linear") == 1);
  CHECK(run.counts.stages.count("sphere-sphere") == 1);
  CHECK(run.counts.stages.count("linear-of-spheres") == 0);
}

namespace {

/// The law of a third party, which uses all that there is.
struct UsesAll {
  double stiffness;
  ContactColumns c;
  const double* last[3];
  double* now[3];
  ForceColumns out;

  template <class Index>
  static Vector3d read(const double* const (&column)[3], const Index& i) {
    const std::size_t at = i;
    return {column[0][at], column[1][at], Index::kFlat && !column[2] ? 0 : column[2][at]};
  }
  template <class Index>
  SCREE_HD void operator()(const Index& i) const {
    if constexpr (requires { i.velocity; })
      answer(i, i.overlap, i.mass, i.radius, i.normal, i.velocity, i.turn, i.spin);
    else
      answer(i, c.overlap[i], c.mass[i], c.radius[i], read(c.normal, i), read(c.velocity, i), read(c.turn, i),
             read(c.spin, i));
  }
  template <class Index>
  SCREE_HD void answer(const Index& i, double overlap, double mass, double radius, const Vector3d& n, const Vector3d& u,
                       const Vector3d& turn, const Vector3d& spin) const {
    const std::size_t h = i.history;
    const Vector3d v = u + radius * cross(n, turn) + radius * cross(spin, n);
    const Vector3d spring = Vector3d{last[0][h], last[1][h], last[2][h]} + c.dt * v;
    now[0][h] = spring.x, now[1][h] = spring.y, now[2][h] = spring.z;
    const Vector3d f = (stiffness * overlap) * n - mass * v - stiffness * spring;
    const double pushes = overlap > 0 ? 1 : 0;
    out.force[0][i] = pushes * f.x;
    out.force[1][i] = pushes * f.y;
    if constexpr (!Index::kFlat) out.force[2][i] = pushes * f.z;
  }

  static UsesAll of(const void* parameters, const LawArguments& a) {
    UsesAll law{*static_cast<const double*>(parameters), a.contacts, {}, {}, a.out};
    for (int k = 0; k < 3; ++k) law.last[k] = a.last_history[k], law.now[k] = a.now_history[k];
    return law;
  }
  static int apart(const Execution& e, const void* parameters, const void* arguments) {
    const auto& a = *static_cast<const LawArguments*>(arguments);
    int error = 0;
    DeviceLoop{e, a.segment, a.flat, error}(a.contacts, of(parameters, a));
    return error;
  }
  static int of_spheres(const Execution& e, const void* parameters, const void* arguments) {
    const auto& a = *static_cast<const SphereLawArguments*>(arguments);
    int error = 0;
    SphereLoop{e, a, error}(a.law.contacts, of(parameters, a.law));
    return error;
  }
};

constexpr StageEntry kStages[] = {
    {"spheres", narrow_pairs<TwoSpheres>}, {"uses-all", UsesAll::apart}, {"uses-all-of-spheres", UsesAll::of_spheres}};
const StageTable kTable = table_of(kStages);
[[maybe_unused]] const bool kUsesAllLinked = linked_stages().emplace("uses-all", &kTable).second;

/// Spheres of two species, which meet their like and each other by two laws.
std::vector<Vector3d> forces(bool first_together, bool second_together, bool planar, bool central, Order order) {
  PlanarBodies bodies;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int i = 0; i < 200; ++i) {
    bodies.x.push_back({12 * unit(random), 12 * unit(random), planar ? 0 : unit(random)});
    bodies.v.push_back({unit(random) - 0.5, unit(random) - 0.5, planar ? 0 : unit(random) - 0.5});
    bodies.w.push_back({planar ? 0 : unit(random), planar ? 0 : unit(random), unit(random)});
    bodies.radius.push_back(0.4 + 0.2 * unit(random));
  }
  const double stiffness = 1000;
  const TwoSpheres geometry;
  const DeviceLaw law{{"uses-all", "uses-all", &stiffness}, planar, "uses-all-of-spheres"};
  Channel channel;
  channel.curvature = true;
  Interaction interaction;
  interaction.history = 3;
  interaction.needs.mass = interaction.needs.radius = interaction.needs.turn = interaction.needs.spin = true;
  DevicePlan plan;
  bodies.define(plan, 2);
  plan.planar = planar;
  plan.history = 3;
  plan.channel_of = {0, 1, 1, 0};
  for (const bool together : {first_together, second_together}) {
    const ContactMethods methods{&channel, &interaction, &law, central, false, planar, together};
    plan.columns.add(methods);
    plan.pairs.push_back({methods, {"uses-all", "spheres", &geometry}, 1, nullptr, {}});
  }
  return bodies.forces(plan, order);
}

}  // namespace

TEST_CASE("a third party's law of spheres, together, apart, and one of each: the same bits in every order") {
  for (const bool planar : {false, true})
    for (const bool central : {false, true}) {
      CAPTURE(planar, central);
      const std::vector<Vector3d> expected = forces(false, false, planar, central, Order::forward);
      int pushed = 0;
      for (const Vector3d& f : expected) pushed += length(f) > 0;
      CHECK(pushed > 100);
      for (const auto& [first, second] : {std::pair{true, true}, {true, false}, {false, true}})
        for (const Order order : {Order::forward, Order::reversed, Order::shuffled}) {
          CAPTURE(first, second);
          const std::vector<Vector3d> found = forces(first, second, planar, central, order);
          for (std::size_t i = 0; i < found.size(); ++i) {
            REQUIRE(found[i].x == expected[i].x);
            REQUIRE(found[i].y == expected[i].y);
            REQUIRE(found[i].z == expected[i].z);
          }
        }
    }
}
