// Rigid bodies with Coulomb friction on a plane, against closed forms: they stick, slide, tip and roll.
//
// Time steps are exact where forces are constant: after n steps v = n dt a and x = n (n + 1)/2 dt^2 a. So accelerations
// are compared to the tolerance of the solver, and where a motion changes its kind in the middle of a step, to dt.

#include "rigid_scene.hpp"

using namespace scree;
using namespace scree::test;

namespace {

/// A plane of this slope [rad] under the block of block.json, which stands on it.
std::vector<std::string> slope(double angle, double friction) {
  const double s = std::sin(angle), c = std::cos(angle);
  return {"/shapes/plane/normal=" + json({-s, c}), fmt::format("/bodies/0/orientation={}", angle),
          "/bodies/0/position=" + json({-0.05 * s, 0.05 * c}),
          fmt::format("/interactions/0/law/friction={}", friction)};
}

/// Gravity on a slope of this angle [rad] that falls in the direction of the azimuth, seen in its own axes.
std::string tilted(double angle, double azimuth) {
  const double s = kG * std::sin(angle);
  return "/gravity=" + json({s * std::cos(azimuth), s * std::sin(azimuth), -kG * std::cos(angle)});
}

double slide(double angle, double friction) { return kG * (std::sin(angle) - friction * std::cos(angle)); }

}  // namespace

TEST_CASE("a block on an incline sticks for 10 s just below atan(mu), slides with g (sin - mu cos) just above") {
  const double mu = 0.5, critical = std::atan(mu);
  {
    RigidScene s("block", slope(critical - 0.01 * kDegree, mu));
    const Vec3 start = s.position(0);
    s.until(10);
    compare("block, atan(mu) - 0.01 deg, 10 s", "drift [m]", 0, (s.position(0) - start).norm(), 1e-10);
    compare("", "turn [rad/s]", 0, s.spin(0).norm(), 1e-10);
  }
  for (const double above : {0.01, 0.1, 5.0, 30.0}) {
    const double angle = critical + above * kDegree, a = slide(angle, mu);
    RigidScene s("block", slope(angle, mu));
    const Vec3 start = s.position(0);
    s.until(1);
    const double n = 1 / s.dt(), x = (start - s.position(0)).norm();
    const std::string name = fmt::format("block, atan(mu) + {} deg, 1 s", above);
    // Rounding of g (sin - mu cos), whose terms cancel to 2e-4 of themselves at 0.01 deg.
    compare(name, "acceleration [m/s^2]", a, s.velocity(0).norm(), 1e-8);
    compare("", "distance, steps of dt [m]", a * n * (n + 1) / 2 * s.dt() * s.dt(), x, 1e-8);
    compare("", "turn [rad/s]", 0, s.spin(0).norm(), 1e-9);
  }
}

TEST_CASE("a sled of spheres sticks and slides on an incline in space, whatever its direction") {
  const double mu = 0.5, critical = std::atan(mu);
  for (const double azimuth : {0.0, 40.0, 135.0}) {
    const std::string name = fmt::format("sled, azimuth {} deg", azimuth);
    {
      RigidScene s("sled", {tilted(critical - 0.01 * kDegree, azimuth * kDegree)});
      const Vec3 start = s.position(0);
      s.until(10);
      compare(name, "drift in 10 s [m]", 0, (s.position(0) - start).norm(), 1e-10);
    }
    for (const double above : {0.01, 20.0}) {
      const double angle = critical + above * kDegree, a = slide(angle, mu);
      RigidScene s("sled", {tilted(angle, azimuth * kDegree)});
      s.until(1);
      const Vec3 v = s.velocity(0);
      compare(name, fmt::format("a at +{} deg [m/s^2]", above), a, v.norm(), 1e-7);
      compare("", "direction [rad]", azimuth * kDegree, std::atan2(v.y(), v.x()), 1e-7);
      compare("", "turn [rad/s]", 0, s.spin(0).norm(), 1e-8);
    }
  }
}

