#include "scale.hpp"

#include "catch.hpp"

namespace scree::render {

TEST_CASE("values of scales are rounded up to two digits, and lengths down to one") {
  CHECK(round_up(0.37) == Approx(0.4));
  CHECK(round_up(1.1e-3) == Approx(1.2e-3));
  CHECK(round_up(0.8) == Approx(0.8));
  CHECK(round_up(81) == Approx(100));
  CHECK(round_down(0.037) == Approx(0.02));
  CHECK(round_down(0.5) == Approx(0.5));
  CHECK(round_down(1.99) == Approx(1));
}

TEST_CASE("units have the prefix that suits the value, where they can have one") {
  const auto unit = [](const char* name, double value) { return suitable_unit(name, value).name; };
  CHECK(unit("m/s", 0.5) == "m/s");
  CHECK(unit("m/s", 0.05) == "mm/s");
  CHECK(suitable_unit("m/s", 0.05).factor == 1000);
  CHECK(unit("m", 3e-5) == "µm");
  CHECK(unit("m", 5e4) == "m");
  CHECK(unit("Pa", 2e5) == "MPa");
  CHECK(unit("N", 1e-9) == "nN");
  CHECK(unit("K", 1e-3) == "K");
  CHECK(unit("kg/m^3", 1e-3) == "kg/m^3");
  CHECK(unit("N m", 1e-3) == "N m");
  CHECK(unit("m", 0) == "m");
}

TEST_CASE("ticks are round, within the range, and have one number of digits") {
  const auto labels = [](double lowest, double highest, double factor = 1) {
    std::vector<std::string> texts;
    for (const Tick& tick : round_ticks(lowest, highest, factor)) texts.push_back(tick.label);
    return texts;
  };
  using Labels = std::vector<std::string>;
  CHECK(labels(0, 1) == Labels{"0.0", "0.2", "0.4", "0.6", "0.8", "1.0"});
  CHECK(labels(-0.03, 0.031, 1000) == Labels{"-20", "0", "20"});
  CHECK(labels(293.2, 473.1) == Labels{"300", "350", "400", "450"});
  CHECK(labels(0, 0.012, 1000) == Labels{"0", "2", "4", "6", "8", "10", "12"});
  CHECK(labels(1, 1).empty());
}

}  // namespace scree::render
