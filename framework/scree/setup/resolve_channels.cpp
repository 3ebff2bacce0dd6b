#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "scree/setup/detail/law_inputs.hpp"
#include "scree/setup/detail/set_up.hpp"

namespace scree::detail {

namespace {

/// A shape as the messages name it: "floor" (half-plane).
std::string named(const Scene& scene, const World& world, std::uint32_t shape) {
  const std::string& name = world.shapes()[shape].name;
  if (shape < scene.shapes.size()) return fmt::format("\"{}\" ({})", name, scene.shapes[shape].object.type);
  return fmt::format("\"{}\" (made during the run)", name);
}

bool offers(const Shape& shape, const std::vector<std::string_view>& facets) {
  return std::ranges::all_of(facets, [&](std::string_view f) { return shape.facet(f) != nullptr; });
}

/// A combination of shape and material that some body has or has had.
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

/// Finds the channels that bodies need, when they need them first. What it finds for whom must not depend on when that
/// is: a resumed run meets all at once whom the uninterrupted one met one after the other.
class Resolver final : public Newcomers {
 public:
  Resolver(const Scene& scene, const Registry& registry, Prepared& prepared)
      : scene_(scene), registry_(registry), prepared_(prepared), world_(*prepared.world) {
    for (const double r : world_.radius.read())
      if (std::isfinite(r)) largest_radius_ = std::max(largest_radius_, r);
    for (const ShapeEntry& entry : world_.shapes())
      if (std::isfinite(entry.shape->bounding_radius()))
        largest_radius_ = std::max(largest_radius_, entry.shape->bounding_radius());
  }

  void start() {
    number_interactions();
    check_unused();
    resolve();
    started_ = true;
    channels_of_start_ = prepared_.methods.channels.size();
    group_channels();
  }

  void settle() override {
    rebind();
    check_bodies(scene_, prepared_);
    number_interactions();
    resolve();
    place_channels();
    check_cell(scene_, prepared_);
    check_ranges();
  }

 private:
  using Pairing = std::array<std::uint32_t, 4>;  ///< shape and material of one, of the other

  void resolve() {
    find_species();
    Methods& methods = prepared_.methods;
    methods.resize_table(world_.shapes().size(), world_.materials().size());
    for (auto p = species_.begin(); p != species_.end(); ++p)
      for (auto q = p; q != species_.end(); ++q)
        if ((p->second.mobile || q->second.mobile) && touches(p->second) && touches(q->second))
          resolve(p->second, q->second);
    for (const auto& [pair, channel] : resolved_) methods.set_channel(pair[0], pair[1], pair[2], pair[3], channel);
  }

  /// A frame of members has no surface.
  bool touches(const Species& s) const { return world_.shapes()[s.shape].shape->bounding_radius() > 0; }

  void resolve(const Species& p, const Species& q) {
    const Pairing pair{p.shape, p.material, q.shape, q.material};
    if (resolved_.contains(pair)) return;
    if (const auto found = channel(p, q)) resolved_[pair] = *found;
  }

