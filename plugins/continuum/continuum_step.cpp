#include "continuum_step.hpp"

#include <omp.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "grid/join_nodes.hpp"
#include "grid_image.hpp"
#include "scree/base/parallel.hpp"
#include "solvers/drucker_prager/cone_coordinates.hpp"
#include "solvers/rigid_rows.hpp"

namespace scree::continuum {

namespace {

/// A node with less of a point's mass counts as if it had that much: else stresses throw it away, as gradients do not
/// vanish where weights do.
constexpr double kLeastMass = 1e-6;

/// Nodes that hold less than this part of the most count for less in the solver's errors: stresses of what hangs into
/// walls by a sliver are a thousand times those of the bed, and would be the scale of all.
constexpr double kSliverFraction = 0.25;

/// A cell is full where its nodes hold this part of what they can; in a fluid, where what nearly touches is suspended.
constexpr double kFull = 0.85, kFullInFluid = 0.75;
/// In a fluid free volume up to this part is contact: closing it needs fluid to leave, and noise would free rows.
constexpr double kClosed = 0.03;
/// Largest memory of free volume of points carried by a fluid.
constexpr double kMostExpansionInFluid = 50;
/// Rounds of fluid and stresses in a step. Of the divergence that it starts with ten times the tolerance is left after
/// each of them, within these bounds, and a tenth of that at the end.
constexpr int kRounds = 6;
constexpr double kFinestRound = 1e-5, kCoarsestRound = 1e-3;

/// Parts of what a node in the midst of grains holds: room up to kGap counts as none, as counts of points in a hat
/// function scatter; excess beyond kOverfull ends what points remember of free volume, and that beyond kExcess is
/// undone.
constexpr double kGap = 0.1, kOverfull = 0.02, kExcess = 0.05;
/// Matter without friction is a liquid where it is slower than this part of (g h)^1/2.
constexpr double kCalm = 0.1;
/// Friction between fixed walls of what flows without: else points that lump together would stir it for ever.
constexpr double kNumericalFriction = 0.05;
/// In a liquid: part of an excess that is undone in a step.
constexpr double kPartOfExcess = 0.2;
/// Memory of free volume at points: its smallest and largest value, and the part of it that goes to their neighbours in
/// a step.
constexpr double kLeastExpansion = -0.02, kMostExpansion = 2, kMixing = 0.05;
/// Free volume that is nothing but the creep of what rests: a row that is a little open bears no load.
constexpr double kCreep = 1e-4;
/// Free volume from which on matter is a crack, without cohesion.
constexpr double kCrack = 0.05;
/// A node in a wall that holds less than this part of a full one's is no node of its own.
constexpr double kSliver = 0.15;
/// Sweeps for which the tolerance of what is slow holds: see kSlow.
constexpr int kFineSweeps = 400;

/// The part of a node's room that grains may fill: none up to kGap of `full`, all from twice that on.
double beyond_gap(double room, double full) {
  const double gap = room / full;
  if (!(gap > kGap)) return 0;
  return gap >= 2 * kGap ? room : 2 * (gap - kGap) * full;
}

/// The volume of grains that a strain row integrates over: it measures it times div u / (2 d)^(1/2) for a linear u.
/// Counts of points would scatter. \param row  with all its nodes
template <int D>
double volume_of_row(const StrainRow<D>& row, double width) {
  double sum = 0;
  for (int n = 0; n < kNeighbours<D>; ++n)
    for (int k = 0; k < D; ++k) sum += row.node[n] == kNoNode ? 0 : row.g[n][k] * neighbour_offset<D>(n, k);
  return width / D * sum;
}

/// Values of `from`, by key, for the keys of `to`; both ascend. `found(place in to, place in from)`.
template <class K, class Found>
void match(std::span<const K> from, std::size_t count, const auto& key_of, const Found& found) {
  std::size_t k = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const K key = key_of(i);
    while (k < from.size() && from[k] < key) ++k;
    if (k < from.size() && from[k] == key) found(i, k);
  }
}

/// The largest force on a point over its mass [m/s^2].
double gravity_of(const PointSet& points) {
  return parallel_max(static_cast<std::ptrdiff_t>(points.size()), [&](std::ptrdiff_t k) {
    const auto p = static_cast<std::size_t>(k);
    return points.force[p].norm() / points.mass[p];
  });
}

/// \return seconds since the last call
class Laps {
 public:
  double lap() {
    const Clock::time_point before = last_;
    last_ = Clock::now();
    return std::chrono::duration<double>(last_ - before).count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point last_ = Clock::now();
};

}  // namespace

template <int D>
StepReport ContinuumStep<D>::advance(const Lattice<D>& lattice, std::span<Wall> walls, std::span<WallContact> contacts,
                                     double dt, PointSet& points, Memory<D>& memory, std::span<WallLoad> loads) {
  const auto place = [&](std::size_t p) -> Vec<D> { return points.position[p].template head<D>(); };
  Laps laps;
  StepReport report;
  dt_ = dt;
  find_friction(points);
  grid_.build(lattice, points.size(), place, points.id);
  transfers_.to_nodes(grid_, points.points(), nodes_);  // (6)
  report.seconds.transfer = laps.lap();
  walls_.look(grid_, walls);
  const bool in_fluid = options_.fluid.present();
  const bool tank =
      options_.friction.frictionless() && options_.viscosity == 0 && std::ranges::all_of(walls, &Wall::fixed);
  gravity_ = gravity_of(points);
  liquid_ = tank && !in_fluid && is_slow(walls, points, kCalm * std::sqrt(gravity_ * lattice.width));
  least_friction_ = tank && !liquid_ ? kNumericalFriction : 0;
  if (liquid_) walls_.drop_rows();
  make_nodes(points, dt);
  make_rows(walls, points, dt);  // (7), (8)
  bodies_.take(walls, dt);
  if (in_fluid) start_fluid(walls, points, memory, dt);  // (12)
  make_contacts(walls, contacts, dt);
  recall(walls, contacts, memory, dt);
  report.seconds.rows = laps.lap();
  report.solver = solve(walls, points, memory, dt);
  report.seconds.solve = laps.lap();
  report.nodes = nodes_.size();
  report.fluid_iterations = in_fluid ? fluid_.iterations() : 0;
  remember(walls, report.solver, dt, memory);
  load_walls(walls, loads);
  give_impulses(contacts);
  weigh_volume(report);
  if (!in_fluid) find_expansion(dt);  // (9)
  move_points(points, dt);
  bodies_.move(walls, dt);
  push_out(walls, points.position);
  report.seconds.move = laps.lap();
  return report;
}

/// Computes how full nodes are at the start of the step. Nodes of which walls leave less than half do not count as the
/// fullest: a point more or less is much there.
template <int D>
void ContinuumStep<D>::weigh_volume(StepReport& report) const {
  const double half = 0.5 * options_.max_fraction * std::pow(grid_.lattice().width, D);
  double volume = 0, excess = 0;
  for (std::size_t j = 0; j < full_.size(); ++j) {
    volume += nodes_[j].volume;
    excess += std::max(0.0, -room_[j]);
    if (full_[j] > half)
      report.fraction_max = std::max(report.fraction_max, options_.max_fraction * (1 - room_[j] / full_[j]));
  }
  report.overfull = volume > 0 ? excess / volume : 0;
}

/// Finds the friction of each point, by pressure and rate of the previous step.
template <int D>
void ContinuumStep<D>::find_friction(PointSet& points) const {
  parallel_for(static_cast<std::ptrdiff_t>(points.size()), [&](std::ptrdiff_t k) {
    const auto p = static_cast<std::size_t>(k);
    points.friction[p] = options_.friction(points.shear_rate[p], points.pressure[p], points.mass[p] / points.volume[p],
                                           points.force[p].norm() / points.mass[p]);
  });
}

/// Nodes in walls with next to no mass give it to the heaviest node beside them, one outside if there is one: gradients
/// do not vanish where weights do, and stresses would throw such nodes away.
template <int D>
void ContinuumStep<D>::merge_slivers() {
  const std::size_t n = nodes_.size();
  const double least = kSliver * most_volume();
  const auto is_sliver = [&](std::uint32_t i) { return walls_.inside()[i] != 0 && nodes_[i].volume < least; };
  target_.resize(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    target_[i] = i;
    if (liquid_ || !is_sliver(i)) continue;
    const auto rank = [&](std::uint32_t j) { return std::pair(walls_.inside()[j] == 0, nodes_[j].mass); };
    for (const std::uint32_t j : grid_.neighbours()[i])
      if (j != kNoNode && !is_sliver(j) && (target_[i] == i || rank(j) > rank(target_[i]))) target_[i] = j;
  }
}

template <int D>
void ContinuumStep<D>::make_nodes(const PointSet& points, double dt) {
  merge_slivers();
  const double least = kLeastMass * parallel_max(static_cast<std::ptrdiff_t>(points.size()), [&](std::ptrdiff_t p) {
                         return points.mass[static_cast<std::size_t>(p)];
                       });
  const std::size_t n = nodes_.size();
  std::vector<double> mass(n, 0);
  std::vector<Vec<D>> force(n, Vec<D>::Zero());
  start_.assign(n, Vec<D>::Zero()), free_.resize(n), inverse_mass_.resize(n);
  volume_.resize(n), room_.resize(n), full_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    const NodeValues<D>& node = nodes_[i];
    mass[target_[i]] += node.mass;
    force[target_[i]] += node.force;
    start_[target_[i]] += node.momentum;
    volume_[i] = node.volume;
    full_[i] = options_.max_fraction * walls_.free_volume()[i];
    room_[i] = full_[i] - node.volume;
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (target_[i] != i) continue;
    start_[i] /= mass[i];
    free_[i] = start_[i] + dt / mass[i] * force[i];
    inverse_mass_[i].setConstant(1 / std::max(mass[i], least));
  }
  for (std::size_t i = 0; i < n; ++i) {
    if (target_[i] == i) continue;
    start_[i] = start_[target_[i]], free_[i] = free_[target_[i]];
    inverse_mass_[i].setZero();  // no row has it
  }
}

