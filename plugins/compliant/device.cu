// The laws of this plugin on devices: the loops of law_models.hpp over columns in the device's memory.
#include "law_models.hpp"
#include "scree/device/law.hpp"
#include "scree/device/sphere_pairs.hpp"

namespace scree::compliant {

namespace {

template <class Model>
int force(const device::Execution& e, const void* parameters, const void* arguments) {
  const auto& a = *static_cast<const device::LawArguments*>(arguments);
  int error = 0;
  static_cast<const Model*>(parameters)
      ->force(a.contacts, a.last_history, a.now_history, a.out, device::DeviceLoop{e, a.segment, a.flat, error});
  return error;
}

template <class Model>
int force_of_spheres(const device::Execution& e, const void* parameters, const void* arguments) {
  const auto& a = *static_cast<const device::SphereLawArguments*>(arguments);
  int error = 0;
  static_cast<const Model*>(parameters)
      ->force_alone(a.law.contacts, a.law.last_history, a.law.now_history, a.law.out, device::SphereLoop{e, a, error});
  return error;
}

constexpr device::StageEntry kStages[] = {
    {"linear", force<ElasticModel<LinearSpring>>},
    {"linear-of-spheres", force_of_spheres<ElasticModel<LinearSpring>>},
    {"hertz-mindlin", force<HertzMindlinModel>},
    {"hertz-mindlin-of-spheres", force_of_spheres<HertzMindlinModel>},
};

}  // namespace

SCREE_DEVICE_STAGES(kStages)

}  // namespace scree::compliant