TEST_CASE("a block tips iff b/H < mu, at the slope b/H of its contact points") {
  // It stands on the lowest points of its round edges: b is the width of the skeleton, H/2 the height of the centre.
  const double b = 0.08, half = 0.1, ratio = b / (2 * half), r = 0.01;
  const auto upright = [&](double slope, double friction) {
    const double angle = std::atan(slope), s = std::sin(angle), c = std::cos(angle);
    return std::vector<std::string>{
        "/shapes/block/vertices=[[-0.04, -0.09], [0.04, -0.09], [0.04, 0.09], [-0.04, 0.09]]",
        "/gravity=" + json({kG * s, -kG * c}), "/bodies/0/position=" + json({0, half}),
        fmt::format("/interactions/0/law/friction={}", friction)};
  };
  for (const double below : {1e-2, 1e-4}) {
    RigidScene s("block", upright(ratio * (1 - below), 2));
    s.until(2);
    compare(fmt::format("tall block, b/H (1 - {})", below), "turn in 2 s [rad/s]", 0, s.spin(0).norm(), 1e-10);
  }
  for (const double above : {1e-4, 1e-2, 0.3}) {
    const double angle = std::atan(ratio * (1 + above));
    RigidScene s("block", upright(std::tan(angle), 2));
    s.steps(1);
    const double arm2 = b * b / 4 + half * half, torque = half * std::sin(angle) - b / 2 * std::cos(angle);
    const double expected = s.mass(0) * kG * torque / (s.inertia(0) + s.mass(0) * arm2);
    const std::string name = fmt::format("tall block, b/H (1 + {})", above);
    compare(name, "spin-up [rad/s^2]", expected, -s.spin(0).z() / s.dt(), 1e-8);
    s.until(1.5);
    CHECK(s.position(0).y() < half - r / 2);  // it lies, or is on its way
  }
  {
    const double mu = ratio - 0.05, angle = std::atan(ratio + 0.2);
    RigidScene s("block", upright(std::tan(angle), mu));
    s.until(1);
    compare("tall block, mu < b/H < tan", "acceleration [m/s^2]", slide(angle, mu), s.velocity(0).x(), 1e-9);
    compare("", "turn [rad/s]", 0, s.spin(0).norm(), 1e-9);
  }
  // On a slope steeper than both it slides whatever mu is, and turns over its lower edge as well iff b/H < mu: the
  // normal force m g cos/(1 + m b/2 (b/2 - mu H/2)/I) has the lever b/2 - mu H/2 about the centre.
  for (const double off : {-1e-4, 1e-4, 0.1}) {
    const double mu = ratio * (1 + off), angle = std::atan(ratio + 0.2), lever = b / 2 - mu * half;
    RigidScene s("block", upright(std::tan(angle), mu));
    s.steps(1);
    const double m = s.mass(0), inertia = s.inertia(0);
    const double normal =
        off < 0 ? m * kG * std::cos(angle) : m * kG * std::cos(angle) / (1 + m * b / 2 * lever / inertia);
    const std::string name = fmt::format("tall block that slides, mu = b/H (1 {:+})", off);
    compare(name, "spin-up [rad/s^2]", off < 0 ? 0 : normal * lever / inertia, s.spin(0).z() / s.dt(), 1e-8);
    compare("", "acceleration [m/s^2]", kG * std::sin(angle) - mu * normal / m, s.velocity(0).x() / s.dt(), 1e-8);
    if (off < 0) {
      s.until(1);
      compare("", "turn in 1 s [rad/s]", 0, s.spin(0).norm(), 1e-9);
    }
  }
}

