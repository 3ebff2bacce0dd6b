#pragma once
/// \file A contiguous copy of the bodies of one chunk: what detectors see as BodyView. Small enough to stay in cache.

#include <span>
#include <vector>

#include "scree/sim/chunk.hpp"
#include "scree/world/body_view.hpp"
#include "scree/world/world.hpp"

namespace scree {

class BodyTile {
 public:
  /// Copies the chunk's bodies, each in its image.
  /// \param position, orientation  of all bodies: the World's own, or those of the last rebuild
  void gather(const World& world, std::span<const Vec3> position, std::span<const Quat> orientation,
              const Chunk& chunk) {
    const auto v = world.velocity.read(), w = world.angular_velocity.read();
    const auto radius = world.radius.read(), inverse_mass = world.inverse_mass.read();
    const auto shape = world.shape.read();
    const auto id = world.id.read();
    size_ = chunk.rows.size();
    if (rows_.size() < size_) rows_.resize(size_), shape_.resize(size_);
    for (std::size_t k = 0; k < size_; ++k) {  // by components: whole vectors would wait for each other in memory
      const std::uint32_t i = chunk.rows[k];
      BodyRow& row = rows_[k];
      for (int c = 0; c < 3; ++c) row.position[c] = position[i][c];
      row.radius = radius[i];
      for (int c = 0; c < 3; ++c) row.velocity[c] = v[i][c];
      row.inverse_mass = inverse_mass[i];
      for (int c = 0; c < 3; ++c) row.angular_velocity[c] = w[i][c];
      row.id = id[i];
      for (int c = 0; c < 4; ++c) row.orientation.coeffs()[c] = orientation[i].coeffs()[c];
      shape_[k] = shape[i];
    }
    for (std::size_t k = 0; k < chunk.shift.size(); ++k) rows_[k].position += chunk.shift[k];
    for (std::size_t k = 0; k < chunk.owner.size(); ++k) rows_[k].inverse_mass = inverse_mass[chunk.rows[chunk.owner[k]]];
  }

  BodyView view() const { return {size_, rows_.data(), shape_.data()}; }

 private:
  std::size_t size_ = 0;
  std::vector<BodyRow> rows_;
  std::vector<std::uint32_t> shape_;
};

}  // namespace scree
