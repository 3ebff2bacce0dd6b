#include "scree/setup/detail/make_bonds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scree/bonds/bound_bonds.hpp"
#include "scree/grid/close_pairs.hpp"
#include "scree/grid/touching_bonds.hpp"
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
    for (const BondsDef& def : scene_.bonds)
      world_.bonds().entries.push_back(
          {def.name, def.a, def.b, by_hook(def), def.gap, def.radius, def.radius_multiplier});
    for (std::uint32_t k = 0; k < scene_.bonds.size(); ++k) make(k);
    check_pairs();
    remember();
    if (world_.bonds().size() > 0) tolerate_overlaps();
  }

 private:
  void make(std::uint32_t entry) {
    const BondsDef& def = scene_.bonds[entry];
    make_law(entry);
    check_cell(entry);
    check_shapes(entry);
    if (by_hook(def)) check_made_later(entry);
    if (by_hook(def)) return;
    const std::vector<Bonds::Spec> bonds = specs(entry);
    if (bonds.empty())
      throw InputError(fmt::format("{}: joins no bodies: those of \"{}\" and \"{}\" {}.", scene_.where(def.pointer),
                                   def.a, def.b, why_none(def)));
    check_bonds(entry, bonds);
    world_.bonds().add(bonds);
  }

  static bool by_hook(const BondsDef& def) { return def.pairs == BondsDef::Pairs::by_hook; }

  /// Checks that bonds may reach across the sides of a periodic cell.
  void check_cell(std::uint32_t entry) const {
    if (!world_.cell.any()) return;
    const BondsDef& def = scene_.bonds[entry];
    const BondGroup& group = prepared_.methods.bonds[entry];
    if (!group.traits.across_sides)
      throw InputError(
          fmt::format("{}: bonds of law \"{}\" do not reach across the sides of a periodic cell. Remove /periodic or "
                      "the bonds, or choose \"bonded-beam\".",
                      scene_.where(def.pointer), def.law.type));
    if (!group.acts || !group.forces || prepared_.methods.integrator->traits().face == PotentialFace::kName)
      throw InputError(
          fmt::format("{}: integrator \"{}\" takes bonds implicitly, and does not know those that reach across the "
                      "sides of a periodic cell. Choose an explicit integrator, such as \"velocity-verlet\", or remove "
                      "/periodic or the bonds.",
                      scene_.where(def.pointer), scene_.integrator.type));
  }

  /// Checks that bonds of this law may come during the run.
  void check_made_later(std::uint32_t entry) const {
    const BondsDef& def = scene_.bonds[entry];
    const BondGroup& group = prepared_.methods.bonds[entry];
    if (!group.acts || !group.forces || prepared_.methods.integrator->traits().face == PotentialFace::kName)
      throw InputError(fmt::format(
          "{}: integrator \"{}\" does not take bonds of law \"{}\" as forces, as it has to where hooks such "
          "as \"bond-maker\" make them. Choose an explicit integrator, such as \"velocity-verlet\".",
          scene_.where(def.pointer), scene_.integrator.type, def.law.type));
    if (group.traits.balances)
      throw InputError(
          fmt::format("{}: such bonds carry what hangs on them at the start, but hooks make them during the "
                      "run. Choose another rest shape, or other \"pairs\".",
                      scene_.where(def.pointer + "/law")));
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
      case BondsDef::Pairs::by_hook:
        break;
    }
    return {};
  }

  /// Checks that the law joins these shapes.
  void check_shapes(std::uint32_t entry) const {
    const BondsDef& def = scene_.bonds[entry];
    const std::string_view wanted = prepared_.methods.bonds[entry].traits.facet_of_either;
    if (wanted.empty()) return;
    if (!is_entry(def.a) || !is_entry(def.b)) return;  // an emitter's: bonds are checked when they are made
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
    group.beside_contact = def.beside_contact;
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
  /// Checks whether a name is that of an entry of bodies. Bonds by hook may join bodies of emitters.
  bool is_entry(const std::string& name) const { return index_of(name) < scene_.bodies.size(); }
  /// Returns the material of an entry; none of an emitter's bodies.
  MaterialEntry material_of(const std::string& name) const {
    if (!is_entry(name)) return {};
    return *std::ranges::find(world_.materials(), scene_.bodies[index_of(name)].material, &MaterialEntry::name);
  }

  /// Makes a bond. \param joint  place of the joint, world [m]
  Bonds::Spec bond(std::uint32_t entry, Id a, Id b, double section, const Vec3& joint) const {
    if (a > b) std::swap(a, b);
    const std::size_t i = *world_.row(a), j = *world_.row(b);
    return bond_of(world_, entry, i, j, section, joint - world_.position.read()[i]);
  }
  Bonds::Spec bond(std::uint32_t entry, Id a, Id b, double section) const {
    return bond(entry, a, b, section, joint_place(world_, *world_.row(std::min(a, b)), *world_.row(std::max(a, b))));
  }

  std::vector<Bonds::Spec> by_faces(std::uint32_t entry) const {
    const PlacedBodies& placed = placed_[index_of(scene_.bonds[entry].a)];
    std::vector<Bonds::Spec> bonds;
    for (const SharedFace& face : placed.shared_faces)
      bonds.push_back(bond(entry, placed.ids[face.a], placed.ids[face.b], face.area));
    return bonds;
  }

  std::vector<Bonds::Spec> by_touch(std::uint32_t entry) const {
    try {
      return touching_bonds(world_, entry, {scene_.bonds[entry].gap});
    } catch (const Error& e) {
      throw InputError(fmt::format("{}: {}", scene_.where(scene_.bonds[entry].pointer), e.what()));
    }
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
      bonds.push_back(bond(entry, holder->ids[0], end,
                           round_section(world_, world_.bonds().entries[entry], *world_.row(holder->ids[0]), row),
                           segment_end(world_, row, side)));
    }
    return bonds;
  }

  std::uint32_t group_of(const std::string& name) const { return static_cast<std::uint32_t>(index_of(name)); }

  /// Returns pairs of bodies of these entries whose bounding spheres overlap.
  std::vector<RowPair> overlapping_pairs(const std::vector<std::uint32_t>& groups) const {
    std::vector<std::uint32_t> rows;
    const auto group = world_.group.read();
    const auto r = world_.radius.read();
    for (std::uint32_t i = 0; i < world_.size(); ++i)
      if (std::isfinite(r[i]) && std::ranges::find(groups, group[i]) != groups.end()) rows.push_back(i);
    return close_pairs(world_, rows, 0);
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
    for (const BondsDef& def : scene_.bonds)
      if (!def.beside_contact && !by_hook(def)) groups.insert(groups.end(), {group_of(def.a), group_of(def.b)});
    const auto id = world_.id.read();
    std::vector<Bonds::Tolerated> pairs;
    for (const RowPair& p : overlapping_pairs(groups)) {
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
