#pragma once
/// \file Kinds of random one-step problems. Bodies that stand still satisfy all contacts, w is in the dual cone.
/// Heaps and stacks have a solution for sure: some motion opens every contact by more than mu times what it slips, so
/// that (image of H) + w meets the inside of the dual cone. In a heap all centres move away from one point of the
/// floor, c x, and up, fast enough for the spheres on the floor; in a stack every course rises faster than the one
/// below. For fibres no such motion is at hand, and whether they have solutions is not proved.
/// \source V. Acary, F. Cadoux, C. Lemarechal, J. Malick, ZAMM 91 (2011) 155

#include "solvers/coulomb/problem.hpp"
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
