#pragma once
/// \file Part of this plugin's detectors on a device.

#include "scree/device/faces.hpp"
#include "scree/device/pairs.hpp"

namespace scree::spheres {

inline const device::DevicePairs& pairs_on_device() {
  static const char none = 0;
  static const device::DevicePairs offer{{"spheres", "sphere-sphere", &none}, true};
  return offer;
}
inline const device::DeviceFaceContacts& faces_on_device() {
  static const char none = 0;
  static const device::DeviceFaceContacts offer{{"spheres", "sphere-surface", &none}};
  return offer;
}

}  // namespace scree::spheres
