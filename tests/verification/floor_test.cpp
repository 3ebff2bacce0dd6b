// One sphere on a floor under gravity: what mechanics gives exactly.

#include <cmath>
#include <numbers>

#include "series.hpp"

namespace scree::test::floor_test {

using Overrides = std::map<std::string, std::string>;

namespace {

constexpr double kG = 9.81, kR = 0.01, kMass = 2500 * 4.0 / 3 * std::numbers::pi * 1e-6;
const double kStiffness = 4.0 / 3 * 1e7 / (1 - 0.09) * std::sqrt(kR), kSag = std::pow(kMass * kG / kStiffness, 2.0 / 3);

std::string vector(double x, double y, double z) { return fmt::format("[{}, {}, {}]", x, y, z); }

/// Of the ball: at rest on the floor, moving along it.
Overrides resting(double speed, double spin, double duration) {
  return {{"/bodies/0/position", vector(0, 0, kR - kSag)},
          {"/bodies/0/velocity", vector(speed, 0, 0)},
          {"/bodies/0/angular_velocity", vector(0, spin, 0)},
          {"/run/duration", fmt::format("{}", duration)}};
}

double speed(const Series& s, std::size_t row) { return s["momentum_x_kg_m_per_s"][row] / kMass; }

/// Distance gone along x until a time [m].
double distance(const Series& s, double until) {
  double x = 0;
  for (std::size_t i = 1; i < s.rows() && s["time_s"][i] <= until; ++i)
    x += (speed(s, i) + speed(s, i - 1)) / 2 * (s["time_s"][i] - s["time_s"][i - 1]);
  return x;
}

}  // namespace

TEST_CASE("a sphere slides until it rolls with 5/7 of its speed") {
  const double mu = 0.3, v0 = 1, until = 2 * v0 / (7 * mu * kG);
  const Series s("floor", resting(v0, 0, 0.3));
  compare("slides, then rolls", "final speed [m/s]", 5 * v0 / 7, speed(s, s.rows() - 1), 1e-2);
  compare("slides, then rolls", "way of sliding [m]", 12 * v0 * v0 / (49 * mu * kG), distance(s, until), 1e-2);
  compare("slides, then rolls", "resting overlap [m]", kSag, s.last("max_overlap_m"), 1e-3);
  // Friction has no lever about the floor, but for half of the overlap: 8e-4 R, times 2/7.
  const auto& angular = s["angular_momentum_y_kg_m2_per_s"];
  for (const std::size_t row : {s.rows() / 6, s.rows() / 3, s.rows() - 1})
    compare("slides, then rolls", "angular momentum [kg m^2/s]", kMass * v0 * (kR - kSag), angular[row], 1e-3);
}

TEST_CASE("a disc slides until it rolls with 2/3 of its speed") {
  const double mu = 0.3, v0 = 1, r = 0.1, k = 1e6, mass = 1000 * std::numbers::pi * r * r * 1e-3;
  const double sag = mass * kG / k;
  const Series s("disc", {{"/bodies/0/position", fmt::format("[0, {:.17g}]", r - sag)},
                          {"/bodies/0/velocity", "[1, 0]"},
                          {"/interactions/0/law", fmt::format(R"({{"type": "linear", "normal_stiffness": {},
                        "restitution": 0.5, "friction": {}}})",
                                                              k, mu)},
                          {"/integrator", R"({"type": "velocity-verlet", "dt": 1e-5})"},
                          {"/output/metrics_interval", "1e-4"},
                          {"/run/duration", "0.3"}});
  const auto& momentum = s["momentum_x_kg_m_per_s"];
  std::size_t rolls = 0;  // first row without sliding friction
  while (momentum[rolls] > mass * (2 * v0 / 3 + 1e-3)) ++rolls;
  double way = 0;
  for (std::size_t i = 1; i <= rolls; ++i)
    way += (momentum[i] + momentum[i - 1]) / (2 * mass) * (s["time_s"][i] - s["time_s"][i - 1]);
  compare("disc slides, then rolls", "final speed [m/s]", 2 * v0 / 3, s.last("momentum_x_kg_m_per_s") / mass, 1e-2);
  compare("disc slides, then rolls", "time of sliding [s]", v0 / (3 * mu * kG), s["time_s"][rolls], 1e-2);
  compare("disc slides, then rolls", "way of sliding [m]", 5 * v0 * v0 / (18 * mu * kG), way, 1e-2);
}

TEST_CASE("a spinning sphere starts with 2/7 of its surface speed") {
  const double mu = 0.3, spin = 100;
  const Series s("floor", resting(0, spin, 0.3));
  compare("spins, then rolls", "final speed [m/s]", 2 * kR * spin / 7, speed(s, s.rows() - 1), 1e-2);
  const std::size_t half = s.rows() / 6;  // before 2 R w/(7 mu g) = 0.097 s
  compare("spins, then rolls", "speed while sliding [m/s]", mu * kG * s["time_s"][half], speed(s, half), 1e-2);
}