/// Beside walls that move, rooms are too uncertain to tell.
template <int D>
bool ContinuumStep<D>::is_overfull(std::size_t j) const {
  return walls_.sight()[j] != Sight::moving && room_[j] < -kOverfull * most_volume();
}

/// The normal component of a strain row's k times dt (2d)^(1/2): room that grains may fill; below 0 an excess [m^3].
template <int D>
double ContinuumStep<D>::free_volume(std::size_t j) const {
  const double most = most_volume(), room = room_[j];
  if (liquid_) return room > 0 ? room : kPartOfExcess * room;
  const double least = options_.fluid.present() ? kClosed : kCreep;
  double remembered = nodes_[j].expansion > least * nodes_[j].volume ? nodes_[j].expansion : 0;
  if (options_.fluid.present()) remembered = std::max(0.0, remembered - kClosed * nodes_[j].volume);
  double free = is_overfull(j) ? 0 : remembered;
  const bool coheres = options_.cohesion > 0 && remembered < kCrack * nodes_[j].volume;
  if (!coheres) free = std::max(free, beyond_gap(room, most));
  if (free == 0 && is_overfull(j) && room < -kExcess * most) return options_.volume_rate * (room + kExcess * most);
  return free;
}

template <int D>
void ContinuumStep<D>::make_rows(std::span<const Wall> walls, const PointSet& points, double dt) {
  packing_.clear();
  if (options_.fluid.present()) find_packing(points);
  const double full_from = options_.fluid.present() ? kFullInFluid : kFull;
  if (liquid_)
    transfers_.count_gradients(grid_, points.volume, rows_);
  else
    transfers_.gradients(grid_, points.volume,
                         full_cells_.find(grid_, walls, walls_, volume_, full_, options_.max_fraction, full_from),
                         packing_, rows_);
  const double most = most_volume();
#pragma omp parallel for schedule(static)
  for (std::size_t j = 0; j < rows_.size(); ++j) {
    const NodeValues<D>& node = nodes_[j];
    StrainRow<D>& row = rows_[j];
    row.viscosity = options_.viscosity > 0 ? viscous_slope(options_.viscosity, options_.max_fraction,
                                                           volume_of_row(row, grid_.lattice().width), dt)
                                           : 0;
    join_nodes(row.node, row.g, target_);
    row.k = free_volume(j) / (dt * kTrace<D>);
    row.weight = std::min(1.0, node.volume / (kSliverFraction * most));
    const double friction = least_friction_ + node.friction / node.volume;
    row.friction = cone_friction<D>(friction);
    row.apex = full_[j] > 0 ? cohesion_apex<D>(options_.cohesion, friction, options_.max_fraction,
                                               node.expansion / node.volume / kCrack, node.volume / full_[j], dt)
                            : 0;
  }
}

