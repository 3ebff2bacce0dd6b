#include "scree/host/host_mechanics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/base/clock.hpp"
#include "scree/base/error.hpp"
#include "scree/base/parallel.hpp"
#include "scree/model/report_unsound.hpp"

namespace scree {

HostMechanics::HostMechanics(World& world, const Methods& methods)
    : world_(world),
      methods_(methods),
      pipeline_(world, methods),
      bonds_(world, methods),
      evaluates_once_(methods.integrator && methods.integrator->traits().evaluates_once),
      minimises_(methods.integrator && methods.integrator->traits().face == PotentialFace::kName) {
  force_ = world.column<Vec3>("force", "N");
  torque_ = world.column<Vec3>("torque", "N m");
  if (methods.energy_ledger)
    ledger_ = std::make_unique<EnergyLedger>(world, methods, *methods.integrator->traits().mean_force);
}

namespace {

/// Number of steps after which rows are put in order if bodies touch nothing, so that no list ends as they move on.
/// Neighbours in space should be near in memory, and in a periodic cell bodies are moved back into it.
constexpr std::uint64_t kStepsInOrder = 64;

/// Reports that a wall has moved farther than distances can be squared, after no free body was found at fault.
[[noreturn]] void report_wall(const World& world, const ContactPipeline& pipeline, double dt) {
  const BodyWays ways = pipeline.ways(dt);
  const auto id = world.id.read();
  std::size_t culprit = 0;
  Id lowest = kNewId;
  for (std::size_t i = 0; i < id.size(); ++i)
    if (!std::isfinite(ways.squared(i)) && id[i] < lowest) lowest = id[i], culprit = i;
  const std::uint32_t group = world.group.read()[culprit];
  const Vec3 &at = world.position.read()[culprit], &speed = world.velocity.read()[culprit];
  throw NumericalError(
      fmt::format("wall \"{}\" (body {}): moves too fast to compute with in step {} (time {:.6g} s): position ({:.6g}, "
                  "{:.6g}, {:.6g}) m, velocity ({:.6g}, {:.6g}, {:.6g}) m/s. Lower its speed, or stop it.",
                  group < world.group_names.size() ? world.group_names[group] : "", lowest, world.step + 1,
                  world.time + dt, at[0], at[1], at[2], speed[0], speed[1], speed[2]));
}

}  // namespace

HostMechanics::~HostMechanics() = default;

/// Check that bodies are inside the domain. NaN fails every comparison, so the test is written to be true only for
/// sound bodies.
struct HostMechanics::State {
  State(const World& world, const DomainBox& domain)
      : x(world.position.read()),
        v(world.velocity.read()),
        w(world.angular_velocity.read()),
        inverse_mass(world.inverse_mass.read()),
        low(domain.lower),
        high(domain.upper) {}
  bool sound(std::size_t i) const {
    bool good = v[i].squaredNorm() + w[i].squaredNorm() < 1e300;
    for (int k = 0; k < 3; ++k) good = good && x[i][k] >= low[k] && x[i][k] <= high[k];
    return good || inverse_mass[i] == 0;
  }
  /// Checks four bodies at once; may be false although each of them is sound.
  bool four_are_sound(std::size_t i) const {
    const FourVectors p = load_vectors(x[i].data()), u = load_vectors(v[i].data()), r = load_vectors(w[i].data());
    auto good = p.group[0] == p.group[0];
    for (int k = 0; k < 3; ++k) {
      const int a = k % 3, b = (k + 1) % 3, c = (k + 2) % 3;
      const Lanes from = {low[a], low[b], low[c], low[a]}, to = {high[a], high[b], high[c], high[a]};
      good &= (p.group[k] >= from) & (p.group[k] <= to);
      good &= u.group[k] * u.group[k] + r.group[k] * r.group[k] < 1e299;
    }
    return (good[0] & good[1] & good[2] & good[3]) != 0;
  }
  std::span<const Vec3> x, v, w;
  std::span<const double> inverse_mass;
  Vec3 low, high;
};

void HostMechanics::divide_rows() {
  if (methods_.integrator && methods_.integrator->traits().owned_rows_only && !ledger_) pipeline_.divide_rows();
}

void HostMechanics::begin_step(double dt) {
  if (!ledger_) return;
  if (world_.cell.deforms())
    throw NumericalError(
        "/output/energy_ledger: in a periodic cell that deforms, bodies that cross a side change their velocity, which "
        "the ledger does not know. Leave it out.");
  pipeline_.keep_parts(true);
  pipeline_.compute_energy(true);
  ledger_->begin_step(dt);
}

void HostMechanics::inserted(std::span<const Id> ids) {
  if (ledger_) ledger_->inserted(ids);
}

void HostMechanics::edited(const EditLog& edits) {
  inserted(edits.added);
  bonds_.edited(edits);
  refresh();
}

/// Passes the results of the last evaluation to the ledger, if there is one.
void HostMechanics::note_applied(double dt) {
  if (ledger_) ledger_->applied(dt, pipeline_.evaluation(), bonds_.last_wrenches(), last_forces());
}

Wrenches HostMechanics::forces(double dt, double lag) {
  const HistoryUpdate once = dt > 0 ? HistoryUpdate::commit : HistoryUpdate::none;
  const Wrenches wrenches = forces(dt, lag, evaluates_once_ ? once : HistoryUpdate::trial);
  note_applied(dt);
  return wrenches;
}

Wrenches HostMechanics::forces(double dt, double lag, HistoryUpdate update) {
  dt_ = dt;
  if (pipeline_.stale(0)) pipeline_.rebuild(false);
  pipeline_.prepare_evaluation();
  const double start = clock_seconds();
  const std::span<const Wrench> of_bonds = bonds_.wrenches(bonds_of_this_rank());
  pipeline_.note_work(clock_seconds() - start);
  pipeline_.evaluate(dt, lag, of_bonds, force_.write(), torque_.write(), update);
  return last_forces();
}

BondPart HostMechanics::bonds_of_this_rank() const {
  return pipeline_.rows_are_divided() ? BondPart{pipeline_.own_rows(), pipeline_.rows_version()} : BondPart{};
}

/// Breaks bonds. If rows are divided, each rank checks its own bonds. If one breaks, all ranks get all bodies, and do
/// the same.
void HostMechanics::break_bonds(double time) {
  if (pipeline_.rows_are_divided() && bonds_.can_break()) {
    pipeline_.fetch_states();
    if (pipeline_.largest_of_all(bonds_.largest_utilisation(bonds_of_this_rank())) <= 1) return;
    pipeline_.come_together();
  }
  bonds_.break_overloaded(time, 0, bonds_.configuration());
}

void HostMechanics::commit() {
  if (ledger_) {
    ledger_->end_step();
    pipeline_.keep_parts(false);
  }
  if (!evaluates_once_) pipeline_.commit_trial();
  // One pass over bodies: a faulty one counts as infinitely far away.
  const State state(world_, methods_.domain);
  const BodyWays ways = pipeline_.ways(dt_);
  const auto one = [&](std::ptrdiff_t i) {
    const auto row = static_cast<std::size_t>(i);
    return state.sound(row) ? ways.squared(row) : std::numeric_limits<double>::infinity();
  };
  const auto four = [&](std::ptrdiff_t i) {
    const auto row = static_cast<std::size_t>(i);
    return state.four_are_sound(row) ? ways.squared_of_four(row) : Lanes{one(i), one(i + 1), one(i + 2), one(i + 3)};
  };
  const double way2 = pipeline_.largest_of_all(
      std::max(parallel_max_of_fours(owned_rows(), four, one), pipeline_.squared_way_of_ends(dt_)));
  if (std::isinf(way2)) {
    pipeline_.join_rows();
    report_fault();
  }
  bonds_.end_step();
  // Integrators that minimise energy list pairs and break bonds themselves, and rows keep their order.
  if (minimises_) return;
  break_bonds(world_.time + dt_);
  // Rows may only change order between steps, so lists are rebuilt now if the coming step might outrun them.
  const bool untidy = pipeline_.some_alone() && (world_.step + 1) % kStepsInOrder == 0;
  if (untidy || pipeline_.stale(dt_, way2)) pipeline_.rebuild(true, pipeline_.skin_for(dt_), dt_);
}

void* HostMechanics::ability(std::string_view name) noexcept {
  if (name == ImpulseProblem::kName) return static_cast<ImpulseProblem*>(this);
  if (name == EnergyProblem::kName) return static_cast<EnergyProblem*>(this);
  return nullptr;
}

std::span<const ConeContact> HostMechanics::contacts(double dt) {
  dt_ = dt;
  if (pipeline_.stale(pipeline_.looks_ahead() ? dt : 0)) pipeline_.rebuild(false, pipeline_.skin_for(dt), dt);
  return pipeline_.cones(dt, bonds_.wrenches(), force_.write(), torque_.write());
}

namespace {

/// Returns the velocity of a freely moving body's point; 0 for others, which are in ConeContact::imposed.
Vec3 free_velocity(const World& world, std::uint32_t row, const Vec3& arm) {
  if (world.inverse_mass.read()[row] == 0) return Vec3::Zero();
  return world.velocity.read()[row] + world.angular_velocity.read()[row].cross(arm);
}

/// Sets expected velocities of freely moving bodies during its lifetime.
class Expecting {
 public:
  Expecting(World& world, const ExpectedMotion& motion) : world_(world) {
    const auto v = world.velocity.read(), w = world.angular_velocity.read();
    velocity_.assign(v.begin(), v.end());
    spin_.assign(w.begin(), w.end());
    const auto inverse_mass = world.inverse_mass.read();
    const auto velocity = world.velocity.write(), spin = world.angular_velocity.write();
    for (std::size_t i = 0; i < velocity_.size(); ++i)
      if (inverse_mass[i] != 0) velocity[i] = motion.velocity[i], spin[i] = motion.angular_velocity[i];
  }
  Expecting(const Expecting&) = delete;
  Expecting& operator=(const Expecting&) = delete;
  ~Expecting() {
    std::ranges::copy(velocity_, world_.velocity.overwrite().begin());
    std::ranges::copy(spin_, world_.angular_velocity.overwrite().begin());
  }

