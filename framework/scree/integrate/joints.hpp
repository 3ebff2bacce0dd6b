#pragma once
/// \file "joints/1": what Mechanics offers to integrators that solve for impulses in joints.

#include <cstdint>
#include <span>
#include <string_view>

#include "scree/integrate/mechanics.hpp"

namespace scree {

/// A bond with the face "joint/1", between bodies of which at least one moves freely. World axes.
struct Joint {
  std::uint32_t a, b;  ///< rows of the bodies
  Vec3 arm_a, arm_b;   ///< from the centres of a and b to the point, as either holds it [m]
  Vec3 apart;          ///< from a's point to b's [m]; 0: they are one
  Vec3 impulse;        ///< on b, of the last step; 0 before the first [N s]
};

class SCREE_API Joints {
 public:
  static constexpr std::string_view kName = "joints/1";
  virtual ~Joints();

  /// All joints at the World's state, in the order of the bonds. Valid until the next call, and until commit().
  virtual std::span<const Joint> joints() = 0;

  /// What was solved: on b of each of the last joints() [N s]. Becomes history, in checkpoints too, and adds to
  /// Mechanics::last_forces(): call it after what sets these, such as Cones::accept(). \param dt  [s]
  virtual void accept_joints(std::span<const Vec3> impulses, double dt) = 0;
};

}  // namespace scree
