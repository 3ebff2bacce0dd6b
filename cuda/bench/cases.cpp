#include "bench/cases.hpp"

#include "bench/packing.hpp"
#include "bench/paper_pile.hpp"

namespace scree::device {

namespace {

using Made = std::unique_ptr<Stepped>;

Made spheres(Device& device, std::uint32_t count, const std::string&) {
  return std::make_unique<PackingBench>(device, pack_spheres(count));
}
Made stars(Device& device, std::uint32_t count, const std::string& pile) {
  return std::make_unique<PackingBench>(device, pack_stars(count, pile, 0));
}
Made parted_stars(Device& device, std::uint32_t count, const std::string& pile) {
  return std::make_unique<PackingBench>(device, pack_stars(count, pile, 1e-4));
}
Made paper(Device& device, std::uint32_t count, const std::string& pile) { return step_paper(device, count, pile); }

constexpr Case kCases[] = {
    {"spheres", "Spheres, hertz-mindlin with friction", 20, spheres},
    {"stars", "Crosses of 100 nodes in a settled pile that stands still, linear springs with friction", 20, stars},
    {"parted-stars", "The same, while each cross goes its own way by up to 1e-4 radii per step", 20, parted_stars},
    {"paper",
     "The same pile by the scheme of Schreck et al. (2024): nodes of one side, a sprite of 256 x 256, no history, sums "
     "by atomics",
     20, paper},
};

}  // namespace

std::span<const Case> cases() { return kCases; }

}  // namespace scree::device