  /// Detectors learn of shapes made since.
  void rebind() {
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

  void list_shapes() {
    shapes_.clear();
    for (const ShapeEntry& entry : world_.shapes()) shapes_.push_back(entry.shape.get());
  }

  /// Channels of the start stay first, those found since follow in an order that does not tell when they were found.
  void place_channels() {
    auto& channels = prepared_.methods.channels;
    std::vector<std::uint32_t> late;
    for (auto c = static_cast<std::uint32_t>(channels_of_start_); c < channels.size(); ++c) late.push_back(c);
    const auto key = [&](std::uint32_t c) {
      return std::pair(channels[c].interaction, names_.at(channels[c].detector));
    };
    std::ranges::sort(late, {}, key);
    for (std::size_t k = 0; k < late.size(); ++k)
      channels[late[k]].place = static_cast<std::uint32_t>(channels_of_start_ + k);
    group_channels();
  }

  /// Groups that channels of the start have are numbered as these are; others follow by what they are, which does not
  /// tell when they were found.
  void group_channels() {
    auto& channels = prepared_.methods.channels;
    const auto key = [&](const Channel& c) {
      return std::tuple(names_.at(c.detector), c.margin, prepared_.methods.interactions[c.interaction].history);
    };
    std::map<decltype(key(channels[0])), std::uint32_t> of_start, late;
    for (std::size_t c = 0; c < channels_of_start_; ++c)
      of_start.try_emplace(key(channels[c]), static_cast<std::uint32_t>(of_start.size()));
    for (const Channel& c : channels)
      if (!of_start.contains(key(c))) late.try_emplace(key(c), 0);
    auto next = static_cast<std::uint32_t>(of_start.size());
    for (auto& [what, number] : late) number = next++;
    for (Channel& c : channels) {
      const auto found = of_start.find(key(c));
      c.group = found != of_start.end() ? found->second : late.at(key(c));
    }
  }

  /// A law was told how large bodies become.
  /// \throws InputError where it reaches farther about the largest one of now
  void check_ranges() const {
    double largest = 0;
    for (const double r : world_.radius.read())
      if (std::isfinite(r)) largest = std::max(largest, r);
    if (largest <= largest_radius_) return;
    for (const Interaction& made : prepared_.methods.interactions) {
      if (!made.law || made.law->range() == 0) continue;
      const InteractionDef& def = scene_.interactions[made.entry];
      const auto [a, b] = materials_of_.at(static_cast<std::size_t>(&made - prepared_.methods.interactions.data()));
      if (law(def, world_.materials()[a], world_.materials()[b], largest)->range() <= made.law->range()) continue;
      throw InputError(fmt::format(
          "{}: the range of law \"{}\" grows with the size of bodies, and was made for radii up to {:.6g} m; a body of "
          "radius {:.6g} m came during the run. Add a shape of that size to /shapes.",
          scene_.where(def.law.options.pointer()), def.law.type, largest_radius_, largest));
    }
  }

  std::unique_ptr<ContactLaw> law(const InteractionDef& def, const MaterialEntry& a, const MaterialEntry& b,
                                  double largest_radius) const {
    auto law = made(scene_, def.law, [&] {
      return registry_.law(def.law.type)(def.law.options, LawContext{scene_.dimension, a, b, largest_radius});
    });
    require_face(def, *law, prepared_.methods.integrator->traits());
    return law;
  }

  /// Entries of the scene that no two bodies need are made once all the same, so that their mistakes are found.
  void check_unused() const {
    for (const InteractionDef& def : scene_.interactions)
      if (def.law.type != "none" && def.a != "*" && def.b != "*")
        law(def, material(def.a), material(def.b), largest_radius_);
  }

  const MaterialEntry& material(const std::string& name) const {
    return *std::ranges::find(world_.materials(), name, &MaterialEntry::name);
  }

  /// One interaction per entry and pair of elastic properties, numbered before anybody needs them: history is kept by
  /// these numbers.
  void number_interactions() {
    const auto materials = world_.materials();
    if (numbered_ == materials.size()) return;
    numbered_ = materials.size();
    const auto elastic = [&](std::uint32_t m) {
      return std::pair(materials[m].youngs_modulus, materials[m].poisson_ratio);
    };
    for (std::uint32_t i = 0; i < materials.size(); ++i)
      for (std::uint32_t j = i; j < materials.size(); ++j) {
        if (numbers_.contains({i, j})) continue;
        const auto k = interaction(materials[i].name, materials[j].name);
        if (!k || scene_.interactions[*k].law.type == "none") continue;
        const auto [a, b] = elastic(j) < elastic(i) ? std::pair(j, i) : std::pair(i, j);
        const auto [place, added] = interactions_.try_emplace(
            std::tuple(*k, elastic(a), elastic(b)), static_cast<std::uint32_t>(prepared_.methods.interactions.size()));
        numbers_[{i, j}] = place->second;
        if (!added) continue;
        Interaction& interaction = prepared_.methods.interactions.emplace_back();
        interaction.entry = *k;
        interaction.history = history_of(scene_.interactions[*k], materials[a], materials[b]);
        materials_of_.emplace_back(a, b);
      }
  }

  /// What a law will remember of a contact once it is needed: checkpoints are judged by it before that.
  int history_of(const InteractionDef& def, const MaterialEntry& a, const MaterialEntry& b) const {
    Interaction trial;
    try {
      trial.law = law(def, a, b, largest_radius_);
      use_face(trial);
    } catch (const InputError&) {
      return 0;  // whoever needs it is told
    }
    return trial.history;
  }

  /// The interaction of two materials whose law is not "none", with its law.
  std::uint32_t interaction_of(std::uint32_t material_a, std::uint32_t material_b) {
    const std::uint32_t number = numbers_.at(std::minmax(material_a, material_b));
    Interaction& interaction = prepared_.methods.interactions[number];
    if (interaction.law) return number;
    const InteractionDef& def = scene_.interactions[interaction.entry];
    const auto [a, b] = materials_of_[number];
    interaction.name = def.a + "-" + def.b;
    auto made = law(def, world_.materials()[a], world_.materials()[b], largest_radius_);
    interaction.law = std::move(made);
    use_face(interaction);
    bind_inputs(interaction, world_, def.law.type, scene_.where(def.law.options.pointer()));
    return number;
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
    struct Seen {
      std::uint32_t bodies = 0;
      bool mobile = false, scaled = false;
    };
    const std::size_t materials = world_.materials().size();
    std::vector<Seen> seen(world_.shapes().size() * materials);
    const auto shape = world_.shape.read(), material = world_.material.read(), kind = world_.kind.read();
    const auto scale = world_.scale.read();
    for (std::size_t i = 0; i < world_.size(); ++i) {
      Seen& of = seen[shape[i] * materials + material[i]];
      ++of.bodies;
      of.mobile = of.mobile || kind[i] == static_cast<std::uint32_t>(BodyKind::dynamic);
      of.scaled = of.scaled || scale[i] != 1;
    }
    for (std::uint32_t k = 0; k < seen.size(); ++k) {
      if (seen[k].bodies == 0) continue;
      const auto s = static_cast<std::uint32_t>(k / materials), m = static_cast<std::uint32_t>(k % materials);
      Species& species = species_.try_emplace({s, m}, Species{s, m}).first->second;
      species.mobile = species.mobile || seen[k].mobile;
      species.several = species.several || seen[k].bodies > 1;
      species.scaled = species.scaled || seen[k].scaled;
    }
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

  /// The channel of two species, or kNoChannel; nothing for a lone body that has no way to meet its like.
  std::optional<std::int32_t> channel(const Species& p, const Species& q) {
    const bool itself = p.shape == q.shape && p.material == q.material;
    const std::string &a = world_.materials()[p.material].name, &b = world_.materials()[q.material].name;
    const auto k = interaction(a, b);
    if (!k) {
      if (itself && !p.several) return std::nullopt;
      throw InputError(fmt::format(
          "{}: nothing says what happens between materials \"{}\" and \"{}\", which bodies of "
          "shapes {} and {} have. Add {{\"between\": [\"{}\", \"{}\"], \"law\": {{...}}}}, or "
          "\"law\": \"none\" if they are to pass through each other.",
          scene_.where("/interactions"), a, b, named(scene_, world_, p.shape), named(scene_, world_, q.shape), a, b));
    }
    if (scene_.interactions[*k].law.type == "none") return Methods::kNoChannel;
    const ContactDetector* detector = nullptr;
    if (started_) {  // one for any size where there is one, whatever size the first that comes has
      Species scaled = p;
      scaled.scaled = true;
      detector = choose(scene_.interactions[*k], scaled, q, true);
    }
    if (!detector) detector = choose(scene_.interactions[*k], p, q, itself && !p.several);
    if (!detector) return std::nullopt;
    check_gradient(scene_.interactions[*k], *detector);
    const std::uint32_t law = interaction_of(p.material, q.material);
    auto& channels = prepared_.methods.channels;
    for (std::size_t c = 0; c < channels.size(); ++c)
      if (channels[c].interaction == law && channels[c].detector == detector) return static_cast<std::int32_t>(c);
    const DetectorTraits traits = detector->traits();
    if (prepared_.methods.interactions[law].needs.radius && !traits.curvature)
      warn_of_radii(scene_.interactions[*k], types_.at(detector));
    const double margin = std::max(prepared_.methods.margin, prepared_.methods.interactions[law].law->range());
    const InteractionDef& def = scene_.interactions[*k];
    channels.push_back({law, detector, traits.cache_row, traits.curvature, traits.weighted, traits.scales, margin,
                        static_cast<std::uint32_t>(channels.size()),
                        quantities_for(prepared_.methods.interactions[law], *detector, def.law.type,
                                       types_.at(detector), scene_.where(def.pointer))});
    return static_cast<std::int32_t>(channels.size() - 1);
  }

  /// Once for a law and a detector.
  void warn_of_radii(const InteractionDef& def, const std::string& detector) {
    if (!warned_.insert(def.law.type + "/" + detector).second) return;
    prepared_.warnings.push_back(
        fmt::format("{}: law \"{}\" works with the radii of curvature at the contact, and detector \"{}\" tells none: "
                    "bounding radii are taken for them.",
                    scene_.where(def.pointer), def.law.type, detector));
  }

  /// Once for each set of detectors. \param equal  names: the one taken, and those as good as it
  void warn_of_equals(const InteractionDef& def, const Species& p, const Species& q,
                      const std::vector<std::string>& equal) {
    if (equal.size() < 2 || !warned_.insert(list(equal)).second) return;
    prepared_.warnings.push_back(
        fmt::format("{}: detectors {} fit shapes {} and {} equally well, and \"{}\" is taken, the first by name. Name "
                    "one in \"detector\" to choose.",
                    scene_.where(def.pointer), list(equal), named(scene_, world_, p.shape),
                    named(scene_, world_, q.shape), equal[0]));
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
    const std::string a = named(scene_, world_, p.shape), b = named(scene_, world_, q.shape);
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
    std::vector<std::string> equal;  // the best one, and those as good as it
    for (const auto& [name, detector] : automatic()) {
      const int rank = detector->traits().specificity;
      if (rank < std::max(best_rank, 0) || !fits(*detector, p, q)) continue;
      if (rank > best_rank) best = detector, best_rank = rank, equal.clear();
      equal.push_back(name);
    }
    warn_of_equals(def, p, q, equal);
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

  const Scene& scene_;
  const Registry& registry_;
  Prepared& prepared_;
  World& world_;
  std::vector<const Shape*> shapes_;  ///< that detectors are bound to
  double largest_radius_ = 0;         ///< [m] that laws are made for
  bool started_ = false;              ///< all that is found from now on is found during the run
  std::size_t channels_of_start_ = 0;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Species> species_;  ///< by shape and material
  std::map<Pairing, std::int32_t> resolved_;
  using Elastic = std::pair<double, double>;  ///< Young's modulus, Poisson's ratio
  std::map<std::tuple<std::uint32_t, Elastic, Elastic>, std::uint32_t> interactions_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> numbers_;  ///< of interactions, by materials
  std::size_t numbered_ = 0;                                                  ///< materials
  std::vector<std::pair<std::uint32_t, std::uint32_t>> materials_of_;         ///< that an interaction is made for
  std::map<std::string, ContactDetector*> instances_;
  std::map<const ContactDetector*, std::string> names_;  ///< type and options
  std::map<const ContactDetector*, std::string> types_;
  std::set<std::string> warned_;  ///< what the user has been told about
  std::vector<std::pair<std::string, const ContactDetector*>> automatic_;
};

}  // namespace

void resolve_channels(const Scene& scene, const Registry& registry, Prepared& prepared) {
  auto resolver = std::make_unique<Resolver>(scene, registry, prepared);
  resolver->start();
  prepared.methods.newcomers = std::move(resolver);
}

}  // namespace scree::detail
