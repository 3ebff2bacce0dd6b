#include "scree/bonds/bond_mechanics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/grid/pair_finder.hpp"
#include "scree/law/bond_columns.hpp"
#include "scree/world/bonded_bodies.hpp"
#include "scree/world/fragments.hpp"

namespace scree {

namespace {
/// Name of the metric of the energy that bonds held when they broke [J], since the run began.
constexpr const char* kReleased = "released_bond_energy_J";
/// Name of the metric of the energy dissipated by the memory of bonds, as in plastic flow [J], since the run began.
constexpr const char* kDissipated = "dissipated_bond_energy_J";
/// Names of the metrics of fragments among bodies that bonds were made for: their number, the number of those of one
/// body, and the mass of the heaviest [kg]. As of the last time that bonds broke.
constexpr const char *kFragments = "fragments", *kSingle = "fragments_of_one_body", *kHeaviest = "heaviest_fragment_kg";

/// Current fragments, and those before the last bonds broke.
struct Split {
  DisjointSets now, before;

  Split(const World& world, const Methods& methods, std::span<const std::uint32_t> broken)
      : now(detail::fragments_by(world,
                                 [&](std::uint32_t k) {
                                   const Bonds& bonds = world.bonds();
                                   return bonds.whole(k) && !methods.bonds[bonds.entry[k]].self_contact;
                                 })),
        before(now) {
    const Bonds& bonds = world.bonds();
    for (const std::uint32_t k : broken)
      if (!methods.bonds[bonds.entry[k]].self_contact)
        before.join(static_cast<std::uint32_t>(*world.row(bonds.a[k])),
                    static_cast<std::uint32_t>(*world.row(bonds.b[k])));
  }
  bool parted(std::uint32_t i, std::uint32_t j) {
    return before.find(i) == before.find(j) && now.find(i) != now.find(j);
  }

