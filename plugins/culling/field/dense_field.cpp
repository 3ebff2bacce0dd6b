#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "field/distance_transform.hpp"
#include "field/solid_field.hpp"
#include "field/surface_net.hpp"
#include "field/voxel_reading.hpp"
#include "field/wall_blocks.hpp"
#include "scree/base/error.hpp"
#include "scree/base/parallel.hpp"

namespace scree::culling {

namespace {

enum : std::uint8_t { kAir = 0, kMatter = 1, kWall = 2 };

class DenseField final : public SolidField {
 public:
  explicit DenseField(const FieldBox& box) : grid_(voxel_grid(box)), size_(grid_.size) {
    const double count =
        static_cast<double>(size_.n[0]) * static_cast<double>(size_.n[1]) * static_cast<double>(size_.n[2]);
    if (!(count < kMostDenseVoxels))
      throw NumericalError(fmt::format(
          "granular-culling: granules spread over a box of {:.3g} voxels, more than {:.3g}. Use a coarser voxel, "
          "keep them together with walls, or set \"field\" to \"openvdb\".",
          count, kMostDenseVoxels));
    voxels_.assign(size_.count(), kAir);
  }

  void add(std::span<const Ball> balls) override {
    for (const Ball& ball : balls)
      for_each_about(ball,
                     [](std::uint8_t& v, bool within) { v = std::max<std::uint8_t>(v, within ? kMatter : kAir); });
    depth_.clear();
  }
  void subtract(std::span<const Ball> balls) override {
    for (const Ball& ball : balls)
      for_each_about(ball, [](std::uint8_t& v, bool within) { v = within ? std::uint8_t{kAir} : v; });
    depth_.clear();
  }

  void add_wall(const DistanceOf& wall, bool exact) override {
    const auto set = [&](const FirstVoxel& first, const auto& is_in) {
      std::size_t n = 0;
      for (std::size_t x = first[0]; x < first[0] + kBlock; ++x)
        for (std::size_t y = first[1]; y < first[1] + kBlock; ++y)
          for (std::size_t z = first[2]; z < first[2] + kBlock; ++z, ++n)
            if (is_in(n) && x < size_.n[0] && y < size_.n[1] && z < size_.n[2]) voxels_[size_.at(x, y, z)] = kWall;
    };
    for_blocks_of(
        wall, exact, grid_, [&](const FirstVoxel& first) { set(first, [](std::size_t) { return true; }); },
        [&](const FirstVoxel& first, std::span<const double> distance) {
          set(first, [&](std::size_t n) { return distance[n] <= 0; });
        });
    depth_.clear();
  }

  void close(double r) override {
    const float reach = static_cast<float>(r / grid_.edge * (r / grid_.edge));
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
    parallel_for(static_cast<std::ptrdiff_t>(points.size()), [&](std::ptrdiff_t k) {
      depth[k] = interpolated(grid_, points[k], [&](std::size_t x, std::size_t y, std::size_t z) {
        return static_cast<double>(depth_[size_.at(x, y, z)]);
      });
    });
  }

  void shallower(std::span<const Vec3> points, double than, std::span<char> is) override {
    const AirSearch search(grid_, than);
    parallel_for(static_cast<std::ptrdiff_t>(points.size()), [&](std::ptrdiff_t k) {
      is[k] = search.finds(
          points[k], [&](std::size_t x, std::size_t y, std::size_t z) { return voxels_[size_.at(x, y, z)] == kAir; });
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

  Vec3 centre(std::size_t x, std::size_t y, std::size_t z) const { return grid_.centre(x, y, z); }
  Place place(std::size_t i) const {
    return {i % size_.n[0], i / size_.n[0] % size_.n[1], i / (size_.n[0] * size_.n[1])};
  }

  using Reach = std::array<std::array<std::ptrdiff_t, 2>, 3>;  ///< first and last voxel along each axis

  /// Voxels about a ball, none where the first comes after the last.
  Reach about(const Ball& ball) const {
    Reach reach;
    for (std::size_t k = 0; k < 3; ++k) {
      const double c = (ball.centre[static_cast<int>(k)] - grid_.lower[static_cast<int>(k)]) / grid_.edge,
                   r = ball.radius / grid_.edge, most = static_cast<double>(size_.n[k]);
      reach[k][0] = static_cast<std::ptrdiff_t>(std::clamp(std::ceil(c - r), 0.0, most));
      reach[k][1] = static_cast<std::ptrdiff_t>(std::clamp(std::floor(c + r), -1.0, most - 1));
    }
    return reach;
  }
  /// act(voxel, whether it is in the ball) for all about it, without branches along x.
  template <class Act>
  void for_each_about(const Ball& ball, const Act& act) {
    const auto [xs, ys, zs] = about(ball);
    const auto square = [&](int axis, std::ptrdiff_t v) {
      const double away = grid_.lower[axis] + grid_.edge * static_cast<double>(v) - ball.centre[axis];
      return away * away;
    };
    squares_along_x_.clear();
    for (auto x = xs[0]; x <= xs[1]; ++x) squares_along_x_.push_back(square(0, x));
    if (squares_along_x_.empty()) return;
    const double most = ball.radius * ball.radius;
    for (auto z = zs[0]; z <= zs[1]; ++z)
      for (auto y = ys[0]; y <= ys[1]; ++y) {
        const double rest = square(1, y) + square(2, z);
        if (rest > most) continue;
        std::uint8_t* const row = &voxels_[size_.at(static_cast<std::size_t>(xs[0]), static_cast<std::size_t>(y),
                                                    static_cast<std::size_t>(z))];
        for (std::size_t x = 0; x < squares_along_x_.size(); ++x) act(row[x], squares_along_x_[x] + rest <= most);
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

  /// Depths at voxels' centres.
  void measure() {
    if (!depth_.empty()) return;
    depth_ = squared_distances(size_, marked([](std::uint8_t v) { return v == kAir; }));
    const float edge = static_cast<float>(grid_.edge);
    for (float& d : depth_) d = depth_of_voxel(d, edge);
  }

  VoxelGrid grid_;
  const GridSize& size_ = grid_.size;
  std::vector<std::uint8_t> voxels_;
  std::vector<double> squares_along_x_;  ///< working memory
  std::vector<float> depth_;             ///< [m]; empty: not measured
};

Triangles DenseField::surface() {
  SurfaceNet net(grid_);
  for_each_voxel([&](std::size_t i, const Place& at) {
    if (voxels_[i] != kMatter) return;
    const std::size_t step[3] = {1, size_.n[0], size_.n[0] * size_.n[1]};
    for (std::size_t k = 0; k < 3; ++k)
      for (const bool up : {false, true}) {
        const bool side = up ? at[k] + 1 == size_.n[k] : at[k] == 0;
        if (side || voxels_[up ? i + step[k] : i - step[k]] == kAir)
          net.add(at[0], at[1], at[2], static_cast<int>(k), up);
      }
  });
  return net.triangles();
}

}  // namespace

std::unique_ptr<SolidField> make_dense_field(const FieldBox& box) { return std::make_unique<DenseField>(box); }

}  // namespace scree::culling
