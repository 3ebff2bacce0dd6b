#include "law_options.hpp"

#include <limits>
#include <numbers>

#include "catch.hpp"
#include "hertz_mindlin_law.hpp"

using namespace scree;
using namespace scree::compliant;

namespace {

const MaterialEntry kGlass{"glass", 2800, 48e9, 0.2}, kSand{"sand", 2600, 0, -1},
    kWall{"wall", 0, std::numeric_limits<double>::infinity(), -1}, kOdd{"odd", 1000, 1e9, -1};

std::string message(LawFactory factory, const char* options, const MaterialEntry& a, const MaterialEntry& b) {
  try {
    factory(Options::parse(options), {3, a, b, 0.01});
    return "";
  } catch (const OptionError& error) {
    return error.pointer() + "|" + error.what();
  }
}

#define HERTZ(more) R"({"restitution": 0.5, "friction": 0, "tangential_damping": 1, "typical_speed": 1)" more "}"
#define LINEAR(more) \
  R"({"normal_stiffness": 1000, "tangential": "spring", "tangential_damping": 0, "friction": 0)" more "}"

}  // namespace

TEST_CASE("hertz-mindlin says which material lacks what, and where to put it") {
  CHECK(message(make_hertz_mindlin, HERTZ(""), kGlass, kGlass) == "");
  CHECK(message(make_hertz_mindlin, HERTZ(""), kGlass, kWall) == "");
  CHECK(
      message(make_hertz_mindlin, HERTZ(""), kGlass, kSand) ==
      "|material \"sand\" has no youngs_modulus, which law \"hertz-mindlin\" needs. Add it in /materials/sand (a wall "
      "that does not deform: \"youngs_modulus\": \"rigid\"), or give \"youngs_modulus\" in this law for both sides.");
  CHECK(message(make_hertz_mindlin, HERTZ(""), kOdd, kGlass) ==
        "|material \"odd\" has no poisson_ratio, which law \"hertz-mindlin\" needs. Add it in /materials/odd, or give "
        "\"poisson_ratio\" in this law for both sides.");
  CHECK(message(make_hertz_mindlin, HERTZ(""), kWall, kWall) ==
        "|materials \"wall\" and \"wall\" are both rigid, so that their contact has no stiffness. Give one of them a "
        "youngs_modulus [Pa] in /materials, or give \"youngs_modulus\" and \"poisson_ratio\" in this law for both "
        "sides.");
  CHECK(message(make_hertz_mindlin, HERTZ(R"(, "youngs_modulus": 1e7, "poisson_ratio": 0.3)"), kSand, kSand) == "");
  CHECK(message(make_hertz_mindlin, HERTZ(R"(, "poisson_ratio": 0.3)"), kOdd, kGlass) == "");
}

TEST_CASE("options that contradict each other are refused") {
  CHECK(message(make_linear, LINEAR(R"(, "normal_damping": 1, "restitution": 0.5)"), kSand, kSand) ==
        "/restitution|normal_damping is given too, and either decides the other. Keep one of the two.");
  CHECK(message(make_linear, LINEAR(R"(, "rolling": {"model": "constant", "friction": 0.1, "stiffness": 2})"), kSand,
                kSand) ==
        "/rolling/stiffness|the model \"constant\" has no spring, so no stiffness. Drop it, or choose \"model\": "
        "\"elastic-plastic\".");
  CHECK(message(make_linear, LINEAR(R"(, "cohesion": {"model": "dmt"})"), kSand, kSand) ==
        "/cohesion|the model \"dmt\" needs \"work_of_adhesion\" [J/m^2]. Add it.");
  CHECK(message(make_linear, LINEAR(R"(, "cohesion": {"model": "constant", "work_of_adhesion": 1})"), kSand, kSand) ==
        "/cohesion|the model \"constant\" needs \"force\" [N]. Add it.");
  CHECK(message(make_hertz_mindlin, HERTZ(R"(, "cohesion": {"model": "jkr", "work_of_adhesion": 1, "force": 1})"),
                kGlass,
                kGlass) == "/cohesion/force|the model \"jkr\" takes \"work_of_adhesion\" instead. Drop \"force\".");
}

TEST_CASE("a linear law asks for the reduced mass only where restitution is given") {
  const LawContext context{3, kSand, kSand, 0.01};
  const auto damped = make_linear(Options::parse(LINEAR(R"(, "normal_damping": 1)")), context);
  const auto bounces = make_linear(Options::parse(LINEAR(R"(, "restitution": 0.5)")), context);
  CHECK_FALSE(face<ForceFace>(*damped)->needs().mass);
  CHECK(face<ForceFace>(*bounces)->needs().mass);
  CHECK(face<ForceFace>(*damped)->needs().turn);
  CHECK_FALSE(face<ForceFace>(*make_linear(Options::parse(LINEAR("")), {2, kSand, kSand, 0.01}))->needs().turn);
}

