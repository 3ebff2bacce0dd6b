// Contacts of spheres on devices, by the formulas of sphere_contact.hpp.
#include "scree/device/faces.hpp"
#include "scree/device/pairs.hpp"
#include "sphere_contact.hpp"

namespace scree::spheres {

namespace {

SCREE_HD device::Contact as_contact(const Contact<double>& c, double arm_a, double arm_b) {
  return {c.overlap, {c.nx, c.ny, c.nz}, {c.px, c.py, c.pz}, c.effective_radius, arm_a, arm_b};
}

struct TwoSpheres {
  SCREE_HD bool find(const device::PairOfSites& p, double margin, device::Contact& contact) const {
    if (!(dot(p.d, p.d) < squared_reach(p.radius_a, p.radius_b, margin))) return false;
    const Contact<double> c = sphere_sphere(p.x.x, p.x.y, p.x.z, p.radius_a, p.d.x, p.d.y, p.d.z, p.radius_b);
    contact = as_contact(c, lever_arm(p.radius_a, c.overlap), lever_arm(p.radius_b, c.overlap));
    return true;
  }
};

struct SphereOnFace {
  SCREE_HD device::Contact touch(const device::Vector3d& x, double radius, const device::SeenFace& f) const {
    return as_contact(sphere_face(x.x, x.y, x.z, radius, f.distance, f.normal.x, f.normal.y, f.normal.z, f.k1, f.k2),
                      -1, -1);
  }
};

constexpr device::StageEntry kStages[] = {{"sphere-sphere", device::narrow_pairs<TwoSpheres>},
                                          {"sphere-surface", device::touch_faces<SphereOnFace>}};

}  // namespace

SCREE_DEVICE_STAGES(kStages)

}  // namespace scree::spheres
