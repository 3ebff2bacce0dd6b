#pragma once
/// \file Whether two runs have come to the same state, in all that a checkpoint keeps.

#include <filesystem>
#include <string>

namespace scree::conformance {

/// What differs first between the states of two checkpoints of one scene, as "column \"heat\" of bodies", or "".
/// Every column counts, those of plugins too, every figure, and what methods save.
/// \throws IoError
std::string state_difference(const std::filesystem::path& one, const std::filesystem::path& other);

}  // namespace scree::conformance
