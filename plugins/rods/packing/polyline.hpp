#pragma once
/// \file A strand along a line of points.

#include <vector>

#include "scree/base/types.hpp"
#include "scree/scene/options.hpp"

namespace scree::rods {

/// Axis of a segment, and of a joint, in its own frame: the third one in 3D, the first one in 2D.
Vec3 axis_of(int dimension);

/// The frame whose axis has this direction, turned the shortest way from the world's; in 3D for -z about x.
Quat frame_along(const Vec3& direction, int dimension);

/// Segments on a line of points.
struct SegmentsOnLine {
  std::vector<Quat> frames;
  std::vector<std::size_t> edges;  ///< per segment the point that its end joint follows on the line
};

/// Fits as many segments as possible, but at most `most`. Their joints lie on the line, the first one on its first
/// point; frames are turned from one to the next the shortest way (parallel transport).
/// \param line    two points or more [m], none of which follows itself
/// \param start   frame that the first one is turned from
/// \param axis    axis of a segment in its own frame
/// \param length  length of a segment [m]
SegmentsOnLine fit_segments(const std::vector<Vec3>& line, const Quat& start, const Vec3& axis, double length,
                            std::size_t most);

/// Frames of segments on the line through the points of an option; points are in the frame of the root.
/// \throws OptionError where the line is too short, or a point follows itself
std::vector<Quat> frames_along(const std::vector<Options>& points, const Vec3& axis, double length,
                               std::size_t segments);

}  // namespace scree::rods
