// The kernels of the paper's scheme, for GPUs and for the host's processors.
#include "bench/paper/kernels.hpp"
#include "scree/device/execution.hpp"
#include "scree/device/stage_table.hpp"

namespace scree::paper {

namespace {

template <class Body>
int each(const device::Execution& e, const void* most, const void* body) {
  return device::for_each(e, *static_cast<const std::uint32_t*>(most), *static_cast<const Body*>(body));
}

constexpr device::StageEntry kStages[] = {
    {ClearGrid::kName, each<ClearGrid>},
    {FillGrid::kName, each<FillGrid>},
    {Collide::kName, each<Collide>},
    {Move::kName, each<Move>},
};

}  // namespace

SCREE_DEVICE_STAGES(kStages)

}  // namespace scree::paper
