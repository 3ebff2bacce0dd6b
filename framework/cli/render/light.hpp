#pragma once
/// \file Light and shade of a picture in three dimensions, from depths: corners are dark, and bodies cast soft shadows.

#include <vector>

#include "bitmap.hpp"
#include "camera.hpp"

namespace scree::render {

/// Depths that a camera saw.
struct DepthMap {
  int width = 0, height = 0;
  std::vector<float> depth;  ///< 0 to 1; 1 where there is nothing
  double near = 0, far = 0;  ///< distances of depths 0 and 1 [m]
};

/// Corners: part of the sky that is seen from each pixel, from 0 to 1.
/// \param map     depths from a camera with perspective
/// \param lens    lens of that camera
/// \param radius  distance within which others take light [m]
std::vector<float> openness(const DepthMap& map, const Lens& lens, double radius);

/// Sight of the sun: a square of the scene as the sun sees it, in parallel rays.
struct SunMap {
  DepthMap map;
  Axes axes;      ///< axes of the sun; out points to it
  Vec3 middle;    ///< middle of the square
  double height;  ///< height of the square [m]
};

/// Part of the sun that is seen from each pixel, from 0 to 1.
/// \param map, lens, axes  camera
std::vector<float> sunlight(const DepthMap& map, const Lens& lens, const Axes& axes, const SunMap& sun);

}  // namespace scree::render
