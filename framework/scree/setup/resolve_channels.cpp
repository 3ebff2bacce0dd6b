#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <tuple>

#include "scree/setup/detail/detector_choice.hpp"
#include "scree/setup/detail/interaction_table.hpp"
#include "scree/setup/detail/law_inputs.hpp"
#include "scree/setup/detail/set_up.hpp"

namespace scree::detail {

namespace {

/// Finds channels at their first use. Its results must not depend on when that is: a resumed run finds all at once what
/// the uninterrupted run found one after the other.
class Resolver final : public SpeciesResolver {
 public:
  Resolver(const Scene& scene, const Registry& registry, Prepared& prepared)
      : scene_(scene),
        prepared_(prepared),
        world_(*prepared.world),
        laws_(scene, registry, prepared),
        detectors_(scene, registry, prepared) {}

  void start() {
    laws_.number_interactions();
    laws_.check_unused();
    expect_made();
    resolve();
    started_ = true;
    channels_of_start_ = prepared_.methods.channels.size();
    group_channels();
  }

  /// Finds channels of new kinds of bodies. If it throws, none of them is known: their bodies may be removed again.
  void update() override {
    detectors_.rebind();
    check_bodies(scene_, prepared_);
    laws_.number_interactions();
    auto before = species_;
    try {
      resolve();
    } catch (...) {
      species_ = std::move(before);
      throw;
    }
    place_channels();
    check_cell(scene_, prepared_);
    laws_.check_ranges();
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

  /// Checks whether a species has a surface: a frame of members has none.
  bool touches(const Species& s) const { return world_.shapes()[s.shape].shape->bounding_radius() > 0; }

  void resolve(const Species& p, const Species& q) {
    const Pairing pair{p.shape, p.material, q.shape, q.material};
    if (resolved_.contains(pair)) return;
    if (const auto found = channel(p, q)) resolved_[pair] = *found;
  }

  /// Places channels: those of the start stay first, later ones follow in an order independent of when they were found.
  void place_channels() {
    auto& channels = prepared_.methods.channels;
    std::vector<std::uint32_t> late;
    for (auto c = static_cast<std::uint32_t>(channels_of_start_); c < channels.size(); ++c) late.push_back(c);
    const auto key = [&](std::uint32_t c) {
      return std::pair(channels[c].interaction, detectors_.name(channels[c].detector));
    };
    std::ranges::sort(late, {}, key);
    for (std::size_t k = 0; k < late.size(); ++k)
      channels[late[k]].place = static_cast<std::uint32_t>(channels_of_start_ + k);
    group_channels();
  }

  /// Numbers groups of channels: those of the start keep their numbers. Others follow by their properties, independent
  /// of when they were found.
  void group_channels() {
    auto& channels = prepared_.methods.channels;
    const auto key = [&](const Channel& c) {
      return std::tuple(detectors_.name(c.detector), c.margin, prepared_.methods.interactions[c.interaction].history);
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

  /// Counts bodies that modifiers will make as if they existed.
  void expect_made() {
    for (const MadeKind& kind : prepared_.made_kinds) {
      Species& species =
          species_.try_emplace({kind.shape, kind.material}, Species{kind.shape, kind.material}).first->second;
      species.mobile = species.several = true;
      species.scaled = species.scaled || kind.smallest != 1 || kind.largest != 1;
    }
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

  /// Returns the channel of two species, or kNoChannel; nothing for a single body that cannot pair with another of its
  /// species.
  std::optional<std::int32_t> channel(const Species& p, const Species& q) {
    const bool itself = p.shape == q.shape && p.material == q.material;
    const std::string &a = world_.materials()[p.material].name, &b = world_.materials()[q.material].name;
    const auto k = laws_.entry(a, b);
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
    if (started_) {  // one for any size if it exists, whatever the size of the first body
      Species scaled = p;
      scaled.scaled = true;
      detector = detectors_.choose(scene_.interactions[*k], scaled, q, true);
    }
    if (!detector) detector = detectors_.choose(scene_.interactions[*k], p, q, itself && !p.several);
    if (!detector) return std::nullopt;
    check_gradient(scene_.interactions[*k], *detector);
    const std::uint32_t law = laws_.interaction_of(p.material, q.material);
    auto& channels = prepared_.methods.channels;
    for (std::size_t c = 0; c < channels.size(); ++c)
      if (channels[c].interaction == law && channels[c].detector == detector) return static_cast<std::int32_t>(c);
    const DetectorTraits traits = detector->traits();
    if (prepared_.methods.interactions[law].needs.radius && !traits.curvature)
      warn_of_radii(scene_.interactions[*k], detectors_.type(detector));
    const double margin = std::max(prepared_.methods.margin, prepared_.methods.interactions[law].law->range());
    const InteractionDef& def = scene_.interactions[*k];
    channels.push_back({law, detector, traits.cache_row, traits.curvature, traits.weighted, traits.scales, margin,
                        static_cast<std::uint32_t>(channels.size()),
                        quantities_for(prepared_.methods.interactions[law], *detector, def.law.type,
                                       detectors_.type(detector), scene_.where(def.pointer))});
    return static_cast<std::int32_t>(channels.size() - 1);
  }

  /// Warns once for a law and a detector.
  void warn_of_radii(const InteractionDef& def, const std::string& detector) {
    if (!warned_.insert(def.law.type + "/" + detector).second) return;
    prepared_.warnings.push_back(
        fmt::format("{}: law \"{}\" works with the radii of curvature at the contact, and detector \"{}\" tells none: "
                    "bounding radii are taken for them.",
                    scene_.where(def.pointer), def.law.type, detector));
  }

  void check_gradient(const InteractionDef& def, const ContactDetector& detector) const {
    if (!prepared_.methods.integrator->traits().needs_gradient_consistency || detector.traits().gradient_consistent)
      return;
    throw InputError(
        fmt::format("{}: integrator \"{}\" needs contacts whose overlap is the argument of a potential; the "
                    "detector chosen here gives none. Choose another detector or integrator.",
                    scene_.where(def.pointer), scene_.integrator.type));
  }

  const Scene& scene_;
  Prepared& prepared_;
  World& world_;
  InteractionTable laws_;
  DetectorChoice detectors_;
  bool started_ = false;  ///< true from the first step on: channels found since are found during the run
  std::size_t channels_of_start_ = 0;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Species> species_;  ///< by shape and material
  std::map<Pairing, std::int32_t> resolved_;
  std::set<std::string> warned_;  ///< subjects of warnings that were given
};

}  // namespace

void resolve_channels(const Scene& scene, const Registry& registry, Prepared& prepared) {
  auto resolver = std::make_unique<Resolver>(scene, registry, prepared);
  resolver->start();
  prepared.methods.species_resolver = std::move(resolver);
}

}  // namespace scree::detail
