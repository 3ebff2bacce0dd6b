// Contacts of spheres on devices, by the formulas of sphere_contact.hpp.
#include "scree/device/faces.hpp"
#include "scree/device/sphere_pairs.hpp"

namespace scree::spheres {

namespace {

struct SphereOnFace {
  SCREE_HD device::Contact touch(const device::Vector3d& x, double radius, const device::SeenFace& f) const {
    return device::contact_of(
        sphere_face(x.x, x.y, x.z, radius, f.distance, f.normal.x, f.normal.y, f.normal.z, f.k1, f.k2), -1, -1);
  }
};

constexpr device::StageEntry kStages[] = {{"sphere-sphere", device::narrow_pairs<device::TwoSpheres>},
                                          {"sphere-surface", device::touch_faces<SphereOnFace>}};

}  // namespace

SCREE_DEVICE_STAGES(kStages)

}  // namespace scree::spheres
