#pragma once
/// \file A contiguous copy of the bodies of one chunk: the data behind BodyView. Small enough to stay in cache.

#include <span>
#include <vector>

#include "scree/base/lanes.hpp"
#include "scree/contacts/body_poses.hpp"
#include "scree/contacts/lists/pair_chunk.hpp"
#include "scree/world/body_view.hpp"
#include "scree/world/world.hpp"

namespace scree {

class BodyTile {
 public:
  /// Copies the chunk's bodies with place and velocity, each in its image.
  /// \param orientations  true if orientations are needed
  void gather(const World& world, const BodyPoses& poses, const PairChunk& chunk, bool orientations) {
    // Plain pointers: for the compiler, stores may alias anything else, which would then be loaded again each time.
    const Vec3* const position = poses.position.data();
    const Vec3 *const v = world.velocity.read().data(), *const w = world.angular_velocity.read().data();
    const double *const radius = world.radius.read().data(), *const inverse_mass = world.inverse_mass.read().data();
    const std::uint32_t* const shape = world.shape.read().data();
    const Id* const id = world.id.read().data();
    size_ = chunk.rows.size();
    if (rows_.size() < size_) rows_.resize(size_), shape_.resize(size_);
    const std::size_t size = size_;
    const std::uint32_t* const world_row = chunk.rows.data();
    BodyRow* const rows = rows_.data();
    std::uint32_t* const shapes = shape_.data();
    const auto group = [](const Vec3& of_three, double last) {
      const double* const u = of_three.data();
      return Lanes{u[0], u[1], u[2], last};
    };
    for (std::size_t k = 0; k < size; ++k) {
      if (k + kAhead < size) {
        const std::uint32_t later = world_row[k + kAhead];
        __builtin_prefetch(&position[later]);
        __builtin_prefetch(&v[later]);
        __builtin_prefetch(&w[later]);
        __builtin_prefetch(&radius[later]);
        __builtin_prefetch(&inverse_mass[later]);
      }
      const std::uint32_t i = world_row[k];
      BodyRow& row = rows[k];
      store_lanes(&row.position, group(position[i], radius[i]));
      store_lanes(&row.velocity, group(v[i], inverse_mass[i]));
      store_lanes(&row.angular_velocity, group(w[i], 0));
      row.id = id[i];
      shapes[k] = shape[i];
    }
    if (orientations)
      for (std::size_t k = 0; k < size_; ++k)
        store_lanes(&rows_[k].orientation, load_lanes(&poses.orientation[chunk.rows[k]]));
    move_images(poses.cell, chunk);
    for (std::size_t k = 0; k < chunk.owner.size(); ++k)
      rows_[k].inverse_mass = inverse_mass[chunk.rows[chunk.owner[k]]];
    scale_.clear();
    if (!world.scaled()) return;
    const auto scale = world.scale.read();
    for (const std::uint32_t i : chunk.rows) scale_.push_back(scale[i]);
  }

  BodyView view() const { return {size_, rows_.data(), shape_.data(), scale_.empty() ? nullptr : scale_.data()}; }

 private:
  void move_images(const PeriodicCell& cell, const PairChunk& chunk) {
    for (const ImageRow& i : chunk.images) rows_[i.row].position += cell.shift(unpacked(i.image));
    if (!cell.deforms()) return;
    for (const ImageRow& i : chunk.images) rows_[i.row].velocity += cell.velocity(unpacked(i.image));
  }

  /// Number of rows by which memory is prefetched: bodies beyond a chunk's own are scattered.
  static constexpr std::size_t kAhead = 16;

  std::size_t size_ = 0;
  std::vector<BodyRow> rows_;
  std::vector<std::uint32_t> shape_;
  std::vector<double> scale_;  ///< empty if all are 1
};

}  // namespace scree
