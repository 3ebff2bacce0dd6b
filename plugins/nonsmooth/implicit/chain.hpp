#pragma once
/// \file Steps and second derivatives in chain coordinates: turns of the bodies, and the gaps of the links of a tree in
/// place of where bodies are. An inextensible rod is a narrow curved valley in the places of its segments, and a
/// straight one in these.

#include "implicit/fragments.hpp"
#include "solvers/blocks/block_matrix.hpp"
#include "solvers/newton/minimise.hpp"

namespace scree::nonsmooth {

/// Moves a fragment by a step that was solved for in places and turns. Each gap of its trees changes by exactly what it
/// changes by to first order; places follow from the gaps. Trees that nothing holds keep their centre of mass.
/// \param row   (bodies) of the system, see solvers::Unknowns
/// \param mass  (bodies) [kg]
/// \param step  six entries per row: place [m], turn [rad]
void move(const Fragment& fragment, std::span<const std::uint32_t> row, std::span<const double> mass,
          const solvers::BlockVector& step, solvers::Moving x);

/// Turns second derivatives by places and turns into those by gaps and turns. To first order the two kinds of
/// coordinates are linear in each other, so what is added is the gradient times how places curve with turns.
/// \param gradient  six entries per row, of everything [N], [N m]
void curve(const Fragment& fragment, std::span<const std::uint32_t> row, std::span<const double> mass,
           const solvers::BlockVector& gradient, const Configuration& x, solvers::BlockMatrix& hessian);

}  // namespace scree::nonsmooth
