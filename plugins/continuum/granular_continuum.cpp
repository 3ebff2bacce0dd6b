#include "granular_continuum.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "check_scene.hpp"
#include "material_point.hpp"
#include "scene_warnings.hpp"
#include "scree/base/error.hpp"
#include "scree/base/parallel.hpp"
#include "scree/law/cone_face.hpp"
#include "solvers/rigid_rows.hpp"

namespace scree::continuum {

namespace {

/// Names in metrics.csv; a column with "_total" counts from the beginning of the run.
constexpr const char *kSweeps = "solver_sweeps", *kResidual = "solver_residual", *kFallbacks = "solver_fallbacks_total",
                     *kUnconverged = "solver_unconverged_steps_total", *kInARow = "solver_unconverged_steps_in_a_row",
                     *kFraction = "fraction_max", *kCourant = "courant", *kPoints = "continuum_points",
                     *kNodes = "grid_nodes", *kPore = "pore_pressure_max_Pa", *kFluidIterations = "fluid_iterations";

/// A substep takes no point farther than so many cells: shape functions must be those of where it is.
constexpr double kFarthest = 0.5;
/// In place of a wall's number: the row is a point.
constexpr std::uint32_t kPoint = WallContact::kNobody - 1;

/// Number of cells beyond which a displacement in a whole step is an error.
constexpr double kLost = 20;

/// Parameters of contacts among bodies. A fifth of an overlap goes in a step, and gaps up to this part of a cell count
/// as none. Gaps that may close are contacts up to at least that part of the smallest body's radius. Detectors that
/// search the deepest place of a region see gaps that are closer to each other as one.
constexpr double kDriftRate = 0.2, kContactSlop = 1e-4, kMarginRatio = 0.02;

void add(WallLoad& load, const Vec3& arm, const Vec3& impulse) {
  load.impulse += impulse;
  load.moment += arm.cross(impulse);
}

}  // namespace

IntegratorTraits GranularContinuum::traits() const {
  IntegratorTraits traits;
  traits.face = ConeFace::kName;
  traits.looks_ahead = true;
  traits.margin_ratio = kMarginRatio;
  return traits;
}

const void* GranularContinuum::face(std::string_view name) const noexcept {
  return name == MaterialPoint::kFace ? this : nullptr;
}

void GranularContinuum::columns(World& world) {
  check_scene(world, options_);
  check_start(world, options_);
  if (world.dimension() == 2)
    part_.emplace<Part<2>>(options_.step);
  else
    part_.emplace<Part<3>>(options_.step);
  for (const char* name : {kSweeps, kResidual, kFallbacks, kUnconverged, kInARow, kFraction, kCourant, kPoints, kNodes})
    world.metric(name);
  affine_ = world.column<Mat3>("affine", "1/s", false);
  specific_volume_ = world.column<double>("specific_volume", "", false);
  pressure_ = world.column<double>("pressure", "Pa");
  shear_rate_ = world.column<double>("shear_rate", "1/s");
  grains_.begin(world);
  solid_fraction_ = world.column<double>("solid_fraction", "");
  if (!options_.step.fluid.present()) return;
  world.metric(kPore);
  world.metric(kFluidIterations);
  pore_pressure_ = world.column<double>("pore_pressure", "Pa");
}

std::vector<std::byte> GranularContinuum::save() const {
  if (const auto* const part = std::get_if<Part<2>>(&part_)) return part->memory.save();
  if (const auto* const part = std::get_if<Part<3>>(&part_)) return part->memory.save();
  return {};
}

void GranularContinuum::load(const std::vector<std::byte>& state) {
  if (auto* const part = std::get_if<Part<2>>(&part_)) part->memory.load(state);
  if (auto* const part = std::get_if<Part<3>>(&part_)) part->memory.load(state);
}

std::vector<GridImage> GranularContinuum::grid_images() const {
  if (const auto* const part = std::get_if<Part<2>>(&part_)) return part->step.images();
  if (const auto* const part = std::get_if<Part<3>>(&part_)) return part->step.images();
  return {};
}

std::vector<SceneWarning> GranularContinuum::warnings(const World& world, const Vec3& gravity, double dt) const {
  return warnings_of(world, options_, gravity, dt);
}

void GranularContinuum::step(Mechanics& mechanics, double dt) {
  World& world = mechanics.world();
  ImpulseProblem& impulses = ability<ImpulseProblem>(mechanics);
  if (world.cell.deforms())
    throw NumericalError(
        "granular-continuum: the periodic cell deforms, and its grid does not. Remove what deforms it.");
  world.move_prescribed(world.time);
  find_walls(world);
  if (auto* const part = std::get_if<Part<2>>(&part_)) step<2>(*part, world, impulses, dt);
  if (auto* const part = std::get_if<Part<3>>(&part_)) step<3>(*part, world, impulses, dt);
  world.move_prescribed(world.time + dt);
  mechanics.commit();
}

template <int D>
void GranularContinuum::step(Part<D>& part, World& world, ImpulseProblem& impulses, double dt) {
  // Forces are those of the whole step; contacts of bodies are looked for in each part of it.
  auto contacts = impulses.contacts(dt);
  take_points(world, impulses.external());
  match_grains(world);
  const int steps = substeps(world, dt);
  const double part_of_dt = dt / steps;
  loads_.assign(walls_.size(), {});
  contact_loads_.assign(walls_.size(), {});
  StepReport all;
  for (int s = 0; s < steps; ++s) {
    const double time = world.time + s * part_of_dt;
    world.move_prescribed(time);
    world.prescribe_velocities(time + part_of_dt / 2);  // the mean of the substep
    if (bodies_) contacts = impulses.contacts(part_of_dt);
    place_walls(world, impulses.external());
    take_contacts(contacts, part_of_dt);
    const std::vector<Vec3> from = grains_.present() ? points_.position : std::vector<Vec3>();
    try {
      const StepReport one = part.step.advance(lattice<D>(world, part.memory), walls_, contacts_, part_of_dt, points_,
                                               part.memory, loads_);
      const bool worse = one.solver.status != Status::solved && all.solver.status == Status::solved;
      if (s == 0 || worse) all.solver.status = one.solver.status;
      all.solver.error = std::max(all.solver.error, one.solver.error);
      all.solver.sweeps += one.solver.sweeps;
      all.solver.fallbacks += one.solver.fallbacks;
      all.fraction_max = one.fraction_max;
      all.nodes = one.nodes;
      all.fluid_iterations += one.fluid_iterations;
    } catch (const PointOffGrid& lost) {
      report_lost(world, lost.row, dt);
    } catch (const FluidIsShutIn&) {
      throw NumericalError(fmt::format(
          "step {} (time {:.6g} s): walls that move take room from the fluid, which is shut in by walls on all sides "
          "and cannot leave. Leave an opening between walls, or let them keep the volume.",
          world.step + 1, time));
    }
    grains_.follow(world, from, points_, walls_, options_.step.max_fraction, part_of_dt);
    book_contacts();
    if (s + 1 == steps) accept(impulses, part_of_dt);
    give_bodies(world);
  }
  give_points(world);
  load_walls(world, dt, steps);
  book(world, dt, steps, all);
}

/// Contacts of bodies with each other and with walls, as the solver takes them.
void GranularContinuum::take_contacts(std::span<const ConeContact> contacts, double dt) {
  const coulomb::DriftControl drift{kDriftRate, kContactSlop * options_.cell};
  contacts_.clear();
  for (const ConeContact& c : contacts)
    contacts_.push_back({wall_of_[c.a], wall_of_[c.b], c.normal, c.arm_a, c.arm_b, c.imposed,
                         coulomb::normal_bound(c, drift, dt).velocity, c.friction, c.impulse});
}

/// Records the forces between walls in a part of the step.
void GranularContinuum::book_contacts() {
  last_loads_.assign(walls_.size(), {});
  for (const WallContact& c : contacts_) {
    if (c.a != WallContact::kNobody) add(last_loads_[c.a], c.arm_a, -c.impulse);
    if (c.b != WallContact::kNobody) add(last_loads_[c.b], c.arm_b, c.impulse);
  }
  for (std::size_t w = 0; w < walls_.size(); ++w) {
    contact_loads_[w].impulse += last_loads_[w].impulse;
    contact_loads_[w].moment += last_loads_[w].moment;
  }
}

void GranularContinuum::accept(ImpulseProblem& problem, double dt) const {
  std::vector<Vec3> impulses;
  impulses.reserve(contacts_.size());
  for (const WallContact& c : contacts_) impulses.push_back(c.impulse);
  problem.accept(impulses, dt);
}

/// Returns place and motion of free walls to the World.
void GranularContinuum::give_bodies(World& world) const {
  if (!bodies_) return;
  const auto x = world.position.write(), v = world.velocity.write(), omega = world.angular_velocity.write();
  const auto q = world.orientation.write();
  for (const Wall& wall : walls_) {
    if (!wall.free()) continue;
    x[wall.row] = wall.centre;
    v[wall.row] = wall.velocity;
    omega[wall.row] = wall.angular_velocity;
    q[wall.row] = wall.orientation;
  }
}

/// Points into columns of their own, with what acts on them.
void GranularContinuum::take_points(World& world, const Wrenches& external) {
  rows_.clear();
  for (std::uint32_t i = 0; i < world.size(); ++i)
    if (wall_of_[i] == kPoint) rows_.push_back(i);
  points_.resize(rows_.size());
  const auto id = world.id.read();
  const auto x = world.position.read(), v = world.velocity.read();
  const auto mass = world.mass.read();
  const auto material = world.material.read();
  const auto affine = affine_.read();
  const auto shape = world.shape.read();
  const auto space = specific_volume_.read();
  const auto pressure = pressure_.read(), shear_rate = shear_rate_.read();
  parallel_for(static_cast<std::ptrdiff_t>(rows_.size()), [&](std::ptrdiff_t k) {
    const auto p = static_cast<std::size_t>(k);
    const std::uint32_t i = rows_[p];
    points_.id[p] = id[i];
    points_.position[p] = x[i];
    points_.velocity[p] = v[i];
    points_.affine[p] = affine[i];
    points_.mass[p] = mass[i];
    points_.volume[p] = mass[i] / world.materials()[material[i]].density;
    points_.force[p] = external.force[i];
    points_.expansion[p] =
        space[i] > 0 ? space[i] - 1
                     : options_.step.max_fraction / material_point(*world.shapes()[shape[i]].shape)->fraction() - 1;
    points_.pressure[p] = pressure[i];
    points_.shear_rate[p] = shear_rate[i];
  });
  if (options_.step.fluid.present()) soak_points();
}

/// Points in a fluid are lighter by it.
void GranularContinuum::soak_points() {
  const double density = options_.step.fluid.density;
  points_.gravity = points_.size() > 0 ? Vec3(points_.force[0] / points_.mass[0]) : Vec3(Vec3::Zero());
  parallel_for(static_cast<std::ptrdiff_t>(rows_.size()), [&](std::ptrdiff_t k) {
    const auto p = static_cast<std::size_t>(k);
    points_.force[p] *= 1 - density * points_.volume[p] / points_.mass[p];
  });
}

void GranularContinuum::give_points(World& world) {
  const auto x = world.position.write(), v = world.velocity.write();
  const auto affine = affine_.write();
  const auto space = specific_volume_.write();
  const auto pressure = pressure_.write(), shear_rate = shear_rate_.write(), fraction = solid_fraction_.write();
  parallel_for(static_cast<std::ptrdiff_t>(rows_.size()), [&](std::ptrdiff_t k) {
    const auto p = static_cast<std::size_t>(k);
    const std::uint32_t i = rows_[p];
    x[i] = points_.position[p];
    v[i] = points_.velocity[p];
    affine[i] = points_.affine[p];
    space[i] = 1 + points_.expansion[p];
    pressure[i] = points_.pressure[p];
    shear_rate[i] = points_.shear_rate[p];
    fraction[i] = points_.solid_fraction[p];
  });
  if (!options_.step.fluid.present()) return;
  const auto pore_pressure = pore_pressure_.write();
  for (std::size_t p = 0; p < rows_.size(); ++p) pore_pressure[rows_[p]] = points_.pore_pressure[p];
  world.metric(kPore) = points_.pore_pressure.empty() ? 0 : std::ranges::max(points_.pore_pressure);
}

/// When points came, went or changed their order.
void GranularContinuum::match_grains(World& world) {
  if (grains_of_ == world.layout_version()) return;
  grains_.match(world, rows_);
  grains_of_ = world.layout_version();
}

/// Walls by ascending id: their order must not depend on that of rows.
void GranularContinuum::find_walls(World& world) {
  if (walls_of_ == world.layout_version()) return;
  if (walls_of_ != 0) {
    try {
      check_scene(world, options_);
    } catch (const OptionError& e) {
      throw NumericalError(fmt::format("a body came during the run and cannot take part: {}", e.what()));
    }
  }
  walls_of_ = world.layout_version();
  const std::vector<Wall> before = std::move(walls_);
  walls_.clear();
  bodies_ = false;
  wall_of_.assign(world.size(), WallContact::kNobody);
  for (std::uint32_t i = 0; i < world.size(); ++i) {
    if (is_point(world, i)) wall_of_[i] = kPoint;
    if (!is_wall(world, i)) continue;
    Wall wall = wall_of(world, i);
    const std::string& material = world.materials()[world.material[i]].name;
    const auto boundary = std::ranges::find(options_.boundaries, material, &Boundary::material);
    wall.friction = boundary != options_.boundaries.end() ? boundary->friction : options_.step.friction.at_rest;
    if (const auto belt = world.surface_velocities().find(wall.body); belt != world.surface_velocities().end())
      wall.surface_velocity = belt->second;
    bodies_ = bodies_ || wall.free();
    walls_.push_back(wall);
  }
  std::ranges::sort(walls_, {}, &Wall::body);
  for (std::uint32_t w = 0; w < walls_.size(); ++w) wall_of_[walls_[w].row] = w;
  const auto same = [](const Wall& one, const Wall& other) {
    return one.body == other.body && one.fixed == other.fixed;
  };
  if (std::ranges::equal(walls_, before, same)) return;
  if (auto* const part = std::get_if<Part<2>>(&part_)) part->step.forget_walls();
  if (auto* const part = std::get_if<Part<3>>(&part_)) part->step.forget_walls();
}

void GranularContinuum::place_walls(const World& world, const Wrenches& external) {
  for (Wall& wall : walls_) {
    place(world, wall);
    if (wall.free()) wall.freedom.external = external[wall.row];
  }
}

/// A fixed wall that is flat and along the axes lies on lines of the lattice, the lower one of a pair: then nothing of
/// it is a matter of how finely its edge is sampled. Chosen once.
template <int D>
Lattice<D> GranularContinuum::lattice(const World& world, Memory<D>& memory) const {
  Lattice<D> lattice{memory.origin, options_.cell, {}};
  for (int k = 0; k < D; ++k)
    if (world.cell.periodic(k)) lattice.period[k] = static_cast<int>(std::lround(world.cell.length(k) / options_.cell));
  if (memory.placed || points_.size() == 0) return lattice;
  Vec3 low = points_.position[0], high = low;
  for (const Vec3& x : points_.position) low = low.cwiseMin(x), high = high.cwiseMax(x);
  const Vec3 middle = 0.5 * (low + high);
  std::array<bool, 3> lower{}, set{};
  for (const Wall& wall : walls_) {
    if (!wall.fixed || !wall.faces) continue;
    for (int face = 0; face < wall.face_count(); ++face) {
      double distance = 0;
      Vec3 normal;
      wall.see(face, {&middle, 1}, {&distance, 1}, {&normal, 1});
      for (int k = 0; k < D; ++k) {
        if (std::abs(normal[k]) < 1 - 1e-12 || !(distance > 0) || lower[k] || (set[k] && normal[k] < 0)) continue;
        memory.origin[k] = middle[k] - distance * normal[k];
        set[k] = true;
        lower[k] = normal[k] > 0;
      }
    }
  }
  for (int k = 0; k < D; ++k)
    if (world.cell.periodic(k)) memory.origin[k] = world.cell.lower[k];
  memory.placed = true;
  lattice.origin = memory.origin;
  return lattice;
}

int GranularContinuum::substeps(const World& world, double dt) const {
  const auto way = [&](std::size_t p) { return points_.velocity[p].norm() * dt / options_.cell; };
  const double farthest = parallel_max(static_cast<std::ptrdiff_t>(points_.size()),
                                       [&](std::ptrdiff_t p) { return way(static_cast<std::size_t>(p)); });
  double farthest_body = 0;
  for (const Wall& wall : walls_) {
    if (!wall.free()) continue;
    const double speed = world.velocity[wall.row].norm() + wall.radius * world.angular_velocity[wall.row].norm();
    farthest_body = std::max(farthest_body, speed * dt / options_.cell);
    if (farthest_body > kLost) report_fast_body(world, wall, farthest_body);
  }
  if (farthest <= kLost) return std::max(1, static_cast<int>(std::ceil(std::max(farthest, farthest_body) / kFarthest)));
  std::size_t fastest = 0;
  for (std::size_t p = 0; p < points_.size(); ++p)
    if (way(p) > way(fastest) || (way(p) == way(fastest) && points_.id[p] < points_.id[fastest])) fastest = p;
  const Vec3 &x = points_.position[fastest], &v = points_.velocity[fastest];
  throw NumericalError(fmt::format(
      "step {} (time {:.6g} s): point {} at ({:.6g}, {:.6g}, {:.6g}) m has a velocity of ({:.6g}, {:.6g}, {:.6g}) m/s, "
      "{:.3g} cells per step; more than {:g} are surely a mistake. Lower /integrator/dt, or look for walls that crush.",
      world.step + 1, world.time, points_.id[fastest], x[0], x[1], x[2], v[0], v[1], v[2], way(fastest), kLost));
}

void GranularContinuum::report_fast_body(const World& world, const Wall& body, double cells) const {
  const Vec3 &x = world.position[body.row], &v = world.velocity[body.row], &w = world.angular_velocity[body.row];
  throw NumericalError(fmt::format(
      "step {} (time {:.6g} s): body {} at ({:.6g}, {:.6g}, {:.6g}) m has a velocity of ({:.6g}, {:.6g}, {:.6g}) m/s "
      "and "
      "an angular velocity of ({:.6g}, {:.6g}, {:.6g}) rad/s: its rim goes {:.3g} cells per step, and more than {:g} "
      "are "
      "surely a mistake. Lower /integrator/dt, or its speed.",
      world.step + 1, world.time, body.body, x[0], x[1], x[2], v[0], v[1], v[2], w[0], w[1], w[2], cells, kLost));
}

void GranularContinuum::report_lost(const World& world, std::size_t point, double dt) const {
  const Vec3 &x = points_.position[point], &v = points_.velocity[point];
  throw NumericalError(fmt::format(
      "step {} (time {:.6g} s): point {} has left what the grid can reach: position ({:.6g}, {:.6g}, {:.6g}) "
      "m, velocity ({:.6g}, {:.6g}, {:.6g}) m/s. Close the walls, or take points out with an outlet.",
      world.step + 1, world.time + dt, points_.id[point], x[0], x[1], x[2], v[0], v[1], v[2]));
}

/// Forces that metrics and pictures show [N], as impulse per time. Mechanics has added what bodies did to each other in
/// the last part of the step: what is shown is the mean over all of it.
void GranularContinuum::load_walls(World& world, double dt, int steps) {
  const auto force = world.column<Vec3>("force", "N").write(), torque = world.column<Vec3>("torque", "N m").write();
  for (std::size_t w = 0; w < walls_.size(); ++w) {
    Vec3 &f = force[walls_[w].row], &t = torque[walls_[w].row];
    f += loads_[w].impulse / dt;
    t += loads_[w].moment / dt;
    if (steps == 1) continue;
    f += (contact_loads_[w].impulse - steps * last_loads_[w].impulse) / dt;
    t += (contact_loads_[w].moment - steps * last_loads_[w].moment) / dt;
  }
}

void GranularContinuum::book(World& world, double dt, int steps, const StepReport& report) {
  const bool solved = report.solver.status == Status::solved;
  world.metric(kSweeps) = report.solver.sweeps;
  world.metric(kResidual) = report.solver.error;
  world.metric(kFallbacks) += report.solver.fallbacks;
  world.metric(kUnconverged) += solved ? 0 : 1;
  double& in_a_row = world.metric(kInARow);
  in_a_row = solved ? 0 : in_a_row + 1;
  world.metric(kFraction) = report.fraction_max;
  world.metric(kCourant) = parallel_max(static_cast<std::ptrdiff_t>(points_.size()), [&](std::ptrdiff_t p) {
    return points_.velocity[static_cast<std::size_t>(p)].norm() * dt / steps / options_.cell;
  });
  world.metric(kPoints) = static_cast<double>(points_.size());
  world.metric(kNodes) = static_cast<double>(report.nodes);
  if (options_.step.fluid.present()) world.metric(kFluidIterations) = report.fluid_iterations;
  if (options_.most_unconverged == 0 || in_a_row <= options_.most_unconverged) return;
  throw NumericalError(fmt::format(
      "step {} (time {:.6g} s): the stresses have not converged for {:.0f} steps in a row; {}", world.step + 1,
      world.time, in_a_row,
      report.solver.status == Status::stalled
          ? std::string(
                "no stresses can keep the grains apart (walls that close on them?). Keep walls from closing on "
                "grains that cannot give way, or accept it with a larger \"max_unconverged_steps\"; 0 means any "
                "number of steps.")
          : fmt::format("residual {:.3g} after {} sweeps, asked is {:.3g}. Raise /integrator/max_sweeps, lower "
                        "/integrator/dt, or accept it with a larger /integrator/tolerance or "
                        "\"max_unconverged_steps\": 0.",
                        report.solver.error, report.solver.sweeps, options_.step.solver.tolerance)));
}

}  // namespace scree::continuum
