#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "scree/sim/detail/set_up.hpp"

namespace scree::detail {

namespace {

/// A shape as the messages name it: "floor" (half-plane).
std::string named(const Scene& scene, std::uint32_t shape) {
  return fmt::format("\"{}\" ({})", scene.shapes[shape].name, scene.shapes[shape].object.type);
}

bool offers(const Shape& shape, const std::vector<std::string_view>& facets) {
  return std::ranges::all_of(facets, [&](std::string_view f) { return shape.facet(f) != nullptr; });
}

/// A combination of shape and material that some body has.
struct Species {
  std::uint32_t shape, material;
  bool mobile = false;
  bool several = false;  ///< more than one body, so that it can meet itself
  bool scaled = false;   ///< some body has another size than the shape
};

bool fits_shapes(const DetectorTraits& traits, const Shape& a, const Shape& b) {
  return (offers(a, traits.facets_a) && offers(b, traits.facets_b)) ||
         (offers(b, traits.facets_a) && offers(a, traits.facets_b));
}

/// What keeps a detector from a pair of species, as the end of a sentence.
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
        named(scene, p.scaled ? a : b));
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
    if (!lacking.empty()) text += fmt::format("; {} lacks {}", named(scene, s), fmt::join(lacking, " and "));
  }
  return text;
}

class Resolver {
 public:
  Resolver(const Scene& scene, const Registry& registry, Prepared& prepared)
      : scene_(scene), registry_(registry), prepared_(prepared), world_(*prepared.world) {
    for (const ShapeEntry& entry : world_.shapes()) shapes_.push_back(entry.shape.get());
    for (const double r : world_.radius.read())
      if (std::isfinite(r)) largest_radius_ = std::max(largest_radius_, r);
  }

  void run() {
    check_unused();
    find_species();
    Methods& methods = prepared_.methods;
    methods.resize_table(world_.shapes().size(), world_.materials().size());
    for (auto p = species_.begin(); p != species_.end(); ++p)
      for (auto q = p; q != species_.end(); ++q)
        if (p->mobile || q->mobile) methods.set_channel(p->shape, p->material, q->shape, q->material, channel(*p, *q));
  }

 private:
  std::unique_ptr<ContactLaw> law(const InteractionDef& def, const MaterialEntry& a, const MaterialEntry& b) const {
    auto law = made(scene_, def.law, [&] {
      return registry_.law(def.law.type)(def.law.options, LawContext{scene_.dimension, a, b, largest_radius_});
    });
    require_face(def, *law, prepared_.methods.integrator->traits());
    return law;
  }

  /// Entries of the scene that no two bodies need are made once all the same, so that their mistakes are found.
  void check_unused() const {
    for (const InteractionDef& def : scene_.interactions)
      if (def.law.type != "none" && def.a != "*" && def.b != "*") law(def, material(def.a), material(def.b));
  }

  const MaterialEntry& material(const std::string& name) const {
    return *std::ranges::find(world_.materials(), name, &MaterialEntry::name);
  }

  /// One interaction per entry and pair of elastic properties. \param k  index of an entry whose law is not "none"
  std::uint32_t interaction_of(std::uint32_t k, const MaterialEntry* a, const MaterialEntry* b) {
    const auto elastic = [](const MaterialEntry* m) { return std::pair(m->youngs_modulus, m->poisson_ratio); };
    if (elastic(b) < elastic(a)) std::swap(a, b);
    const auto [place, added] = interactions_.try_emplace(std::tuple(k, elastic(a), elastic(b)));
    if (!added) return place->second;
    Methods& methods = prepared_.methods;
    place->second = static_cast<std::uint32_t>(methods.interactions.size());
    Interaction interaction;
    interaction.entry = k;
    interaction.name = scene_.interactions[k].a + "-" + scene_.interactions[k].b;
    interaction.law = law(scene_.interactions[k], *a, *b);
    use_face(interaction);
    methods.range = std::max(methods.range, interaction.law->range());
    methods.interactions.push_back(std::move(interaction));
    return place->second;
  }

