#pragma once
/// \file Contacts of one chunk as columns, in pair order.

#include <cassert>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "scree/base/types.hpp"

namespace scree {

/// Growing structure of arrays; memory is kept between steps. The order of appending is the determinism contract: pairs
/// in the order given, contacts of a pair in an order that depends on the pair alone.
class ContactBuffer {
 public:
  /// Largest number of quantities that a detector may name.
  static constexpr int kMostQuantities = 4;

  void clear() { size_ = 0; }
  std::size_t size() const { return size_; }

  /// Appends a contact.
  /// \param pair     index into the span of pairs given to detect()
  /// \param overlap  [m], > 0 touching, negative = gap within the margin
  /// \param normal   unit, world, from a to b
  /// \param point    point where the force acts, world [m]
  /// \param feature  identifies the contacts of one pair from step to step (see ContactDetector::match)
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

  /// Sets the reduced radius of curvature [m] of the contact pushed last (see ContactColumns::radius).
  void set_radius(double radius) { real(kRadius)[size_ - 1] = radius; }

  /// Sets the weights of the energy and of the force of the contact pushed last (DetectorTraits::weighted). They differ
  /// where |grad overlap| is not 1. A negative weight takes back elastic force, and nothing else.
  void set_weights(double energy, double force) {
    real(kEnergyWeight)[size_ - 1] = energy;
    real(kForceWeight)[size_ - 1] = force;
  }

  /// Sets the k-th of ContactDetector::quantities() of the contact pushed last.
  void set_quantity(int k, double value) { real(kQuantity + k)[size_ - 1] = value; }

  /// Columns of contacts that extend() made room for; see push() for their meaning.
  struct Rows {
    std::uint32_t *pair, *feature;
    std::uint64_t* payload;
    double *overlap, *normal[3], *point[3];
    double* radius;                        ///< written by detectors with DetectorTraits::curvature only
    double *energy_weight, *force_weight;  ///< written by detectors with DetectorTraits::weighted only
    /// Arms: distances from the centre of a along the normal to the point, and from the centre of b against it [m].
    /// Written by detectors that are ContactDetector::central() only.
    double *arm_a, *arm_b;
    double* quantity[kMostQuantities];  ///< see ContactDetector::quantities()
  };

  /// Appends `count` contacts at once and returns their columns, for detectors whose geometry is a loop over columns.
  /// The caller must write every entry. Valid until more are appended. Columns of doubles may be read and written up to
  /// the next multiple of eight.
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

  /// Removes the last `count` contacts, which extend() made room for and which were not written.
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
    kReals = kQuantity + kMostQuantities
  };
  /// Extra length of each column, nine cache lines. Without it columns were a power of two apart, and equal rows of all
  /// columns would share one cache set.
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
