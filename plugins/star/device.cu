// Contacts of stars on devices, by the formulas of outline/ and taubin/.
#include "taubin/pair_kernel.hpp"

namespace scree::star {

namespace {

constexpr device::StageEntry kStages[] = {{"taubin", device::narrow_remembered<StarPairs>},
                                          {"taubin-sizes", device::narrow_remembered<SizedStarPairs>}};

}  // namespace

SCREE_DEVICE_STAGES(kStages)

}  // namespace scree::star
