#include "scene_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>

#include "check_scene.hpp"
#include "material_point.hpp"

namespace scree::continuum {

namespace {

/// Extent and density of the points, as the scene has them at first.
struct Matter {
  double thickness = 0;  ///< shortest edge of a box around them, along axes that do not repeat [m]
  double density = 0;    ///< density of the bulk where it is densest, the lightest of them [kg/m^3]
};

Matter matter_of(const World& world, const ContinuumOptions& options) {
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  Matter matter{0, std::numeric_limits<double>::infinity()};
  for (std::size_t i = 0; i < world.size(); ++i) {
    if (!is_point(world, i)) continue;
    const Vec3 half = Vec3::Constant(world.radius[i]), x = world.position[i];
    low = low.cwiseMin(x - half), high = high.cwiseMax(x + half);
    matter.density = std::min(matter.density, options.step.max_fraction * world.materials()[world.material[i]].density);
  }
  double thickness = std::numeric_limits<double>::infinity();
  for (int k = 0; k < world.dimension(); ++k)
    if (!world.cell.periodic(k)) thickness = std::min(thickness, high[k] - low[k]);
  if (std::isfinite(thickness)) matter.thickness = thickness;
  return matter;
}

/// Returns the tolerance of steps, which is different if bodies move freely [-].
double tolerance_of(const World& world, const ContinuumOptions& options) {
  for (std::size_t i = 0; i < world.size(); ++i)
    if (is_wall(world, i) && world.inverse_mass[i] > 0) return options.step.tolerance_with_bodies;
  return options.step.solver.tolerance;
}

/// \return the number with so many digits that is no larger: what is advised must be enough
double rounded_down(double value, int digits) {
  const double unit = std::pow(10., std::floor(std::log10(value)) - digits + 1);
  return std::floor(value / unit * (1 + 1e-9)) * unit;
}

/// Returns the speed of viscous matter of this thickness under a quarter of its weight along a plane, at most the speed
/// of its fall [m/s]. \param nu  kinematic viscosity [m^2/s]
double speed_of_flow(double thickness, double gravity, double nu) {
  return std::min(std::sqrt(gravity * thickness), 0.25 * gravity * thickness * thickness / (2 * nu));
}

/// Returns the error that the tolerance allows in velocities of viscous matter, as means over a row of cells [m/s].
/// Shear by an error of the stress adds up over a layer's cells. Measured on layers of 12 and 24 cells: 0.06 to 0.12;
/// single points 0.5.
double slack(double tolerance, double gravity, double dt, double cells) {
  return 0.1 * tolerance * gravity * dt * cells * cells;
}

void warn_of_viscosity(const World& world, const ContinuumOptions& options, double gravity, double dt,
                       std::vector<SceneWarning>& warnings) {
  constexpr double kAllowed = 0.02;  // of the velocity
  const Matter matter = matter_of(world, options);
  if (options.step.viscosity == 0 || gravity == 0 || matter.thickness == 0) return;
  const double cells = matter.thickness / options.cell, tolerance = tolerance_of(world, options);
  const double u = speed_of_flow(matter.thickness, gravity, options.step.viscosity / matter.density);
  const bool slow = u < kSlow * tolerance * gravity * dt;
  const double open = slack(slow ? kFine * tolerance : tolerance, gravity, dt, cells);
  if (open <= kAllowed * u) return;
  warnings.push_back(
      {"/tolerance",
       fmt::format("{:.3g} lets velocities be off by about {:.2g} m/s, {:.2g} % of the {:.2g} m/s that matter {:.3g} m "
                   "thick with a viscosity of {:.4g} Pa s may flow at, and those of single points by more. Lower it to "
                   "{:.3g} or less, or make /integrator/dt shorter in proportion.",
                   tolerance, open, 100 * open / u, u, matter.thickness, options.step.viscosity,
                   rounded_down(tolerance * kAllowed * u / open, 1))});
}

/// No motion takes a place of a body faster [m/s]. \param reach  of the body about its centre [m]
double fastest(const std::vector<Motion>& motions, double reach) {
  double speed = 0;
  for (const Motion& m : motions) {
    speed += m.velocity.norm() + 2 * std::numbers::pi * m.frequency * m.amplitude.norm();
    speed += reach * m.angular_velocity.norm();
    double row = 0;
    for (const MotionRow& v : m.velocities) row = std::max(row, v.value.norm());
    for (std::size_t k = 1; k < m.displacements.size(); ++k) {
      const MotionRow &from = m.displacements[k - 1], &to = m.displacements[k];
      if (to.time > from.time) row = std::max(row, (to.value - from.value).norm() / (to.time - from.time));
    }
    speed += row;
  }
  return speed;
}

/// Walls that move, beside what was measured of one that is pushed into sand: at 1 to 200 mm/s, steps of 0.2 to 160 ms,
/// tolerances of 1e-4 to 5e-2 and cells of 8 mm it met its load in all runs in which it went a cell per step at most,
/// and at least 20 times the creep that the tolerance allows, tol g dt. With 10 times that the load came half a cell
/// late, and with two cells per step half of it was lost.
void warn_of_walls(const World& world, const ContinuumOptions& options, double gravity, double dt,
                   std::vector<SceneWarning>& warnings) {
  constexpr double kMostCells = 1, kCreeps = 20;
  const double tolerance = tolerance_of(world, options), creep = tolerance * gravity * dt;
  std::set<std::uint32_t> told;
  for (const auto& [id, entry] : world.prescribed()) {
    const std::size_t row = *world.row(id);
    if (!is_wall(world, row) || told.contains(world.group[row])) continue;
    const double reach = std::isfinite(world.radius[row]) ? double(world.radius[row]) : options.cell;
    const double speed = fastest(entry.motions, reach);
    const std::string& name = world.group_names[world.group[row]];
    if (speed * dt > kMostCells * options.cell)
      warnings.push_back(
          {"/dt", fmt::format("\"{}\" goes up to {:.3g} cells per step: a wall that is to feel the grains "
                              "goes one at most. Lower it to {:.3g} s or less.",
                              name, speed * dt / options.cell, rounded_down(kMostCells * options.cell / speed, 2))});
    else if (speed > 0 && speed < kCreeps * creep)
      warnings.push_back(
          {"/tolerance",
           fmt::format("\"{}\" moves at {:.3g} m/s at most, and steps to {:.3g} leave grains a creep of "
                       "about {:.2g} m/s: it meets its load late. Lower the tolerance to {:.3g} or less, "
                       "or make /integrator/dt shorter in proportion.",
                       name, speed, tolerance, creep, rounded_down(speed / (kCreeps * gravity * dt), 1))});
    else
      continue;
    told.insert(world.group[row]);
  }
}

/// Three times as heavy as the bed, a disc sank to 0.7 of its radius with a tolerance of 1e-3, to 0.9 with 1e-4.
void warn_of_bodies(const World& world, const ContinuumOptions& options, std::vector<SceneWarning>& warnings) {
  constexpr double kMost = 1e-4;
  if (options.step.tolerance_with_bodies <= kMost) return;
  for (std::size_t i = 0; i < world.size(); ++i) {
    if (!is_wall(world, i) || !(world.inverse_mass[i] > 0)) continue;
    warnings.push_back(
        {"/tolerance", fmt::format("{:.3g} holds bodies such as \"{}\" up: they sink less deep than they "
                                   "should. Lower it to {:.3g}, which is the default with rigid bodies.",
                                   options.step.tolerance_with_bodies, world.group_names[world.group[i]], kMost)});
    return;
  }
}

/// The weight of grains in a fluid is explicit: a step must be shorter than what moves a surface of the suspension by a
/// cell. A prototype of the method, with a suspension of 0.5 in cells of 1 mm: at two thirds of it 1 % too fast, at
/// twice 13 %.
void warn_of_fluid(const World& world, const ContinuumOptions& options, double gravity, double dt,
                   std::vector<SceneWarning>& warnings) {
  if (!options.step.fluid.present() || gravity == 0) return;
  double jump = 0;  // of the density at a surface
  for (std::size_t i = 0; i < world.size(); ++i)
    if (is_point(world, i))
      jump = std::max(jump, material_point(*world.shapes()[world.shape[i]].shape)->fraction() *
                                (world.materials()[world.material[i]].density - options.step.fluid.density));
  if (jump == 0) return;
  const double longest = std::sqrt(options.cell * (options.step.fluid.density + jump) / (gravity * jump));
  if (dt <= longest) return;
  warnings.push_back({"/dt", fmt::format("{:.3g} s is longer than the {:.2g} s in which the surface of grains in this "
                                         "fluid falls by a cell: suspensions sink too fast. Lower it to {:.2g} s or "
                                         "less, or take larger cells.",
                                         dt, longest, 0.7 * longest)});
}

}  // namespace

std::vector<SceneWarning> warnings_of(const World& world, const ContinuumOptions& options, const Vec3& gravity,
                                      double dt) {
  std::vector<SceneWarning> warnings;
  warn_of_viscosity(world, options, gravity.norm(), dt, warnings);
  warn_of_walls(world, options, gravity.norm(), dt, warnings);
  warn_of_bodies(world, options, warnings);
  warn_of_fluid(world, options, gravity.norm(), dt, warnings);
  return warnings;
}

}  // namespace scree::continuum