TEST_CASE("sliding turns to rolling: a sphere at 5/7 of its speed, a disc at 2/3") {
  struct Roller {
    const char* scene;
    double end, time, way;  ///< of v0, v0/(mu g), v0^2/(mu g)
  };
  const double mu = 0.1, v0 = 1.4 * mu * kG;
  for (const Roller& r : {Roller{"ball", 5.0 / 7, 2.0 / 7, 12.0 / 49}, Roller{"disc", 2.0 / 3, 1.0 / 3, 5.0 / 18}}) {
    const bool space = r.scene == std::string("ball");
    RigidScene s(r.scene, {"/integrator/dt=1e-4", "/bodies/0/velocity=" + (space ? json({v0, 0, 0}) : json({v0, 0}))});
    const auto slip = [&] { return s.velocity(0).x() - 0.1 * (space ? s.spin(0).y() : -s.spin(0).z()); };
    while (slip() > 1e-9 && s.world().time < 1) s.steps(1);
    const double t = r.time * v0 / (mu * kG);
    compare(r.scene, "rolls at [s]", t, s.world().time, 1.01 * s.dt() / t);
    compare("", "distance [m]", r.way * v0 * v0 / (mu * kG), s.position(0).x(), 3 * s.dt() / t);
    compare("", "speed [m/s]", r.end * v0, s.velocity(0).x(), 1e-12);
    s.steps(2000);
    compare("", "speed later [m/s]", r.end * v0, s.velocity(0).x(), 1e-12);
  }
}

TEST_CASE("a sphere on an incline rolls iff tan <= 7 mu/2, a disc iff tan <= 3 mu") {
  struct Roller {
    const char* scene;
    double factor, rolling, spin_up;  ///< tan/mu where it begins to slip; a/(g sin); spin-up R/(mu g cos)
  };
  const double mu = 0.1, radius = 0.1;
  for (const Roller& r : {Roller{"ball", 3.5, 5.0 / 7, 2.5}, Roller{"disc", 3, 2.0 / 3, 2}}) {
    const bool space = r.scene == std::string("ball");
    const double critical = std::atan(r.factor * mu);
    for (const double beyond : {-10.0, -0.01, 0.01, 10.0}) {
      const double angle = critical + beyond * kDegree, sine = kG * std::sin(angle), cosine = kG * std::cos(angle);
      RigidScene s(r.scene, {"/gravity=" + (space ? json({sine, 0, -cosine}) : json({sine, -cosine}))});
      s.until(1);
      const double spin = space ? s.spin(0).y() : -s.spin(0).z(), v = s.velocity(0).x();
      const std::string name = fmt::format("{}, {:+} deg", r.scene, beyond);
      compare(name, "acceleration [m/s^2]", beyond < 0 ? r.rolling * sine : sine - mu * cosine, v, 1e-10);
      compare("", "spin-up [rad/s^2]", (beyond < 0 ? r.rolling * sine : r.spin_up * mu * cosine) / radius, spin, 1e-10);
    }
  }
}

TEST_CASE("a block pushed by a force c t starts at mu m g exactly, and feels mu m g from then on") {
  const double mu = 0.5, rate = 2, start = mu * kG / rate;
  RigidScene s("block", {fmt::format("/gravity={{\"vector\": [0, {}], \"table\": [{{\"time\": 0, \"vector\": [0, 0]}}, "
                                     "{{\"time\": 10, \"vector\": [{}, 0]}}]}}",
                                     -kG, 10 * rate)});
  const Vec3 at = s.position(0);
  s.until(start - s.dt());
  compare("pushed block", "drift until F = mu m g [m]", 0, (s.position(0) - at).norm(), 1e-12);
  while (s.velocity(0).x() < 1e-8 && s.world().time < 4) s.steps(1);
  // Forces are those of the beginning of the step: the first that exceeds mu m g is at most dt late.
  compare("", "starts at [s]", start, s.world().time - s.dt(), 1.01 * s.dt() / start);
  s.until(4);
  const double t = 4 - start, lag = rate * t * s.dt();
  compare("", "speed later [m/s]", rate * t * t / 2, s.velocity(0).x(), lag / (rate * t * t / 2));
  double steps = 0;
  for (int k = 0; k < 4000; ++k) steps += std::max(0.0, rate * k * s.dt() - mu * kG) * s.dt();
  compare("", "speed, sum of steps [m/s]", steps, s.velocity(0).x(), 1e-10);
}

