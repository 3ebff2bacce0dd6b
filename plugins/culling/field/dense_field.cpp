#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "field/distance_transform.hpp"
#include "field/solid_field.hpp"
#include "scree/base/error.hpp"
#include "scree/base/parallel.hpp"

namespace scree::culling {

namespace {

constexpr double kMostVoxels = 6e8;  // a byte and a float each: 3 GB

enum : std::uint8_t { kAir = 0, kMatter = 1, kWall = 2 };

class DenseField final : public SolidField {
 public:
  explicit DenseField(const FieldBox& box) : lower_(box.lower), voxel_(box.voxel) {
    double count = 1;
    for (int k = 0; k < 3; ++k) {
      const double n = std::ceil((box.upper[k] - box.lower[k]) / box.voxel) + 1;
      count *= n;
      size_.n[static_cast<std::size_t>(k)] = count < kMostVoxels ? static_cast<std::size_t>(n) : 1;
    }
    if (!(count < kMostVoxels))
      throw NumericalError(fmt::format(
          "granular-culling: granules spread over a box of {:.3g} voxels, more than {:.3g}. Use a coarser voxel "
          "or keep them together with walls.",
          count, kMostVoxels));
    voxels_.assign(size_.count(), kAir);
  }

  void add(std::span<const Ball> balls) override {
    for (const Ball& ball : balls) for_each_in(ball, [&](std::uint8_t& v) { v = std::max<std::uint8_t>(v, kMatter); });
    depth_.clear();
  }
  void subtract(std::span<const Ball> balls) override {
    for (const Ball& ball : balls) for_each_in(ball, [&](std::uint8_t& v) { v = kAir; });
    depth_.clear();
  }

  void add_wall(const DistanceOf& wall) override {
    const auto [nx, ny, nz] = size_.n;
    std::vector<Vec3> points(nx * ny);
    std::vector<double> distance(nx * ny);
    for (std::size_t z = 0; z < nz; ++z) {
      for (std::size_t y = 0; y < ny; ++y)
        for (std::size_t x = 0; x < nx; ++x) points[x + nx * y] = centre(x, y, z);
      wall(points, distance);
      for (std::size_t i = 0; i < nx * ny; ++i)
        if (distance[i] <= 0) voxels_[z * nx * ny + i] = kWall;
    }
    depth_.clear();
  }

  void close(double r) override {
    const float reach = static_cast<float>(r / voxel_ * (r / voxel_));
    std::vector<std::uint8_t> beyond(voxels_.size());
    std::vector<float> d = squared_distances(size_, marked([](std::uint8_t v) { return v != kAir; }));
    for (std::size_t i = 0; i < d.size(); ++i) beyond[i] = d[i] > reach;
    d = squared_distances(size_, beyond);
    for (std::size_t i = 0; i < d.size(); ++i)
      if (voxels_[i] == kAir && d[i] > reach) voxels_[i] = kMatter;
    depth_.clear();
  }

  void fill_cavities() override {
    std::vector<std::size_t> open;
    std::vector<std::uint8_t> outside(voxels_.size(), 0);
    const auto reach = [&](std::size_t i) {
      if (voxels_[i] != kAir || outside[i]) return;
      outside[i] = 1;
      open.push_back(i);
    };
    for_each_voxel([&](std::size_t i, const auto& at) {
      for (std::size_t k = 0; k < 3; ++k)
        if (at[k] == 0 || at[k] + 1 == size_.n[k]) reach(i);
      if (voxels_[i] == kWall) for_each_side(i, at, reach);
    });
    while (!open.empty()) {
      const std::size_t i = open.back();
      open.pop_back();
      for_each_side(i, place(i), reach);
    }
    for (std::size_t i = 0; i < voxels_.size(); ++i)
      if (voxels_[i] == kAir && !outside[i]) voxels_[i] = kMatter;
    depth_.clear();
  }

  void depth(std::span<const Vec3> points, std::span<double> depth) override {
    measure();
    parallel_for(static_cast<std::ptrdiff_t>(points.size()),
                 [&](std::ptrdiff_t k) { depth[k] = interpolated(points[k]); });
  }

