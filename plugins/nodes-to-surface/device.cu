// Contacts of nodes in baked distance fields on devices.
#include "scree/device/node_contacts.hpp"

namespace scree::nodes_to_surface {

namespace {

constexpr device::StageEntry kStages[] = {{"nodes-to-surface", device::narrow_shapes<device::NodesInFields>}};

}  // namespace

SCREE_DEVICE_STAGES(kStages)

}  // namespace scree::nodes_to_surface