 private:
  World& world_;
  std::vector<Vec3> velocity_, spin_;
};

}  // namespace

std::span<const ConeContact> HostMechanics::contacts(double dt, const ExpectedMotion& expected) {
  {
    const Expecting motion(world_, expected);
    const auto found = contacts(dt);
    cones_.assign(found.begin(), found.end());
  }
  pipeline_.external(bonds_.last_wrenches(), force_.write(), torque_.write());
  for (ConeContact& c : cones_)
    c.velocity = c.imposed + free_velocity(world_, c.b, c.arm_b) - free_velocity(world_, c.a, c.arm_a);
  return cones_;
}

void HostMechanics::accept(std::span<const Vec3> impulses, double dt) {
  pipeline_.accept(impulses, dt, true, force_.write(), torque_.write());
  note_applied(dt);
}

void HostMechanics::accept_joints(std::span<const Vec3> impulses, double dt) {
  bonds_.accept(impulses, dt, force_.write(), torque_.write());
  if (!ledger_) return;
  std::vector<Vec3> force(world_.size(), Vec3::Zero()), torque(force);
  bonds_.accept(impulses, dt, force, torque);
  ledger_->joined({force, torque});
}

void HostMechanics::cover(double way, double turn) {
  const double of_turn = turn * pipeline_.turning_reach();
  pipeline_.rebuild(false, std::max(methods_.skin, 2 * (way + of_turn)));
  std::vector<BodyPair> now;
  pipeline_.couplings(now);
  const Bonds& bonds = world_.bonds();
  if (now == couplings_ && bonds_seen_ == bonds.version() && layout_seen_ == world_.layout_version()) return;
  couplings_ = std::move(now);
  bonds_seen_ = bonds.version();
  layout_seen_ = world_.layout_version();
  ++potential_version_;
}

bool HostMechanics::covered() const { return !pipeline_.stale(0); }

void HostMechanics::list_pairs(std::vector<BodyPair>& out) const {
  out.insert(out.end(), couplings_.begin(), couplings_.end());
}

std::span<const EnergyTerm* const> HostMechanics::bonds() {
  bonds_.refresh();
  return bonds_.terms();
}

std::span<const EnergyTerm* const> HostMechanics::bond_terms() {
  bonds_.refresh();
  return bonds_.implicit_terms();
}

std::span<const ChainLink> HostMechanics::bond_links() {
  bonds_.refresh();
  return bonds_.links();
}

void HostMechanics::accept_bonds(std::span<const Wrench> wrenches) {
  const auto force = force_.write(), torque = torque_.write();
  for (std::size_t i = 0; i < wrenches.size(); ++i) {
    force[i] += wrenches[i].force;
    torque[i] += wrenches[i].torque;
  }
}

std::uint64_t HostMechanics::bonds_version() {
  if (bonds_.any()) bonds_.refresh();
  return bonds_.changes();
}

namespace {

/// Sets a configuration in the World's columns during its lifetime.
class InPlace {
 public:
  InPlace(World& world, const Configuration& x) : world_(world) {
    if (world.position.read().data() == x.position.data()) return;
    const auto p = world.position.read();
    const auto q = world.orientation.read();
    position_.assign(p.begin(), p.end());
    orientation_.assign(q.begin(), q.end());
    put(x.position, x.orientation);
  }
  InPlace(const InPlace&) = delete;
  InPlace& operator=(const InPlace&) = delete;
  ~InPlace() {
    if (!position_.empty()) put(position_, orientation_);
  }

