#pragma once
/// \file A wire that its bead bends beyond yield, for tests by different integrators.

#include <fmt/format.h>

#include <string>
#include <vector>

#include "test_scene.hpp"

namespace scree::rods::test {

/// A wire of 20 segments, radius 1 mm, length 0.2 m, that leaves a peg sideways, with a bead on its tip. The bead's
/// weight bends it at the root by more than it bears.
inline const std::string kWire = R"({
  "dimension": 3, "gravity": [0, 0, -9.81],
  "materials": {"wire": {"density": 2000, "youngs_modulus": 2e9, "poisson_ratio": 0.3}, "lead": {"density": 11000}},
  "shapes": {"segment": {"type": "capsule", "length": 0.01, "radius": 0.001, "mass_of": "cylinder"},
             "peg": {"type": "sphere", "radius": 0.005}, "bead": {"type": "sphere", "radius": 0.006}},
  "bodies": [
    {"name": "wire", "shape": "segment", "material": "wire",
     "packing": {"type": "strands", "segments": 20, "roots": {"normal": [1, 0, 0], "positions": [[0, 0, 0]]}}},
    {"name": "peg", "shape": "peg", "material": "lead", "fixed": true, "position": [-0.005, 0, 0]},
    {"name": "bead", "shape": "bead", "material": "lead", "position": [0.206, 0, 0]}],
  "bonds": [
    {"between": ["wire", "wire"], "law": {"type": "elastic-rod", "yield_moment": 0.012}},
    {"between": ["peg", "wire"], "pairs": "roots", "law": {"type": "elastic-rod", "yield_moment": 0.012}},
    {"between": ["bead", "wire"], "pairs": "tips", "law": {"type": "elastic-rod", "yield_moment": 0.012}}],
  "interactions": [{"between": ["*", "*"], "law": {"type": "linear", "normal_stiffness": 1000}}],
  "integrator": {"type": "velocity-verlet", "dt": 2e-6}, "run": {"duration": 10}})";

inline std::vector<std::string> implicit(double dt) {
  return {
      fmt::format(
          R"(/integrator={{"type": "moreau-jean", "dt": {}, "newton_tolerance": 1e-6, "newton_iterations": 20}})", dt),
      R"(/interactions/0/law={"type": "coulomb", "friction": 0.3})"};
}

inline std::vector<std::string> minimising(double dt) {
  return {fmt::format(R"(/integrator={{"type": "variational", "dt": {}}})", dt)};
}

inline Vec3 bead(Simulation& s) { return s.world().position.read()[*s.world().row(21)]; }

inline double dissipated(Simulation& s) { return figures(s, {"dissipated_bond_energy_J"}); }

}  // namespace scree::rods::test