  /// Looks for air near each point, the surface being half a voxel before the nearest.
  void shallower(std::span<const Vec3> points, double than, std::span<char> is) override {
    const double reach = than / voxel_ + 0.5;
    const std::vector<Offset> near = offsets_within(reach);
    parallel_for(static_cast<std::ptrdiff_t>(points.size()), [&](std::ptrdiff_t k) {
      std::array<std::ptrdiff_t, 3> at;
      for (std::size_t a = 0; a < 3; ++a)
        at[a] = std::lround((points[k][static_cast<int>(a)] - lower_[static_cast<int>(a)]) / voxel_);
      is[k] = std::ranges::any_of(near, [&](const Offset& o) {
        const Offset v{at[0] + o[0], at[1] + o[1], at[2] + o[2]};
        for (std::size_t a = 0; a < 3; ++a)
          if (v[a] < 0 || v[a] >= static_cast<std::ptrdiff_t>(size_.n[a])) return false;
        const auto x = static_cast<std::size_t>(v[0]), y = static_cast<std::size_t>(v[1]),
                   z = static_cast<std::size_t>(v[2]);
        return voxels_[size_.at(x, y, z)] == kAir && (centre(x, y, z) - points[k]).norm() < reach * voxel_;
      });
    });
  }

  std::size_t components() override {
    std::vector<std::uint8_t> seen(voxels_.size(), 0);
    std::vector<std::size_t> open;
    std::size_t count = 0;
    const auto reach = [&](std::size_t i) {
      if (voxels_[i] == kAir || seen[i]) return;
      seen[i] = 1;
      open.push_back(i);
    };
    for (std::size_t first = 0; first < voxels_.size(); ++first) {
      reach(first);
      if (!open.empty()) ++count;
      while (!open.empty()) {
        const std::size_t i = open.back();
        open.pop_back();
        for_each_side(i, place(i), reach);
      }
    }
    return count;
  }

  Triangles surface() override;

 private:
  using Place = std::array<std::size_t, 3>;
  using Offset = std::array<std::ptrdiff_t, 3>;

  /// Voxels that a point within the one in the middle may have nearer than `reach` voxels, the outermost first: air is
  /// found there soonest.
  static std::vector<Offset> offsets_within(double reach) {
    std::vector<Offset> offsets;
    const auto n = static_cast<std::ptrdiff_t>(std::ceil(reach)) + 1;
    const auto square = [](const Offset& o) { return o[0] * o[0] + o[1] * o[1] + o[2] * o[2]; };
    for (auto z = -n; z <= n; ++z)
      for (auto y = -n; y <= n; ++y)
        for (auto x = -n; x <= n; ++x)
          if (std::sqrt(static_cast<double>(square({x, y, z}))) < reach + 0.87) offsets.push_back({x, y, z});
    std::ranges::stable_sort(offsets, [&](const Offset& a, const Offset& b) { return square(a) > square(b); });
    return offsets;
  }

  Vec3 centre(std::size_t x, std::size_t y, std::size_t z) const {
    return lower_ + voxel_ * Vec3(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z));
  }
  Place place(std::size_t i) const {
    return {i % size_.n[0], i / size_.n[0] % size_.n[1], i / (size_.n[0] * size_.n[1])};
  }

  template <class Change>
  void for_each_in(const Ball& ball, const Change& change) {
    std::array<std::ptrdiff_t, 3> first, last;
    for (std::size_t k = 0; k < 3; ++k) {
      const double c = (ball.centre[static_cast<int>(k)] - lower_[static_cast<int>(k)]) / voxel_,
                   r = ball.radius / voxel_;
      const double most = static_cast<double>(size_.n[k]) - 1;
      if (c + r < 0 || c - r > most) return;
      first[k] = static_cast<std::ptrdiff_t>(std::max(0.0, std::ceil(c - r)));
      last[k] = static_cast<std::ptrdiff_t>(std::min(most, std::floor(c + r)));
    }
    for (auto z = first[2]; z <= last[2]; ++z)
      for (auto y = first[1]; y <= last[1]; ++y)
        for (auto x = first[0]; x <= last[0]; ++x) {
          const auto a = static_cast<std::size_t>(x), b = static_cast<std::size_t>(y), c = static_cast<std::size_t>(z);
          if ((centre(a, b, c) - ball.centre).squaredNorm() <= ball.radius * ball.radius)
            change(voxels_[size_.at(a, b, c)]);
        }
  }
  template <class Do>
  void for_each_voxel(const Do& act) {
    std::size_t i = 0;
    for (std::size_t z = 0; z < size_.n[2]; ++z)
      for (std::size_t y = 0; y < size_.n[1]; ++y)
        for (std::size_t x = 0; x < size_.n[0]; ++x) act(i++, Place{x, y, z});
  }
  /// Voxels that share a face.
  template <class Do>
  void for_each_side(std::size_t i, const Place& at, const Do& act) const {
    const std::size_t step[3] = {1, size_.n[0], size_.n[0] * size_.n[1]};
    for (std::size_t k = 0; k < 3; ++k) {
      if (at[k] > 0) act(i - step[k]);
      if (at[k] + 1 < size_.n[k]) act(i + step[k]);
    }
  }
  template <class Is>
  std::vector<std::uint8_t> marked(const Is& is) const {
    std::vector<std::uint8_t> marks(voxels_.size());
    for (std::size_t i = 0; i < marks.size(); ++i) marks[i] = is(voxels_[i]);
    return marks;
  }

