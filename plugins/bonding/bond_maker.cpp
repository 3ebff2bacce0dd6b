#include "bond_maker.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "scree/base/error.hpp"
#include "scree/grid/touching_bonds.hpp"

namespace scree::bonding {

BondMaker::BondMaker(Options options)
    : options_(std::move(options)), by_contact_(options_.text("pairs") == "contacts") {
  if (by_contact_ && options_.has("gap"))
    throw OptionError("/gap", "bodies with a contact have no gap. Remove it, or say \"pairs\": \"touching\".");
}

void BondMaker::begin(World& world) {
  entry_ = find_entry(world.bonds());
  gap_ = options_.number_or("gap", world.bonds().entries[entry_].gap);
  for (const std::string& name : {world.bonds().entries[entry_].a, world.bonds().entries[entry_].b})
    if (std::ranges::find(world.group_names, name) == world.group_names.end())
      throw OptionError("/bonds",
                        fmt::format("the bonds \"{}\" join \"{}\", and there is no entry of bodies and no "
                                    "emitter of this name before this hook. There are: {}.",
                                    world.bonds().entries[entry_].name, name, fmt::join(world.group_names, ", ")));
  if (options_.has("bodies")) groups_ = ChosenGroups(chosen_names(options_), world);
  if (options_.has("region")) region_ = read_region(options_, "region", world.dimension());
  const std::string figure = options_.text("name") + "_count";
  if (world.metrics().contains(figure))
    throw OptionError("/name", fmt::format("\"{}\" is taken: another hook has the figure {}. Give each a name of its "
                                           "own.",
                                           options_.text("name"), figure));
  count_ = &world.metric(figure);
}

/// Returns the index of the entry of bonds that options name.
std::uint32_t BondMaker::find_entry(const Bonds& bonds) const {
  std::vector<std::string> names;
  std::vector<std::uint32_t> found;
  for (std::uint32_t k = 0; k < bonds.entries.size(); ++k) {
    const Bonds::Entry& entry = bonds.entries[k];
    if (!entry.by_hook) continue;
    names.push_back(entry.name);
    if (!options_.has("bonds") || options_.text("bonds") == entry.name) found.push_back(k);
  }
  if (names.empty())
    throw OptionError("",
                      "the scene has no bonds that hooks make. Give an entry of /bonds with \"pairs\": \"by-hook\", "
                      "with their law and the bodies they are between.");
  if (found.empty())
    throw OptionError("/bonds",
                      fmt::format("there is no entry \"{}\" of /bonds with \"pairs\": \"by-hook\". There are: "
                                  "{}.",
                                  options_.text("bonds"), fmt::join(names, ", ")));
  if (found.size() > 1)
    throw OptionError(
        options_.has("bonds") ? "/bonds" : "",
        fmt::format("several entries of /bonds are made by hooks: {}. Name one of them in \"bonds\"; give "
                    "them a \"name\" where they are between the same bodies.",
                    fmt::join(names, ", ")));
  return found[0];
}

/// Checks whether a body may be joined: it lies in the region, and belongs to the entries named in option `bodies`.
bool BondMaker::chosen(const World& world, std::size_t row) const {
  return groups_(world.group[row]) && (!region_ || region_->contains(world.position[row]));
}

/// Checks whether two bodies may be joined, in either order.
bool BondMaker::joins(const World& world, std::size_t i, std::size_t j) const {
  if (i == j || !chosen(world, i) || !chosen(world, j)) return false;
  if (options_.has("bodies")) return true;
  const Bonds::Entry& entry = world.bonds().entries[entry_];
  const std::string &a = world.group_names[world.group[i]], &b = world.group_names[world.group[j]];
  return (a == entry.a && b == entry.b) || (a == entry.b && b == entry.a);
}

/// Returns pairs of bodies that are not to be joined: those with a bond and, unless bonds are made again, those whose
/// bond broke.
std::set<BondMaker::IdPair> BondMaker::joined_pairs(const Bonds& bonds) const {
  std::set<IdPair> pairs;
  const bool again = options_.boolean("again");
  for (std::size_t k = 0; k < bonds.size(); ++k)
    if (!again || bonds.whole(k)) pairs.emplace(bonds.a[k], bonds.b[k]);
  return pairs;
}

std::vector<Bonds::Spec> BondMaker::of_touch(const World& world) const {
  return touching_bonds(world, entry_,
                        {gap_, [&](std::size_t row) { return chosen(world, row); }, !options_.has("bodies")});
}

/// Returns bonds of bodies with a contact, or of the owners of such bodies, in the order of their ids. They are joined
/// at the first contact of a pair.
std::vector<Bonds::Spec> BondMaker::of_contacts(const World& world, const ContactView& contacts) const {
  std::vector<Bonds::Spec> bonds;
  for (const ContactRecord& contact : contacts) {
    std::size_t i = *world.row(world.owner[*world.row(contact.a)]), j = *world.row(world.owner[*world.row(contact.b)]);
    if (world.id[i] > world.id[j]) std::swap(i, j);
    if (!joins(world, i, j)) continue;
    const Vec3 joint = world.cell.shortest(contact.point - world.position[i]);
    bonds.push_back(bond_of(world, entry_, i, j, round_section(world, world.bonds().entries[entry_], i, j), joint));
  }
  const auto key = [](const Bonds::Spec& s) { return IdPair(s.a, s.b); };
  std::ranges::stable_sort(bonds, {}, key);
  const auto twice = std::ranges::unique(bonds, {}, key);
  bonds.erase(twice.begin(), twice.end());
  return bonds;
}

void BondMaker::apply(World& world, const ContactView* contacts, HistoryStore&) {
  std::vector<Bonds::Spec> bonds = by_contact_ ? of_contacts(world, *contacts) : of_touch(world);
  const std::set<IdPair> joined = joined_pairs(world.bonds());
  const auto moves = [&](Id id) { return world.kind[*world.row(id)] == static_cast<std::uint32_t>(BodyKind::dynamic); };
  std::erase_if(bonds, [&](const Bonds::Spec& s) {
    return joined.contains({s.a, s.b}) || !(moves(s.a) || moves(s.b)) || !(s.branch.norm() > 0);
  });
  if (bonds.empty()) return;
  world.bonds().add(bonds);
  *count_ += static_cast<double>(bonds.size());
}

}  // namespace scree::bonding