 private:
  void put(std::span<const Vec3> position, std::span<const Quat> orientation) {
    std::ranges::copy(position, world_.position.overwrite().begin());
    std::ranges::copy(orientation, world_.orientation.overwrite().begin());
  }
  World& world_;
  std::vector<Vec3> position_;
  std::vector<Quat> orientation_;
};

}  // namespace

std::span<const PotentialContact> HostMechanics::potentials(const Configuration& x) {
  const InPlace state(world_, x);
  return pipeline_.potentials();
}

Wrenches HostMechanics::loads() {
  pipeline_.external({}, force_.write(), torque_.write());
  return last_forces();
}

void HostMechanics::accept_forces(std::span<const Vec3> forces) {
  pipeline_.external(bonds_.wrenches(), force_.write(), torque_.write());
  pipeline_.accept(forces, 1, false, force_.write(), torque_.write());
  note_applied(1);
}

std::size_t HostMechanics::break_overloaded(double time, double worst_part, const Configuration& loaded) {
  return bonds_.break_overloaded(time, worst_part, loaded);
}

void HostMechanics::find_contacts(double dt) {
  if (methods_.integrator->traits().face == ForceFace::kName) {
    forces(dt, 0, HistoryUpdate::none);
    return;
  }
  if (pipeline_.stale(0)) pipeline_.rebuild(false);
  pipeline_.detect();
}

bool HostMechanics::needs_observation() const {
  const IntegratorTraits traits = methods_.integrator->traits();
  return traits.face == ForceFace::kName && traits.last_forces != LastForces::end;
}

HostMechanics::Observation::Observation(HostMechanics& mechanics, double dt) : mechanics_(mechanics) {
  if (mechanics.pipeline_.stale(0)) mechanics.pipeline_.rebuild(false);  // bodies were edited since the step
  for (const char* const name : {"force", "torque", "own_force", "own_torque"})
    if (ColumnStorage* const found = mechanics.world_.find_column(name)) {
      const Column<Vec3> column(found);
      kept_.emplace_back(column, std::vector<Vec3>(column.read().begin(), column.read().end()));
    }
  const bool springs_lag = mechanics.methods_.integrator->traits().last_forces == LastForces::start;
  try {
    mechanics.pipeline_.evaluate(springs_lag ? dt : 0, springs_lag ? dt / 2 : 0, mechanics.bonds_.wrenches(),
                                 mechanics.force_.write(), mechanics.torque_.write(), HistoryUpdate::none);
  } catch (...) {
    put_back();
    throw;
  }
}

HostMechanics::Observation::~Observation() { put_back(); }

void HostMechanics::Observation::put_back() {
  for (auto& [column, values] : kept_) std::ranges::copy(values, column.write().begin());
}

void HostMechanics::refresh() {
  if (pipeline_.stale(0)) pipeline_.rebuild(true);
}

void HostMechanics::restore(std::span<const HistoryRecord> history) {
  pipeline_.rebuild_at_reference();
  pipeline_.insert(history);
}

void HostMechanics::report_fault() const {
  const State state(world_, methods_.domain);
  const auto id = world_.id.read();
  std::size_t culprit = 0;
  Id lowest = kNewId;
  for (std::size_t i = 0; i < id.size(); ++i)
    if (!state.sound(i) && id[i] < lowest) lowest = id[i], culprit = i;
  if (lowest == kNewId) report_wall(world_, pipeline_, dt_);
  report_unsound(world_, methods_.domain, culprit, dt_);
}

}  // namespace scree
