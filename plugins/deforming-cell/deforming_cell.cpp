#include "deforming_cell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "motion.hpp"
#include "scree/base/error.hpp"

namespace scree::deforming_cell {

namespace {

/// Largest rate by default: of an inertial number of 0.1, below which flow is slow against the fall of a grain under
/// the pressure.
constexpr double kInertialNumber = 0.1;

/// Inertial number of a rate of shear or compression: rate diameter sqrt(density/pressure).
double inertial_number(const Grains& grains, double rate, double pressure) {
  return pressure > 0 ? rate * grains.diameter * std::sqrt(grains.density / pressure) : 0;
}

Mat3 symmetric(const Mat3& m) { return 0.5 * (m + m.transpose()); }

}  // namespace

void DeformingCell::begin(World& world) {
  if (world.metrics().contains("solver_infeasible"))
    throw OptionError("",
                      "deforming-cell: contacts of this integrator have no stiffness, so that their stress does not "
                      "follow strain. Take contacts with springs and an integrator such as velocity-verlet.");
  for (int k = 0; k < world.dimension(); ++k)
    if (!world.cell.periodic(k))
      throw OptionError("", fmt::format("deforming-cell: the scene is not periodic along {0}, and a stress needs a "
                                        "volume. Give /periodic/{0}, the places of the two sides [m].",
                                        "xyz"[k]));
  check_components(world);
  for (const Wanted& stress : set_.stresses) largest_target_ = std::max(largest_target_, std::abs(stress.value));
  max_rate_ = set_.stresses.empty() ? 0 : largest_rate(world);
  show(world, Mat3::Zero(), Mat3::Zero());
}

void DeformingCell::check_components(const World& world) const {
  const auto refuse = [](const char* option, const Wanted& wanted) {
    throw OptionError(fmt::format("/{}/{}", option, wanted.component.name),
                      "deforming-cell: a scene in 2 dimensions has the components xx, yy and xy. Remove this one.");
  };
  if (world.dimension() == 3) return;
  for (const Wanted& rate : set_.rates)
    if (rate.component.column == 2) refuse("strain_rate", rate);
  for (const Wanted& stress : set_.stresses)
    if (stress.component.column == 2) refuse("stress", stress);
}

/// Returns the volume of the cell [m^3].
double DeformingCell::volume_of(const World& world) const {
  return world.cell.volume() * (world.dimension() == 2 ? set_.thickness : 1);
}

double DeformingCell::largest_rate(const World& world) const {
  if (set_.max_rate) return *set_.max_rate;
  const double pressure = largest_target_ * (world.dimension() == 2 ? set_.thickness : 1);
  const Grains grains = grains_of(world);
  if (pressure == 0 || grains.diameter == 0)
    throw OptionError("/max_strain_rate",
                      "deforming-cell: nothing says how fast the cell may strain, as no stress is above 0 or no body "
                      "moves freely. Give a rate [1/s].");
  return kInertialNumber * std::sqrt(pressure / grains.density) / grains.diameter;
}

/// Returns L: given rates, and answers to stresses. The viscosity is four times what the stiffness of the contacts in
/// an interval, and twice their dashpots, allow: half of either alone would be the limit of stability.
Mat3 DeformingCell::wanted_gradient(const World& world, const Content& content) {
  const double volume = volume_of(world);
  Mat3 gradient = Mat3::Zero();
  for (const Wanted& rate : set_.rates) gradient(rate.component.row, rate.component.column) = rate.value;
  // Means over a strain of kMemory: if stiffness and pressure rose together, the mean pressure would not be the target.
  constexpr double kMemory = 0.1;
  const double part = state_.stiffness == 0 ? 1 : std::min(1.0, set_.interval * max_rate_ / kMemory);
  state_.stiffness += part * (content.stiffness / volume - state_.stiffness);
  state_.damping += part * (content.damping / volume - state_.damping);
  const double viscosity = set_.viscosity.value_or(4 * (state_.stiffness * set_.interval + 2 * state_.damping));
  const Mat3 stress = symmetric(content.virial) / volume;
  for (const Wanted& wanted : set_.stresses) {
    const auto [name, row, column] = wanted.component;
    gradient(row, column) = answer(wanted, stress(row, column) - wanted.value, viscosity);
  }
  return gradient;
}

/// Returns the rate that answers a stress. Its steady part is the integral of the rest over a time in which the content
/// yields often, from when the stress is near its target. \param excess  stress beyond the target [Pa]
double DeformingCell::answer(const Wanted& stress, double excess, double viscosity) {
  double& steady = state_.steady(stress.component.row, stress.component.column);
  if (viscosity == 0) return excess == 0 ? 0 : std::copysign(max_rate_, excess);
  const double rate = excess / viscosity;
  if (std::abs(rate + steady) < max_rate_)
    steady += std::min(1.0, set_.interval * state_.stiffness / (8 * viscosity)) * rate;
  return std::clamp(rate + steady, -max_rate_, max_rate_);
}

/// Gives edges their rate, and bodies the jump of it. At the first correction they get the rotation of the flow too.
void DeformingCell::set_gradient(World& world, const Mat3& gradient) {
  const Mat3 rate = gradient * world.cell.edges;
  const Mat3 jump = (rate - world.cell.rate) * inverse_edges(world.cell);
  world.cell.rate = rate;
  const bool first = std::exchange(state_.began, 1) == 0;
  if (first && !set_.affine) return;
  const Vec3 spin = 0.5 * Vec3(jump(2, 1) - jump(1, 2), jump(0, 2) - jump(2, 0), jump(1, 0) - jump(0, 1));
  const Vec3 centre = centre_of(world.cell);
  const auto x = world.position.read();
  const auto v = world.velocity.write(), w = world.angular_velocity.write();
  const auto inverse_mass = world.inverse_mass.read();
  for (std::size_t i = 0; i < world.size(); ++i) {
    if (inverse_mass[i] == 0) continue;  // does not move freely, or moves with an owner
    v[i] += jump * (x[i] - centre);
    if (first) w[i] += spin;
  }
  if (!world.members().empty()) world.update_members();
  if (!first) return;
  const auto ids = world.id.read();
  world.mark_moved(std::vector<Id>(ids.begin(), ids.end()));
}

/// Adds the strain and the work since the last correction: -volume stress : L, by the mean of both stresses.
void DeformingCell::count_work(const World& world, const Mat3& stress) {
  const double time = world.time - state_.time;
  state_.strain += time * state_.gradient;
  const double volume = volume_of(world);
  const Mat3 mean = 0.5 * (stress + state_.stress);
  state_.work -= time * volume * (mean.array() * symmetric(state_.gradient).array()).sum();
  state_.time = world.time;
  state_.stress = stress;
}

void DeformingCell::apply(World& world, const ContactView* contacts, HistoryStore&) {
  const double t = world.time;
  if (state_.began == 0) state_.time = t;
  const Content content = content_of(world, *contacts, gradient_of(world.cell));
  const Mat3 stress = symmetric(content.virial) / volume_of(world);
  if (state_.began == 0) state_.stress = stress;
  count_work(world, stress);
  const bool over = t + set_.interval * (1 - 1e-9) > set_.stop;
  const Mat3 gradient = over ? Mat3(Mat3::Zero()) : wanted_gradient(world, content);
  set_gradient(world, gradient);
  state_.gradient = gradient;
  show(world, stress, gradient);
}

void DeformingCell::show(World& world, const Mat3& stress, const Mat3& gradient) {
  if (grains_of_ != world.layout_version()) grains_ = grains_of(world), grains_of_ = world.layout_version();
  const auto set = [&](const std::string& what, double value) { world.metric(set_.name + "_" + what) = value; };
  double pressure = 0;
  for (const Component& c : components(world.dimension())) {
    set(fmt::format("stress_{}_Pa", c.name), stress(c.row, c.column));
    set(fmt::format("strain_{}", c.name), state_.strain(c.row, c.column));
    set(fmt::format("strain_rate_{}_per_s", c.name), gradient(c.row, c.column));
    if (c.row == c.column) pressure += stress(c.row, c.column) / world.dimension();
  }
  const Mat3 rate = symmetric(gradient);
  const Mat3 shear = rate - rate.trace() / world.dimension() * Mat3::Identity();
  const double of_2d = world.dimension() == 2 ? set_.thickness : 1;
  set("pressure_Pa", pressure);
  set("solid_fraction", grains_.volume / world.cell.volume());
  set("inertial_number",
      inertial_number(grains_, std::sqrt(2 * shear.topLeftCorner(world.dimension(), world.dimension()).squaredNorm()),
                      pressure * of_2d));
  set("work_J", state_.work);
}

std::vector<std::byte> DeformingCell::save() const {
  std::vector<std::byte> bytes(sizeof state_);
  std::memcpy(bytes.data(), static_cast<const void*>(&state_), sizeof state_);
  return bytes;
}

void DeformingCell::load(const std::vector<std::byte>& state) {
  const auto refuse = [&](const char* what) {
    throw InputError(
        fmt::format("deforming-cell \"{}\": its state in the checkpoint {}. The checkpoint is damaged, or "
                    "was not written by this scene's run.",
                    set_.name, what));
  };
  if (state.size() != sizeof state_) refuse("has another size");
  State saved;
  std::memcpy(static_cast<void*>(&saved), state.data(), sizeof saved);
  for (const double x : {saved.began, saved.time, saved.work, saved.stiffness, saved.damping})
    if (!std::isfinite(x)) refuse("holds what is no number");
  for (const Mat3* m : {&saved.strain, &saved.steady, &saved.gradient, &saved.stress})
    if (!m->allFinite()) refuse("holds what is no number");
  state_ = saved;
}

}  // namespace scree::deforming_cell
