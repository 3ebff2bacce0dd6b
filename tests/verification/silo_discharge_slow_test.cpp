// A silo empties at a constant rate, which grows with the orifice as Beverloo found.

#include "series.hpp"
#include "surface.hpp"

using namespace scree::test;

namespace {

/// Grains are this many times their diameter wider than the orifice lets on.
/// \source W. A. Beverloo, H. A. Leniger, J. van de Velde, Chem. Eng. Sci. 15 (1961) 260
constexpr double kEmptyEdge = 1.4;

/// The rate at which a column grows with time, from one moment on until it has reached some value.
Line rate(const Series& s, const std::string& column, double from, double until_value) {
  std::vector<double> time, value;
  for (std::size_t i = 0; i < s.rows() && s[column][i] < until_value; ++i)
    if (s["time_s"][i] >= from) time.push_back(s["time_s"][i]), value.push_back(s[column][i]);
  REQUIRE(time.size() > 50);
  return line_through(time, value);
}

/// Discs per second through a slot of this width [m].
double discs_per_second(double slot, int rows) {
  const double beside = 0.1 + slot / 2;
  const Series s("slot_silo", {{"/bodies/0/position", fmt::format("[{}, -0.005]", -beside)},
                               {"/bodies/1/position", fmt::format("[{}, -0.005]", beside)},
                               {"/bodies/5/packing/counts", fmt::format("[31, {}]", rows)}});
  const Line flow = rate(s, "out_count", 0.9, 31 * rows / 2.0);
  compare(fmt::format("slot of {:.3g} mm, {} rows", slot * 1e3, rows), "R^2 of constant flow", 1, flow.r2, 1e-3);
  return flow.slope;
}

/// Flow through a conical hopper with this orifice [kg/s].
double kilograms_per_second(double orifice) {
  const Series s("../../../examples/hopper_discharge/scene",
                 {{"/shapes/hopper/lower_radius", fmt::format("{}", orifice / 2)}});
  const Line flow = rate(s, "discharged_mass_kg", 0.6, 0.75 * s.last("grains_mass_kg"));
  compare(fmt::format("hopper, orifice of {:.3g} mm", orifice * 1e3), "R^2 of constant flow", 1, flow.r2, 1e-3);
  return flow.slope;
}

}  // namespace

TEST_CASE("discs flow out of a silo as the width of its slot, less 1.4 diameters, to the power 3/2") {
  const double diameter = 0.005;
  std::vector<double> widths, flows;
  for (const double slot : {0.025, 0.035, 0.045, 0.055}) {
    widths.push_back(slot - kEmptyEdge * diameter);
    flows.push_back(discs_per_second(slot, 110));
  }
  compare("silo in the plane", "exponent", 1.5, exponent(widths, flows), 0.1 / 1.5);
  // Either is a count of some 1000 discs.
  compare("silo in the plane, filled less high", "discs per second", flows[2], discs_per_second(0.045, 80), 0.05);
}

TEST_CASE("spheres flow out of a hopper as the width of its orifice, less 1.4 diameters, to the power 5/2") {
  std::vector<double> widths, flows;
  for (const double orifice : {0.022, 0.028, 0.035}) {
    widths.push_back(orifice - kEmptyEdge * 0.004);
    flows.push_back(kilograms_per_second(orifice));
  }
  compare("hopper", "exponent", 2.5, exponent(widths, flows), 0.1 / 2.5);
}
