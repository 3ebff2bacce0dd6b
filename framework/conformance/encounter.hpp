#pragma once
/// \file Encounter: two shapes and a detector for them, in any poses.

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "conformance/catalogue.hpp"
#include "conformance/solid.hpp"
#include "scree/base/philox.hpp"
#include "scree/detect/contact_detector.hpp"

namespace scree::conformance {

/// Contact with all data by which the core distinguishes it.
struct Touch {
  double overlap;
  Vec3 normal, point;
  double radius, energy_weight, force_weight, arm_a, arm_b;
  std::uint32_t feature;
  std::uint64_t payload;
};
using Touches = std::vector<Touch>;

struct PairPose {
  Pose a, b;
};

/// Random numbers of one stream, one after the other.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : stream_(seed, "poses") {}
  double unit() { return stream_.pair(count_++)[0]; }
  double between(double low, double high) { return low + (high - low) * unit(); }
  Vec3 direction(int dimension) {
    Vec3 v;
    do {
      v = {between(-1, 1), between(-1, 1), dimension == 3 ? between(-1, 1) : 0};
    } while (v.norm() > 1 || v.norm() < 0.1);
    return v.normalized();
  }
  /// Returns a rotation by up to `most` [rad] about any axis, in 2D about z.
  Quat turn(int dimension, double most) {
    const Vec3 axis = dimension == 3 ? direction(3) : Vec3::UnitZ();
    return Quat(Eigen::AngleAxisd(between(-most, most), axis));
  }

 private:
  RandomStream stream_;
  std::uint64_t count_ = 0;
};

/// Two shapes, and a detector that takes them.
class Encounter {
 public:
  Encounter(const Registry& registry, int in_dimension, const Figure& of_a, double scale_a, const Figure& of_b,
            double scale_b, const Json& with);

  const int dimension;
  const Json options;  ///< options of the detector
  const Solid a, b;
  const std::unique_ptr<ContactDetector> detector;
  const DetectorTraits traits;
  const double unit;  ///< bounding radius of the smaller body [m]

  const std::string& text() const { return text_; }
  struct Asked {
    double margin = 0;
    bool swapped = false;                              ///< true if b has the lower id
    double scaled = 1;                                 ///< factor of all lengths
    const std::vector<PairPose>* listed_at = nullptr;  ///< poses for which prepare() was called; null: the same poses
    double skin = 0;
  };

  /// Returns the contacts of every pair. \throws NumericalError like the detector
  std::vector<Touches> detect(const std::vector<PairPose>& poses, const Asked& asked) const {
    PairCache cache;
    return detect(poses, asked, cache);
  }
  std::vector<Touches> detect(const std::vector<PairPose>& poses) const { return detect(poses, Asked{}); }

  /// Checks whether the detector gives contacts here, not an error.
  bool takes(const PairPose& pose) const { return refusal(pose).empty(); }
  /// Returns the detector's error here, or "".
  std::string refusal(const PairPose& pose) const;

  /// Margin of tests over the smaller body's bounding radius.
  static constexpr double kMargin = 0.03;

  /// Returns a pair that overlaps by 3e-4 to all of depth_scale(), or one in ten that is a little apart.
  PairPose draw(Draws& draws) const;

  /// Returns the same pair a little further on.
  PairPose stray(PairPose pose, Draws& draws, double way, double turn) const;

  /// Returns the scale of overlaps [m]: a third of the smallest rounding, or a fifth of the body.
  double depth_scale() const;

 private:
  PairPose try_to_draw(Draws& draws) const;

  std::vector<Touches> detect(const std::vector<PairPose>& poses, const Asked& asked, PairCache& cache) const;

  std::vector<BodyRow> rows(const std::vector<PairPose>& poses, const Asked& asked) const;

  std::string text_;
};

/// Checks whether a detector of these traits takes two shapes, one way round or the other.
bool fits(const DetectorTraits& traits, const Shape& a, const Shape& b);

/// Choice of detectors and shapes that meet; an empty name stands for all.
struct Meetings {
  int dimension = 2;
  std::string detector = "", shape = "";
  bool every_choice = true;  ///< every value of options that have a few to choose from; else only the examples
};

/// Calls use(meeting) for every two shapes of a dimension, one of them free, and every detector that takes them; also
/// with bodies of other sizes than their shapes if it takes those.
void for_all_meetings(const Registry& registry, const Meetings& wanted,
                      const std::function<void(const Encounter&)>& use);

}  // namespace scree::conformance
