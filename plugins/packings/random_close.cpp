#include "random_close.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "box_region.hpp"
#include "scree/base/error.hpp"
#include "scree/base/parallel.hpp"
#include "scree/base/philox.hpp"

namespace scree::packings {

namespace {

constexpr double kLeft = 1e-3;      // overlap at which sweeps end, of the diameter
constexpr double kReach = 1.25;     // of neighbour lists, in diameters
constexpr double kPush = 0.5;       // of an overlap, per sweep
constexpr double kMomentum = 0.92;  // of the last sweep's way
constexpr int kMostSweeps = 20000;

/// Spheres of diameter 1 in a periodic box.
class SoftSpheres {
 public:
  SoftSpheres(const Vec3& box, std::size_t count, std::uint64_t seed) : box_(box), place_(count), way_(count) {
    const RandomStream random(seed, "random-close");
    for (std::size_t i = 0; i < count; ++i) place_[i] = box_.cwiseProduct(random.triple(i)), way_[i] = Vec3::Zero();
    list();
  }

  /// \return the largest overlap before it
  double sweep() {
    if (gone_ > (kReach - 1) / 2) list();
    std::vector<Vec3> push(place_.size());
    const auto n = static_cast<std::ptrdiff_t>(place_.size());
    const double overlap = parallel_max(n, [&](std::ptrdiff_t at) {
      const auto i = static_cast<std::size_t>(at);
      push[i] = Vec3::Zero();
      double largest = 0;
      for (std::uint32_t k = start_[i]; k < start_[i + 1]; ++k) {
        const Vec3 apart = nearest(place_[i] - place_[near_[k]]);
        const double distance = apart.norm();
        if (distance >= 1 || distance == 0) continue;
        push[i] += (kPush * (1 - distance) / distance) * apart;
        largest = std::max(largest, 1 - distance);
      }
      return largest;
    });
    gone_ += parallel_max(n, [&](std::ptrdiff_t at) {
      const auto i = static_cast<std::size_t>(at);
      way_[i] = kMomentum * way_[i] + push[i];
      place_[i] += way_[i];
      return way_[i].norm();
    });
    return overlap;
  }

  /// In the box [0, box).
  std::vector<Vec3> places() const {
    std::vector<Vec3> wrapped;
    for (const Vec3& x : place_) wrapped.push_back(in_box(x));
    return wrapped;
  }

 private:
  Vec3 nearest(Vec3 apart) const {
    for (int k = 0; k < 3; ++k) apart[k] -= box_[k] * std::round(apart[k] / box_[k]);
    return apart;
  }
  Vec3 in_box(Vec3 x) const {
    for (int k = 0; k < 3; ++k) x[k] -= box_[k] * std::floor(x[k] / box_[k]);
    return x;
  }

  /// Neighbours within reach, by cells of that size.
  void list() {
    std::array<std::size_t, 3> cells;
    for (std::size_t k = 0; k < 3; ++k)
      cells[k] = std::max<std::size_t>(1, static_cast<std::size_t>(box_[static_cast<int>(k)] / kReach));
    const auto cell_of = [&](const Vec3& at, std::size_t k) {
      const double part = at[static_cast<int>(k)] / box_[static_cast<int>(k)];
      return std::min(cells[k] - 1, static_cast<std::size_t>(part * static_cast<double>(cells[k])));
    };
    std::vector<std::vector<std::uint32_t>> in_cell(cells[0] * cells[1] * cells[2]);
    std::vector<std::array<std::size_t, 3>> cell(place_.size());
    for (std::uint32_t i = 0; i < place_.size(); ++i) {
      const Vec3 at = in_box(place_[i]);
      cell[i] = {cell_of(at, 0), cell_of(at, 1), cell_of(at, 2)};
      in_cell[cell[i][0] + cells[0] * (cell[i][1] + cells[1] * cell[i][2])].push_back(i);
    }
    std::vector<std::vector<std::uint32_t>> near(place_.size());
    parallel_for(static_cast<std::ptrdiff_t>(place_.size()), [&](std::ptrdiff_t at) {
      const auto i = static_cast<std::size_t>(at);
      std::array<std::vector<std::size_t>, 3> along;
      for (std::size_t k = 0; k < 3; ++k) {
        for (std::size_t d = 0; d < 3; ++d) along[k].push_back((cell[i][k] + cells[k] + d - 1) % cells[k]);
        std::sort(along[k].begin(), along[k].end());
        along[k].erase(std::unique(along[k].begin(), along[k].end()), along[k].end());
      }
      for (const std::size_t z : along[2])
        for (const std::size_t y : along[1])
          for (const std::size_t x : along[0])
            for (const std::uint32_t j : in_cell[x + cells[0] * (y + cells[1] * z)])
              if (j != i && nearest(place_[i] - place_[j]).squaredNorm() < kReach * kReach) near[i].push_back(j);
    });
    start_.assign(1, 0);
    near_.clear();
    for (const auto& of_one : near) {
      near_.insert(near_.end(), of_one.begin(), of_one.end());
      start_.push_back(static_cast<std::uint32_t>(near_.size()));
    }
    gone_ = 0;
  }

  Vec3 box_;
  std::vector<Vec3> place_, way_;
  std::vector<std::uint32_t> start_, near_;
  double gone_ = 0;  ///< bound on how far spheres moved since they were listed
};

}  // namespace

RandomClose read_random_close(const Options& options, const PackingContext& context) {
  if (context.dimension != 3)
    throw OptionError("", "\"random-close\" packs spheres in 3 dimensions; the scene has 2. Use \"poisson-disc\".");
  RandomClose p;
  p.centre = options.vector("centre");
  p.semi_axes = options.vector("semi_axes");
  p.diameter = options.number_or("diameter", 2 * context.bounding_radius);
  p.density = options.number("density");
  p.floor = options.number_or("floor", p.floor);
  const double volume = 8 * p.semi_axes.prod(), sphere = std::numbers::pi / 6 * std::pow(p.diameter, 3);
  check_places("/semi_axes", "these axes make", p.density * volume / sphere, "Shrink the ellipsoid.");
  return p;
}

std::vector<Placement> place(const RandomClose& p, const PackingContext& context) {
  const Vec3 half = p.semi_axes / p.diameter + Vec3::Constant(1.5), box = 2 * half;
  const auto count = static_cast<std::size_t>(std::ceil(p.density * box.prod() * 6 / std::numbers::pi));
  SoftSpheres spheres(box, count, context.seed);
  double overlap = 1;
  for (int sweep = 0; sweep < kMostSweeps && overlap > kLeft; ++sweep) overlap = spheres.sweep();
  if (overlap > kLeft)
    throw OptionError("/density", fmt::format("spheres still overlap by {:.3g} of their diameter at a density of {}. "
                                              "Give less; 0.62 works.",
                                              overlap, p.density));
  std::vector<Placement> places;
  for (const Vec3& x : spheres.places()) {
    const Vec3 at = p.diameter * (1 + overlap) * (x - half);
    if (at.cwiseQuotient(p.semi_axes).squaredNorm() > 1 || at.z() + p.centre.z() < p.floor) continue;
    places.emplace_back().position = p.centre + at;
  }
  return places;
}

}  // namespace scree::packings
