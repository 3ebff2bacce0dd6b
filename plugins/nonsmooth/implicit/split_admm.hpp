#pragma once
/// \file ADMM on the friction problem of one iterate, split at every end of every contact: W is never formed. For dense
/// hair, and where sweeps stall.
///
/// Each end of a contact has a copy z of the velocity of its point, from which the contact keeps its law. With
/// K = dt^2 A, v velocities less those without contacts, and rho = rho^/s, s = trace(W_ii)/D:
///   v <- (K + J^T rho J)^-1 J^T (rho z + p),  p = +r on b, -r on a   (rho J^T J adds to diagonal blocks alone)
///   y <- 1.6 J v - 0.6 z - p/rho,  c = y_b - y_a + q,  l = 2/rho     (1/rho where one end does not move)
///   r_N <- max(0, -c_N/l),  r_T <- -c_T/l, cut to mu r_N             (exact: the local W is isotropic)
///   z_b <- y_b + r/rho,  z_a <- y_a - r/rho
/// The cost of an iteration is linear in segments and contacts. Results have the same bits for any number of threads.
///
/// \source S. Boyd et al., Found. Trends Mach. Learn. 3 (2011) 1; in kind G. Daviet, Simple and scalable frictional
///         contacts for thin nodal objects, ACM Trans. Graph. 39 (2020) 61

#include "contact_problem.hpp"
#include "implicit/implicit_motion.hpp"

namespace scree::nonsmooth {

/// \param step     after set_up(); its impulses are the start, and the best ones found on return
/// \param bodies   after linearise()
/// \param options  tolerance, measure, threads; max_sweeps bounds the iterations
/// \return accuracy reached; W_ii in the measure leaves out the coupling of the two bodies of a contact by bonds
template <int D>
coulomb::Report solve_split(StepProblem<D>& step, ImplicitMotion& bodies, const coulomb::Options& options);

}  // namespace scree::nonsmooth