template <int D>
void ContinuumStep<D>::make_contacts(std::span<const Wall> walls, std::span<const WallContact> contacts, double dt) {
  const auto rows = walls_.rows();
  contacts_.resize(rows.size() + contacts.size());
  second_.assign(contacts_.size(), {});
#pragma omp parallel for schedule(static)
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const WallRow& row = rows[k];
    const Wall& wall = walls[row.wall];
    coulomb::RigidContact<D>& contact = contacts_[k];
    contact.a = bodies_.row_of(row.wall, nodes_.size());
    contact.b = target_[row.node];
    if (row.second.node != kNoNode && target_[row.second.node] != contact.b)
      second_[k] = {target_[row.second.node], row.second.share};
    contact.frame = coulomb::contact_frame<D>(row.normal);
    contact.arm_a = row.arm.template head<D>();
    contact.arm_b.setZero();
    contact.w.setZero();
    if (!wall.free()) contact.w = -contact.frame * row.velocity.template head<D>();
    contact.w[0] += row.gap / dt;
    contact.friction = wall.friction;
  }
  for (std::size_t k = 0; k < contacts.size(); ++k)
    contacts_[rows.size() + k] = bodies_.row_of(contacts[k], nodes_.size());
}

template <int D>
ContactKey ContinuumStep<D>::key_of(const WallRow& row, std::span<const Wall> walls) const {
  return {grid_.nodes()[row.node], walls[row.wall].body, static_cast<std::uint64_t>(row.face)};
}

