#pragma once
/// \file Two shapes and a detector that takes them: made from the registry, asked about any poses.

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <optional>
#include <utility>
#include <vector>

#include "catalogue.hpp"
#include "scree/base/philox.hpp"
#include "scree/detect/contact_detector.hpp"
#include "solid.hpp"

namespace scree::test {

using Json = nlohmann::json;

/// Fills in the defaults of a schema, as scenes do.
inline Json with_defaults(const Json& schema, Json options) {
  const Json properties = schema.value("properties", Json::object());
  for (const auto& [key, property] : properties.items()) {
    if (!options.contains(key) && property.contains("default")) options[key] = property["default"];
    if (options.contains(key) && options[key].is_object()) options[key] = with_defaults(property, options[key]);
  }
  return options;
}

/// The same options with every value of those that have a few to choose from.
inline std::vector<Json> all_choices(const Json& schema, const Json& options) {
  std::vector<Json> list{options};
  const Json properties = schema.value("properties", Json::object());
  for (const auto& [key, property] : properties.items()) {
    if (!property.contains("enum")) continue;
    std::vector<Json> longer;
    for (const Json& one : list)
      for (const Json& value : property["enum"]) (longer.emplace_back(one))[key] = value;
    list = longer;
  }
  return list;
}

struct Figure {
  Json options;
  std::shared_ptr<const Shape> shape;
  bool free;  ///< can move freely; else it only meets those that do
};

/// The shapes of a dimension.
inline std::vector<Figure> figures(int dimension) {
  std::vector<Figure> list;
  for (const Json& example : examples("shape")) {
    const std::string name = example["type"];
    const Json options = with_defaults(schema_of("shape", name), example);
    try {
      auto shape = all_plugins().shape(name)(Options::parse(options.dump()), ShapeContext{dimension});
      if (shape->dimension() != dimension) continue;
      const auto* remarks = facet<Remarks>(*shape);
      const bool free = shape->mass(1).mass > 0 && (remarks == nullptr || remarks->immobile().empty());
      list.push_back({example, std::move(shape), free});
    } catch (const OptionError&) {  // not in this dimension
    }
  }
  return list;
}

/// A contact as it is told apart by the core.
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

/// Numbers of one stream, one after the other.
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
  /// A turn by up to `most` [rad] about any axis, in 2D about z.
  Quat turn(int dimension, double most) {
    const Vec3 axis = dimension == 3 ? direction(3) : Vec3::UnitZ();
    return Quat(Eigen::AngleAxisd(between(-most, most), axis));
  }

 private:
  RandomStream stream_;
  std::uint64_t count_ = 0;
};

class Encounter {
 public:
  Encounter(int in_dimension, const Figure& of_a, double scale_a, const Figure& of_b, double scale_b, const Json& with)
      : dimension(in_dimension),
        options(with),
        a(of_a.shape, scale_a),
        b(of_b.shape, scale_b),
        detector(all_plugins().detector(with["type"])(Options::parse(with.dump()))),
        traits(detector->traits()),
        unit(std::min(a.bound(), b.bound())),
        text_(of_a.options.dump() + (scale_a != 1 ? " scaled" : "") + ", " + of_b.options.dump() + ", " + with.dump()) {
    const Shape* const shapes[2] = {of_a.shape.get(), of_b.shape.get()};
    detector->bind(shapes);
  }

  const int dimension;
  const Json options;  ///< of the detector
  const Solid a, b;
  const std::unique_ptr<ContactDetector> detector;
  const DetectorTraits traits;
  const double unit;  ///< bounding radius of the smaller body [m]

  const std::string& text() const { return text_; }
  struct Asked {
    double margin = 0;
    bool swapped = false;                              ///< b has the lower id
    double scaled = 1;                                 ///< all lengths
    const std::vector<PairPose>* listed_at = nullptr;  ///< the poses for which prepare() was called: these, if null
    double skin = 0;
  };

  /// The contacts of every pair. \throws NumericalError as the detector does
  std::vector<Touches> detect(const std::vector<PairPose>& poses, const Asked& asked) const {
    PairCache cache;
    return detect(poses, asked, cache);
  }
  std::vector<Touches> detect(const std::vector<PairPose>& poses) const { return detect(poses, Asked{}); }

  /// Whether the detector gives contacts here, not an error.
  bool takes(const PairPose& pose) const {
    try {
      detect({pose}, {.margin = kMargin * unit});
      detect({pose}, {});
      return true;
    } catch (const NumericalError&) {
      return false;
    }
  }

  /// Of the smaller body's bounding radius: the margin that tests ask for.
  static constexpr double kMargin = 0.03;

  /// A pair that overlaps by 3e-4 to all of depth_scale(), or one in ten that is a little apart.
  PairPose draw(Draws& draws) const {
    for (;;) {
      const PairPose pose = try_to_draw(draws);
      const Depth depth = depth_between(a, a.parts(), pose.a, b, b.parts(), pose.b);
      // Corrected along two normals at right angles, two parts are equally deep: no detector need choose the same one.
      if (depth.deepest < 1.5 * depth_scale()) return stray(pose, draws, 1e-3 * depth_scale(), 1e-6);
    }
  }

  /// The same pair a little further on.
  PairPose stray(PairPose pose, Draws& draws, double way, double turn) const {
    for (Pose* p : {&pose.a, &pose.b}) {
      p->position += way * draws.unit() * draws.direction(dimension);
      p->orientation = (draws.turn(dimension, turn) * p->orientation).normalized();
    }
    return pose;
  }

  /// Overlaps of interest [m]: a third of the smallest rounding, or a fifth of the body.
  double depth_scale() const {
    double least = 0.6 * unit;
    for (const Solid* s : {&a, &b})
      for (const double r : s->round().radius)
        if (r > 0) least = std::min(least, r);
    return least / 3;
  }

