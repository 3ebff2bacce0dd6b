// Contacts for solvers of impulses: their input, and the use of their answer.

#include "catch.hpp"
#include "disc_world.hpp"
#include "scree/law/cone_face.hpp"

using namespace scree;
using namespace scree::test;

namespace {

/// Law whose friction is the speed of sliding, and whose restitution is the overlap.
class Telling final : public ContactLaw, public ConeFace {
 public:
  const void* face(std::string_view name) const noexcept override {
    return name == ConeFace::kName ? static_cast<const ConeFace*>(this) : nullptr;
  }
  void cone(const ContactColumns& c, double* friction, double* restitution) const override {
    for (std::size_t i = 0; i < c.size; ++i) friction[i] = std::abs(c.velocity[0][i]), restitution[i] = c.overlap[i];
  }
};

/// Discs of radius 0.5, whose gaps up to 0.1 count.
std::unique_ptr<Run> cone_run() {
  auto run = std::make_unique<Run>(std::vector<double>{0.5});
  Interaction& interaction = run->methods.interactions[0];
  interaction.law = std::make_unique<Telling>();
  interaction.force = nullptr;
  interaction.cone = face<ConeFace>(*interaction.law);
  interaction.history = 3;
  run->methods.margin = run->methods.channels[0].margin = 0.1;
  run->mechanics = std::make_unique<HostMechanics>(run->world, run->methods);
  return run;
}

/// One contact of two discs under as many names as wanted, the names from `first` on. None of now has a name of before:
/// all copy the history of the first old one, and what the others carried goes to the last of now.
struct RenamedDiscs final : ContactDetector {
  std::uint32_t first = 0, count = 1;
  Discs discs{std::vector<double>{0.5}};

  DetectorTraits traits() const override { return {}; }
  void bind(std::span<const Shape* const>) override {}
  void detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache& cache, double margin,
              ContactBuffer& out) const override {
    ContactBuffer once;
    discs.detect(bodies, pairs, cache, margin, once);
    for (std::size_t i = 0; i < once.size(); ++i)
      for (std::uint32_t k = first; k < first + count; ++k)
        out.push(once.pair()[i], once.overlap()[i], once.normal_at(i), once.point_at(i), k, k + 1);
  }
  void match(const ContactMatch& m) const override {
    REQUIRE(m.successor);
    std::fill_n(m.source, m.new_count, 0);
    for (std::size_t i = 0; i < m.new_count; ++i) m.new_feature[i] = unused_feature(m, i);
    for (std::size_t j = 1; j < m.old_count; ++j) m.successor[j] = static_cast<std::int32_t>(m.new_count) - 1;
  }
};

BodySpec disc_at(double x, double y) {
  BodySpec b;
  b.position = {x, y, 0};
  return b;
}

}  // namespace