/// Impulses of the step before, at the same places of the lattice.
template <int D>
void ContinuumStep<D>::recall(std::span<const Wall> walls, std::span<const WallContact> contacts,
                              const Memory<D>& memory, double dt) {
  stress_.assign(rows_.size(), Stress<D>::Zero());
  contact_impulse_.assign(contacts_.size(), Vec<D>::Zero());
  if (!(memory.dt > 0)) return;
  const double ratio = dt / memory.dt;
  match<Key>(
      memory.nodes, rows_.size(), [&](std::size_t i) { return grid_.nodes()[i]; },
      [&](std::size_t i, std::size_t k) { stress_[i] = ratio * memory.stress[k]; });
  const std::size_t rows = walls_.rows().size();
  match<ContactKey>(
      memory.contacts, rows, [&](std::size_t i) { return key_of(walls_.rows()[i], walls); },
      [&](std::size_t i, std::size_t k) {
        contact_impulse_[i] = ratio * contacts_[i].frame * memory.contact_impulse[k];
      });
  for (std::size_t k = 0; k < contacts.size(); ++k)
    contact_impulse_[rows + k] = ratio * contacts_[rows + k].frame * contacts[k].impulse.template head<D>();
}

template <int D>
bool ContinuumStep<D>::is_slow(std::span<const Wall> walls, const PointSet& points, double speed) const {
  for (const Wall& wall : walls) {
    const double rim = wall.bounded() ? wall.radius : grid_.lattice().width;
    if (wall.velocity.norm() + rim * wall.angular_velocity.norm() + wall.surface_velocity.norm() > speed) return false;
  }
  const auto count = static_cast<std::ptrdiff_t>(points.size());
  return parallel_max(count, [&](std::ptrdiff_t k) {
           return points.velocity[static_cast<std::size_t>(k)].squaredNorm();
         }) <= speed * speed;
}

