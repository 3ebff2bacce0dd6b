#pragma once
/// \file Estimate of the size of a frame's files from numbers of bodies, corners and columns, before there is one.

#include <string>
#include <vector>

#include "pictures.hpp"

namespace scree::vtk {

/// Size of one frame, on average [bytes].
struct FrameBytes {
  double surfaces = 0;  ///< particles with their outlines
  double points = 0;    ///< particles as one point each
  double contacts = 0;  ///< contacts of a dense packing
};

/// Returns the size. \param columns  columns written of each particle
FrameBytes frame_bytes(const World& world, Surfaces& surfaces, const std::vector<std::string>& columns);

}  // namespace scree::vtk
