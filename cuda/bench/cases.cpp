#include "bench/cases.hpp"

#include <utility>

#include "bench/packing.hpp"
#include "bench/paper_pile.hpp"

namespace scree::device {

namespace {

using Made = std::unique_ptr<Stepped>;

Made step(Device& device, Packing packing) { return std::make_unique<PackingBench>(device, std::move(packing)); }

constexpr Case kCases[] = {
    {"spheres", "Spheres on a lattice, hertz-mindlin with friction", 20, true, 1e7,
     [](Device& d, std::uint32_t n, const Beds&) { return step(d, pack_spheres(n)); }},
    {"flowing-spheres", "Spheres, layers of which slide past each other", 200, true, 1e6,
     [](Device& d, std::uint32_t n, const Beds&) { return step(d, pack_flowing_spheres(n)); }},
    {"clumps", "Tetrapods of four spheres in a settled bed that stands still, hertz-mindlin with friction", 20, true,
     1e6, [](Device& d, std::uint32_t n, const Beds& b) { return step(d, pack_clumps(n, b.tetrapods, false)); }},
    {"flowing-clumps", "The same, running down a slope", 200, true, 1e6,
     [](Device& d, std::uint32_t n, const Beds& b) { return step(d, pack_clumps(n, b.tetrapods, true)); }},
    {"stars", "Crosses of 100 nodes in a settled pile that stands still, linear springs with friction", 20, true, 1e7,
     [](Device& d, std::uint32_t n, const Beds& b) { return step(d, pack_stars(n, b.stars, 0)); }},
    {"parted-stars", "The same, while each cross goes its own way by up to 1e-4 radii per step", 20, true, 1e7,
     [](Device& d, std::uint32_t n, const Beds& b) { return step(d, pack_stars(n, b.stars, 1e-4)); }},
    {"flowing-stars", "The same pile with a step of 0.04 ms, running down a slope", 200, true, 1e6,
     [](Device& d, std::uint32_t n, const Beds& b) { return step(d, pack_flowing_stars(n, b.stars)); }},
    {"paper",
     "The pile that stands still by the scheme of Schreck et al. (2024): nodes of one side, a sprite of 256 x 256, no "
     "history, sums by atomics",
     20, false, 1e6, [](Device& d, std::uint32_t n, const Beds& b) { return step_paper(d, n, b.stars); }},
};

}  // namespace

std::span<const Case> cases() { return kCases; }

}  // namespace scree::device