template <int D>
Report ContinuumStep<D>::solve(std::span<const Wall> walls, const PointSet& points, const Memory<D>& memory,
                               double dt) {
  const double density = parallel_max(static_cast<std::ptrdiff_t>(points.size()), [&](std::ptrdiff_t k) {
    const auto p = static_cast<std::size_t>(k);
    return points.mass[p] / points.volume[p];
  });
  const double h = grid_.lattice().width;
  StrainProblem<D> problem;
  problem.velocity = free_;
  problem.inverse_mass = inverse_mass_;
  problem.start_velocity = start_;
  problem.strain = rows_;
  problem.bodies = bodies_.bodies();
  problem.contacts = contacts_;
  problem.second = second_;
  problem.pressure = density * (gravity_ > 0 ? gravity_ : 1) * h * dt;
  problem.face = std::pow(h, D - 1);
  if (points.size() == 0) problem.pressure = 1;
  velocity_.resize(nodes_.size());
  Options options = options_.solver;
  constexpr int kFirstTry = 200;
  options.first_try = std::max(kFirstTry, 2 * memory.sweeps);
  options.threads = omp_get_max_threads();
  if (bodies_.size() > 0) options.tolerance = options_.tolerance_with_bodies;
  // Errors of steps at rest would add up to a creep, the shift of which is that of a flow.
  if (gravity_ > 0 && is_slow(walls, points, kSlow * options.tolerance * gravity_ * dt)) {
    options.fine_tolerance = kFine * options.tolerance;
    options.fine_sweeps = kFineSweeps;
    problem.start_velocity = {};
  }
  const Report report =
      options_.fluid.present()
          ? solve_with_fluid(problem, options)
          : continuum::solve(problem, {stress_, contact_impulse_, velocity_, bodies_.motion()}, options, workspace_);
  for (std::size_t i = 0; i < velocity_.size(); ++i) velocity_[i] = velocity_[target_[i]];
  return report;
}

/// Grains and fluid share the nodes: what moves the one drags the other.
template <int D>
void ContinuumStep<D>::start_fluid(std::span<const Wall> walls, const PointSet& points, Memory<D>& memory, double dt) {
  fluid_.begin(grid_, walls, nodes_, target_, options_.fluid, options_.max_fraction, dt, memory.fluid);
  const Vec<D> gravity = points.gravity.template head<D>();
  fluid_.start(nodes_, start_, walls, gravity, memory.dt > 0 ? dt / memory.dt : 0, bodies_, free_, inverse_mass_);
}

/// Pressure and viscosity of the fluid, and stresses of grains, in turn, until stresses need no sweep any more.
template <int D>
Report ContinuumStep<D>::solve_with_fluid(StrainProblem<D>& problem, const Options& options) {
  const auto sweep = [&](int most) {
    Options now = options;
    now.max_sweeps = most;
    problem.bodies = bodies_.bodies();
    const Report report =
        continuum::solve(problem, {stress_, contact_impulse_, velocity_, bodies_.motion()}, now, workspace_);
    fluid_.follow(velocity_);
    return report;
  };
  sweep(0);
  const double part = std::clamp(10 * options.tolerance, kFinestRound, kCoarsestRound);
  Report all;
  std::vector<Vec<D>> before;
  for (int round = 0; round < kRounds; ++round) {
    fluid_.relax(part, bodies_, free_, velocity_);
    const Report report = sweep(options.max_sweeps);
    all.status = report.status, all.error = report.error;
    all.sweeps += report.sweeps;
    all.fallbacks += report.fallbacks;
    if (report.sweeps == 0) break;
    if (problem.start_velocity.empty()) continue;
    before = velocity_;
    problem.start_velocity = before;
  }
  fluid_.relax(0.1 * part, bodies_, free_, velocity_);
  return all;
}

template <int D>
void ContinuumStep<D>::remember(std::span<const Wall> walls, const Report& report, double dt, Memory<D>& memory) const {
  memory.dt = dt;
  memory.sweeps = report.sweeps;
  memory.nodes.assign(grid_.nodes().begin(), grid_.nodes().end());
  memory.stress = stress_;
  if (options_.fluid.present()) fluid_.finish(memory.fluid);
  memory.contacts.clear();
  memory.contact_impulse.clear();
  for (std::size_t k = 0; k < walls_.rows().size(); ++k) {
    memory.contacts.push_back(key_of(walls_.rows()[k], walls));
    memory.contact_impulse.push_back(contacts_[k].frame.transpose() * contact_impulse_[k]);
  }
}

