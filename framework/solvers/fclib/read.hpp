#pragma once
/// \file Reads discrete Coulomb friction problems from FCLib files.

#include <filesystem>

#include "solvers/fclib/error.hpp"
#include "solvers/fclib/problem.hpp"

namespace scree::fclib {

/// The local form (W, q, mu) as it is stored: W may be unsymmetric. The global form (M, H, f, w, mu) is reduced to
/// W = H^T M^-1 H, q = w + H^T M^-1 f, and kept beside; where only one triangle of M is stored, the other is its mirror
/// image.
/// \throws Error for files that are not FCLib's, whose numbers do not fit together or are not finite, with friction
///         below zero, and for what is not supported: equality constraints and rolling friction
AnyProblem read(const std::filesystem::path& file);

}  // namespace scree::fclib
