#pragma once
/// \file Integrals over full cells.
///
/// Points are a poor quadrature of a pressure that grows with depth: one that has moved by a part eps of the spacing
/// leaves a force of eps p/h, in a deep bed many times the weight of a cell. So where a cell is full, what its matter
/// does to nodes is integrated exactly, as if the matter were uniform.

#include <span>

#include "grid/transfers.hpp"

namespace scree::continuum {

/// Integral of omega_j grad N_i over a whole cell [m^(D-1)].
template <int D>
CellGradients<D> whole_cell(double width);

/// Samples along an axis of a cell that a wall may cut, and those of a cell.
template <int D>
inline constexpr int kAlong = D == 2 ? 8 : 4;
template <int D>
inline constexpr int kSamples = power(kAlong<D>, D);

/// Place of a sample within its cell, 0 to 1 along each axis.
template <int D>
Vec<D> sample(int number);

/// Returns the integrals of a cut cell: each sample counts by the part of its cube that is not wall.
/// \param free  (kSamples) 0 to 1
template <int D>
CellGradients<D> cut_cell(double width, std::span<const double> free);

}  // namespace scree::continuum