TEST_CASE("on an incline a sphere rolls iff tan(theta) <= 7/2 mu") {
  const double mu = 0.3;
  for (const double share : {0.5, 0.95, 1.05, 1.5}) {
    const double angle = std::atan(3.5 * mu * share), t = 0.3;
    Overrides overrides = resting(0, 0, t);
    overrides["/gravity"] = vector(kG * std::sin(angle), 0, -kG * std::cos(angle));
    const Series s("floor", overrides);
    const double expected = share < 1 ? 5.0 / 7 * kG * std::sin(angle) : kG * (std::sin(angle) - mu * std::cos(angle));
    compare(fmt::format("incline, tan = {} of the limit", share), "acceleration [m/s^2]", expected,
            speed(s, s.rows() - 1) / t, 1e-2);
  }
}

TEST_CASE("a sphere let down on a floor rests at an overlap of m g/k, or (m g/K)^(2/3)") {
  const auto overlap = [](const std::string& law, double young) {
    return Series("floor", {{"/bodies/0/position", vector(0, 0, kR)},
                            {"/bodies/0/velocity", "[0, 0, 0]"},
                            {"/materials/m/youngs_modulus", fmt::format("{}", young)},
                            {"/damping/mass_proportional", "500"},
                            {"/interactions/0/law", law},
                            {"/run/duration", "0.1"}})
        .last("max_overlap_m");
  };
  for (const double young : {1e7, 1e8}) {  // what has not died out of the fall: exp(-25)
    const double stiffness = 4.0 / 3 * young / (1 - 0.09) * std::sqrt(kR);
    compare(fmt::format("at rest, Hertz, {} Pa", young), "overlap [m]", std::pow(kMass * kG / stiffness, 2.0 / 3),
            overlap(R"({"type": "hertz-mindlin", "restitution": 0.5})", young), 1e-8);
  }
  compare("at rest, linear", "overlap [m]", kMass * kG / 1e4,
          overlap(R"({"type": "linear", "normal_stiffness": 1e4, "tangential": "none"})", 1e7), 1e-8);
}

TEST_CASE("a bouncing sphere keeps e^2 of its height each time") {
  for (const char* const law :
       {R"({"type": "hertz-mindlin", "restitution": 0.7})",
        R"({"type": "linear", "normal_stiffness": 100000, "restitution": 0.7, "tangential": "none"})"}) {
    const double h = 0.2, e = 0.7;
    const Series s("floor", {{"/bodies/0/position", vector(0, 0, kR + h)},
                             {"/bodies/0/velocity", "[0, 0, 0]"},
                             {"/materials/m/youngs_modulus", "1e9"},
                             {"/integrator/dt", "1e-6"},
                             {"/interactions/0/law", law},
                             {"/run/duration", "0.85"}});
    const auto& height = s["potential_energy_J"];
    std::vector<double> tops;
    for (std::size_t i = 1; i + 1 < s.rows(); ++i)
      if (height[i] > height[i - 1] && height[i] >= height[i + 1]) tops.push_back(height[i] / (kMass * kG) - kR);
    REQUIRE(tops.size() >= 2);
    const std::string name = fmt::format("bounce, {}", std::string(law).substr(10, 6));
    for (std::size_t n = 0; n < 2; ++n)  // gravity acts during the contact as well, 0.5 % of the momentum
      compare(name, fmt::format("height {} [m]", n + 1), h * std::pow(e, 2 * (n + 1)), tops[n], 1e-2);
  }
}

TEST_CASE("a bouncing sphere rests after sqrt(2 h/g) (1 + e)/(1 - e)") {
  const double h = 0.05, e = 0.6;
  const Series s("floor",
                 {{"/bodies/0/position", vector(0, 0, kR + h)},
                  {"/bodies/0/velocity", "[0, 0, 0]"},
                  {"/integrator/dt", "2e-6"},
                  {"/interactions/0/law",
                   R"({"type": "linear", "normal_stiffness": 1000000, "restitution": 0.6, "tangential": "none"})"},
                  {"/run/duration", "0.6"}});
  std::size_t last = 0;  // row in flight
  for (std::size_t i = 0; i < s.rows(); ++i)
    if (s["contacts"][i] == 0) last = i;
  // Each of some ten bounces takes a contact of 0.3 ms.
  compare("bounce", "time until rest [s]", std::sqrt(2 * h / kG) * (1 + e) / (1 - e), s["time_s"][last], 1.5e-2);
}

