#pragma once
/// \file Balls among surfaces, which are drawn round at any size.

#include <vtkSmartPointer.h>

class vtkPolyData;

namespace scree::render {

/// Name of the radius of balls.
inline constexpr const char* kBallRadius = "ball_radius";

/// Surfaces in two parts with all columns.
struct WithBalls {
  vtkSmartPointer<vtkPolyData> balls;   ///< points with kBallRadius [m] and the columns of their cells
  vtkSmartPointer<vtkPolyData> others;  ///< cells
};

/// Finds balls: bodies or parts of clumps whose triangles are those of an icosahedron cut once, as the shapes made of
/// spheres write them, whole or in part.
WithBalls with_balls(vtkPolyData& surfaces);

/// Returns the triangles of a ball of radius 1 that with_balls() finds.
vtkSmartPointer<vtkPolyData> unit_ball();

}  // namespace scree::render
