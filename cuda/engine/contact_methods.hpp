#pragma once
/// \file What finds contacts and gives them forces, and which columns that takes.

#include <cstddef>

#include "scree/model/methods.hpp"
#include "scree/device/law.hpp"

namespace scree::device {

/// A law and a detector, and who they are for.
struct ContactMethods {
  const Channel* channel;
  const Interaction* interaction;
  const DeviceLaw* law;
  bool central = false;
  /// Whether the detector keeps 64 bits of each contact. They have the column behind the history.
  bool payload = false;
  bool flat = false;      ///< the law does without z: see DeviceLaw
  bool together = false;  ///< the law's stage of_spheres finds the contacts too

  /// Whether that can be. \param two_spheres  as DevicePairs has it
  static bool can_be_together(const DeviceLaw& law, const ForceNeeds& needs, bool two_spheres) {
    return two_spheres && law.of_spheres && !needs.moment;
  }

  bool uses_radius() const { return interaction->needs.radius || channel->curvature; }
  // Motion has columns where the law does not have its contacts at hand.
  bool keeps_velocity() const { return !together; }
  bool keeps_turn() const { return interaction->needs.turn && !together; }
  bool keeps_spin() const { return interaction->needs.spin && !together; }
};

/// The columns of StepContacts that some law, detector or sum works with, beside overlap, normal, point and force.
struct UsedColumns {
  bool z = false;  ///< of those, and of velocity
  bool velocity = false, arms = false, mass = false, radius = false, turn = false, spin = false, moment = false,
       weights = false;

  void add(const ContactMethods& methods);
  std::size_t count() const;  ///< with those that are always there
};

}  // namespace scree::device
