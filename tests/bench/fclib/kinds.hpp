#pragma once
/// \file Kinds of random one-step problems. Each has a solution: w is in the dual cone, as bodies that stand still
/// would satisfy all contacts.

#include "coulomb/problem.hpp"
#include "random.hpp"

namespace scree::bench {

/// Spheres of several sizes and densities in a heap on a floor, falling for a step of time and stirred a little.
coulomb::DelassusProblem<3> sphere_heap(Random& random);

/// Boxes upon each other, four to eight contacts in every face: W has far fewer ranks than rows.
coulomb::DelassusProblem<3> box_stack(Random& random);

/// Crossing fibres of a few dozen degrees of freedom whose stiffness spreads over six decades, as super-helices have:
/// W is dense along a fibre and badly conditioned.
coulomb::DelassusProblem<3> fibres(Random& random);

}  // namespace scree::bench
