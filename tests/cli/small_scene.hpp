#pragma once
/// \file A scene small enough for many runs: a few crosses fall on a floor.

#include <string>

#include "catch.hpp"

namespace scree::test {

/// Line numbers matter to the tests of messages: one key per line where a test looks at it.
inline const std::string kSmallScene = R"({
  "name": "small",
  "dimension": 2,
  "gravity": [0, -9.81],
  "materials": {"grain": {"density": 1180}, "wall": {}},
  "shapes": {
    "cross": {"type": "star", "coefficients": {"a0": 2, "sin": {"4": 1}}, "radius": 0.005, "thickness": 0.003},
    "floor": {"type": "half-plane", "normal": [0, 1]}
  },
  "bodies": [
    {"name": "grains", "shape": "cross", "material": "grain", "packing": {"type": "lattice", "lower": [0, 0.01], "counts": [4, 3], "spacing": 0.012}},
    {"name": "floor", "shape": "floor", "material": "wall", "fixed": true, "position": [0, 0]}
  ],
  "interactions": [
    {"between": ["grain", "*"], "law": {"type": "linear", "normal_stiffness": 400, "normal_damping": 0.1, "friction": 0.5}}
  ],
  "integrator": {"type": "symplectic-euler", "dt": 0.0001},
  "output": {"interval": 0.01, "metrics_interval": 0.01},
  "run": {"duration": 0.05}
}
)";

/// The text with the first `from` in it, which must be there, replaced.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  REQUIRE(at != std::string::npos);
  return text.replace(at, from.size(), to);
}

}  // namespace scree::test
