/// \file Forces as functions of time.

#include <cmath>
#include <numbers>

#include "catch.hpp"
#include "load_curve.hpp"

using namespace scree;

TEST_CASE("curves are constants, harmonics and tables, added up") {
  const loads::LoadCurve curve =
      loads::read_curve(Options::parse(R"({"force": [1, 0, 0], "force_amplitude": [0, 2, 0], "frequency": 0.25,
        "forces": [{"time": 1, "force": [0, 0, 1]}, {"time": 3, "force": [0, 0, 5]}]})"),
                        "force");
  CHECK((curve.at(0) - Vec3(1, 0, 1)).norm() < 1e-15);
  CHECK((curve.at(1) - Vec3(1, 2, 1)).norm() < 1e-15);
  CHECK((curve.at(2.5) - Vec3(1, 2 * std::sin(1.25 * std::numbers::pi), 4)).norm() < 1e-14);
  CHECK((curve.at(9) - Vec3(1, 2, 5)).norm() < 1e-14);
}
