#pragma once
/// \file State of a fluid from step to step.

#include <vector>

#include "grid/lattice.hpp"

namespace scree::continuum {

/// State of the cells of a box, and of their nodes: dense, x fastest.
template <int D>
struct FluidState {
  Place<D> lower{}, count{};     ///< the box [cells]; a count of 0: no step was made
  std::vector<Vec<D>> velocity;  ///< (nodes) u_f [m/s]
  std::vector<Vec<D>> viscous;   ///< (nodes) impulse of viscosity on the volume [N s]
  std::vector<double> pressure;  ///< (cells) P = dt p, p above hydrostatic [Pa s]
};

}  // namespace scree::continuum
