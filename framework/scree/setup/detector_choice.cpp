#include "scree/setup/detail/detector_choice.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "scree/setup/detail/set_up.hpp"

namespace scree::detail {

namespace {

bool offers(const Shape& shape, const std::vector<std::string_view>& facets) {
  return std::ranges::all_of(facets, [&](std::string_view f) { return shape.facet(f) != nullptr; });
}

bool fits_shapes(const DetectorTraits& traits, const Shape& a, const Shape& b) {
  return (offers(a, traits.facets_a) && offers(b, traits.facets_b)) ||
         (offers(b, traits.facets_a) && offers(a, traits.facets_b));
}

/// Returns the reason why a detector does not fit a pair of species, as the end of a sentence.
std::string misfit(const Scene& scene, const World& world, const DetectorTraits& traits, const Species& p,
                   const Species& q) {
  const std::uint32_t a = p.shape, b = q.shape;
  if (traits.dimension != 0 && traits.dimension != scene.dimension)
    return fmt::format("it works in {} dimensions and the scene has {}", traits.dimension, scene.dimension);
  const bool wrong_size = (p.scaled || q.scaled) && !traits.scales;
  if (wrong_size && fits_shapes(traits, *world.shapes()[a].shape, *world.shapes()[b].shape))
    return fmt::format(
        "it takes bodies of their shape's own size only, and bodies of {} have a \"scale\"; make a "
        "shape of each size instead",
        named(scene, world, p.scaled ? a : b));
  const auto side = [](const std::vector<std::string_view>& facets) {
    return fmt::format("{}", fmt::join(facets, " and "));
  };
  std::string text = traits.facets_a == traits.facets_b ? fmt::format("it needs {} of both", side(traits.facets_a))
                                                        : fmt::format("it needs {} of one and {} of the other",
                                                                      side(traits.facets_a), side(traits.facets_b));
  std::set<std::string_view> all(traits.facets_a.begin(), traits.facets_a.end());
  all.insert(traits.facets_b.begin(), traits.facets_b.end());
  for (const std::uint32_t s : std::set{a, b}) {
    std::vector<std::string_view> lacking;
    for (const std::string_view f : all)
      if (!world.shapes()[s].shape->facet(f)) lacking.push_back(f);
    if (!lacking.empty()) text += fmt::format("; {} lacks {}", named(scene, world, s), fmt::join(lacking, " and "));
  }
  return text;
}

}  // namespace

void DetectorChoice::list_shapes() {
  shapes_.clear();
  for (const ShapeEntry& entry : world_.shapes()) shapes_.push_back(entry.shape.get());
}

void DetectorChoice::warn_of_equals(const InteractionDef& def, const Species& p, const Species& q,
                                    const std::vector<std::string>& equal) {
  if (equal.size() < 2 || !warned_.insert(listed(equal)).second) return;
  prepared_.warnings.push_back(
      fmt::format("{}: detectors {} fit shapes {} and {} equally well, and \"{}\" is taken, the first by name. Name "
                  "one in \"detector\" to choose.",
                  scene_.where(def.pointer), listed(equal), named(scene_, world_, p.shape),
                  named(scene_, world_, q.shape), equal[0]));
}

void DetectorChoice::warn_of_sizes(const InteractionDef& def, const Species& p, const Species& q,
                                   const std::string& passed_over, const std::string& taken) {
  if (passed_over.empty() || !warned_.insert(passed_over + "/" + taken).second) return;
  prepared_.warnings.push_back(fmt::format(
      "{}: bodies of shape {} have a \"scale\", which detector \"{}\" does not take, so \"{}\" is used. "
      "For \"{}\" make a shape of each size.",
      scene_.where(def.pointer), named(scene_, world_, p.scaled ? p.shape : q.shape), passed_over, taken, passed_over));
}

bool DetectorChoice::fits_but_for_size(const ContactDetector& detector, const Species& p, const Species& q) const {
  const DetectorTraits traits = detector.traits();
  if (traits.dimension != 0 && traits.dimension != scene_.dimension) return false;
  return fits_shapes(traits, *shapes_[p.shape], *shapes_[q.shape]);
}

bool DetectorChoice::fits(const ContactDetector& detector, const Species& p, const Species& q) const {
  if ((p.scaled || q.scaled) && !detector.traits().scales) return false;
  return fits_but_for_size(detector, p, q);
}

const ContactDetector* DetectorChoice::choose(const InteractionDef& def, const Species& p, const Species& q,
                                              bool optional) {
  const std::string a = named(scene_, world_, p.shape), b = named(scene_, world_, q.shape);
  if (def.detector.type != "auto") {
    const ContactDetector* detector = instance(def.detector);
    if (fits(*detector, p, q)) return detector;
    if (optional) return nullptr;
    throw InputError(
        fmt::format("{}: detector \"{}\" cannot serve shapes {} and {}: {}. Detectors that fit: {}. "
                    "\"auto\" chooses one for each pair of shapes.",
                    scene_.where(def.pointer + "/detector"), def.detector.type, a, b,
                    misfit(scene_, world_, detector->traits(), p, q), listed(fitting(p, q))));
  }
  const ContactDetector* best = nullptr;
  int best_rank = -1, passed_rank = -1;
  std::string passed_over;         // the best one except for sizes
  std::vector<std::string> equal;  // the best one, and equally specific ones
  for (const auto& [name, detector] : automatic()) {
    const int rank = detector->traits().specificity;
    if (rank < std::max(best_rank, 0)) continue;
    if (!fits(*detector, p, q)) {
      if (rank > passed_rank && fits_but_for_size(*detector, p, q)) passed_over = name, passed_rank = rank;
      continue;
    }
    if (rank > best_rank) best = detector, best_rank = rank, equal.clear();
    equal.push_back(name);
  }
  warn_of_equals(def, p, q, equal);
  if (best && passed_rank > best_rank) warn_of_sizes(def, p, q, passed_over, equal[0]);
  if (best || optional) return best;
  std::string reasons;
  for (const auto& [name, detector] : automatic())
    reasons += fmt::format("\n  {}: {}", name, misfit(scene_, world_, detector->traits(), p, q));
  throw InputError(
      fmt::format("{}: no loaded detector serves shapes {} and {}:{}\nGive one of the shapes a facet that a "
                  "detector can use, load a plugin that fits, or say \"law\": \"none\".",
                  scene_.where(def.pointer), a, b, reasons));
}

std::vector<std::string> DetectorChoice::fitting(const Species& p, const Species& q) {
  std::vector<std::string> names;
  for (const auto& [name, detector] : automatic())
    if (fits(*detector, p, q)) names.push_back(name);
  return names;
}

const std::vector<std::pair<std::string, const ContactDetector*>>& DetectorChoice::automatic() {
  if (automatic_.empty())
    for (const std::string& name : registry_.names("detector"))
      if (const auto options = registry_.default_options("detector", name))
        automatic_.emplace_back(name, instance(ObjectDef{name, *options}));
  return automatic_;
}

const ContactDetector* DetectorChoice::instance(const ObjectDef& object) {
  if (shapes_.empty()) list_shapes();
  const std::string key = object.type + object.options.dump();
  const auto it = instances_.find(key);
  if (it != instances_.end()) return it->second;
  auto detector = made(scene_, object, [&] { return registry_.detector(object.type)(object.options); });
  made(scene_, object, [&] { detector->bind(shapes_); });
  instances_[key] = detector.get();
  names_[detector.get()] = key;
  types_[detector.get()] = object.type;
  prepared_.methods.detectors.push_back(std::move(detector));
  prepared_.methods.detector_names.push_back(object.type);
  return instances_[key];
}

void DetectorChoice::rebind() {
  if (shapes_.size() == world_.shapes().size()) return;
  list_shapes();
  for (const auto& [key, detector] : instances_) {
    try {
      detector->bind(shapes_);
    } catch (const OptionError& e) {
      throw InputError(fmt::format("a shape made during the run: {}", e.what()));
    }
  }
}

}  // namespace scree::detail
