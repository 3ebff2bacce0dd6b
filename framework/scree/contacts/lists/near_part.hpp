#pragma once
/// \file Bodies that may reach a body in a part of the space-filling curve.

#include <cstdint>
#include <limits>
#include <span>

#include "scree/base/api.hpp"
#include "scree/contacts/body_poses.hpp"
#include "scree/contacts/lists/listed_part.hpp"
#include "scree/contacts/lists/space_blocks.hpp"

namespace scree {

/// Bodies near a part of the curve.
class SCREE_API NearPart {
 public:
  struct Search {
    BodyPoses poses;
    std::span<const double> radius;  ///< reach of bodies, by row [m]
    double reach;                    ///< further gap [m]
  };
  /// \param rows  rows of bodies that may touch each other
  /// \param part  part of the curve in which some of them are
  NearPart(std::span<const std::uint32_t> rows, const SpaceBlocks& blocks, const ListedPart& part,
           const Search& search);

  /// Checks whether the body, or an image of it, comes within reach of one in the part. May be true for others too.
  bool reaches(std::uint32_t row) const;

 private:
  Search search_;
  CurvePart region_;
  double largest_ = 0;  ///< largest radius [m]
  Vec3 low_ = Vec3::Constant(std::numeric_limits<double>::infinity()),
       high_ = -low_;  ///< box around bodies in the part [m]
};

}  // namespace scree
