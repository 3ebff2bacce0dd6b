#pragma once
/// \file From an inertia tensor to the body frame.

#include "scree/base/api.hpp"
#include "scree/base/types.hpp"

namespace scree {

/// Principal moments, in the unit of the tensor, and the axes they belong to, as columns of a rotation.
struct PrincipalAxes {
  Vec3 moments;
  Mat3 axes;
};

/// Returns the principal moments and axes of an inertia tensor. Of the 24 ways to name the axes it takes the one
/// nearest to the axes given. Where the products of inertia are rounding, the axes stay as they are.
/// \param inertia  about the centre of mass, symmetric
SCREE_API PrincipalAxes principal_axes(const Mat3& inertia);

}  // namespace scree
