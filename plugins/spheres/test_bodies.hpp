#pragma once
/// \file Bodies written out in a test, as detectors see them.

#include <memory>
#include <numeric>
#include <random>
#include <vector>

#include "scree/detect/contact_detector.hpp"
#include "sphere_body.hpp"

namespace scree::spheres::test {

/// A contact by pair, for comparison with what a test expects.
struct Seen {
  std::uint32_t pair, feature;
  double overlap;
  Vec3 normal, point;
};

struct Bodies {
  std::vector<std::shared_ptr<const Shape>> shapes;
  std::vector<Vec3> position, velocity;
  std::vector<Quat> orientation;
  std::vector<std::uint32_t> shape;
  std::vector<Id> id;
  std::vector<double> scale;  ///< one per body, or empty where all are 1

  double scale_of(std::size_t i) const { return scale.empty() ? 1 : scale[i]; }
  std::uint32_t add(std::uint32_t which, const Vec3& x, const Quat& q = Quat::Identity()) {
    position.push_back(x);
    velocity.push_back(Vec3::Zero());
    orientation.push_back(q);
    shape.push_back(which);
    id.push_back(position.size() - 1);
    return static_cast<std::uint32_t>(position.size() - 1);
  }
  /// Valid until bodies change.
  BodyView view() const {
    rows_.clear();
    for (std::size_t i = 0; i < position.size(); ++i)
      rows_.push_back({position[i], scale_of(i) * shapes[shape[i]]->bounding_radius(), velocity[i], 1, Vec3::Zero(),
                       id[i], orientation[i]});
    return {rows_.size(), rows_.data(), shape.data(), scale.empty() ? nullptr : scale.data()};
  }
  template <class Detector>
  Detector bound() const {
    Detector detector;
    std::vector<const Shape*> all;
    for (const auto& s : shapes) all.push_back(s.get());
    detector.bind(all);
    return detector;
  }
  template <class Detector>
  std::vector<Seen> contacts(std::span<const Pair> pairs, double margin = 0) const {
    PairCache cache;
    return contacts(bound<Detector>(), pairs, margin, cache);
  }
  std::vector<Seen> contacts(const ContactDetector& detector, std::span<const Pair> pairs, double margin,
                             PairCache& cache) const {
    ContactBuffer out;
    detector.detect(view(), pairs, cache, margin, out);
    std::vector<Seen> seen;
    for (std::size_t i = 0; i < out.size(); ++i)
      seen.push_back({out.pair()[i], out.feature()[i], out.overlap()[i], out.normal_at(i), out.point_at(i)});
    return seen;
  }

 private:
  mutable std::vector<BodyRow> rows_;
};

inline std::vector<Pair> all_pairs(std::uint32_t count) {
  std::vector<Pair> pairs;
  for (std::uint32_t a = 0; a < count; ++a)
    for (std::uint32_t b = a + 1; b < count; ++b) pairs.push_back({a, b});
  return pairs;
}

inline Quat random_turn(std::mt19937& random, int dimension) {
  std::uniform_real_distribution<double> any(-1, 1);
  if (dimension == 2) {
    const double half = 3 * any(random);
    return Quat(std::cos(half), 0, 0, std::sin(half));
  }
  return Quat(any(random), any(random), any(random), any(random)).normalized();
}

}  // namespace scree::spheres::test
