// What sites see of obstacles, on devices.
#include "device_faces.hpp"

namespace scree::obstacles {

namespace {

constexpr device::StageEntry kStages[] = {{"look", device::look<ObstacleFaces>},
                                          {"list-near", device::list_near<ObstacleFaces>},
                                          {"touch-nodes", device::touch_nodes<ObstacleFaces>}};

}  // namespace

SCREE_DEVICE_STAGES(kStages)

}  // namespace scree::obstacles
