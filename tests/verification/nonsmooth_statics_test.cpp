// What stands, and what falls: stacks, leaning cards, ladders, against statics.

#include "rigid_scene.hpp"

using namespace scree;
using namespace scree::test;

namespace {

/// A card that leans at this angle to the floor, of a skeleton 0.2 x 0.004 m with edges rounded by 1 mm: it stands on
/// the lowest point of one round corner and leans on the outermost of another, both on its lower side.
struct Leaning {
  double angle, length = 0.2, thickness = 0.004, radius = 0.001;
  double sine = std::sin(angle), cosine = std::cos(angle);
  double foot_x = -(length * cosine - thickness * sine) / 2,
         foot_y = -(length * sine + thickness * cosine) / 2 - radius;
  double top_y = (length * sine - thickness * cosine) / 2;
  double height = top_y - foot_y;  ///< of the upper contact above the lower one [m]

  std::vector<std::string> places(int bodies) const {
    const double x = -(length * cosine + thickness * sine) / 2 - radius;
    std::vector<std::string> sets;
    for (int b = 0; b < bodies; ++b) {
      sets.push_back(fmt::format("/bodies/{}/position=", b) + json({b == 0 ? x : -x, -foot_y}));
      sets.push_back(fmt::format("/bodies/{}/orientation={}", b, b == 0 ? angle : -angle));
    }
    return sets;
  }
  /// Horizontal force at the top, of the weight, at rest; the friction it takes at the foot.
  double thrust() const { return -foot_x / height; }
  /// Spin-up from rest when the foot slides and the top does not hold it.
  double spin_up(double friction, double mass, double inertia) const {
    const double lever = foot_x + friction * height;
    return lever * mass * kG / (inertia + mass * top_y * top_y + mass * foot_x * lever);
  }
};

/// Stands just above the critical friction of the foot, and slips with the exact spin-up just below.
void stands_or_slips(const std::string& scene, int leaning, const std::string& what) {
  for (const double degrees : {45.0, 60.0, 75.0}) {
    const Leaning card{degrees * kDegree};
    const double critical = card.thrust();
    const std::string name = fmt::format("{}, {} deg", what, degrees);
    const auto with = [&](double friction) {
      std::vector<std::string> sets = card.places(leaning);
      sets.push_back(fmt::format("/interactions/0/law/friction={}", friction));
      return sets;
    };
    compare(name, "mu; cot/2 of a thin one", std::cos(card.angle) / std::sin(card.angle) / 2, critical, 0.1);
    {
      RigidScene s(scene, with(critical * (1 + 1e-5)));
      const Vec3 start = s.position(0);
      s.until(2);
      compare(name, "mu (1 + 1e-5): drift [m]", 0, (s.position(0) - start).norm(), 1e-9);
      const double weight = s.mass(0) * kG * s.dt();
      const Vec3 top = s.impulse_between(0, leaning == 2 ? 1 : 2) / weight;
      compare("", "thrust/weight", critical, std::abs(top.x()), 1e-9);
      compare("", "its vertical part/weight", 0, std::abs(top.y()), 1e-9);
    }
    for (const double less : {1e-5, 0.1}) {
      const double friction = critical * (1 - less);
      RigidScene s(scene, with(friction));
      s.steps(1);
      // The critical friction less 1e-5 of itself is known to 1e-16, what is left of the thrust to 1e-11; the solver's
      // 1e-12 of a step's g dt are of the same size.
      compare(name, fmt::format("mu (1 - {}): spin-up", less), card.spin_up(friction, s.mass(0), s.inertia(0)),
              s.spin(0).z() / s.dt(), less < 1e-3 ? 1e-4 : 1e-8);
      s.until(2);
      CHECK(s.position(0).y() < -card.foot_y - 1e-4);
    }
  }
}

}  // namespace

