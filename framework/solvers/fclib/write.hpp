#pragma once
/// \file Writes discrete Coulomb friction problems as FCLib files.

#include <filesystem>

#include "solvers/fclib/error.hpp"
#include "solvers/fclib/problem.hpp"

namespace scree::fclib {

/// The local form with info, solution and guesses; `problem.global` is left out. W goes in compressed rows, every entry
/// of every stored block: read() gives the same bits. The file appears whole or not at all, and the same problem gives
/// the same bytes. For rigid bodies: see coulomb/assemble.hpp.
/// \throws Error when the file cannot be written, or W has more entries than 32-bit indices can count
void write(const std::filesystem::path& file, const Problem<2>& problem);
void write(const std::filesystem::path& file, const Problem<3>& problem);

}  // namespace scree::fclib
