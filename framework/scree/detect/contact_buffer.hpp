#pragma once
/// \file The contacts of one chunk as columns, in pair order.

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "scree/base/types.hpp"
#include "scree/detect/contact_quantities.hpp"

namespace scree {

/// Growing structure of arrays; memory is kept between steps. Order of appending is the determinism contract:
/// pairs in the order given, contacts of a pair in an order that depends on the pair alone.
class ContactBuffer {
 public:
  void clear() { size_ = 0; }
  std::size_t size() const { return size_; }

  /// \param pair     index into the span of pairs given to detect()
  /// \param overlap  [m], > 0 touching, negative = gap within the margin
  /// \param normal   unit, world, from a to b
  /// \param point    world [m], where the force acts
  /// \param feature  tells the contacts of one pair apart from step to step (see ContactDetector::match)
  /// \param payload  64 bits for the detector's own match(), stored beside the feature
  void push(std::uint32_t pair, double overlap, const Vec3& normal, const Vec3& point, std::uint32_t feature,
            std::uint64_t payload = 0) {
    if (size_ == capacity_) grow(size_ + 1);
    const std::size_t i = size_++;
    pair_[i] = pair;
    feature_[i] = feature;
    payload_[i] = payload;
    real(kOverlap)[i] = overlap;
    for (int k = 0; k < 3; ++k) {
      real(kNormal + k)[i] = normal[k];
      real(kPoint + k)[i] = point[k];
    }
  }

  /// Reduced radius of curvature [m] of the contact pushed last (see ContactColumns::radius).
  void set_radius(double radius) { real(kRadius)[size_ - 1] = radius; }

  /// How much of what the law answers the contact pushed last counts (DetectorTraits::weighted): of its energy, and of
  /// its force, which differ where |grad overlap| is not 1. Negative takes back elastic force, and nothing else.
  void set_weights(double energy, double force) {
    real(kEnergyWeight)[size_ - 1] = energy;
    real(kForceWeight)[size_ - 1] = force;
  }

  /// The k-th of ContactQuantities::names() of the contact pushed last.
  void set_quantity(int k, double value) { real(kQuantity + k)[size_ - 1] = value; }

  /// The columns of contacts that were just made room for; what they mean is said at push().
  struct Rows {
    std::uint32_t *pair, *feature;
    std::uint64_t* payload;
    double *overlap, *normal[3], *point[3];
    double* radius;                        ///< to be written by detectors with DetectorTraits::curvature alone
    double *energy_weight, *force_weight;  ///< by those with DetectorTraits::weighted alone
    /// By those that are ContactDetector::central() alone: from the centre of a along the normal to the point, and from
    /// the centre of b against it [m].
    double *arm_a, *arm_b;
    double* quantity[ContactQuantities::kMost];  ///< by those that name them: see ContactQuantities
  };

  /// Appends `count` contacts at once and returns their columns, every entry of which the caller is to write: for
  /// detectors whose geometry is a loop over columns. Valid until more are appended. Columns of doubles may be read and
  /// written up to the next multiple of eight.
  Rows extend(std::size_t count) {
    if (size_ + count > capacity_) grow(size_ + count);
    const std::size_t i = size_;
    size_ += count;
    return {pair_.get() + i,
            feature_.get() + i,
            payload_.get() + i,
            real(kOverlap) + i,
            {real(kNormal) + i, real(kNormal + 1) + i, real(kNormal + 2) + i},
            {real(kPoint) + i, real(kPoint + 1) + i, real(kPoint + 2) + i},
            real(kRadius) + i,
            real(kEnergyWeight) + i,
            real(kForceWeight) + i,
            real(kArm) + i,
            real(kArm + 1) + i,
            {real(kQuantity) + i, real(kQuantity + 1) + i, real(kQuantity + 2) + i, real(kQuantity + 3) + i}};
  }

  /// Removes the last `count` contacts, which extend() made room for and nobody wrote.
  void drop(std::size_t count) { size_ -= count; }

  std::uint32_t* pair() { return pair_.get(); }
  std::uint32_t* feature() { return feature_.get(); }
  std::uint64_t* payload() { return payload_.get(); }
  const std::uint32_t* pair() const { return pair_.get(); }
  const std::uint32_t* feature() const { return feature_.get(); }
  const std::uint64_t* payload() const { return payload_.get(); }
  double* overlap() { return real(kOverlap); }
  const double* overlap() const { return real(kOverlap); }
  const double* normal(int axis) const { return real(kNormal + axis); }
  const double* point(int axis) const { return real(kPoint + axis); }
  double* radius() { return real(kRadius); }
  const double* radius() const { return real(kRadius); }
  const double* energy_weight() const { return real(kEnergyWeight); }
  const double* force_weight() const { return real(kForceWeight); }
  const double* arm_a() const { return real(kArm); }
  const double* arm_b() const { return real(kArm + 1); }
  const double* quantity(int k) const { return real(kQuantity + k); }
  Vec3 normal_at(std::size_t i) const { return {normal(0)[i], normal(1)[i], normal(2)[i]}; }
  Vec3 point_at(std::size_t i) const { return {point(0)[i], point(1)[i], point(2)[i]}; }

 private:
  enum : int {
    kOverlap = 0,
    kNormal = 1,
    kPoint = 4,
    kRadius = 7,
    kEnergyWeight = 8,
    kForceWeight = 9,
    kArm = 10,
    kQuantity = 12,
    kReals = kQuantity + ContactQuantities::kMost
  };
  /// Columns begin nine cache lines beyond a power of two apart: else equal rows of all columns share one cache set.
  static constexpr std::size_t kStagger = 72;
  double* real(int column) { return reals_.get() + column * (capacity_ + kStagger); }
  const double* real(int column) const { return reals_.get() + column * (capacity_ + kStagger); }

  void grow(std::size_t wanted) {
    std::size_t capacity = capacity_ == 0 ? 256 : 2 * capacity_;
    while (capacity < wanted) capacity *= 2;
    auto reals = std::make_unique<double[]>((capacity + kStagger) * kReals);
    auto pair = std::make_unique<std::uint32_t[]>(capacity);
    auto feature = std::make_unique<std::uint32_t[]>(capacity);
    auto payload = std::make_unique<std::uint64_t[]>(capacity);
    for (std::size_t i = 0; i < size_; ++i) {
      pair[i] = pair_[i];
      feature[i] = feature_[i];
      payload[i] = payload_[i];
      for (int c = 0; c < kReals; ++c) reals[c * (capacity + kStagger) + i] = real(c)[i];
    }
    reals_ = std::move(reals);
    pair_ = std::move(pair);
    feature_ = std::move(feature);
    payload_ = std::move(payload);
    capacity_ = capacity;
  }

  std::size_t size_ = 0, capacity_ = 0;
  std::unique_ptr<double[]> reals_;
  std::unique_ptr<std::uint32_t[]> pair_, feature_;
  std::unique_ptr<std::uint64_t[]> payload_;
};

}  // namespace scree