TEST_CASE("a contact comes with normal, arms, gap, velocities and what its law says") {
  auto run = cone_run();
  BodySpec floor;
  floor.shape = 1;
  floor.kind = BodyKind::fixed;
  floor.surface_velocity = {7, 5, 0};  // a belt carries along and does not push
  std::vector<BodySpec> bodies = {disc_at(0, 0.45), disc_at(0, 1.5), floor, disc_at(0, 9)};
  bodies[0].velocity = {2, 0, 0};
  bodies[0].angular_velocity = {0, 0, 3};
  run->world.add(bodies);
  run->mechanics->refresh();
  const auto contacts = run->mechanics->contacts(0.1);
  REQUIRE(contacts.size() == 2);
  const auto of = [&](Id id) {
    return *std::find_if(contacts.begin(), contacts.end(), [&](const ConeContact& c) {
      return run->world.id.read()[c.a] == 0 && run->world.id.read()[c.b] == id;
    });
  };
  const ConeContact up = of(1), down = of(2);
  CHECK(up.normal.isApprox(Vec3::UnitY()));
  CHECK(up.gap == Approx(0.05));
  CHECK(up.arm_a.isApprox(Vec3(0, 0.525, 0)));
  CHECK(up.arm_b.isApprox(Vec3(0, -0.525, 0)));
  CHECK(up.velocity.isApprox(Vec3(-2 + 3 * 0.525, 0, 0)));  // of b relative to a
  CHECK(up.imposed.isZero(0));
  CHECK(up.impulse.isZero(0));
  CHECK(up.friction == Approx(2 - 3 * 0.525));
  CHECK(up.restitution == Approx(-0.05));
  CHECK(down.normal.isApprox(-Vec3::UnitY()));
  CHECK(down.gap == Approx(-0.05));
  CHECK(down.arm_a.isApprox(Vec3(0, -0.475, 0)));
  CHECK(down.velocity.isApprox(Vec3(7 - 2 - 3 * 0.475, 0, 0)));
  CHECK(down.imposed.isApprox(Vec3(7, 0, 0)));
  // Gravity is apart from contacts, and does not act on what is fixed.
  const Wrenches external = run->mechanics->external();
  const double mass = run->world.mass.read()[*run->world.row(0)];
  CHECK(external[*run->world.row(0)].force.isApprox(Vec3(0, -mass, 0)));
  CHECK(external[*run->world.row(2)].force.isZero(0));
}

TEST_CASE("accepted impulses act on both bodies, count as contacts and are remembered when rows change order") {
  auto run = cone_run();
  std::vector<BodySpec> bodies;
  for (int i = 0; i < 40; ++i) bodies.push_back(disc_at(1.05 * i, 5));
  run->world.add(bodies);
  run->methods.environment.gravity = Vec3::Zero();
  run->mechanics->refresh();
  ImpulseProblem& cones = ability<ImpulseProblem>(*run->mechanics);
  // Every contact (i, i + 1) gets the impulse (i + 1, 2 i, 0), but for that of 7, which gets none.
  const auto of = [](Id id) { return id == 7 ? Vec3(Vec3::Zero()) : Vec3(double(id) + 1, 2.0 * double(id), 0); };
  const auto lower = [&](const ConeContact& c) {
    return std::min(run->world.id.read()[c.a], run->world.id.read()[c.b]);
  };
  const auto first = cones.contacts(0.5);
  REQUIRE(first.size() == 39);
  std::vector<Vec3> impulses;
  for (const ConeContact& c : first) impulses.push_back(of(lower(c)));
  run->mechanics->pipeline().keep_records(true);
  cones.contacts(0.5);
  cones.accept(impulses, 0.5);
  CHECK(run->mechanics->pipeline().counts().contacts == 38);
  CHECK(run->mechanics->pipeline().counts().touching_pairs == 38);
  const Wrenches total = run->mechanics->last_forces();
  for (Id id = 0; id < 40; ++id) {
    const Vec3 from_left = id > 0 ? of(id - 1) : Vec3::Zero(), from_right = id < 39 ? of(id) : Vec3::Zero();
    const std::size_t row = *run->world.row(id);
    CHECK(total[row].force.isApprox((from_left - from_right) / 0.5));
    CHECK(total[row].torque.z() == Approx(-0.525 * (from_left + from_right).y() / 0.5));
  }
  const ContactView records = run->mechanics->pipeline().contact_view();
  REQUIRE(records.size() == 38);  // those that push, as counted
  for (const ContactRecord& r : records) CHECK(r.force.isApprox(of(r.a) / 0.5));

  // Mirrored: the same pairs, rows in another order.
  run->mechanics->commit();
  const auto rebuilds = run->mechanics->pipeline().rebuilds;
  for (Vec3& x : run->world.position.write()) x.x() = -x.x();
  run->world.mark_moved(std::vector<Id>{0});
  const std::size_t row_before = *run->world.row(0);
  run->mechanics->pipeline().rebuild(true);
  CHECK(run->mechanics->pipeline().rebuilds > rebuilds);
  CHECK(*run->world.row(0) != row_before);
  const auto later = cones.contacts(0.5);
  REQUIRE(later.size() == 39);
  for (const ConeContact& c : later) CHECK(c.impulse.isApprox(of(lower(c))));
}

