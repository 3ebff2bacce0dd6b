#include "random_close.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

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
  SoftSpheres(const Vec3& box, std::size_t count, std::uint64_t seed)
      : box_(box), inverse_box_(box.cwiseInverse()), place_(count), way_(count) {
    const RandomStream random(seed, "random-close");
    for (std::size_t i = 0; i < count; ++i) place_[i] = box_.cwiseProduct(random.triple(i)), way_[i] = Vec3::Zero();
    number_.resize(count);
    std::iota(number_.begin(), number_.end(), 0u);
    const Cells c = cells();  // near each other in space, near each other in memory
    number_ = c.sphere, place_ = c.place;
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

  /// In the box [0, box), in the order of random numbers.
  std::vector<Vec3> places() const {
    std::vector<Vec3> wrapped(place_.size());
    for (std::size_t i = 0; i < place_.size(); ++i) wrapped[number_[i]] = in_box(place_[i]);
    return wrapped;
  }

 private:
  /// The nearest image. Where that is not unique, it is farther than any reach: a box is 3 diameters wide at least.
  Vec3 nearest(Vec3 apart) const {
    for (int k = 0; k < 3; ++k) apart[k] -= box_[k] * std::rint(apart[k] * inverse_box_[k]);
    return apart;
  }
  Vec3 in_box(Vec3 x) const {
    for (int k = 0; k < 3; ++k) x[k] -= box_[k] * std::floor(x[k] / box_[k]);
    return x;
  }

  /// Spheres by cell, and in a cell by number: what is summed over neighbours does not depend on the order in memory.
  struct Cells {
    std::array<std::size_t, 3> size;
    std::vector<std::array<std::uint32_t, 3>> of;  ///< (spheres)
    std::vector<std::uint32_t> start, sphere;      ///< (cells + 1), (spheres)
    std::vector<Vec3> place;                       ///< places in the order of `sphere`

    std::size_t at(std::size_t x, std::size_t y, std::size_t z) const { return x + size[0] * (y + size[1] * z); }
  };

  Cells cells() const {
    Cells c;
    for (std::size_t k = 0; k < 3; ++k)
      c.size[k] = std::max<std::size_t>(1, static_cast<std::size_t>(box_[static_cast<int>(k)] / kReach));
    c.start.assign(c.size[0] * c.size[1] * c.size[2] + 1, 0);
    for (const Vec3& x : place_) {
      const Vec3 at = in_box(x);
      auto& cell = c.of.emplace_back();
      for (std::size_t k = 0; k < 3; ++k) {
        const double part = at[static_cast<int>(k)] / box_[static_cast<int>(k)];
        cell[k] = static_cast<std::uint32_t>(
            std::min(c.size[k] - 1, static_cast<std::size_t>(part * static_cast<double>(c.size[k]))));
      }
      ++c.start[c.at(cell[0], cell[1], cell[2]) + 1];
    }
    for (std::size_t n = 1; n < c.start.size(); ++n) c.start[n] += c.start[n - 1];
    std::vector<std::uint32_t> next(c.start.begin(), c.start.end() - 1);
    c.sphere.resize(place_.size());
    for (std::uint32_t i = 0; i < place_.size(); ++i) c.sphere[next[c.at(c.of[i][0], c.of[i][1], c.of[i][2])]++] = i;
    for (std::size_t n = 0; n + 1 < c.start.size(); ++n)
      std::sort(c.sphere.begin() + c.start[n], c.sphere.begin() + c.start[n + 1],
                [&](std::uint32_t a, std::uint32_t b) { return number_[a] < number_[b]; });
    for (const std::uint32_t i : c.sphere) c.place.push_back(place_[i]);
    return c;
  }

  /// Appends the neighbours of one sphere: cells in ascending order.
  void add_near(const Cells& c, std::uint32_t i, std::vector<std::uint32_t>& near) const {
    std::array<std::array<std::size_t, 3>, 3> along;
    std::array<std::size_t, 3> count;
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t d = 0; d < 3; ++d) along[k][d] = (c.of[i][k] + c.size[k] + d - 1) % c.size[k];
      std::ranges::sort(along[k]);
      count[k] = static_cast<std::size_t>(std::unique(along[k].begin(), along[k].end()) - along[k].begin());
    }
    for (std::size_t z = 0; z < count[2]; ++z)
      for (std::size_t y = 0; y < count[1]; ++y)
        for (std::size_t x = 0; x < count[0]; ++x) {
          const std::size_t cell = c.at(along[0][x], along[1][y], along[2][z]);
          for (std::uint32_t n = c.start[cell]; n < c.start[cell + 1]; ++n)
            if (c.sphere[n] != i && nearest(place_[i] - c.place[n]).squaredNorm() < kReach * kReach)
              near.push_back(c.sphere[n]);
        }
  }

  /// Neighbours within reach.
  void list() {
    constexpr std::size_t kBatch = 4096;
    const Cells c = cells();
    std::vector<std::vector<std::uint32_t>> near((place_.size() + kBatch - 1) / kBatch);
    std::vector<std::uint32_t> size(place_.size());
    parallel_for(
        static_cast<std::ptrdiff_t>(near.size()),
        [&](std::ptrdiff_t batch) {
          std::vector<std::uint32_t>& of_batch = near[static_cast<std::size_t>(batch)];
          const std::size_t first = static_cast<std::size_t>(batch) * kBatch;
          for (std::size_t i = first; i < std::min(first + kBatch, place_.size()); ++i) {
            const std::size_t before = of_batch.size();
            add_near(c, static_cast<std::uint32_t>(i), of_batch);
            size[i] = static_cast<std::uint32_t>(of_batch.size() - before);
          }
        },
        2);
    start_.assign(1, 0);
    for (const std::uint32_t n : size) start_.push_back(start_.back() + n);
    near_.clear();
    for (const auto& of_batch : near) near_.insert(near_.end(), of_batch.begin(), of_batch.end());
    gone_ = 0;
  }

  Vec3 box_, inverse_box_;
  std::vector<Vec3> place_, way_;
  std::vector<std::uint32_t> number_;  ///< (spheres) in the order of random numbers
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
