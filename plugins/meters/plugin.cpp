#include "scree/plugin/plugin.hpp"

#include "body_meter.hpp"
#include "flow_meter.hpp"
#include "heap_meter.hpp"
#include "mixing_meter.hpp"
#include "profile_meter.hpp"
#include "region_meter.hpp"

SCREE_PLUGIN(meters, "1.0.0") {
  using namespace scree;
  registrar.observer("region-meter",
                     [](const Options& options) { return std::make_unique<meters::RegionMeter>(options); });
  registrar.observer("flow-meter", [](const Options& options) { return std::make_unique<meters::FlowMeter>(options); });
  registrar.observer("mixing-meter",
                     [](const Options& options) { return std::make_unique<meters::MixingMeter>(options); });
  registrar.observer("body-meter", [](const Options& options) { return std::make_unique<meters::BodyMeter>(options); });
  registrar.observer("heap-meter", [](const Options& options) { return std::make_unique<meters::HeapMeter>(options); });
  registrar.observer("profile-meter",
                     [](const Options& options) { return std::make_unique<meters::ProfileMeter>(options); });
}