TEST_CASE("contacts without a positive weight are no cones") {
  auto run = cone_run();
  run->methods.detectors[0] = std::make_unique<WeightedDiscs>(std::vector<double>{0.5, HUGE_VAL});
  run->methods.channels[0].detector = run->methods.detectors[0].get();
  run->methods.channels[0].weighted = true;
  run->mechanics = std::make_unique<HostMechanics>(run->world, run->methods);
  run->world.add(std::vector<BodySpec>{disc_at(0, 0), disc_at(0.9, 0)});
  run->mechanics->refresh();
  CHECK(run->mechanics->contacts(1).size() == 2);
}

TEST_CASE("contacts that part, merge and change their names hand each impulse on once") {
  auto run = cone_run();
  auto* const discs = new RenamedDiscs;
  run->methods.detectors[0].reset(discs);
  run->methods.channels[0].detector = discs;
  run->mechanics = std::make_unique<HostMechanics>(run->world, run->methods);
  run->world.add(std::vector<BodySpec>{disc_at(0, 0), disc_at(0.9, 0)});
  run->mechanics->refresh();
  ImpulseProblem& cones = ability<ImpulseProblem>(*run->mechanics);
  const Vec3 one(1, 20, 0), two(300, 4000, 0), three(5e4, 6e5, 0);
  const auto accept = [&](const std::vector<Vec3>& impulses) {
    REQUIRE(cones.contacts(1).size() == impulses.size());
    cones.accept(impulses, 1);
    run->mechanics->commit();
  };
  const auto handed_on = [&](std::uint32_t first, std::uint32_t count) {
    discs->first = first, discs->count = count;
    std::vector<Vec3> impulses;
    for (const ConeContact& c : cones.contacts(1)) impulses.push_back(c.impulse);
    return impulses;
  };
  const Vec3 none = Vec3::Zero();
  accept({one});
  CHECK(handed_on(10, 3) == std::vector<Vec3>{one, none, none});
  accept({one, two, three});
  CHECK(handed_on(20, 2) == std::vector<Vec3>{one, two + three});
  CHECK(handed_on(20, 1) == std::vector<Vec3>{one + two + three});
  CHECK(handed_on(10, 3) == std::vector<Vec3>{one, two, three});
}

TEST_CASE("what impulses of its own contacts give a member can be read, as their forces over the step") {
  auto run = cone_run();
  run->world.add(std::vector<BodySpec>{disc_at(0, 0), disc_at(1.2, 0), disc_at(1.2, 0.9)});
  run->world.attach(std::vector<Id>{1}, 0, {2, {0, 0, 1}, {}, {}});
  run->world.keep_own_forces();
  run->mechanics->refresh();
  ImpulseProblem& cones = ability<ImpulseProblem>(*run->mechanics);
  REQUIRE(cones.contacts(0.5).size() == 1);
  const Vec3 impulse(3, 4, 0);
  cones.accept(std::vector<Vec3>{impulse}, 0.5);
  const auto at = [&](const char* name, Id id) { return run->world.column<Vec3>(name).read()[*run->world.row(id)]; };
  const Vec3 force = impulse / 0.5;  // on body 2, which has the higher id
  CHECK(at("own_force", 1).isApprox(-force));
  CHECK(at("own_torque", 1).isApprox(Vec3(0, 0.45, 0).cross(-force)));
  CHECK(at("own_force", 2).isApprox(force));
  CHECK(at("own_force", 0).isApprox(-force));
  CHECK(at("own_torque", 0).isApprox(Vec3(1.2, 0.45, 0).cross(-force)));
  CHECK(at("force", 1) == Vec3::Zero());
}
