#include "scree/setup/detail/make_bonds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "scree/bonds/bound_bonds.hpp"
#include "scree/grid/pair_finder.hpp"
#include "scree/law/cone_face.hpp"
#include "scree/setup/detail/set_up.hpp"
#include "scree/world/bonded_bodies.hpp"

namespace scree::detail {

namespace {

class BondMaker {
 public:
  BondMaker(const Scene& scene, const Registry& registry, std::span<const PlacedBodies> placed, Prepared& prepared)
      : scene_(scene), registry_(registry), placed_(placed), prepared_(prepared), world_(*prepared.world) {}

  void run() {
    for (std::uint32_t k = 0; k < scene_.bonds.size(); ++k) make(k);
    check_pairs();
    remember();
    if (world_.bonds().size() > 0) tolerate_overlaps();
  }

 private:
  void make(std::uint32_t entry) {
    const BondsDef& def = scene_.bonds[entry];
    if (world_.cell.any())
      throw InputError(
          fmt::format("{}: bonds do not reach across the sides of a periodic cell yet. Remove /periodic or "
                      "the bonds.",
                      scene_.where(def.pointer)));
    make_law(entry);
    check_shapes(entry);
    const std::vector<Bonds::Spec> bonds = specs(entry);
    if (bonds.empty())
      throw InputError(fmt::format("{}: joins no bodies: those of \"{}\" and \"{}\" {}.", scene_.where(def.pointer),
                                   def.a, def.b, why_none(def)));
    check_bonds(entry, bonds);
    world_.bonds().add(bonds);
  }

  static std::string why_none(const BondsDef& def) {
    if (def.pairs == BondsDef::Pairs::faces)
      return "share no faces. Say \"pairs\": \"touching\", or choose a packing that knows faces";
    return fmt::format("are nowhere closer than the gap of {:g} m. Enlarge it", def.gap);
  }

  std::vector<Bonds::Spec> specs(std::uint32_t entry) const {
    switch (scene_.bonds[entry].pairs) {
      case BondsDef::Pairs::faces:
        return by_faces(entry);
      case BondsDef::Pairs::touching:
        return by_touch(entry);
      case BondsDef::Pairs::roots:
        return by_ends(entry, -1);
      case BondsDef::Pairs::tips:
        return by_ends(entry, 1);
    }
    return {};
  }

  /// Checks that the law joins these shapes.
  void check_shapes(std::uint32_t entry) const {
    const BondsDef& def = scene_.bonds[entry];
    const std::string_view wanted = prepared_.methods.bonds[entry].traits.facet_of_either;
    if (wanted.empty()) return;
    const auto shape = world_.shape.read();
    const auto group = world_.group.read();
    for (const std::string& name : {def.a, def.b})
      for (std::size_t i = 0; i < world_.size(); ++i)
        if (group[i] == group_of(name) && world_.shapes()[shape[i]].shape->facet(wanted)) return;
    throw InputError(
        fmt::format("{}: bond law \"{}\" joins shapes with the facet {}; \"{}\" and \"{}\" have none. Choose such a "
                    "shape, or another law.",
                    scene_.where(def.pointer + "/law"), def.law.type, wanted, def.a, def.b));
  }

  /// Checks that the law can hold the bodies in their places.
  void check_bonds(std::uint32_t entry, std::span<const Bonds::Spec> bonds) const {
    const BondsDef& def = scene_.bonds[entry];
    BoundBonds bound;
    for (const Bonds::Spec& bond : bonds) bound.add(world_, bond);
    const std::string fault = prepared_.methods.bonds[entry].law->fault(bound.view());
    if (!fault.empty()) throw InputError(fmt::format("{}: {}", scene_.where(def.pointer + "/law"), fault));
  }

