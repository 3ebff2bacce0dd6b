#pragma once
/// \file The sparse matrices of FCLib files.

#include <string>

#include "solvers/fclib/input_file.hpp"
#include "solvers/fclib/problem.hpp"

namespace scree::fclib {

/// Reads the matrix of a group. Entries given twice are summed, as in CSparse, whose storage these files use: `nz` >= 0
/// is the number of triplets (i = row, p = column), -1 compressed columns, -2 compressed rows. `nzmax` may exceed what
/// is used. \throws Error
SparseMatrix read_matrix(const InputFile& file, const std::string& group);

}  // namespace scree::fclib
