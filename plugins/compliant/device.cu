// The laws of this plugin on devices: the loops of law_models.hpp over columns in the device's memory.
#include "law_models.hpp"
#include "scree/device/law.hpp"

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

constexpr device::StageEntry kStages[] = {{"linear", force<ElasticModel<LinearSpring>>},
                                          {"hertz-mindlin", force<HertzMindlinModel>}};

}  // namespace

SCREE_DEVICE_STAGES(kStages)

}  // namespace scree::compliant
