#pragma once
/// \file Report of a check: what a scene would run, without running it.

#include <cstdint>
#include <string>
#include <vector>

#include "scree/base/api.hpp"

namespace scree {

/// Stage of a checked scene. A scene without stages has one.
struct CheckedStage {
  std::string name;                  ///< "" for a scene without stages
  std::string ends;                  ///< "until 0.3 s of it"; "" for a scene without stages
  double dt = 0;                     ///< [s]
  std::vector<std::string> changes;  ///< differences from the previous stage
  std::vector<std::string> limits;   ///< limits of the step, a line for each pair of materials
};

struct CheckReport {
  std::string scene;                ///< name
  std::uint64_t moving_bodies = 0;  ///< number at the start
  std::uint64_t walls = 0;          ///< number of the others
  double mass = 0;                  ///< mass of moving bodies [kg]
  double duration = 0;              ///< simulated time of the whole run, with stages at most [s]
  std::uint64_t steps = 0;          ///< number of steps; 0 for a scene with stages
  double output_bytes = 0;          ///< size of all files, at most, as far as observers report it
  bool staged = false;
  std::vector<CheckedStage> stages;
  std::vector<std::string> notes, warnings;
};

/// Returns lines for the user.
SCREE_API std::string to_text(const CheckReport& report);

}  // namespace scree
