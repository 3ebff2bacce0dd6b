// The kernels that are no method's. Compiled as C++ for the host's processors, and by nvcc for GPUs.
#include "kernels/list_kernels.hpp"
#include "kernels/step_kernels.hpp"
#include "scree/device/stage_table.hpp"

namespace scree::device {

namespace {

/// As Device::OwnStage.
template <class Body>
struct Arguments {
  std::uint32_t most;
  Body body;
};

template <class Body>
int each(const Execution& e, const void*, const void* arguments) {
  const auto& a = *static_cast<const Arguments<Body>*>(arguments);
  return for_each(e, a.most, a.body);
}
template <class Body>
int blocks(const Execution& e, const void*, const void* arguments) {
  const auto& a = *static_cast<const Arguments<Body>*>(arguments);
  return for_blocks(e, a.most, a.body);
}

template <class Body>
constexpr StageEntry item_stage() {
  return {Body::kName, each<Body>};
}

constexpr StageEntry kStages[] = {
    item_stage<FindKeys>(),           item_stage<ArrangeSites>(),
    item_stage<CountEntries>(),       item_stage<FillEntries>(),
    item_stage<CountPairs>(),         item_stage<NumberPairs>(),
    item_stage<NumberPartners>(),     item_stage<InheritPairs>(),
    item_stage<FillItems>(),          item_stage<InheritItems>(),
    item_stage<Prescribe>(),          item_stage<SumForces<InSpace>>(),
    item_stage<SumForces<InPlane>>(), item_stage<KickDrift<InSpace>>(),
    item_stage<KickDrift<InPlane>>(), item_stage<SumKickDriftInPlane>(),
    item_stage<CheckLists>(),         item_stage<EndStep>(),
    item_stage<WrapBodies>(),         {PlaceSites::kName, blocks<PlaceSites>},
};

}  // namespace

SCREE_DEVICE_STAGES(kStages)

}  // namespace scree::device
