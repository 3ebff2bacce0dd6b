#include "scree/plugin/plugin.hpp"

#include "flow_meter.hpp"
#include "mixing_meter.hpp"
#include "region_meter.hpp"

SCREE_PLUGIN(meters, "1.0.0") {
  using namespace scree;
  registrar.observer("region-meter",
                     [](const Options& options) { return std::make_unique<meters::RegionMeter>(options); });
  registrar.observer("flow-meter", [](const Options& options) { return std::make_unique<meters::FlowMeter>(options); });
  registrar.observer("mixing-meter",
                     [](const Options& options) { return std::make_unique<meters::MixingMeter>(options); });
}