  /// Returns bodies among which are all pairs that came apart and are near each other. These are bodies of every part
  /// of a split fragment except its largest, and bodies of that one in the same place.
  std::vector<std::uint32_t> bodies(const World& world) {
    const auto n = static_cast<std::uint32_t>(world.size());
    std::vector<std::uint32_t> size(n), largest(n);  // by current root; by former root, a current root
    for (std::uint32_t i = 0; i < n; ++i) ++size[now.find(i)], largest[i] = now.find(i);
    for (std::uint32_t i = 0; i < n; ++i)
      if (std::uint32_t& top = largest[before.find(i)]; size[now.find(i)] > size[top]) top = now.find(i);
    const auto x = world.position.read();
    const auto r = world.radius.read();
    const auto small = [&](std::uint32_t i) { return now.find(i) != largest[before.find(i)]; };
    Vec3 lower = Vec3::Constant(std::numeric_limits<double>::infinity()), upper = -lower;
    for (std::uint32_t i = 0; i < n; ++i)
      if (small(i))
        lower = lower.cwiseMin(x[i] - Vec3::Constant(r[i])), upper = upper.cwiseMax(x[i] + Vec3::Constant(r[i]));
    std::vector<std::uint32_t> found;
    for (std::uint32_t i = 0; i < n; ++i) {
      if (!std::isfinite(r[i])) continue;
      if (((x[i].array() + r[i]) >= lower.array()).all() && ((x[i].array() - r[i]) <= upper.array()).all())
        found.push_back(i);
    }
    return found;
  }
};

void count_fragments(World& world) {
  const Bonds& bonds = world.bonds();
  DisjointSets fragments = detail::fragments_by(world, [&](std::uint32_t k) { return bonds.whole(k); });
  std::vector<std::uint8_t> bonded(world.size());
  for (std::uint32_t k = 0; k < bonds.size(); ++k)
    for (const Id id : {bonds.a[k], bonds.b[k]})
      if (const auto row = world.row(id)) bonded[*row] = 1;
  // Sums run in the order of ids: the same bits whatever the order of rows.
  std::vector<std::pair<Id, std::uint32_t>> rows;
  for (std::uint32_t i = 0; i < world.size(); ++i)
    if (bonded[i]) rows.emplace_back(world.id.read()[i], i);
  std::ranges::sort(rows);
  std::vector<double> mass(world.size());
  std::vector<std::uint32_t> bodies(world.size());
  for (const auto& [id, i] : rows) mass[fragments.find(i)] += world.mass.read()[i], ++bodies[fragments.find(i)];
  world.metric(kFragments) = static_cast<double>(std::ranges::count_if(bodies, [](auto n) { return n > 0; }));
  world.metric(kSingle) = static_cast<double>(std::ranges::count(bodies, 1U));
  world.metric(kHeaviest) = std::ranges::max(mass);
}

bool remembers_steps(const BondGroup& group) { return group.traits.memory_changes; }

}  // namespace

BondMechanics::BondMechanics(World& world, const Methods& methods)
    : world_(world), methods_(methods), bound_(methods.bonds.size()) {
  if (!any()) return;
  world_.metric(kReleased);
  if (std::ranges::any_of(methods_.bonds, remembers_steps)) world_.metric(kDissipated);
  count_fragments(world_);
}

bool BondMechanics::can_break() const {
  return any() && std::ranges::any_of(methods_.bonds, [](const BondGroup& g) { return g.traits.can_break; });
}

void BondMechanics::refresh(const BondPart& part) {
  const Bonds& bonds = world_.bonds();
  if (layout_ == world_.layout_version() && version_ == bonds.version() && memory_version_ == bonds.memory_version() &&
      part_ == part.version)
    return;
  layout_ = world_.layout_version();
  version_ = bonds.version();
  memory_version_ = bonds.memory_version();
  part_ = part.version;
  for (Bound& bound : bound_) bound = {};
  others_.clear();
  std::vector<std::uint8_t> asked_for(part_ == 0 ? 0 : world_.size());
  for (const RowRange& rows : part.rows)
    for (std::size_t i = rows.first; i < rows.end; ++i) asked_for[i] = 1;
  for (std::uint32_t k = 0; k < bonds.size(); ++k) {
    if (!bonds.whole(k)) continue;
    if (part_ != 0) {
      const std::size_t a = *world_.row(bonds.a[k]), b = *world_.row(bonds.b[k]);
      if (!asked_for[a] && !asked_for[b]) continue;
      if (!asked_for[a]) others_.push_back(static_cast<std::uint32_t>(a));
      if (!asked_for[b]) others_.push_back(static_cast<std::uint32_t>(b));
    }
    bind(k);
  }
  ++changes_;
  tell_laws();
}

/// Adds one of the World's bonds to the bonds that its law is bound to.
void BondMechanics::bind(std::uint32_t k) {
  const Bonds& bonds = world_.bonds();
  Bound& bound = bound_[bonds.entry[k]];
  bound.bond.push_back(k);
  const auto memory = static_cast<std::size_t>(methods_.bonds[bonds.entry[k]].traits.memory);
  const std::size_t stride = static_cast<std::size_t>(bonds.remembered());
  bound.bonds.add(world_,
                  {bonds.a[k], bonds.b[k], bonds.entry[k], bonds.section[k], bonds.branch[k], bonds.made_a[k],
                   bonds.made_b[k], bonds.joint[k]},
                  bonds.memory().subspan(k * stride, memory));
}

void BondMechanics::tell_laws() {
  terms_.clear();
  implicit_terms_.clear();
  links_.clear();
  for (std::size_t g = 0; g < bound_.size(); ++g) {
    const BondGroup& group = methods_.bonds[g];
    group.law->bind(bound_[g].bonds.view(), world_.size());
    if (!group.energy) continue;
    terms_.push_back(group.energy);
    if (group.acts) continue;
    implicit_terms_.push_back(group.energy);
    group.law->list_links(links_);
  }
}

void BondMechanics::begin_step(double time) {
  if (!any()) return;
  refresh();
  for (const BondGroup& group : methods_.bonds)
    if (group.traits.resists_rates) group.law->begin_step(configuration(), time);
}

void BondMechanics::end_step() {
  if (!any() || std::ranges::none_of(methods_.bonds, remembers_steps)) return;
  refresh();
  for (std::size_t g = 0; g < bound_.size(); ++g) {
    const BondGroup& group = methods_.bonds[g];
    Bound& bound = bound_[g];
    if (!group.traits.memory_changes || bound.bond.empty()) continue;
    if (!group.law->end_step(configuration(), bound.bonds.memory())) continue;
    const double held = group.forces ? group.forces->energy(configuration()) : 0;
    world_.bonds().set_memory(bound.bond, bound.bonds.memory());
    group.law->bind(bound.bonds.view(), world_.size());
    if (group.forces) world_.metric(kDissipated) += held - group.forces->energy(configuration());
  }
  memory_version_ = world_.bonds().memory_version();  // all laws are bound to it
}

std::span<const Wrench> BondMechanics::wrenches(const BondPart& part) {
  if (!any()) return {};
  refresh(part);
  clear_wrenches(part);
  for (const BondGroup& group : methods_.bonds)
    if (group.forces && group.acts) group.forces->add_wrenches(configuration(), wrench_);
  return wrench_;
}

/// Clears the wrenches on bodies that bonds act on. Wrenches on others stay stale.
void BondMechanics::clear_wrenches(const BondPart& part) {
  if (part.version == 0 || wrench_.size() != world_.size()) {
    wrench_.assign(world_.size(), Wrench{});
    return;
  }
  for (const RowRange& rows : part.rows)
    std::fill(wrench_.begin() + static_cast<std::ptrdiff_t>(rows.first),
              wrench_.begin() + static_cast<std::ptrdiff_t>(rows.end), Wrench{});
  for (const std::uint32_t row : others_) wrench_[row] = {};
}

std::span<const Joint> BondMechanics::joints() {
  joints_.clear();
  joint_bond_.clear();
  if (!any()) return {};
  refresh();
  const auto x = world_.position.read();
  const auto inverse_mass = world_.inverse_mass.read();
  std::vector<Vec3> arm_a, arm_b;
  for (std::size_t g = 0; g < bound_.size(); ++g) {
    const BondJoints* const law = methods_.bonds[g].joints;
    const Bound& bound = bound_[g];
    if (!law) continue;
    arm_a.resize(bound.bond.size());
    arm_b.resize(bound.bond.size());
    law->arms(configuration(), arm_a, arm_b);
    for (std::size_t k = 0; k < bound.bond.size(); ++k) {
      const std::uint32_t a = bound.bonds.a()[k], b = bound.bonds.b()[k];
      if (inverse_mass[a] == 0 && inverse_mass[b] == 0) continue;
      const Vec3 apart = x[b] + arm_b[k] - x[a] - arm_a[k];
      joints_.push_back({a, b, arm_a[k], arm_b[k], apart, world_.bonds().impulse[bound.bond[k]]});
      joint_bond_.push_back(bound.bond[k]);
    }
  }
  return joints_;
}

void BondMechanics::accept(std::span<const Vec3> impulses, double dt, std::span<Vec3> force, std::span<Vec3> torque) {
  const auto kept = world_.bonds().impulse.write();
  for (std::size_t k = 0; k < joints_.size(); ++k) {
    const Joint& joint = joints_[k];
    const Vec3 f = impulses[k] / dt;
    kept[joint_bond_[k]] = impulses[k];
    force[joint.a] -= f;
    torque[joint.a] -= joint.arm_a.cross(f);
    force[joint.b] += f;
    torque[joint.b] += joint.arm_b.cross(f);
  }
}

double BondMechanics::energy() {
  if (!any()) return 0;
  refresh();
  double sum = 0;
  for (const BondGroup& group : methods_.bonds)
    if (group.forces) sum += group.forces->energy(configuration());
  return sum;
}

namespace {

/// Returns the column of this name and unit; makes it if it does not exist.
BondValues::Column& column_of(BondValues& values, const BondColumn& told, std::size_t bonds) {
  const auto found = std::ranges::find_if(
      values.columns, [&](const BondValues::Column& c) { return c.name == told.name && c.unit == told.unit; });
  if (found != values.columns.end()) return *found;
  return values.columns.emplace_back(told.name, told.unit, told.zero_at_free_end,
                                     std::vector<double>(bonds, std::numeric_limits<double>::quiet_NaN()));
}

}  // namespace

BondValues BondMechanics::values() {
  BondValues all;
  if (!any()) return all;
  refresh();
  for (std::size_t g = 0; g < bound_.size(); ++g) {
    const auto* const law = face<BondColumns>(*methods_.bonds[g].law);
    if (!law) continue;
    const std::vector<BondColumn> told = law->columns();
    const std::vector<std::uint32_t>& bond = bound_[g].bond;
    std::vector<std::vector<double>> value(told.size(), std::vector<double>(bond.size()));
    law->values(configuration(), std::vector<std::span<double>>(value.begin(), value.end()));
    for (std::size_t k = 0; k < told.size(); ++k) {
      BondValues::Column& column = column_of(all, told[k], world_.bonds().size());
      for (std::size_t i = 0; i < bond.size(); ++i) column.value[bond[i]] = value[k][i];
    }
  }
  return all;
}

/// Returns the utilisation of bonds at x, by entry.
std::vector<std::vector<double>> BondMechanics::utilisation(const Configuration& x) const {
  std::vector<std::vector<double>> use(bound_.size());
  for (std::size_t g = 0; g < bound_.size(); ++g) {
    if (!methods_.bonds[g].traits.can_break) continue;
    use[g].resize(bound_[g].bond.size());
    methods_.bonds[g].law->utilisation(x, use[g]);
  }
  return use;
}

namespace {

double largest(const std::vector<std::vector<double>>& all) {
  double worst = 0;
  for (const auto& of_entry : all)
    for (const double u : of_entry) worst = std::max(worst, u);
  return worst;
}

}  // namespace

double BondMechanics::largest_utilisation(const BondPart& part) {
  if (!can_break()) return 0;
  refresh(part);
  return largest(utilisation(configuration()));
}

std::size_t BondMechanics::break_overloaded(double time, double worst_part, const Configuration& loaded) {
  if (!can_break()) return 0;
  refresh();
  const std::vector<std::vector<double>> use = utilisation(loaded);
  const double worst = largest(use);
  if (!(worst > 1)) return 0;
  const double limit = std::max(1.0, worst_part * worst);
  std::vector<std::uint32_t> broken;
  for (std::size_t g = 0; g < bound_.size(); ++g)
    for (std::size_t k = 0; k < use[g].size(); ++k)
      if (use[g][k] > 1 && use[g][k] >= limit) broken.push_back(bound_[g].bond[k]);
  const double held = energy();
  world_.bonds().break_bonds(broken, time);
  tolerate(broken);
  world_.metric(kReleased) += held - energy();
  count_fragments(world_);
  return broken.size();
}

/// Tolerates overlaps of pairs that may push from now on: bodies whose bond broke, and bodies no longer in one
/// fragment. They begin without force. Otherwise a strained solid that comes apart would gain the energy of all
/// overlaps between its parts.
void BondMechanics::tolerate(std::span<const std::uint32_t> broken) {
  const Bonds& bonds = world_.bonds();
  const auto id = world_.id.read();
  std::vector<Bonds::Tolerated> pairs;
  for (const std::uint32_t k : broken)
    pairs.push_back({bonds.a[k], bonds.b[k], overlap_of(world_, *world_.row(bonds.a[k]), *world_.row(bonds.b[k]))});
  Split split(world_, methods_, broken);
  std::vector<RowPair> near;
  if (const auto bodies = split.bodies(world_); !bodies.empty())
    PairFinder().find(world_.position.read(), world_.radius.read(), bodies, 0, near);
  for (const RowPair& p : near)
    if (split.parted(p.i, p.j))
      pairs.push_back({std::min(id[p.i], id[p.j]), std::max(id[p.i], id[p.j]), overlap_of(world_, p.i, p.j)});
  world_.bonds().tolerate(std::move(pairs));
}

double BondMechanics::stable_time_step() {
  refresh();
  const auto inertia = world_.inertia.read();
  std::vector<double> moment(world_.size());
  for (std::size_t i = 0; i < moment.size(); ++i) moment[i] = inertia[i].minCoeff();
  double smallest = std::numeric_limits<double>::infinity();
  for (const BondGroup& group : methods_.bonds)
    if (group.forces && group.acts)
      smallest = std::min(smallest, group.forces->stable_time_step(configuration(), world_.mass.read(), moment));
  return smallest;
}

}  // namespace scree
