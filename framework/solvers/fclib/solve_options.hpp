#pragma once
/// \file The command line of fclib_solve.

#include <filesystem>
#include <optional>
#include <vector>

#include "cli/command_line.hpp"
#include "solvers/coulomb/solve.hpp"

namespace scree::fclib {

struct SolveOptions {
  std::vector<std::filesystem::path> files;
  coulomb::Options solver;
  bool json = false;
  int repeats = 1;                            ///< times are medians of that many
  std::optional<std::filesystem::path> save;  ///< folder for the problems with their solutions
};

/// \return nothing when only help was asked for, and printed
/// \throws InputError
std::optional<SolveOptions> parse_solve_options(const cli::Arguments& arguments);

}  // namespace scree::fclib