  void make_law(std::uint32_t entry) {
    const BondsDef& def = scene_.bonds[entry];
    BondGroup group;
    group.self_contact = def.self_contact;
    group.law = made(scene_, def.law, [&] {
      return registry_.bond_law(def.law.type)(def.law.options,
                                              BondLawContext{scene_.dimension, material_of(def.a), material_of(def.b)});
    });
    group.traits = group.law->traits();
    const IntegratorTraits traits = prepared_.methods.integrator->traits();
    group.forces = face<BondForces>(*group.law);
    group.joints = face<BondJoints>(*group.law);
    group.energy = face<EnergyTerm>(*group.law);
    const std::string_view needed = bond_face(traits);
    const bool beside_cones = traits.bond_face.empty() && traits.face == ConeFace::kName;
    const bool implicit = beside_cones && traits.implicit_bonds && group.energy;
    if (implicit) group.joints = nullptr;
    if (!group.law->face(needed) && !(beside_cones && group.joints) && !implicit)
      throw InputError(
          fmt::format("{}: bond law \"{}\" has no face {}, which integrator \"{}\" needs. Choose another "
                      "law or integrator.",
                      scene_.where(def.pointer + "/law"), def.law.type, needed, scene_.integrator.type));
    if (group.traits.resists_rates && needed != EnergyTerm::kName && !implicit)
      throw InputError(
          fmt::format("{}: bonds of law \"{}\" with internal friction resist how fast they deform; integrator \"{}\" "
                      "takes bonds as forces, which know no rates. Choose an integrator that takes bonds implicitly, "
                      "have this one do so if it can, or leave internal friction out.",
                      scene_.where(def.pointer + "/law"), def.law.type, scene_.integrator.type));
    // Besides forces of contacts, bonds whose energies the integrator handles must not act twice.
    group.acts = !implicit && (needed != EnergyTerm::kName || traits.face == PotentialFace::kName);
    if (!group.acts && prepared_.methods.energy_ledger)
      throw InputError(fmt::format(
          "{}: integrator \"{}\" takes the bonds of law \"{}\" implicitly and does not tell their forces. Have "
          "it take them as forces, choose another integrator, or leave energy_ledger out.",
          scene_.where("/output/energy_ledger"), scene_.integrator.type, def.law.type));
    prepared_.methods.bonds.push_back(std::move(group));
  }

  /// Returns the face of bonds that the integrator needs.
  static std::string_view bond_face(const IntegratorTraits& traits) {
    if (!traits.bond_face.empty()) return traits.bond_face;
    return traits.face == PotentialFace::kName ? EnergyTerm::kName : BondForces::kName;
  }

  std::size_t index_of(const std::string& name) const {
    return static_cast<std::size_t>(std::ranges::find(scene_.bodies, name, &BodiesDef::name) - scene_.bodies.begin());
  }
  MaterialEntry material_of(const std::string& name) const {
    return *std::ranges::find(world_.materials(), scene_.bodies[index_of(name)].material, &MaterialEntry::name);
  }

  /// Makes a bond. \param joint  place of the joint, world [m]
  Bonds::Spec bond(std::uint32_t entry, Id a, Id b, double section, const Vec3& joint) const {
    if (a > b) std::swap(a, b);
    const std::size_t i = *world_.row(a), j = *world_.row(b);
    const auto x = world_.position.read();
    const auto q = world_.orientation.read();
    return {a, b, entry, section, x[j] - x[i], q[i], q[j], joint - x[i]};
  }
  Bonds::Spec bond(std::uint32_t entry, Id a, Id b, double section) const {
    return bond(entry, a, b, section, joint_place(world_, *world_.row(a), *world_.row(b)));
  }

  /// Returns the cross-section of a bond without a face [m^2].
  double round_section(const BondsDef& def, std::size_t i, std::size_t j) const {
    const double radius = def.radius.value_or(std::min(section_radius(world_, i), section_radius(world_, j)));
    return std::numbers::pi * radius * radius;
  }

  std::vector<Bonds::Spec> by_faces(std::uint32_t entry) const {
    const PlacedBodies& placed = placed_[index_of(scene_.bonds[entry].a)];
    std::vector<Bonds::Spec> bonds;
    for (const SharedFace& face : placed.shared_faces)
      bonds.push_back(bond(entry, placed.ids[face.a], placed.ids[face.b], face.area));
    return bonds;
  }

  std::vector<Bonds::Spec> by_touch(std::uint32_t entry) const {
    const BondsDef& def = scene_.bonds[entry];
    const std::uint32_t first = group_of(def.a), second = group_of(def.b);
    const auto group = world_.group.read();
    const auto id = world_.id.read();
    std::vector<Bonds::Spec> bonds;
    for (const RowPair& p : close_pairs({first, second}, def.gap)) {
      const bool joins = (group[p.i] == first && group[p.j] == second) || (group[p.i] == second && group[p.j] == first);
      if (!joins) continue;
      const JointDistance apart = joint_distance(world_, p.i, p.j);
      if (apart.distance > apart.radii + def.gap) continue;
      bonds.push_back(bond(entry, id[p.i], id[p.j], round_section(def, p.i, p.j)));
    }
    std::ranges::sort(bonds, {}, [](const Bonds::Spec& s) { return std::pair(s.a, s.b); });
    return bonds;
  }