/// In the order of rows: one sum per wall, whatever the threads. A liquid has no rows with walls: pressures act on
/// them.
template <int D>
void ContinuumStep<D>::load_walls(std::span<const Wall> walls, std::span<WallLoad> loads) const {
  const auto rows = walls_.rows();
  for (std::size_t k = 0; k < rows.size(); ++k) {
    const Vec3 impulse = -in_space<D>(contacts_[k].frame.transpose() * contact_impulse_[k]);
    WallLoad& load = loads[rows[k].wall];
    load.impulse += impulse;
    load.moment += rows[k].arm.cross(impulse);
  }
  if (options_.fluid.present())
    fluid_.load_walls([&](std::uint32_t wall, const Vec3& impulse, const Vec3& place) {
      loads[wall].impulse += impulse;
      loads[wall].moment += walls[wall].arm(place).cross(impulse);
    });
  if (!liquid_) return;
  for (const Cover& cover : walls_.covers()) {
    const double p = options_.max_fraction * pressure<D>(stress_[cover.node]);
    WallLoad& load = loads[cover.wall];
    load.impulse += p * cover.area;
    load.moment +=
        p * cover.moment + walls[cover.wall].arm(in_space<D>(grid_.position(cover.node))).cross(p * cover.area);
  }
}

template <int D>
void ContinuumStep<D>::give_impulses(std::span<WallContact> contacts) const {
  const std::size_t rows = walls_.rows().size();
  for (std::size_t k = 0; k < contacts.size(); ++k)
    contacts[k].impulse = in_space<D>(contacts_[rows + k].frame.transpose() * contact_impulse_[rows + k]);
}

/// Finds the growth of free volume at nodes, and the resulting free volume.
template <int D>
void ContinuumStep<D>::find_expansion(double dt) {
  growth_.resize(rows_.size()), expansion_.resize(rows_.size());
#pragma omp parallel for schedule(static)
  for (std::size_t j = 0; j < rows_.size(); ++j) {
    double outflow = 0;
    for (int n = 0; n < kNeighbours<D>; ++n)
      if (rows_[j].node[n] != kNoNode) outflow += rows_[j].g[n].dot(velocity_[rows_[j].node[n]]);
    const double e = nodes_[j].expansion / nodes_[j].volume;
    growth_[j] = is_overfull(j) ? -e : std::max(-1.0, outflow * dt / nodes_[j].volume);
    expansion_[j] = std::max(0.0, e + growth_[j]);
  }
}

template <int D>
void ContinuumStep<D>::move_points(PointSet& points, double dt) {
  const std::span<const Vec<D>> u = velocity_;
  const auto cells = grid_.cells();
#pragma omp parallel for schedule(static)
  for (std::size_t c = 0; c < cells.size(); ++c)
    for (std::size_t k = cells[c].first; k < cells[c].last; ++k) {
      const std::size_t p = grid_.order()[k];
      const PointMotion<D> motion = motion_of<D>(grid_, cells[c], k, u);
      points.velocity[p].template head<D>() = motion.velocity;
      points.affine[p].template topLeftCorner<D, D>() = motion.gradient;
      points.position[p].template head<D>() += dt * motion.velocity;
      if (options_.fluid.present()) continue;
      double& e = points.expansion[p];
      e += value_of<D>(grid_, cells[c], k, growth_);
      e += kMixing * (value_of<D>(grid_, cells[c], k, expansion_) - e);
      e = std::clamp(e, kLeastExpansion, kMostExpansion);
    }
  if (options_.fluid.present()) dilate(points, dt);
  show(points);
}

/// Finds the packing of points of each cell by their memory.
template <int D>
void ContinuumStep<D>::find_packing(const PointSet& points) {
  const auto cells = grid_.cells();
  packing_.resize(cells.size());
#pragma omp parallel for schedule(static)
  for (std::size_t c = 0; c < cells.size(); ++c) {
    double solid = 0, space = 0;
    for (std::size_t k = cells[c].first; k < cells[c].last; ++k) {
      const std::size_t p = grid_.order()[k];
      solid += points.volume[p];
      space += points.volume[p] * (1 + points.expansion[p]);
    }
    packing_[c] = solid / space;
  }
}

