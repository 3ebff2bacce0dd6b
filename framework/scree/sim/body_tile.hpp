#pragma once
/// \file A contiguous copy of the bodies of one chunk: what detectors see as BodyView. Small enough to stay in cache.

#include <span>
#include <vector>

#include "scree/world/body_view.hpp"
#include "scree/world/world.hpp"

namespace scree {

class BodyTile {
 public:
  /// \param position, orientation  of all bodies: the World's own, or those of the last rebuild
  /// \param shift  of each row's image [m]; empty: none
  void gather(const World& world, std::span<const Vec3> position, std::span<const Quat> orientation,
              std::span<const std::uint32_t> rows, std::span<const Vec3> shift) {
    const auto v = world.velocity.read(), w = world.angular_velocity.read();
    const auto shape = world.shape.read();
    const auto id = world.id.read();
    resize(rows.size());
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const std::uint32_t i = rows[k];
      position_[k] = position[i];
      orientation_[k] = orientation[i];
      velocity_[k] = v[i];
      angular_velocity_[k] = w[i];
      shape_[k] = shape[i];
      id_[k] = id[i];
    }
    for (std::size_t k = 0; k < shift.size(); ++k) position_[k] += shift[k];
  }

  BodyView view() const {
    return {size_,         size_,     position_.data(), orientation_.data(), velocity_.data(), angular_velocity_.data(),
            shape_.data(), id_.data()};
  }

 private:
  void resize(std::size_t n) {
    size_ = n;
    if (n <= position_.size()) return;
    position_.resize(n);
    orientation_.resize(n);
    velocity_.resize(n);
    angular_velocity_.resize(n);
    shape_.resize(n);
    id_.resize(n);
  }

  std::size_t size_ = 0;
  std::vector<Vec3> position_, velocity_, angular_velocity_;
  std::vector<Quat> orientation_;
  std::vector<std::uint32_t> shape_;
  std::vector<Id> id_;
};

}  // namespace scree
