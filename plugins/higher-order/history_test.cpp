#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "catch.hpp"
#include "disc_world.hpp"
#include "force_field.hpp"
#include "gear.hpp"
#include "not_free.hpp"
#include "rk4.hpp"

using namespace scree;
using namespace scree::higher_order;
using namespace scree::test;

namespace {

using Method = std::unique_ptr<Integrator>;

Wrench spring(const World& world, std::size_t i) { return {-18 * world.position.read()[i], Vec3::Zero()}; }

Wrench spring_and_twist(const World& world, std::size_t i) {
  return {-18 * world.position.read()[i], {0.1, 0.2, -world.position.read()[i][0]}};
}

/// Position after 3 s of a body that begins with 1 m/s on such a spring, less the exact one.
double friction_error(Method method, double dt) {
  Stage stage(2);
  stage.add(moving({1, 0, 0}));
  FrictionSpring mechanics(stage.world);
  stage.run(*method, mechanics, dt, static_cast<int>(std::lround(3 / dt)));
  return stage.world.position.read()[0][0] - std::sin(3.0);
}

/// Remembers how far a contact has slid, and pushes nobody.
class Slid final : public ContactLaw, public ForceFace {
 public:
  const void* face(std::string_view name) const noexcept override {
    return name == ForceFace::kName ? static_cast<const ForceFace*>(this) : nullptr;
  }
  int history_size() const noexcept override { return 1; }
  void force(const ContactColumns& c, const double* const* last, double* const* now, ForceColumns out) const override {
    for (std::size_t i = 0; i < c.size; ++i) {
      now[0][i] = last[0][i] + (c.normal[0][i] * c.velocity[1][i] - c.normal[1][i] * c.velocity[0][i]) * c.dt;
      for (int k = 0; k < 3; ++k) out.force[k][i] = 0;
    }
  }
  void energy(const ContactColumns& c, const double* const*, double* e) const override { std::fill_n(e, c.size, 0.0); }
  double contact_duration(double, double) const noexcept override { return 1; }
};

/// Returns the error of the sliding distance of a disc that passes another one in a straight line.
double sliding_error(int steps) {
  constexpr double begin = -0.8, end = 0.4, beside = 0.3;
  Run run({0.5}, std::make_unique<Slid>());
  run.methods.environment.gravity.setZero();
  std::vector<BodySpec> bodies(2);
  bodies[0].kind = BodyKind::fixed;
  bodies[1].position = {begin, beside, 0};
  bodies[1].velocity = {1, 0, 0};
  run.world.add(bodies);
  Rk4 method(true);
  method.columns(run.world);
  run.mechanics->refresh();
  for (int k = 0; k < steps; ++k) {
    method.step(*run.mechanics, (end - begin) / steps);
    run.world.time = static_cast<double>(++run.world.step) * (end - begin) / steps;
  }
  const auto records = run.mechanics->pipeline().history().records();
  REQUIRE(records.size() == 1);
  // The speed along the surface is v beside/distance.
  return std::abs(records[0].values[0]) - beside * (std::asinh(end / beside) - std::asinh(begin / beside));
}

}  // namespace

TEST_CASE(
    "Runge-Kutta with exact springs: what slides along a curve while it comes nearer slides as far as it should") {
  // Velocities are those of half a step before. With the normals of the end of the step the error would be of first
  // order.
  CHECK(std::abs(sliding_error(60)) < 1e-4);
  CHECK(sliding_error(60) / sliding_error(120) == Approx(4).epsilon(0.05));
}

TEST_CASE("four evaluations and one commit per step of Runge-Kutta, five with exact springs") {
  for (const bool exact : {false, true}) {
    Stage stage(2);
    stage.add(moving({1, 0, 0}));
    Field field(stage.world, spring);
    Rk4 method(exact);
    stage.run(method, field, 0.01, 10);
    CHECK(field.evaluations == (exact ? 50 : 40));
    CHECK(field.commits == 10);
  }
}

TEST_CASE("one evaluation and one commit per step of Gear, one more at the start and after an edit") {
  Stage stage(2);
  stage.add(moving({1, 0, 0}));
  Field field(stage.world, spring);
  Gear method(5, true);
  stage.run(method, field, 0.01, 10);
  CHECK(field.evaluations == 11);
  CHECK(field.commits == 10);
  EditLog edits;
  edits.added = {stage.add(moving({0, 1, 0}))};
  method.edited(stage.world, edits);
  stage.run(method, field, 0.01, 2);
  CHECK(field.evaluations == 14);
}