TEST_CASE(
    "on a floor that shakes, friction's spring carries a sphere along as a driven oscillator, with second order") {
  const double k = 1e5, kt = 5e4, amplitude = 1e-7, drive = 2 * std::numbers::pi * 130, t = 0.01;
  const double sag = kMass * kG / k, lever = 1 - sag / (2 * kR);
  // The spring s between floor and sphere: s'' + own^2 s = -X'', X = amplitude sin(drive t), s' = -X' in the beginning.
  const double own = std::sqrt(kt / kMass * (1 + 2.5 * lever * lever));
  const double forced = amplitude * drive * drive / (own * own - drive * drive);
  const double free = -(amplitude + forced) * drive / own;
  const double exact =
      -kt / kMass * (forced * (1 - std::cos(drive * t)) / drive + free * (1 - std::cos(own * t)) / own);
  const auto ours = [&](double dt) {
    const Series s("floor", {{"/bodies/0/position", fmt::format("[0, 0, {:.17g}]", kR - sag)},
                             {"/bodies/0/velocity", "[0, 0, 0]"},
                             {"/bodies/1", fmt::format(R"({{"shape": "wall", "material": "wall",
                        "motion": {{"amplitude": [{}, 0, 0], "frequency": 130}}}})",
                                                       amplitude)},
                             {"/interactions/0/law", fmt::format(R"({{"type": "linear", "normal_stiffness": {},
                        "tangential_stiffness": {}, "friction": 100}})",
                                                                 k, kt)},
                             {"/integrator/dt", fmt::format("{}", dt)},
                             {"/output/metrics_interval", fmt::format("{}", t)},
                             {"/run/duration", fmt::format("{}", t)}});
    return speed(s, s.rows() - 1);
  };
  const double coarse = ours(1e-5), fine = ours(5e-6);
  compare("shaken floor", "speed [m/s]", exact, fine, 1e-4);  // phase of the free part: (own dt)^2/24 of 40 rad
  compare("shaken floor", "gain by halving dt", 4, (coarse - exact) / (fine - exact), 0.05);
}

TEST_CASE("rolling resistance brings a rolling sphere to rest at the rate 5/7 mu_r g, and it stays") {
  const double mu_r = 0.05, v0 = 0.1, rate = 5.0 / 7 * mu_r * kG;
  for (const char* const model : {"constant", "elastic-plastic"}) {
    Overrides overrides = resting(v0, v0 / kR, 0.6);
    overrides["/interactions/0/law/rolling"] = fmt::format(R"({{"model": "{}", "friction": {}}})", model, mu_r);
    const Series s("floor", overrides);
    const std::string name = fmt::format("rolling, {}", model);
    const std::size_t row = s.rows() / 6;  // 0.1 s, of 0.29 s until rest
    compare(name, "deceleration [m/s^2]", rate, (v0 - speed(s, row)) / s["time_s"][row], 1e-2);
    compare(name, "way [m]", 7 * v0 * v0 / (10 * mu_r * kG), distance(s, 0.6), 1e-2);
    compare(name, "creep at rest [m/s]", 0, speed(s, s.rows() - 1), 1e-4);
  }
  // On an incline below tan = mu_r the elastic-plastic model holds the sphere where it is.
  const double angle = std::atan(0.5 * mu_r);
  Overrides overrides = resting(0, 0, 0.5);
  overrides["/gravity"] = vector(kG * std::sin(angle), 0, -kG * std::cos(angle));
  overrides["/interactions/0/law/rolling"] = fmt::format(R"({{"model": "elastic-plastic", "friction": {}}})", mu_r);
  const Series s("floor", overrides);
  compare("rolling, incline below mu_r", "creep [m/s]", 0, distance(s, 0.5) - distance(s, 0.25), 1e-6);
}

TEST_CASE("pulled by gravity, a sphere leaves the floor at 3/2 pi w R (JKR) or 2 pi w R (DMT)") {
  const double w = 0.5;
  for (const auto& [model, factor] : {std::pair{"jkr", 1.5}, {"dmt", 2.0}}) {
    const double pull_off = factor * std::numbers::pi * w * kR, strongest = 1.05 * pull_off / kMass;
    Overrides overrides = resting(0, 0, 1.05);
    // Gravity upwards, growing so slowly that the ball follows; it begins near the overlap of no force.
    overrides["/bodies/0/position"] = vector(0, 0, kR - 1.5e-5);
    overrides["/gravity"] = fmt::format(
        R"({{"table": [{{"time": 0, "vector": [0, 0, 0]}}, {{"time": 1, "vector": [0, 0, {}]}}]}})", strongest);
    overrides["/interactions/0/law"] = fmt::format(
        R"({{"type": "hertz-mindlin", "restitution": 0.1, "cohesion": {{"model": "{}", "work_of_adhesion": {}}}}})",
        model, w);
    const Series s("floor", overrides);
    const auto& pull = s["wall_force_z_N"];
    std::size_t last = 0;  // row that still pulls: some 10 ms after the balance is lost, 2 % of the weight
    for (std::size_t i = 0; i < s.rows(); ++i)
      if (pull[i] != 0) last = i;
    const std::string name = fmt::format("pulled off, {}", model);
    compare(name, "weight when it leaves [N]", pull_off, kMass * strongest * s["time_s"][last], 3e-2);
    compare(name, "pull before [N]", kMass * strongest * s["time_s"][s.rows() / 2], pull[s.rows() / 2], 1e-2);
    compare(name, "contacts at the end [-]", 0, s.last("contacts"), 0.5);
  }
}

}  // namespace scree::test::floor_test