  /// The face the integrator works with.
  void use_face(Interaction& interaction) const {
    const std::string_view name = prepared_.methods.integrator->traits().face;
    if (name == ConeFace::kName) {
      interaction.cone = face<ConeFace>(*interaction.law);
      interaction.history = Interaction::kImpulse;
    } else if (name == PotentialFace::kName) {
      interaction.potential = face<PotentialFace>(*interaction.law);
      interaction.needs = interaction.potential->needs();
    } else if (name == ForceFace::kName) {
      interaction.force = face<ForceFace>(*interaction.law);
      interaction.needs = interaction.force->needs();
      interaction.history = interaction.force->history_size();
    }
    if (interaction.history <= ForceFace::kMostHistory) return;
    const InteractionDef& def = scene_.interactions[interaction.entry];
    throw InputError(fmt::format(
        "{}: law \"{}\" remembers {} numbers of each contact; {} are allowed at most. Choose another law, or ask its "
        "author for a smaller one.",
        scene_.where(def.law.options.pointer()), def.law.type, interaction.history, ForceFace::kMostHistory));
  }

  void require_face(const InteractionDef& def, const ContactLaw& law, const IntegratorTraits& traits) const {
    if (law.face(traits.face)) return;
    throw InputError(
        fmt::format("{}: law \"{}\" has no face {}, which integrator \"{}\" needs. Laws that fit: {}. "
                    "Or choose another integrator.",
                    scene_.where(def.pointer + "/law"), def.law.type, traits.face, scene_.integrator.type,
                    list(registry_.laws_with_face(std::string(traits.face)))));
  }

  static std::string list(const std::vector<std::string>& names) {
    return names.empty() ? "none of those loaded" : fmt::format("{}", fmt::join(names, ", "));
  }

  void find_species() {
    std::map<std::pair<std::uint32_t, std::uint32_t>, Species> found;
    const auto shape = world_.shape.read(), material = world_.material.read(), kind = world_.kind.read();
    const auto scale = world_.scale.read();
    for (std::size_t i = 0; i < world_.size(); ++i) {
      const auto [place, first] = found.try_emplace({shape[i], material[i]}, Species{shape[i], material[i]});
      Species& species = place->second;
      species.mobile = species.mobile || kind[i] == static_cast<std::uint32_t>(BodyKind::dynamic);
      species.several = species.several || !first;
      species.scaled = species.scaled || scale[i] != 1;
    }
    for (const auto& [key, species] : found) species_.push_back(species);
  }

  /// The entry of `interactions` for two materials: exact names before "*".
  std::optional<std::uint32_t> interaction(const std::string& a, const std::string& b) const {
    std::optional<std::uint32_t> best;
    int best_rank = -1;
    for (std::uint32_t k = 0; k < scene_.interactions.size(); ++k) {
      const InteractionDef& def = scene_.interactions[k];
      const auto match = [](const std::string& pattern, const std::string& name) {
        return pattern == "*" || pattern == name;
      };
      if (!(match(def.a, a) && match(def.b, b)) && !(match(def.a, b) && match(def.b, a))) continue;
      const int rank = (def.a != "*") + (def.b != "*");
      if (rank > best_rank) best = k, best_rank = rank;
    }
    return best;
  }

  std::int32_t channel(const Species& p, const Species& q) {
    const bool itself = p.shape == q.shape && p.material == q.material;
    const std::string &a = scene_.materials[p.material].name, &b = scene_.materials[q.material].name;
    const auto k = interaction(a, b);
    if (!k) {
      if (itself && !p.several) return Methods::kNoChannel;
      throw InputError(
          fmt::format("{}: nothing says what happens between materials \"{}\" and \"{}\", which bodies of "
                      "shapes {} and {} have. Add {{\"between\": [\"{}\", \"{}\"], \"law\": {{...}}}}, or "
                      "\"law\": \"none\" if they are to pass through each other.",
                      scene_.where("/interactions"), a, b, named(scene_, p.shape), named(scene_, q.shape), a, b));
    }
    if (scene_.interactions[*k].law.type == "none") return Methods::kNoChannel;
    const ContactDetector* detector = choose(scene_.interactions[*k], p, q, itself && !p.several);
    if (!detector) return Methods::kNoChannel;
    check_gradient(scene_.interactions[*k], *detector);
    const std::uint32_t law = interaction_of(*k, &world_.materials()[p.material], &world_.materials()[q.material]);
    auto& channels = prepared_.methods.channels;
    for (std::size_t c = 0; c < channels.size(); ++c)
      if (channels[c].interaction == law && channels[c].detector == detector) return static_cast<std::int32_t>(c);
    const DetectorTraits traits = detector->traits();
    channels.push_back({law, detector, traits.cache_row, traits.curvature, traits.weighted, traits.scales});
    return static_cast<std::int32_t>(channels.size() - 1);
  }

  bool fits(const ContactDetector& detector, const Species& p, const Species& q) const {
    const DetectorTraits traits = detector.traits();
    if (traits.dimension != 0 && traits.dimension != scene_.dimension) return false;
    if ((p.scaled || q.scaled) && !traits.scales) return false;
    return fits_shapes(traits, *shapes_[p.shape], *shapes_[q.shape]);
  }

