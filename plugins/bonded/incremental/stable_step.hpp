#pragma once
/// \file The time step explicit integration of the same bonds can take.

#include "incremental/bond_term.hpp"

namespace scree::bonded {

/// Eq. (39): 2/omega with omega^2 the largest eigenvalue of M^-1/2 H M^-1/2 over bonds, each with its share of the
/// masses: that of a body divided by the number of its bonds. Never above the critical step, and 0.78 to 0.80 of it
/// for tetrahedra. Infinite without bonds. \param mass [kg], moment [kg m^2]  (bodies)
double stable_time_step(const BondTerm& bonds, const Configuration& x, std::span<const double> mass,
                        std::span<const double> moment);

}  // namespace scree::bonded
