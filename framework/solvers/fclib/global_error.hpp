#pragma once
/// \file The error measure of the global form.

#include "solvers/fclib/problem.hpp"

namespace scree::fclib {

/// |M v - H r - f| / max(|f|, |M v|, |H r|) + ( sum |r_i - P_K(r_i - u^_i)|^2 )^(1/2) / max(|u|, |r|) with v from the
/// impulses and u = H^T v + w: gfc3d_compute_error of Siconos. The first term is how well M could be factorised. A
/// denominator of rounding alone is left out.
/// \pre M is positive definite, as read() has made sure
template <int D>
double global_error(const GlobalForm& form, const std::vector<double>& friction,
                    const std::vector<coulomb::Vec<D>>& impulses);

}  // namespace scree::fclib
