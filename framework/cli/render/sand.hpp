#pragma once
/// \file Sand: the points of a continuum, and grains that were carried along in it.

#include <vtkSmartPointer.h>

#include "colouring.hpp"

class vtkPolyData;

namespace scree::render {

/// Particles in two parts: those whose shape is a sign for a point of a continuum, and all others. Both are cells with
/// their data, and may be empty.
struct Parted {
  vtkSmartPointer<vtkPolyData> points, bodies;
};
Parted parted(vtkPolyData& particles);

/// Checks whether points have all the data of grains: `radius`, `shade` and `point`.
bool are_grains(vtkPolyData& data);

/// Checks whether some particles are points of a continuum.
bool has_points(vtkPolyData& particles);

/// Returns grains scattered in points of a continuum, which carry none: the same places in all frames, within a box
/// that moves with the point. Nothing if the points have no `id`.
vtkSmartPointer<vtkPolyData> sampled_grains(vtkPolyData& points);

/// Gives grains their colours as scalars: those of sand by `shade`, or that of the point that carries each.
void paint_grains(vtkPolyData& grains, vtkPolyData& particles, const Colouring& colouring);

/// Returns the same grains larger and in the shade, as background seen between them.
vtkSmartPointer<vtkPolyData> swollen_and_dark(vtkPolyData& grains);

}  // namespace scree::render
