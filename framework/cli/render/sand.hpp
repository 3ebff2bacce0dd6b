#pragma once
/// \file Sand: the points of a continuum, and grains that were carried along in it.

#include <vtkSmartPointer.h>

#include <string>

#include "scree/base/types.hpp"

class vtkColorTransferFunction;
class vtkPolyData;
class vtkUnsignedCharArray;

namespace scree::render {

/// Particles in two parts: those whose shape is a sign for a point of a continuum, and all others. Both are cells with
/// their data, and may be empty.
struct Parted {
  vtkSmartPointer<vtkPolyData> points, bodies;
};
Parted parted(vtkPolyData& particles);

/// Checks whether points have all the data of grains: `radius`, `shade` and `point`.
bool are_grains(vtkPolyData& data);

/// Colours of grains.
struct GrainColours {
  /// Column of the particles for the colours; each grain has the value of the point that carries it. Empty: colours of
  /// sand, by `shade`.
  std::string column;
  vtkColorTransferFunction* colours = nullptr;  ///< colours of the column
  /// Direction to the sun, of length 1, in 3D: grains in the shade of others are darker. Zero: none is.
  Vec3 sun = Vec3::Zero();
};
vtkSmartPointer<vtkUnsignedCharArray> colours_of_grains(vtkPolyData& grains, vtkPolyData& particles,
                                                        const GrainColours& how);

/// Returns the same grains larger and in the shade, as background seen between them.
vtkSmartPointer<vtkPolyData> swollen_and_dark(vtkPolyData& grains);

}  // namespace scree::render
