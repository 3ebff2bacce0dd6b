#pragma once
/// \file What the detectors of this plugin answer when a device asks for its part.

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