  /// The detector an interaction asks for, or the most specific one that fits. Null only for a lone body that no
  /// detector would let meet its like.
  const ContactDetector* choose(const InteractionDef& def, const Species& p, const Species& q, bool optional) {
    const std::string a = named(scene_, p.shape), b = named(scene_, q.shape);
    if (def.detector.type != "auto") {
      const ContactDetector* detector = instance(def.detector);
      if (fits(*detector, p, q)) return detector;
      if (optional) return nullptr;
      throw InputError(
          fmt::format("{}: detector \"{}\" cannot serve shapes {} and {}: {}. Detectors that fit: {}. "
                      "\"auto\" chooses one for each pair of shapes.",
                      scene_.where(def.pointer + "/detector"), def.detector.type, a, b,
                      misfit(scene_, world_, detector->traits(), p, q), list(fitting(p, q))));
    }
    const ContactDetector* best = nullptr;
    int best_rank = -1;
    std::string best_name;
    for (const auto& [name, detector] : automatic()) {
      const DetectorTraits traits = detector->traits();
      if (traits.specificity < std::max(best_rank, 0) || !fits(*detector, p, q)) continue;
      if (traits.specificity == best_rank)
        throw InputError(
            fmt::format("{}: detectors \"{}\" and \"{}\" fit shapes {} and {} equally well. Name one in "
                        "\"detector\".",
                        scene_.where(def.pointer), best_name, name, a, b));
      best = detector;
      best_rank = traits.specificity;
      best_name = name;
    }
    if (best || optional) return best;
    std::string reasons;
    for (const auto& [name, detector] : automatic())
      reasons += fmt::format("\n  {}: {}", name, misfit(scene_, world_, detector->traits(), p, q));
    throw InputError(
        fmt::format("{}: no loaded detector serves shapes {} and {}:{}\nGive one of the shapes a facet that a "
                    "detector can use, load a plugin that fits, or say \"law\": \"none\".",
                    scene_.where(def.pointer), a, b, reasons));
  }

  void check_gradient(const InteractionDef& def, const ContactDetector& detector) const {
    if (!prepared_.methods.integrator->traits().needs_gradient_consistency || detector.traits().gradient_consistent)
      return;
    throw InputError(
        fmt::format("{}: integrator \"{}\" needs contacts whose overlap is the argument of a potential; the "
                    "detector chosen here gives none. Choose another detector or integrator.",
                    scene_.where(def.pointer), scene_.integrator.type));
  }

  std::vector<std::string> fitting(const Species& p, const Species& q) {
    std::vector<std::string> names;
    for (const auto& [name, detector] : automatic())
      if (fits(*detector, p, q)) names.push_back(name);
    return names;
  }

  /// The detectors "auto" may choose from: all that work without options of the user's.
  const std::vector<std::pair<std::string, const ContactDetector*>>& automatic() {
    if (automatic_.empty())
      for (const std::string& name : registry_.names("detector"))
        if (const auto options = registry_.default_options("detector", name))
          automatic_.emplace_back(name, instance(ObjectDef{name, *options}));
    return automatic_;
  }

  /// One detector per type and options, bound to all shapes.
  const ContactDetector* instance(const ObjectDef& object) {
    const std::string key = object.type + object.options.dump();
    const auto it = instances_.find(key);
    if (it != instances_.end()) return it->second;
    auto detector = made(scene_, object, [&] { return registry_.detector(object.type)(object.options); });
    made(scene_, object, [&] { detector->bind(shapes_); });
    instances_[key] = detector.get();
    prepared_.methods.detectors.push_back(std::move(detector));
    return instances_[key];
  }

  const Scene& scene_;
  const Registry& registry_;
  Prepared& prepared_;
  World& world_;
  std::vector<const Shape*> shapes_;
  double largest_radius_ = 0;
  std::vector<Species> species_;
  using Elastic = std::pair<double, double>;  ///< Young's modulus, Poisson's ratio
  std::map<std::tuple<std::uint32_t, Elastic, Elastic>, std::uint32_t> interactions_;
  std::map<std::string, const ContactDetector*> instances_;
  std::vector<std::pair<std::string, const ContactDetector*>> automatic_;
};

}  // namespace

void resolve_channels(const Scene& scene, const Registry& registry, Prepared& prepared) {
  Resolver(scene, registry, prepared).run();
}

}  // namespace scree::detail
