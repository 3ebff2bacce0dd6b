// Janssen's silo: walls that rub carry what is poured in beyond some depth, the floor no more than a weight that
// saturates.

#include <cmath>

#include "series.hpp"

using namespace scree::test;

namespace {

/// Means over the last part of the run, in which the floor sinks.
struct Silo {
  double floor = 0, walls = 0, normal = 0;  ///< load of the floor, of both walls by friction, push on a wall [N]

  Silo(int rows, double wall_friction) {
    const Series s("silo", {{"/bodies/0/packing/counts", fmt::format("[9, {}]", rows)},
                            {"/interactions/2/law/friction", fmt::format("{}", wall_friction)}});
    double samples = 0;
    for (std::size_t i = 0; i < s.rows(); ++i) {
      if (s["time_s"][i] < 1.15) continue;
      floor -= s["floor_force_y_N"][i];
      walls -= s["left_force_y_N"][i] + s["right_force_y_N"][i];
      normal += (s["right_force_x_N"][i] - s["left_force_x_N"][i]) / 2;
      ++samples;
    }
    floor /= samples, walls /= samples, normal /= samples;
  }
  double weight() const { return floor + walls; }  ///< all rests, or sinks steadily
};

/// Load of the floor below this weight, where a column of any height loads it with `limit` at most.
/// \source H. A. Janssen, Z. Ver. dt. Ing. 39 (1895) 1045: the exponential in depth, written in weights
double janssen(double weight, double limit) { return limit * (1 - std::exp(-weight / limit)); }

/// The limit for which a weight loads the floor so.
double limit_of(double weight, double load) {
  double low = load, high = 100 * weight;
  for (int i = 0; i < 100; ++i) (janssen(weight, (low + high) / 2) < load ? low : high) = (low + high) / 2;
  return low;
}

}  // namespace

TEST_CASE("the floor of a silo is loaded as by Janssen's law, its walls bear the rest") {
  const Silo tall(120, 0.4);
  const double limit = limit_of(tall.weight(), tall.floor);
  fmt::print("silo: weight {:.4g} N, on the floor {:.4g} N, at most {:.4g} N\n", tall.weight(), tall.floor, limit);
  CHECK(tall.floor < 0.35 * tall.weight());
  for (const int rows : {15, 30, 60}) {
    const Silo silo(rows, 0.4);
    const std::string name = fmt::format("silo, {} rows", rows);
    // 2 % of what the floor of the tallest bears is noise of stick and slip; the law itself takes stresses for uniform
    // across the silo.
    compare(name, "load of the floor [N]", janssen(silo.weight(), limit), silo.floor, 0.12);
    CHECK(silo.walls < 2 * 0.4 * silo.normal);  // Coulomb's bound
  }
  // Without friction at the walls the floor bears all of it.
  const Silo smooth(30, 0);
  compare("silo, smooth walls", "load of the walls [N]", 0, smooth.walls, 1e-12);
}
