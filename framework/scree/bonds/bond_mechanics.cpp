#include "scree/bonds/bond_mechanics.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "scree/base/error.hpp"
#include "scree/bonds/split_fragments.hpp"
#include "scree/grid/close_pairs.hpp"
#include "scree/law/bond_columns.hpp"
#include "scree/world/bonded_bodies.hpp"

namespace scree {

namespace {
/// Name of the metric of the energy that bonds held when they broke [J], since the run began.
constexpr const char* kReleased = "released_bond_energy_J";
/// Name of the metric of the energy dissipated by the memory of bonds, as in plastic flow [J], since the run began.
constexpr const char* kDissipated = "dissipated_bond_energy_J";

/// Returns what is wrong with bonds that were made; empty: nothing.
std::string fault_of(const BondGroup& group, const BondView& bonds) {
  const std::string_view wanted = group.traits.facet_of_either;
  for (std::size_t k = 0; !wanted.empty() && k < bonds.size(); ++k)
    if (!bonds.shape_a[k]->facet(wanted) && !bonds.shape_b[k]->facet(wanted))
      return "the law joins shapes with the facet " + std::string(wanted) + ", and bodies " +
             std::to_string(bonds.id_a[k]) + " and " + std::to_string(bonds.id_b[k]) +
             " have none. Choose other bodies, or another law.";
  return group.law->fault(bonds);
}

bool remembers_steps(const BondGroup& group) { return group.traits.memory_changes; }

}  // namespace

BondMechanics::BondMechanics(World& world, const Methods& methods)
    : world_(world), methods_(methods), bound_(methods.bonds.size()) {
  if (methods_.bonds.empty()) return;
  world_.metric(kReleased);
  if (std::ranges::any_of(methods_.bonds, remembers_steps)) world_.metric(kDissipated);
  fragments_.emplace(world_);
}

void BondMechanics::edited(const EditLog& edits) {
  if (methods_.bonds.empty()) return;
  const std::vector<Id>& made = world_.bonds().table().edits().added;
  if (!made.empty()) check_made(made);
  if (!edits.added.empty() || !edits.removed.empty() || !made.empty()) fragments_->count();
}

/// Checks bonds that hooks have made. \throws NumericalError where a law cannot hold bodies in their places
void BondMechanics::check_made(std::span<const Id> made) const {
  const Bonds& bonds = world_.bonds();
  std::vector<BoundBonds> bound(methods_.bonds.size());
  for (const Id k : made)
    if (bonds.whole(k))
      bound[bonds.entry[k]].add(world_, {bonds.a[k], bonds.b[k], bonds.entry[k], bonds.section[k], bonds.branch[k],
                                         bonds.made_a[k], bonds.made_b[k], bonds.joint[k]});
  for (std::size_t g = 0; g < bound.size(); ++g) {
    if (bound[g].size() == 0) continue;
    const std::string name = bonds.entries[g].name, fault = fault_of(methods_.bonds[g], bound[g].view());
    if (!fault.empty())
      throw NumericalError("bonds \"" + name + "\", made at " + std::to_string(world_.time) + " s: " + fault);
  }
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
  fragments_->count();
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
    if (!methods_.bonds[bonds.entry[k]].beside_contact)
      pairs.push_back({bonds.a[k], bonds.b[k], overlap_of(world_, *world_.row(bonds.a[k]), *world_.row(bonds.b[k]))});
  SplitFragments split(world_, methods_, broken);
  for (const RowPair& p : close_pairs(world_, split.bodies(world_), 0))
    if (split.parted(p.i, p.j))
      pairs.push_back({std::min(id[p.i], id[p.j]), std::max(id[p.i], id[p.j]), overlap_of(world_, p.i, p.j)});
  world_.bonds().tolerate(std::move(pairs));
}

double BondMechanics::stable_time_step() {
  refresh();
  const auto inertia = world_.inertia.read();
  std::vector<double> moment(world_.size());
  for (std::size_t i = 0; i < moment.size(); ++i)
    moment[i] = world_.dimension() == 2 ? inertia[i].z() : inertia[i].minCoeff();
  double smallest = std::numeric_limits<double>::infinity();
  for (const BondGroup& group : methods_.bonds)
    if (group.forces && group.acts)
      smallest = std::min(smallest, group.forces->stable_time_step(configuration(), world_.mass.read(), moment));
  return smallest;
}

}  // namespace scree
