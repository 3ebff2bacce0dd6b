#pragma once
/// \file Metrics of Newton's method on implicit bonds.

#include "scree/world/world.hpp"

namespace scree::nonsmooth {

/// Names; those with "_total" count from the beginning of the run.
inline constexpr const char *kIterates = "newton_iterations", *kIteratesTotal = "newton_iterations_total",
                            *kIterateResidual = "newton_residual", *kStretch = "bond_stretch",
                            *kIndefinite = "indefinite_hessians_total", *kFarOff = "newton_far_off_steps_in_a_row",
                            *kSplitIterations = "split_admm_iterations", *kSplitPreferred = "split_admm_preferred";

inline void iterate_figures(World& world) {
  for (const char* name :
       {kIterates, kIteratesTotal, kIterateResidual, kStretch, kIndefinite, kFarOff, kSplitIterations, kSplitPreferred})
    world.metric(name);
}

}  // namespace scree::nonsmooth
