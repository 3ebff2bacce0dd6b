#pragma once
/// \file A contact law's share in the steps of a device: the same columns as on the host, in the device's memory.

#include "scree/device/active.hpp"
#include "scree/device/stage_table.hpp"
#include "scree/law/contact_law.hpp"

namespace scree::device {

/// Face "device-law/3" of laws: a stage whose arguments are LawArguments.
struct DeviceLaw : DeviceStage {
  static constexpr std::string_view kName = "device-law/3";
  /// In the plane the law does without the z of normals, velocities and forces: LawArguments::flat.
  bool flat_in_plane = false;
  /// Name of the stage that finds the contacts of spheres too, for laws that give no couples, see sphere_pairs.hpp;
  /// null: none.
  const char* of_spheres = nullptr;
};

/// Columns of history are by ContactIndex::history, and kept in place: see ForceNeeds::history_in_place. All else is by
/// place.
struct LawArguments {
  Segment segment;
  bool flat;                ///< columns of z are null: of normals, velocities and forces
  ContactColumns contacts;  ///< pointers to the device's memory; `size` says nothing
  const double* last_history[ContactSlots::kMostHistory];
  double* now_history[ContactSlots::kMostHistory];
  ForceColumns out;
};

/// The loop of a device, for laws that are loops over contacts: loop(contacts, body) calls body(ContactIndex<flat>).
struct DeviceLoop {
  const Execution& execution;
  const Segment& segment;
  bool flat;
  int& error;
  template <class Body>
  void operator()(const ContactColumns&, const Body& body) const {
    if (error == 0) error = for_active(execution, segment, flat, body);
  }
};

}  // namespace scree::device
