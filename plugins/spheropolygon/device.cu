// Contacts of spheropolygons on devices, by the formulas of touch.hpp.
#include "pair_kernel.hpp"

namespace scree::spheropolygon {

namespace {

constexpr device::StageEntry kStages[] = {{"vertex-edge", device::narrow_shapes<VertexEdgeKernel>}};

}  // namespace

SCREE_DEVICE_STAGES(kStages)

}  // namespace scree::spheropolygon