/// In a fluid the free volume of points changes by the mean divergence of their cell, which its pressure keeps: counts
/// of points would tell of lumps, and lumps would sink.
template <int D>
void ContinuumStep<D>::dilate(PointSet& points, double dt) const {
  const auto cells = grid_.cells();
  const double part = dt / (grid_.lattice().width * kCorners<D> / 2);
  std::vector<double> pressure;
  fluid_.find_pressure(pressure);
#pragma omp parallel for schedule(static)
  for (std::size_t c = 0; c < cells.size(); ++c) {
    double growth = 0;
    for (int i = 0; i < kCorners<D>; ++i)
      for (int k = 0; k < D; ++k) growth += (i >> k & 1 ? part : -part) * velocity_[cells[c].node[i]][k];
    for (std::size_t k = cells[c].first; k < cells[c].last; ++k) {
      const std::size_t p = grid_.order()[k];
      points.expansion[p] =
          std::clamp((1 + points.expansion[p]) * (1 + growth) - 1, kLeastExpansion, kMostExpansionInFluid);
      points.pore_pressure[p] = value_of<D>(grid_, cells[c], k, pressure);
    }
  }
}

/// Finds solid fraction and phi p at nodes.
template <int D>
void ContinuumStep<D>::find_bulk(std::vector<double>& fraction, std::vector<double>& bulk) const {
  fraction.resize(nodes_.size()), bulk.resize(nodes_.size());
  const double cell = std::pow(grid_.lattice().width, D);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    const double free = full_[i] / options_.max_fraction;
    fraction[i] = nodes_[i].volume / std::max(free, 1e-3 * cell);
    bulk[i] = std::min(fraction[i], 1.0) * pressure<D>(stress_[i]) / dt_;
  }
  if (options_.fluid.present()) fluid_.find_fraction(fraction);
}

template <int D>
std::vector<GridImage> ContinuumStep<D>::images() const {
  if (nodes_.empty()) return {};
  const FrictionLaw& law = options_.friction;
  std::vector<double> fraction, bulk, shear(nodes_.size()), inertial(nodes_.size());
  find_bulk(fraction, bulk);
  for (std::size_t j = 0; j < nodes_.size(); ++j) {
    Stress<D> rate = Stress<D>::Zero();
    for (int n = 0; n < kNeighbours<D>; ++n)
      if (rows_[j].node[n] != kNoNode) rate += strain_rate<D>(rows_[j].g[n], velocity_[rows_[j].node[n]]);
    const NodeValues<D>& node = nodes_[j];
    shear[j] = 2 * rate.template tail<kStress<D> - 1>().norm() / node.volume;
    inertial[j] = law.inertial(shear[j], bulk[j], node.mass / node.volume, node.force.norm() / node.mass);
  }
  NodeImage<D> image(grid_);
  image.add("solid_fraction", "", fraction);
  image.add("pressure", "Pa", bulk);
  image.add("velocity", "m/s", std::span<const Vec<D>>(velocity_));
  image.add("shear_rate", "1/s", shear);
  if (law.depends_on_rate()) image.add("inertial_number", "", inertial);
  return {image.take()};
}

/// Sets columns for pictures: bulk pressure phi p, fraction, and 2 |Dev D(u)|.
template <int D>
void ContinuumStep<D>::show(PointSet& points) const {
  std::vector<double> fraction, bulk;
  find_bulk(fraction, bulk);
  const auto cells = grid_.cells();
#pragma omp parallel for schedule(static)
  for (std::size_t c = 0; c < cells.size(); ++c)
    for (std::size_t k = cells[c].first; k < cells[c].last; ++k) {
      const std::size_t p = grid_.order()[k];
      points.pressure[p] = value_of<D>(grid_, cells[c], k, bulk);
      points.solid_fraction[p] = value_of<D>(grid_, cells[c], k, fraction);
      const Stress<D> rate = to_cone(Mat<D>(points.affine[p].template topLeftCorner<D, D>()));
      points.shear_rate[p] = 2 * rate.template tail<kStress<D> - 1>().norm();
    }
}

template class ContinuumStep<2>;
template class ContinuumStep<3>;

}  // namespace scree::continuum