TEST_CASE("a stack of ten boxes: the impulse at a level is the weight above it, times dt") {
  struct Stack {
    double ratio, friction, tolerance, gate;
    int steps;
  };
  // With friction the stack bends like a beam, whose slowest mode takes plain Gauss-Seidel n^4 sweeps, without it n^2.
  for (const Stack& stack : {Stack{1, 0, 1e-10, 1e-8, 20}, Stack{1, 0.5, 1e-10, 1e-8, 6},
                             Stack{1000, 0, 1e-10, 1e-5, 6}, Stack{1000, 0.5, 1e-10, 1e-5, 6}}) {
    RigidScene s("box_stack", {fmt::format("/materials/top/density={}", 1000 * stack.ratio),
                               fmt::format("/interactions/0/law/friction={}", stack.friction),
                               fmt::format("/interactions/1/law/friction={}", stack.friction),
                               fmt::format("/integrator/tolerance={}", stack.tolerance)});
    const std::string name = fmt::format("ten boxes, mu {}, top {} x", stack.friction, stack.ratio);
    ContactPipeline& pipeline = mechanics_of(s.prepared).pipeline();
    pipeline.keep_records(true);
    s.steps(1);
    const double cold = s.world().metric("solver_sweeps");
    double warm = 0;
    for (int n = 1; n < stack.steps; ++n) {
      s.steps(1);
      warm += s.world().metric("solver_sweeps") / (stack.steps - 1);
    }
    const double unit = s.mass(0) * kG * s.dt();
    double under[10] = {};
    for (const ContactRecord& c : pipeline.contact_view()) {
      // The floor, 10, is under the first box.
      const Id upper = c.a == 10 || c.b == 10 ? std::min(c.a, c.b) : std::max(c.a, c.b);
      under[upper] += std::abs(c.force.y()) * s.dt();
    }
    for (Id level = 0; level < 10; ++level)
      compare(name, fmt::format("impulse under {} / (m g dt)", level + 1),
              (9 - static_cast<double>(level)) + stack.ratio, under[level] / unit, stack.gate);
    fmt::print("{:<34} sweeps to {}: {} from nothing, then {:.0f} on average\n", "", stack.tolerance, cold, warm);
    CHECK(s.world().metric("solver_unconverged_steps_total") == 0);
  }
}

// Where corners stand exactly above corners, boxes that shift by 1e-15 m swap the corner that a contact goes by. Were
// its impulse lost or doubled with that, the next step would start from wrong ones and take hundreds of sweeps. As it
// is most steps take none; some start from an error just above the tolerance, and a stack takes a hundred to lower
// that.
TEST_CASE("a stack of ten boxes hands each impulse on to the next step, once") {
  RigidScene s("box_stack",
               {"/integrator/slop=1e-9"});  // gaps of rounding are none: a step may start from its solution
  double warm = 0;
  for (int n = 0; n < 20; ++n) {
    s.steps(1);
    if (n > 0) warm += s.world().metric("solver_sweeps") / 19;
    const double unit = s.mass(0) * kG * s.dt();
    for (Id level = 0; level < 10; ++level)
      compare(fmt::format("ten boxes, after step {}", n + 1), fmt::format("handed on under {} / (m g dt)", level + 1),
              10 - static_cast<double>(level), s.impulse_between(level == 0 ? 10 : level - 1, level).y() / unit, 1e-8);
  }
  CHECK(warm < 50);
}

TEST_CASE("two leaning cards stand iff the floor's friction is cot/2, corrected for their round edges") {
  stands_or_slips("two_cards", 2, "cards");
}

TEST_CASE("cards need no friction where they meet") {
  RigidScene s("two_cards", {"/interactions/1/law/friction=0"});
  const Vec3 start = s.position(0);
  s.until(1);
  compare("cards, 60 deg, smooth top", "drift [m]", 0, (s.position(0) - start).norm(), 1e-9);
}

TEST_CASE("a ladder at a smooth wall slips iff tan < 1/(2 mu), corrected for its round ends") {
  stands_or_slips("ladder", 1, "ladder");
}