TEST_CASE("Gear restarts the derivatives of bodies that were moved, and of those alone") {
  const auto after = [](bool move) {
    Stage stage(2);
    BodySpec spec = moving({1, 0, 0});
    spec.position = {0.3, 0, 0};
    const Id first = stage.add(spec), second = stage.add(spec);
    Field field(stage.world, spring);
    Gear method(5, false);
    stage.run(method, field, 0.01, 20);
    const double v = stage.world.velocity.read()[*stage.world.row(second)][0];
    if (move) {
      stage.world.position.write()[*stage.world.row(second)] = {0, 0, 0};
      EditLog edits;
      edits.moved = {second};
      method.edited(stage.world, edits);
    }
    stage.run(method, field, 0.01, 1);
    const auto jerk = stage.world.column<Vec3>("jerk").read();
    return std::array{jerk[*stage.world.row(first)][0], jerk[*stage.world.row(second)][0], v};
  };
  const auto [first, second, v] = after(true);
  CHECK(first == after(false)[0]);
  // From x = 0 with all derivatives at zero, the acceleration after one step is wrong by -9 v h, and the jerk is
  // corrected by c_3 3!/h^3 h^2/2 of that. Rounding.
  CHECK(second == Approx(-1.5 * 9 * v).epsilon(1e-12));
}

TEST_CASE("a new Gear that finds the columns of an old one goes on with the same bits") {
  for (const int dimension : {2, 3}) {
    const auto state_after = [dimension](bool change) {
      Stage stage(dimension);
      BodySpec spec = moving({1, 0, 0});
      spec.angular_velocity = dimension == 2 ? Vec3(0, 0, 1) : Vec3(1, -2, 3);
      stage.add(spec);
      Field field(stage.world, spring_and_twist);
      Gear first(6, true), second(6, true);
      stage.run(first, field, 0.01, 7);
      stage.run(change ? second : first, field, 0.01, 7);
      return state_hash(stage.world);
    };
    CHECK(state_after(true) == state_after(false));
  }
}

TEST_CASE("Gear's derivatives follow their bodies when rows change order") {
  const auto state_after = [](bool swap) {
    Stage stage(2);
    stage.add(moving({1, 0, 0}));
    stage.add(moving({0, 2, 0}));
    Field field(stage.world, spring_and_twist);
    Gear method(5, true);
    stage.run(method, field, 0.01, 7);
    if (swap) stage.world.reorder(std::vector<std::uint32_t>{1, 0});
    stage.run(method, field, 0.01, 7);
    return state_hash(stage.world);
  };
  CHECK(state_after(true) == state_after(false));
}

TEST_CASE("fixed bodies stay, prescribed bodies are where their motion says, members follow their owner") {
  Gear gear(5, true);
  check_bodies_that_are_not_free(gear);
  Rk4 rk4(true);
  check_bodies_that_are_not_free(rk4);
}

TEST_CASE("springs of friction: first order where they grow by the last velocity, second with exact springs") {
  const auto ratio = [](auto&& make) { return friction_error(make(), 0.01) / friction_error(make(), 0.005); };
  CHECK(ratio([] { return Method(new Rk4(false)); }) == Approx(2).epsilon(0.05));
  CHECK(ratio([] { return Method(new Gear(5, true)); }) == Approx(2).epsilon(0.05));
  CHECK(ratio([] { return Method(new Rk4(true)); }) == Approx(4).epsilon(0.05));
}

TEST_CASE("springs of friction that grow by the last velocity are damped by omega dt / 4 of critical") {
  // v = exp(-zeta t) cos t after five periods, where a shift of phase does not show.
  const double dt = std::acos(-1.0) / 400, t = 4000 * dt;
  for (const bool by_gear : {false, true}) {
    Stage stage(2);
    stage.add(moving({1, 0, 0}));
    FrictionSpring mechanics(stage.world);
    const Method method = by_gear ? Method(new Gear(5, true)) : Method(new Rk4(false));
    stage.run(*method, mechanics, dt, 4000);
    CHECK(-std::log(stage.world.velocity.read()[0][0]) / t == Approx(dt / 4).epsilon(0.05));
  }
}
