// Head-on impacts of one sphere on a rigid wall against closed forms and tabulated ones: springs without and with
// dashpot, what not pulling does to restitution, and how it all depends on speed.

#include <cmath>
#include <numbers>

#include "impact.hpp"

namespace scree::test::head_on_test {

namespace {

constexpr double kR = 0.1, kSpeed = 0.2, kSpring = 1e7;  // of scene t2
const double kMass = kAlAlloy2.mass(kR), kDuration = std::numbers::pi * std::sqrt(kMass / kSpring);

std::string linear(double dashpot) {
  return fmt::format(R"({{"type": "linear", "normal_stiffness": {}, "normal_damping": {}, "tangential": "none"}})",
                     kSpring, dashpot);
}

double restitution(const Series& s, double mass, double speed) {
  return s.last("momentum_z_kg_m_per_s") / mass / speed;
}

/// Largest difference between the force and a function of the overlap, over the largest force. \param v  speed of
/// impact
template <class Force>
double off_the_branch(const Series& s, const Force& force) {
  double most = 0;
  for (std::size_t i = 0; i < s.rows(); ++i)
    most = std::max(most, std::abs(std::abs(s["wall_force_z_N"][i]) - force(s["max_overlap_m"][i])));
  return most / largest(s["wall_force_z_N"]);
}

/// Restitution asked for, damping ratio of the formula for dashpots that may pull, what it gives where they do not, and
/// the ratio that gives what was asked for. Integrated with independent code.
struct Clipped {
  double asked, free_ratio, obtained, ratio;
};
constexpr Clipped kClipped[] = {{0.20, 0.455950, 0.32486, 0.73125}, {0.40, 0.279998, 0.47201, 0.35451},
                                {0.50, 0.215454, 0.55028, 0.25528}, {0.60, 0.160493, 0.63229, 0.18086},
                                {0.80, 0.070850, 0.80810, 0.07436}, {0.90, 0.033518, 0.90203, 0.03427},
                                {0.98, 0.006431, 0.98008, 0.00646}};

}  // namespace

TEST_CASE("a linear spring: depth v sqrt(m/k), force v sqrt(k m), duration pi sqrt(m/k), and back on the same branch") {
  const Series s("t2", timed({{"/interactions/0/law", linear(0)}}, kDuration, 1.1));
  // Verlet errs by (omega dt)^2/24 = 1e-7, rows miss the deepest point by a quarter of a step at most.
  compare("linear spring", "depth [m]", kSpeed * std::sqrt(kMass / kSpring), largest(s["max_overlap_m"]), 1e-6);
  compare("linear spring", "force [N]", kSpeed * std::sqrt(kMass * kSpring), largest(s["wall_force_z_N"]), 1e-6);
  compare("linear spring", "duration [s]", kDuration, contact_time(s, kSpeed), 1e-6);
  compare("linear spring", "restitution", 1, restitution(s, kMass, kSpeed), 1e-6);
  compare("linear spring", "force - k overlap [max]", 0, off_the_branch(s, [](double d) { return kSpring * d; }),
          1e-11);
}

TEST_CASE("a dashpot that does not pull: restitution for the damping ratios of the table") {
  for (const Clipped& row : kClipped)
    for (const auto& [ratio, expected] : {std::pair{row.free_ratio, row.obtained}, {row.ratio, row.asked}}) {
      const double dashpot = 2 * ratio * std::sqrt(kSpring * kMass);
      const Series s("t2", timed({{"/interactions/0/law", linear(dashpot)}}, kDuration, 4));
      compare(fmt::format("linear, damping ratio {}", ratio), "restitution", expected, restitution(s, kMass, kSpeed),
              1e-3);
      CHECK(s.last("contacts") == 0);
      for (const double force : s["wall_force_z_N"]) REQUIRE(force <= 0);
    }
}

TEST_CASE("asked for a restitution, both laws give it, at every speed of impact") {
  const auto obtained = [](const std::string& law, double duration, double speed) {
    Overrides overrides =
        timed({{"/interactions/0/law", law}, {"/bodies/0/velocity", fmt::format("[0, 0, {}]", -speed)}}, duration, 4);
    overrides["/output/metrics_interval"] = "0";
    return restitution(Series("t2", overrides), kMass, speed);
  };
  for (const Clipped& row : kClipped) {
    compare(
        "linear, by restitution", "restitution", row.asked,
        obtained(fmt::format(R"({{"type": "linear", "normal_stiffness": {}, "restitution": {}, "tangential": "none"}})",
                             kSpring, row.asked),
                 kDuration, kSpeed),
        1e-3);
    for (const double speed : {0.002, 20.0}) {
      const Elastic elastic{kAlAlloy2.plane_modulus(), kMass, kR, speed};
      compare(fmt::format("Hertz, by restitution, {} m/s", speed), "restitution", row.asked,
              obtained(fmt::format(R"({{"type": "hertz-mindlin", "restitution": {}}})", row.asked), elastic.duration(),
                       speed),
              1e-3);
    }
  }
}

TEST_CASE("Hertz with Tsuji's dashpot: ten times the speed shortens the contact by 10^(-1/5)") {
  const auto duration = [](double speed) {
    const double elastic = Elastic{kAlAlloy2.plane_modulus(), kMass, kR, speed}.duration();
    const Series s("t2", timed({{"/interactions/0/law/restitution", "0.6"},
                                {"/bodies/0/velocity", fmt::format("[0, 0, {}]", -speed)}},
                               elastic, 2));
    return contact_time(s, 0.6 * speed) / elastic;
  };
  const double slow = duration(0.02);
  CHECK(slow > 1.02);  // damping lengthens it
  for (const double speed : {0.2, 2.0, 20.0})
    compare(fmt::format("Hertz, e = 0.6, {} m/s", speed), "T v^(1/5)", slow, duration(speed), 1e-4);
}

TEST_CASE("eight elastic impacts have the depth, force and duration of the table") {
  struct Row {
    const char *name, *scene;
    Material material;
    double r, speed, depth, force, duration;
  };
  // Numbers made with independent code, to six digits.
  const Row rows[] = {{"T2 Al alloy", "t2", kAlAlloy2, 0.1, 0.2, 49.7172e-6, 11369.9, 731.657e-6},
                      {"T2 Mg alloy", "t2", kMgAlloy, 0.1, 0.2, 52.1233e-6, 7232.68, 767.066e-6},
                      {"T3 Al oxide", "t3", kAlOxide, 0.0025, 3.9, 8.08881e-6, 615.352, 6.10451e-6},
                      {"T3 cast iron", "t3", kCastIron, 0.0025, 3.9, 17.1887e-6, 506.760, 12.9721e-6},
                      {"T4 Al oxide", "t4", kAlOxide, 0.0025, 3.9, 8.08881e-6, 615.352, 6.10451e-6},
                      {"T5 steel", "t5", kSteel, 1e-5, 5, 64.735e-9, 0.0158734, 38.1066e-9},
                      {"T5 polyethylene", "t5", kPolyethylene, 1e-5, 5, 266.050e-9, 6.88817e-4, 156.612e-9},
                      {"T6 Al alloy", "t6", kAlAlloy, 0.1, 0.2, 49.3088e-6, 11468.3, 725.647e-6}};
  for (const Row& row : rows) {
    Overrides overrides = timed(row.material.overrides(), row.duration, 1.1);
    overrides["/interactions/0/law/restitution"] = "1";
    overrides["/bodies/0/velocity"] = fmt::format("[0, 0, {}]", -row.speed);
    overrides["/bodies/0/angular_velocity"] = "[0, 0, 0]";
    const Series s(row.scene, overrides);
    compare(row.name, "depth [m]", row.depth, largest(s["max_overlap_m"]), 2e-5);
    compare(row.name, "force [N]", row.force, largest(s["wall_force_z_N"]), 2e-5);
    compare(row.name, "duration [s]", row.duration, contact_time(s, row.speed), 2e-5);
    compare(row.name, "rebound speed [m/s]", row.speed, s.last("momentum_z_kg_m_per_s") / row.material.mass(row.r),
            1e-5);
    const Elastic exact{row.material.plane_modulus(), row.material.mass(row.r), row.r, row.speed};
    compare(row.name, "force - K overlap^1.5 [max]", 0,
            off_the_branch(s, [&](double d) { return exact.stiffness() * std::pow(d, 1.5); }), 1e-11);
  }
}

}  // namespace scree::test::head_on_test
