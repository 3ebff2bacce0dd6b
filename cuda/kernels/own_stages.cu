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
constexpr StageEntry stage() {
  if constexpr (requires { typename Body::Shared; })
    return {Body::kName, blocks<Body>};
  else
    return {Body::kName, each<Body>};
}
template <class... Bodies>
struct StagesOf {
  static constexpr StageEntry kEntries[] = {stage<Bodies>()...};
};

using Stages = StagesOf<FindKeys, ArrangeSites, CountEntries, FillEntries, CountPairs, NumberPairs, NumberPartners,
                        InheritPairs, FillItems, InheritItems, WrapBodies, Prescribe, PlaceSites, CheckLists,
                        SumForces<InSpace>, SumForces<InPlane>, KickDrift<InSpace>, KickDrift<InPlane>,
                        SumKickDrift<InSpace>, SumKickDrift<InPlane>, EndStep>;

}  // namespace

SCREE_DEVICE_STAGES(Stages::kEntries)

}  // namespace scree::device
