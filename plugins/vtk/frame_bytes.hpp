#pragma once
/// \file How many bytes the files of a frame take, from numbers of bodies, corners and columns: before there is one.

#include <string>
#include <vector>

#include "pictures.hpp"

namespace scree::vtk {

/// Of one frame, on average [bytes].
struct FrameBytes {
  double surfaces = 0;  ///< particles with their outlines
  double points = 0;    ///< particles as one point each
  double contacts = 0;  ///< as of a dense packing
};

/// \param columns  what is written of each particle
FrameBytes frame_bytes(const World& world, Surfaces& surfaces, const std::vector<std::string>& columns);

}  // namespace scree::vtk
