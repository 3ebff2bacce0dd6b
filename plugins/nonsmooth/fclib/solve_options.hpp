#pragma once
/// \file The command line of fclib_solve.

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <vector>

#include "coulomb/solve.hpp"

namespace scree::fclib {

/// What the user asks for cannot be done; what() is the whole message.
class UsageError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct SolveOptions {
  std::vector<std::filesystem::path> files;
  coulomb::Options solver;
  bool json = false;
  int repeats = 1;                            ///< times are medians of that many
  std::optional<std::filesystem::path> save;  ///< folder for the problems with their solutions
};

/// \return nothing when only help was asked for, and printed
/// \throws UsageError
std::optional<SolveOptions> parse_solve_options(int count, const char* const* arguments);

}  // namespace scree::fclib