  /// Depths at voxels' centres. The surface lies half way between the centres of matter and of air.
  void measure() {
    if (!depth_.empty()) return;
    depth_ = squared_distances(size_, marked([](std::uint8_t v) { return v == kAir; }));
    const float edge = static_cast<float>(voxel_);
    for (std::size_t i = 0; i < depth_.size(); ++i)
      depth_[i] = depth_[i] > 0 ? edge * (std::sqrt(depth_[i]) - 0.5f) : -0.5f * edge;
  }

  double interpolated(const Vec3& point) const {
    std::size_t cell[3];
    double part[3];
    for (int k = 0; k < 3; ++k) {
      const double most = static_cast<double>(size_.n[static_cast<std::size_t>(k)]) - 1;
      const double c = std::clamp((point[k] - lower_[k]) / voxel_, 0.0, most);
      const double floor = std::min(std::floor(c), std::max(0.0, most - 1));
      cell[k] = static_cast<std::size_t>(floor), part[k] = c - floor;
    }
    double sum = 0;
    for (std::size_t corner = 0; corner < 8; ++corner) {
      double share = 1;
      std::size_t at[3];
      for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t up = corner >> k & 1;
        share *= up ? part[k] : 1 - part[k];
        at[k] = std::min(cell[k] + up, size_.n[k] - 1);
      }
      sum += share * static_cast<double>(depth_[size_.at(at[0], at[1], at[2])]);
    }
    return sum;
  }

  Vec3 lower_;
  double voxel_;
  GridSize size_;
  std::vector<std::uint8_t> voxels_;
  std::vector<float> depth_;  ///< [m]; empty: not measured
};

/// Squares between matter and air, two triangles each.
Triangles DenseField::surface() {
  Triangles triangles;
  for_each_voxel([&](std::size_t i, const Place& at) {
    if (voxels_[i] != kMatter) return;
    const Vec3 middle = centre(at[0], at[1], at[2]);
    const std::size_t step[3] = {1, size_.n[0], size_.n[0] * size_.n[1]};
    for (std::size_t k = 0; k < 3; ++k)
      for (const bool up : {false, true}) {
        const bool side = up ? at[k] + 1 == size_.n[k] : at[k] == 0;
        if (!side && voxels_[up ? i + step[k] : i - step[k]] != kAir) continue;
        Vec3 out = Vec3::Zero(), u = Vec3::Zero(), v = Vec3::Zero();
        out[static_cast<int>(k)] = (up ? 0.5 : -0.5) * voxel_;
        u[static_cast<int>((k + 1) % 3)] = (up ? 0.5 : -0.5) * voxel_;
        v[static_cast<int>((k + 2) % 3)] = 0.5 * voxel_;
        const auto first = static_cast<std::uint32_t>(triangles.points.size());
        for (const Vec3& corner : {Vec3(-u - v), Vec3(u - v), Vec3(u + v), Vec3(v - u)})
          triangles.points.push_back(middle + out + corner);
        triangles.corners.push_back({first, first + 1, first + 2});
        triangles.corners.push_back({first, first + 2, first + 3});
      }
  });
  return triangles;
}

}  // namespace

SolidField::~SolidField() = default;

std::unique_ptr<SolidField> make_dense_field(const FieldBox& box) { return std::make_unique<DenseField>(box); }

}  // namespace scree::culling