TEST_CASE("a block laid on a belt is dragged with mu g until it has the speed of the belt, and keeps it") {
  const double mu = 0.5, belt = 1;
  RigidScene s("block", {"/bodies/1/surface_velocity=[1, 0]"});
  s.until(0.1);
  compare("block on a belt", "speed after 0.1 s [m/s]", mu * kG * 0.1, s.velocity(0).x(), 1e-10);
  s.until(1);
  compare("", "speed after 1 s [m/s]", belt, s.velocity(0).x(), 1e-12);
  compare("", "turn [rad/s]", 0, s.spin(0).norm(), 1e-10);
}

TEST_CASE("a block stays on a floor that carries it sideways and up, and leaves one that falls faster than g") {
  RigidScene s("block", {"/bodies/1/fixed=false", "/bodies/1/motion={\"velocity\": [0.3, 0.2]}"});
  s.until(1);
  // 0.3 m/s takes mu g 0.06 s: it slides for 0.3^2/(2 mu g) on the way.
  compare("block on a lift", "speed sideways [m/s]", 0.3, s.velocity(0).x(), 1e-10);
  compare("", "speed upwards [m/s]", 0.2, s.velocity(0).y(), 1e-10);
  compare("", "height over the floor [m]", 0.05, s.position(0).y() - s.position(1).y(), 1e-10);
  RigidScene falling("block", {"/bodies/1/fixed=false", "/bodies/1/motion={\"velocity\": [0, -2]}"});
  falling.until(0.1);
  compare("block over a falling floor", "free fall: speed [m/s]", -kG * 0.1, falling.velocity(0).y(), 1e-10);
}

TEST_CASE("a block on a floor that swings sideways goes with it, by the velocity of the middle of each step") {
  const double amplitude = 1e-3, frequency = 5, w = 2 * std::numbers::pi * frequency;  // w^2 amplitude = 0.2 mu g
  RigidScene s("block",
               {"/bodies/1/fixed=false", "/bodies/0/velocity=" + json({amplitude * w, 0}),
                fmt::format("/bodies/1/motion={{\"amplitude\": [{}, 0], \"frequency\": {}}}", amplitude, frequency)});
  double off = 0;
  while (s.world().time < 1) {
    s.steps(1);
    off = std::max(off, std::abs(s.position(0).x() - s.position(1).x()));
  }
  // The sum of cosines at the middles is the sine times 1 + (w dt)^2/24; one at the beginnings is off by w dt/2.
  const double step = w * s.dt();
  compare("block on a swinging floor", "off the floor, over the swing", step * step / 24, off / amplitude, 0.1);
}

TEST_CASE("an overlap under load shrinks by the drift rate in every step, by nothing else") {
  const double overlap = 1e-6;
  for (const double rate : {0.0, 0.2, 1.0}) {
    RigidScene s("ball",
                 {fmt::format("/integrator/drift_rate={}", rate), "/bodies/0/position=" + json({0, 0, 0.1 - overlap})});
    s.steps(5);
    compare(fmt::format("overlap, drift rate {}", rate), "left after 5 steps", std::pow(1 - rate, 5),
            (0.1 - s.position(0).z()) / overlap, 1e-8);
    double left = overlap, speed = 0, work = 0;
    for (int n = 0; n < 5; ++n) {
      const double next = rate * left / s.dt();
      work += s.mass(0) * (next - speed + kG * s.dt()) * next;
      left -= next * s.dt(), speed = next;
    }
    compare("", "work of drift control [J]", work, s.world().metric("drift_work_J"), 1e-6);
  }
}
