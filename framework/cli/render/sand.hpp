#pragma once
/// \file Sand: the points of a continuum, and grains that were carried along in it.

#include <vtkSmartPointer.h>

#include <string>

#include "scree/base/types.hpp"

class vtkColorTransferFunction;
class vtkPolyData;
class vtkUnsignedCharArray;

namespace scree::render {

/// Particles whose shape is a sign for a point of a continuum, and all others: cells with their data. Either may be
/// without cells.
struct Parted {
  vtkSmartPointer<vtkPolyData> points, bodies;
};
Parted parted(vtkPolyData& particles);

/// Whether points have all that grains need: `radius`, `shade` and `point`.
bool are_grains(vtkPolyData& data);

/// A colour per grain.
struct GrainColours {
  /// What the colours tell: a column of the particles, which each grain has of the point that carries it. Empty: those
  /// of sand, by `shade`.
  std::string column;
  vtkColorTransferFunction* colours = nullptr;  ///< with a column
  /// Towards the sun, of length 1, in 3D: grains in the shade of others are darker. Zero: none is.
  Vec3 sun = Vec3::Zero();
};
vtkSmartPointer<vtkUnsignedCharArray> colours_of_grains(vtkPolyData& grains, vtkPolyData& particles,
                                                        const GrainColours& how);

/// The same grains larger and in the shade, as what is seen between them.
vtkSmartPointer<vtkPolyData> swollen_and_dark(vtkPolyData& grains);

}  // namespace scree::render