  /// Returns bonds of the one body of one entry with the first (side -1) or last (side 1) body of each strand of the
  /// other.
  std::vector<Bonds::Spec> by_ends(std::uint32_t entry, int side) const {
    const BondsDef& def = scene_.bonds[entry];
    const PlacedBodies *holder = &placed_[index_of(def.a)], *strands = &placed_[index_of(def.b)];
    if (strands->strands.empty()) std::swap(holder, strands);
    if (holder == strands || strands->strands.empty() || holder->ids.size() != 1)
      throw InputError(
          fmt::format("{}: \"pairs\": \"{}\" joins the strands of one entry with the one body of another; "
                      "\"{}\" has {} bodies and {} strands, \"{}\" has {} and {}. Strands come from the "
                      "packing \"strands\".",
                      scene_.where(def.pointer), side < 0 ? "roots" : "tips", def.a,
                      placed_[index_of(def.a)].ids.size(), placed_[index_of(def.a)].strands.size(), def.b,
                      placed_[index_of(def.b)].ids.size(), placed_[index_of(def.b)].strands.size()));
    std::vector<Bonds::Spec> bonds;
    for (const Strand& strand : strands->strands) {
      const Id end = strands->ids[side < 0 ? strand.first : strand.first + strand.count - 1];
      const std::size_t row = *world_.row(end);
      bonds.push_back(bond(entry, holder->ids[0], end, round_section(def, *world_.row(holder->ids[0]), row),
                           segment_end(world_, row, side)));
    }
    return bonds;
  }

  std::uint32_t group_of(const std::string& name) const { return static_cast<std::uint32_t>(index_of(name)); }

  /// Returns pairs of bodies of these entries whose bounding spheres may be closer than `reach`.
  std::vector<RowPair> close_pairs(const std::vector<std::uint32_t>& groups, double reach) const {
    std::vector<std::uint32_t> rows;
    const auto group = world_.group.read();
    const auto r = world_.radius.read();
    for (std::uint32_t i = 0; i < world_.size(); ++i)
      if (std::isfinite(r[i]) && std::ranges::find(groups, group[i]) != groups.end()) rows.push_back(i);
    std::vector<RowPair> pairs;
    PairFinder().find(world_.position.read(), r, rows, reach, pairs);
    return pairs;
  }

  /// Checks that one bond joins a pair, and that a bond has a length.
  void check_pairs() const {
    const Bonds& bonds = world_.bonds();
    std::vector<std::uint32_t> order(bonds.size());
    for (std::uint32_t k = 0; k < order.size(); ++k) order[k] = k;
    const auto key = [&](std::uint32_t k) { return std::pair(bonds.a[k], bonds.b[k]); };
    std::ranges::sort(order, {}, key);
    for (std::size_t n = 0; n < order.size(); ++n) {
      const std::uint32_t k = order[n];
      const std::string where = scene_.where(scene_.bonds[bonds.entry[k]].pointer);
      if (n > 0 && key(order[n - 1]) == key(k))
        throw InputError(
            fmt::format("{}: bodies {} and {} are joined twice, also by {}. One bond joins a pair: remove "
                        "one of the entries.",
                        where, bonds.a[k], bonds.b[k], scene_.where(scene_.bonds[bonds.entry[order[n - 1]]].pointer)));
      if (!(bonds.branch[k].norm() > 0))
        throw InputError(
            fmt::format("{}: bodies {} and {} are at the same place; a bond needs a length. Move them "
                        "apart.",
                        where, bonds.a[k], bonds.b[k]));
    }
  }

  /// Makes room for the memory of bonds: the largest that a law needs.
  void remember() {
    int most = 0;
    for (const BondGroup& group : prepared_.methods.bonds) most = std::max(most, group.traits.memory);
    world_.bonds().remember(most);
  }

  void tolerate_overlaps() {
    std::vector<std::uint32_t> groups;
    for (const BondsDef& def : scene_.bonds) groups.insert(groups.end(), {group_of(def.a), group_of(def.b)});
    const auto id = world_.id.read();
    std::vector<Bonds::Tolerated> pairs;
    for (const RowPair& p : close_pairs(groups, 0)) {
      const double overlap = overlap_of(world_, p.i, p.j);
      if (overlap > 0) pairs.push_back({std::min(id[p.i], id[p.j]), std::max(id[p.i], id[p.j]), overlap});
    }
    world_.bonds().tolerate(std::move(pairs));
  }

  const Scene& scene_;
  const Registry& registry_;
  std::span<const PlacedBodies> placed_;
  Prepared& prepared_;
  World& world_;
};

}  // namespace

void make_bonds(const Scene& scene, const Registry& registry, std::span<const PlacedBodies> placed,
                Prepared& prepared) {
  BondMaker(scene, registry, placed, prepared).run();
}

}  // namespace scree::detail