TEST_CASE("a power law with friction asks for the tangential stiffness it cannot guess") {
  const auto power = [](const std::string& more) {
    return R"({"stiffness": 1e5, "exponent": 2.5, "normal_damping": 0, "typical_speed": 1, "tangential": "spring", )" +
           (R"("tangential_damping": 0, )" + more + "}");
  };
  CHECK(message(make_power_law, power(R"("friction": 0)").c_str(), kSand, kSand) == "");
  CHECK(message(make_power_law, power(R"("friction": 0.5, "tangential_stiffness": 10)").c_str(), kSand, kSand) == "");
  CHECK(message(make_power_law, power(R"("friction": 0.5)").c_str(), kSand, kSand) ==
        "/friction|friction needs \"tangential_stiffness\" [N/m], which this law cannot guess: the normal stiffness "
        "changes with the overlap. Add it, or drop the friction.");
}

TEST_CASE("further terms say what they lack, and what does not fit together") {
  CHECK(
      message(make_linear, LINEAR(R"(, "plasticity": {"unloading_stiffness": 900})"), kSand, kSand) ==
      "/plasticity/unloading_stiffness|unloading is 0.9 times as stiff as loading. It must be stiffer: give more than "
      "normal_stiffness.");
  CHECK(message(make_linear, LINEAR(R"(, "plasticity": {"unloading_stiffness": 2000, "adhesion_exponent": 2})"), kSand,
                kSand) ==
        "/plasticity/adhesion_exponent|without \"adhesion_stiffness\" nothing sticks. Add that, or drop the exponent.");
  CHECK(message(make_linear, LINEAR(R"(, "liquid": {"surface_tension": 0.07, "volume": 1e-12, "viscosity": 1})"), kSand,
                kSand) ==
        "/liquid|viscous forces grow without bound as surfaces meet. Add \"roughness\" [m], the gap below which they "
        "grow "
        "no more: some 1e-3 of a radius.");
  CHECK(message(make_linear, LINEAR(R"(, "liquid": {"surface_tension": 0.07, "volume": 1e-12, "roughness": 1e-6})"),
                kSand,
                kSand) == "/liquid/roughness|only viscous forces depend on it. Add \"viscosity\" [Pa s], or drop it.");
  CHECK(message(make_linear, LINEAR(R"(, "cohesion": {"model": "sjkr", "force": 1})"), kSand, kSand) ==
        "/cohesion|the model \"sjkr\" needs \"energy_density\" [J/m^3]. Add it.");
  CHECK(message(make_linear, LINEAR(R"(, "cohesion": {"model": "sjkr", "energy_density": 1, "force": 1})"), kSand,
                kSand) == "/cohesion/force|the model \"sjkr\" takes \"energy_density\" instead. Drop \"force\".");
  CHECK(message(make_hertz_mindlin,
                HERTZ(R"(, "cohesion": {"model": "jkr", "work_of_adhesion": 1}, "twisting": {"friction": 0.1})"),
                kGlass, kGlass) ==
        "/cohesion/model|\"jkr\" has a force of its own for the whole contact, which plasticity, liquid and twisting "
        "do not "
        "fit. Take \"dmt\" or \"sjkr\", or drop those.");
  CHECK_THROWS_WITH(make_linear(Options::parse(LINEAR(R"(, "twisting": {"friction": 0.1})")), {2, kSand, kSand, 0.01}),
                    "bodies in the plane do not turn about the normal of a contact. Drop it.");
}

TEST_CASE("further terms come in SI units, and only where they are asked for") {
  const auto made = [](LawFactory factory, const char* options) {
    return factory(Options::parse(options), {3, kGlass, kGlass, 1e-3});
  };
  const auto plain = made(make_linear, LINEAR(""));
  CHECK(plain->range() == 0);
  CHECK(plain->face("potential/1") != nullptr);
  const auto plastic = made(make_linear, LINEAR(R"(, "plasticity": {"unloading_stiffness": 4000})"));
  CHECK(plastic->face("potential/1") == nullptr);
  CHECK(face<ForceFace>(*plastic)->rates(1, 1).stiffness == 4000);
  const auto wet = made(
      make_hertz_mindlin,
      HERTZ(
          R"(, "liquid": {"surface_tension": 0.07, "volume": 1e-12, "contact_angle": 60}, "twisting": {"friction": 1})"));
  // (1 + t/2) V^(1/3), and at most a tenth more.
  CHECK(wet->range() == Approx((1 + std::numbers::pi / 6) * 1e-4 * 1.1).epsilon(1e-12));
  CHECK(face<ForceFace>(*wet)->history_size() == 3);
  CHECK(wet->body_inputs().empty());
}
