#include "conformance/encounter.hpp"

namespace scree::conformance {

Encounter::Encounter(const Registry& registry, int in_dimension, const Figure& of_a, double scale_a, const Figure& of_b,
                     double scale_b, const Json& with)
    : dimension(in_dimension),
      options(with),
      a(of_a.shape, scale_a),
      b(of_b.shape, scale_b),
      detector(registry.detector(with["type"])(Options::parse(with.dump()))),
      traits(detector->traits()),
      unit(std::min(a.bound(), b.bound())),
      text_(of_a.options.dump() + (scale_a != 1 ? " scaled" : "") + ", " + of_b.options.dump() + ", " + with.dump()) {
  const Shape* const shapes[2] = {of_a.shape.get(), of_b.shape.get()};
  detector->bind(shapes);
}

std::string Encounter::refusal(const PairPose& pose) const {
  try {
    detect({pose}, {.margin = kMargin * unit});
    detect({pose}, {});
    return "";
  } catch (const NumericalError& e) {
    return e.what();
  }
}

PairPose Encounter::draw(Draws& draws) const {
  for (;;) {
    const PairPose pose = try_to_draw(draws);
    const Depth depth = depth_between(a, a.parts(), pose.a, b, b.parts(), pose.b);
    // Corrected along two normals at right angles, two parts are equally deep: detectors may choose either.
    if (depth.deepest < 1.5 * depth_scale()) return stray(pose, draws, 1e-3 * depth_scale(), 1e-6);
  }
}

PairPose Encounter::stray(PairPose pose, Draws& draws, double way, double turn) const {
  for (Pose* p : {&pose.a, &pose.b}) {
    p->position += way * draws.unit() * draws.direction(dimension);
    p->orientation = (draws.turn(dimension, turn) * p->orientation).normalized();
  }
  return pose;
}

double Encounter::depth_scale() const {
  double least = 0.6 * unit;
  for (const Solid* s : {&a, &b})
    for (const double r : s->round().radius)
      if (r > 0) least = std::min(least, r);
  return least / 3;
}

PairPose Encounter::try_to_draw(Draws& draws) const {
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

std::vector<Touches> Encounter::detect(const std::vector<PairPose>& poses, const Asked& asked, PairCache& cache) const {
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

std::vector<BodyRow> Encounter::rows(const std::vector<PairPose>& poses, const Asked& asked) const {
  std::vector<BodyRow> list;
  for (const PairPose& pose : poses)
    for (const bool is_a : {!asked.swapped, asked.swapped}) {
      const Pose& p = is_a ? pose.a : pose.b;
      list.push_back({asked.scaled * p.position, asked.scaled * (is_a ? a : b).bound(), Vec3::Zero(), 1, Vec3::Zero(),
                      list.size(), p.orientation});
    }
  return list;
}

bool fits(const DetectorTraits& traits, const Shape& a, const Shape& b) {
  const auto offers = [](const std::vector<std::string_view>& facets, const Shape& shape) {
    return std::ranges::all_of(facets, [&](auto name) { return shape.facet(name) != nullptr; });
  };
  return (offers(traits.facets_a, a) && offers(traits.facets_b, b)) ||
         (offers(traits.facets_a, b) && offers(traits.facets_b, a));
}

namespace {

std::vector<Json> detectors(const Registry& registry, const Meetings& wanted) {
  std::vector<Json> list;
  for (const std::string& name : usable(registry, "detector")) {
    if (!wanted.detector.empty() && name != wanted.detector) continue;
    const Json schema = schema_of(registry, "detector", name);
    for (const Json& example : examples(registry, "detector", name)) {
      const Json whole = with_defaults(schema, example);
      for (Json& options : wanted.every_choice ? all_choices(schema, whole) : std::vector<Json>{whole})
        list.push_back(std::move(options));
    }
  }
  return list;
}

}  // namespace

void for_all_meetings(const Registry& registry, const Meetings& wanted,
                      const std::function<void(const Encounter&)>& use) {
  const std::vector<Figure> all = figures(registry, wanted.dimension);
  const auto left_out = [&](const Figure& a, const Figure& b) {
    if (!a.free && !b.free) return true;
    return !wanted.shape.empty() && a.options["type"] != wanted.shape && b.options["type"] != wanted.shape;
  };
  for (const Json& options : detectors(registry, wanted)) {
    const auto traits = registry.detector(options["type"])(Options::parse(options.dump()))->traits();
    if (traits.dimension != 0 && traits.dimension != wanted.dimension) continue;
    for (std::size_t i = 0; i < all.size(); ++i)
      for (std::size_t k = 0; k < all.size(); ++k) {
        if (!all[i].free || (all[k].free && k < i) || left_out(all[i], all[k])) continue;
        if (!fits(traits, *all[i].shape, *all[k].shape)) continue;
        try {
          use(Encounter(registry, wanted.dimension, all[i], 1, all[k], 1, options));
          if (traits.scales)
            use(Encounter(registry, wanted.dimension, all[i], 1.5, all[k], all[k].free ? 0.75 : 1, options));
        } catch (const OptionError&) {  // a choice that does not suit these shapes
        }
      }
  }
}

}  // namespace scree::conformance
