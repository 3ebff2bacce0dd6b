#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include "bench/copies.hpp"
#include "bench/grains.hpp"
#include "scree/base/error.hpp"

namespace scree::device {

namespace {

/// As in tests/bench/peers: spheres touch, and their centres are at (+-kCorner, +-kCorner, +-kCorner).
constexpr double kCorner = 0.000707460335, kTetrapodMass = 4 * kGrainDensity * 4.18879 * 1e-9;
constexpr double kBox = 0.05;        ///< between walls [m]
constexpr double kStillStep = 1e-9;  ///< so short that the bed, which has no weight here, stays as it is [s]

/// Those at the bottom, if not all are wanted.
void read_bed(const std::string& file, std::uint32_t most, Packing& p) {
  struct Tetrapod {
    Vector3d x;
    Quaterniond q;
  };
  std::vector<Tetrapod> bed;
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::istringstream numbers(line);
    Tetrapod t{};
    if (!(numbers >> t.x.x >> t.x.y >> t.x.z >> t.q.w >> t.q.x >> t.q.y >> t.q.z)) continue;
    const double size = std::sqrt(t.q.w * t.q.w + t.q.x * t.q.x + t.q.y * t.q.y + t.q.z * t.q.z);
    t.q = {t.q.x / size, t.q.y / size, t.q.z / size, t.q.w / size};
    bed.push_back(t);
  }
  if (bed.empty()) throw InputError(file + ": no tetrapods. Run the benchmark in the folder of the sources.");
  std::ranges::stable_sort(bed, {}, [](const Tetrapod& t) { return t.x.z; });
  if (bed.size() > most) bed.resize(most);
  for (const Tetrapod& t : bed) {
    p.x.push_back(t.x);
    p.q.push_back(t.q);
    p.v.push_back({0, 0, 0});
    p.w.push_back({0, 0, 0});
  }
}

}  // namespace

Packing pack_clumps(std::uint32_t count, const std::string& file, bool flow) {
  Packing p;
  p.radius = kGrainRadius, p.mass = kTetrapodMass;
  p.moment = kTetrapodMass * (0.4 * kGrainRadius * kGrainRadius + 2 * kCorner * kCorner);
  p.members = {{kCorner, kCorner, kCorner},
               {kCorner, -kCorner, -kCorner},
               {-kCorner, kCorner, -kCorner},
               {-kCorner, -kCorner, kCorner}};
  p.skin = 0.3 * kGrainRadius, p.dt = flow ? kGrainStep : kStillStep, p.planar = false;
  read_bed(file, count, p);
  if (flow) run_down(p, 2, kGrainSpeed);
  const double height = p.x.back().z + std::sqrt(3.0) * kCorner + kGrainRadius;
  tile(p, count, Vec3::Zero(), Vec3(kBox, kBox, height));
  meet_as_grains(p, kSoftModulus, kSoftRatio);
  return p;
}

}  // namespace scree::device
