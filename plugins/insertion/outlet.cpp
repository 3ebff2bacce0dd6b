#include "outlet.hpp"

#include <algorithm>
#include <numeric>

#include "metrics.hpp"
#include "scree/hooks/stored_bodies.hpp"
#include "scree/world/fragments.hpp"

namespace scree::insertion {

Outlet::Outlet(Options options) : options_(std::move(options)), name_(options_.text("name")) {}

void Outlet::begin(World& world) {
  region_ = read_region(options_, "region", world.dimension());
  chosen_ = ChosenGroups(chosen_names(options_), world);
  claim_name(name_, world);
  count_ = &world.metric(name_ + "_count");
  mass_ = &world.metric(name_ + "_mass_kg");
}

/// All bodies, sorted into wholes; these by the smallest id in each, so that no sum depends on the order of rows.
std::vector<Outlet::Whole> Outlet::wholes(const World& world) const {
  DisjointSets sets = detail::fragments_by(world, [&](std::uint32_t k) { return world.bonds().whole(k); });
  const auto owner = world.owner.read(), id = world.id.read();
  for (std::uint32_t i = 0; i < world.size(); ++i)
    if (owner[i] != id[i]) sets.join(i, static_cast<std::uint32_t>(*world.row(owner[i])));
  std::vector<std::uint32_t> order(world.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) { return id[a] < id[b]; });
  std::vector<Whole> wholes;
  std::vector<std::uint32_t> place(world.size(), ~0u);
  for (const std::uint32_t i : order) {
    std::uint32_t& of = place[sets.find(i)];
    if (of == ~0u) {
      of = static_cast<std::uint32_t>(wholes.size());
      wholes.emplace_back();
    }
    wholes[of].rows.push_back(i);
  }
  return wholes;
}

/// Checks that all of it moves freely and belongs to the chosen entries. Frames of members belong to all; frames of
/// stored bodies stay.
bool Outlet::may_go(const World& world, const Whole& whole) const {
  const auto kind = world.kind.read(), group = world.group.read();
  const auto radius = world.radius.read();
  return std::ranges::all_of(whole.rows, [&](std::uint32_t i) {
    const bool chosen = chosen_(group[i]) || radius[i] == 0;
    const bool carries = radius[i] == 0 && facet<StoredBodies>(*world.shapes()[world.shape.read()[i]].shape);
    return chosen && !carries && kind[i] == static_cast<std::uint32_t>(BodyKind::dynamic);
  });
}

/// Centre of mass, in the periodic cell. Bodies of one whole may stand at several sides of it.
Vec3 Outlet::centre(const World& world, const Whole& whole) const {
  const auto x = world.position.read();
  if (whole.rows.size() == 1) return x[whole.rows[0]];
  const auto mass = world.mass.read(), free = world.inverse_mass.read();
  const ColumnStorage* const crossed = world.cell.any() ? world.find_column("cell_crossings") : nullptr;
  Vec3 sum = Vec3::Zero();
  double total = 0;
  for (const std::uint32_t i : whole.rows) {
    if (free[i] == 0) continue;  // members: their owner has their mass
    const Vec3 shift = crossed ? Vec3(world.cell.edges * crossed->as<Vec3>()[i]) : Vec3(Vec3::Zero());
    sum += mass[i] * (x[i] + shift);
    total += mass[i];
  }
  const Vec3 middle = sum / total;
  return middle - world.cell.shift(world.cell.image_of(middle));
}

/// Bodies in the region that are stored by a modifier, or members of a frame that stored bodies move with. They leave
/// one by one.
std::vector<Id> Outlet::to_bring_back(const World& world) const {
  std::vector<Id> ids;
  const auto stores = [&](Id id) {
    return facet<StoredBodies>(*world.shapes()[world.shape.read()[*world.row(id)]].shape);
  };
  if (stored_bodies(world).empty()) return ids;
  for_each_free_body(world, [&](const BodyState& state) {
    if (state.owner != state.id && chosen_(state.group) && stores(state.owner) &&
        region_->contains(state.rigid.frame.position))
      ids.push_back(state.id);
  });
  return ids;
}

void Outlet::apply(World& world, const ContactView*, HistoryStore& history) {
  bring_back(world, history, to_bring_back(world));
  std::vector<Id> gone;
  {
    const auto id = world.id.read();
    const auto mass = world.mass.read(), free = world.inverse_mass.read(), radius = world.radius.read();
    for (const Whole& whole : wholes(world)) {
      if (!may_go(world, whole) || !region_->contains(centre(world, whole))) continue;
      for (const std::uint32_t i : whole.rows) {
        gone.push_back(id[i]);
        if (radius[i] > 0) *count_ += 1;
        if (free[i] > 0) *mass_ += mass[i];
      }
    }
  }
  world.remove(gone);
}

}  // namespace scree::insertion
