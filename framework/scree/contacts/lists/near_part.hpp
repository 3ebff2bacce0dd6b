#pragma once
/// \file Who may reach a body that stands in a part of the space-filling curve.

#include <cstdint>
#include <limits>
#include <span>

#include "scree/base/api.hpp"
#include "scree/contacts/body_poses.hpp"
#include "scree/contacts/lists/listed_part.hpp"
#include "scree/contacts/lists/space_blocks.hpp"

namespace scree {

class SCREE_API NearPart {
 public:
  struct Search {
    BodyPoses poses;
    std::span<const double> radius;  ///< how far bodies reach, by row [m]
    double reach;                    ///< further gap [m]
  };
  /// \param rows  of bodies that may meet each other \param part  some of them stand there
  NearPart(std::span<const std::uint32_t> rows, const SpaceBlocks& blocks, const ListedPart& part,
           const Search& search);

  /// Whether the body, or an image of it, comes within reach of one in the part. May be true for others too.
  bool reaches(std::uint32_t row) const;

 private:
  Search search_;
  CurvePart region_;
  double largest_ = 0;                                                                 ///< radius [m]
  Vec3 low_ = Vec3::Constant(std::numeric_limits<double>::infinity()), high_ = -low_;  ///< of bodies in the part [m]
};

}  // namespace scree
