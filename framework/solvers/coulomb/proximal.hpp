#pragma once
/// \file Proximal outer loop, each of its problems solved by a semismooth Newton method over all contacts at once.
///
/// x_(k+1) solves Coulomb's law for A + alpha I and c - alpha x_k: without error at the limit, whatever alpha, and with
/// a regular Jacobian even where W has lost its rank. alpha falls as the loop closes in.
///
/// \source R. T. Rockafellar, SIAM J. Control Optim. 14 (1976) 877; T. De Luca, F. Facchinei, C. Kanzow, Math. Program.
/// 75
///         (1996) 407, for the line search

#include "solvers/coulomb/scaled_system.hpp"

namespace scree::coulomb {

struct ProximalOptions {
  double tolerance;
  int max_factorisations = 200;
};

/// \param impulses  the start
/// \return factorisations done
template <int D>
int solve_proximal(const ScaledSystem<D>& system, std::span<const Vec<D>> impulses, const ProximalOptions& options,
                   const Judgement<D>& judge);

}  // namespace scree::coulomb
