#pragma once
/// \file Facet of solid bodies with flat faces: a polyhedron swept by a sphere.

#include <cstdint>
#include <span>
#include <string_view>

#include "scree/base/api.hpp"
#include "scree/base/types.hpp"

namespace scree {

/// All points within radius() of a closed polyhedron, its inside included. Faces are convex and flat, and see outward.
/// A flat face that is not convex comes in several pieces, which share edges between coplanar faces. No vertex lies
/// within a flat part of the surface or within a straight edge.
class SCREE_API SweptPolyhedron {
 public:
  static constexpr std::string_view kName = "SweptPolyhedron/1";
  virtual ~SweptPolyhedron();
  /// (n) in the body frame [m]; the spans live as long as the shape.
  virtual std::span<const Vec3> vertices() const = 0;
  /// (faces + 1) Face f has the corners face_vertices()[face_begin()[f]] up to the begin of the next one.
  virtual std::span<const std::uint32_t> face_begin() const = 0;
  /// Vertices of all faces, one face after the other, each counter-clockwise from outside. Every edge is in two faces.
  virtual std::span<const std::uint32_t> face_vertices() const = 0;
  /// Returns the radius of the sphere [m], >= 0.
  virtual double radius() const noexcept = 0;
};

}  // namespace scree
