// What stands, and what falls: stacks, leaning cards, ladders, against statics.

#include "rigid_scene.hpp"

using namespace scree;
using namespace scree::test;

namespace {

/// A card that leans at this angle to the floor, of a skeleton 0.2 x 0.004 m with edges rounded by 1 mm: it stands on the
/// lowest point of one round corner and leans on the outermost of another, both on its lower side.
struct Leaning {
  double angle, length = 0.2, thickness = 0.004, radius = 0.001;
  double sine = std::sin(angle), cosine = std::cos(angle);
  double foot_x = -(length * cosine - thickness * sine) / 2, foot_y = -(length * sine + thickness * cosine) / 2 - radius;
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
      compare("", "thrust/weight", critical, std::abs(s.impulse_between(0, leaning == 2 ? 1 : 2).x()) / weight, 1e-9);
    }
    for (const double less : {1e-5, 0.1}) {
      const double friction = critical * (1 - less);
      RigidScene s(scene, with(friction));
      s.steps(1);
      compare(name, fmt::format("mu (1 - {}): spin-up", less), card.spin_up(friction, s.mass(0), s.inertia(0)),
              s.spin(0).z() / s.dt(), 1e-6);
      s.until(2);
      CHECK(s.position(0).y() < -card.foot_y - 1e-4);
    }
  }
}

}  // namespace

TEST_CASE("a stack of ten boxes: the impulse at a level is the weight above it, times dt") {
  for (const double ratio : {1.0, 1000.0}) {
    RigidScene s("box_stack", {fmt::format("/materials/top/density={}", 1000 * ratio)});
    const std::string name = fmt::format("ten boxes, the top {} x", ratio);
    double sweeps = 0, most = 0;
    for (int n = 0; n < 200; ++n) {
      s.steps(1);
      const double now = s.world().figure("solver_sweeps");
      if (n == 0) sweeps = now;
      if (n > 0) most = std::max(most, now);
    }
    const double unit = s.mass(0) * kG * s.dt();
    for (const Id level : {0, 4, 8, 9}) {
      const Vec3 impulse = s.impulse_between(level == 0 ? 10 : level - 1, level);
      compare(name, fmt::format("impulse under box {} / (m g dt)", level + 1), (9 - static_cast<double>(level)) + ratio,
              impulse.y() / unit, 1e-7);
    }
    compare("", "drift of the top in 0.2 s [m]", 0, (s.position(9) - Vec3(0, 0.95, 0)).norm(), 1e-9);
    fmt::print("{:<34} sweeps to 1e-10: {} cold, then at most {} in a step\n", "", sweeps, most);
    CHECK(s.world().figure("solver_unconverged_steps_total") == 0);
  }
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
