#pragma once
/// \file Comparison of two runs' states, in everything that a checkpoint keeps.

#include <filesystem>
#include <string>

namespace scree::conformance {

/// Returns the first difference between two checkpoints of one scene, such as "column \"heat\" of bodies", or "". Every
/// column counts, plugins' too, every metric, and states of methods.
/// \throws IoError
std::string state_difference(const std::filesystem::path& one, const std::filesystem::path& other);

}  // namespace scree::conformance