 private:
  PairPose try_to_draw(Draws& draws) const {
    PairPose pose;
    pose.a.orientation = draws.turn(dimension, std::numbers::pi);
    pose.b.orientation = draws.turn(dimension, std::numbers::pi);
    pose.b.position = unit * draws.direction(dimension);
    const double size = std::isfinite(b.bound()) ? b.bound() : 10 * unit;
    pose.a.position = to_world(pose.b, size * draws.between(0, 1.2) * draws.direction(dimension));
    for (int k = 0; k < 3; ++k)  // beside b's surface
      if (const auto seen = b.distance(pose.b, pose.a.position))
        pose.a.position += (0.9 * a.bound() - seen->first) * seen->second;
    const bool apart = draws.unit() < 0.1;
    const double target = apart ? -0.05 * unit * draws.unit() : depth_scale() * std::pow(10, draws.between(-3.5, 0));
    for (int k = 0; k < 3; ++k)
      if (const Depth depth = depth_between(a, a.parts(), pose.a, b, b.parts(), pose.b); depth.known())
        pose.a.position += (depth.deepest - target) * depth.outward;
    return pose;
  }

  std::vector<Touches> detect(const std::vector<PairPose>& poses, const Asked& asked, PairCache& cache) const {
    const auto pairs = static_cast<std::uint32_t>(poses.size());
    std::vector<Pair> list(pairs);
    for (std::uint32_t p = 0; p < pairs; ++p) list[p] = {2 * p, 2 * p + 1};
    const std::vector<BodyRow> now = rows(poses, asked);
    const std::vector<BodyRow> then = asked.listed_at ? rows(*asked.listed_at, asked) : now;
    std::vector<std::uint32_t> shape(2 * pairs);
    std::vector<double> scale(2 * pairs);
    for (std::uint32_t i = 0; i < 2 * pairs; ++i) {
      const bool is_a = (i % 2 == 0) != asked.swapped;
      shape[i] = is_a ? 0 : 1;
      scale[i] = asked.scaled * (is_a ? a : b).scale();
    }
    const bool plain = std::all_of(scale.begin(), scale.end(), [](double s) { return s == 1; });
    const double* const scales = plain ? nullptr : scale.data();
    const double margin = asked.scaled * asked.margin, skin = asked.scaled * asked.skin;
    detector->prepare({2 * pairs, then.data(), shape.data(), scales}, list, skin, margin, cache);
    ContactBuffer out;
    detector->detect({2 * pairs, now.data(), shape.data(), scales}, list, cache, margin, out);
    std::vector<Touches> touches(pairs);
    for (std::size_t i = 0; i < out.size(); ++i) {
      if (out.pair()[i] >= pairs || (i > 0 && out.pair()[i] < out.pair()[i - 1]))
        throw Error(text_ + ": contacts do not come in the order of their pairs");
      touches[out.pair()[i]].push_back(
          {out.overlap()[i], out.normal_at(i), out.point_at(i), traits.curvature ? out.radius()[i] : 1,
           traits.weighted ? out.energy_weight()[i] : 1, traits.weighted ? out.force_weight()[i] : 1,
           detector->central() ? out.arm_a()[i] : 0, detector->central() ? out.arm_b()[i] : 0, out.feature()[i],
           out.payload()[i]});
    }
    return touches;
  }

  std::vector<BodyRow> rows(const std::vector<PairPose>& poses, const Asked& asked) const {
    std::vector<BodyRow> list;
    for (const PairPose& pose : poses)
      for (const bool is_a : {!asked.swapped, asked.swapped}) {
        const Pose& p = is_a ? pose.a : pose.b;
        list.push_back({asked.scaled * p.position, asked.scaled * (is_a ? a : b).bound(), Vec3::Zero(), 1, Vec3::Zero(),
                        list.size(), p.orientation});
      }
    return list;
  }

  std::string text_;
};

/// Calls use(meeting) for every two shapes of a dimension, one of them free, and every detector that takes them, with
/// every choice of its options; also with bodies of other sizes than their shapes where it takes those.
inline void for_all_meetings(int dimension, const std::function<void(const Encounter&)>& use) {
  const std::vector<Figure> all = figures(dimension);
  std::vector<Json> detectors;
  for (const Json& example : examples("detector")) {
    const Json schema = schema_of("detector", example["type"]);
    for (const Json& options : all_choices(schema, with_defaults(schema, example))) detectors.push_back(options);
  }
  const auto fits = [](const std::vector<std::string_view>& facets, const Shape& shape) {
    return std::all_of(facets.begin(), facets.end(), [&](auto name) { return shape.facet(name) != nullptr; });
  };
  for (const Json& options : detectors) {
    const auto traits = all_plugins().detector(options["type"])(Options::parse(options.dump()))->traits();
    if (traits.dimension != 0 && traits.dimension != dimension) continue;
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t k = 0; k < all.size(); ++k) {
        if (!all[i].free || (all[k].free && k < i)) continue;
        const Shape &a = *all[i].shape, &b = *all[k].shape;
        const bool either_way = (fits(traits.facets_a, a) && fits(traits.facets_b, b)) ||
                                (fits(traits.facets_a, b) && fits(traits.facets_b, a));
        if (!either_way) continue;
        try {
          use(Encounter(dimension, all[i], 1, all[k], 1, options));
          if (traits.scales) use(Encounter(dimension, all[i], 1.5, all[k], all[k].free ? 0.75 : 1, options));
        } catch (const OptionError&) {  // a choice that does not suit these shapes
        }
      }
  }
}

}  // namespace scree::test
