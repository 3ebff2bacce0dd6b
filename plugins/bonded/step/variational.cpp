#include "step/variational.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "contact/friction.hpp"
#include "scree/base/error.hpp"
#include "scree/integrate/impulse_problem.hpp"
#include "scree/law/potential_face.hpp"
#include "solvers/newton/free_bodies.hpp"
#include "solvers/newton/unequal_moments.hpp"
#include "step/friction_term.hpp"
#include "use_solvers.hpp"

namespace scree::bonded {

namespace {

/// Names in metrics.csv; a column with "_total" counts from the beginning of the run.
constexpr const char *kNewton = "newton_iterations", *kNewtonTotal = "newton_iterations_total",
                     *kCorrections = "newton_corrections_total", *kLinearTotal = "linear_iterations_total",
                     *kClamped = "clamped_hessians_total", *kHalvings = "line_search_halvings_total",
                     *kResidual = "newton_residual", *kRepeated = "repeated_steps_total";

/// Changes of velocity in the last step, per time: see ImplicitStep::Trend.
constexpr const char *kAcceleration = "last_acceleration", *kAngularAcceleration = "last_angular_acceleration";

/// See set_order().
constexpr const char* kOrder = "order_of_unknowns";

/// Pairs are listed for moves so much larger than what is expected.
constexpr double kReserve = 1.5;

/// Number of times that a step is restarted because bodies left the cover of its lists.
constexpr int kMostAttempts = 8;

/// Normal forces of friction are taken again while they change by more than this, so many times at most.
constexpr double kLagged = 0.05;
constexpr int kMostLags = 8;

/// A step that missed its tolerance by less than this goes on: rounding sets a floor for stiff bonds.
constexpr double kForgiven = 100;

/// Sets the order of rows of the linear systems: the place of each body along the side on which the free bodies reach
/// farthest [m]. It is kept in a column, since a resumed run has to solve the same systems.
void set_order(World& world, const std::vector<std::uint8_t>& driven) {
  const auto position = world.position.read();
  Vec3 lower = Vec3::Constant(1e300), upper = -lower;
  for (std::size_t i = 0; i < position.size(); ++i)
    if (!driven[i]) lower = lower.cwiseMin(position[i]), upper = upper.cwiseMax(position[i]);
  Eigen::Index axis = 0;
  (upper - lower).maxCoeff(&axis);
  const auto order = world.column<double>(kOrder, "m", false).write();
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = position[i][axis];
}

/// Bodies that do not move freely.
std::vector<std::uint8_t> driven_bodies(const World& world) {
  std::vector<std::uint8_t> driven;
  for (const double inverse_mass : world.inverse_mass.read()) driven.push_back(inverse_mass == 0);
  return driven;
}

/// Why the scheme does not move one of the bodies, or "".
std::string refused_moments(World& world, Scheme scheme) {
  const std::vector<Vec3> moments = moments_that_differ(world, driven_bodies(world));
  if ((scheme != Scheme::bdf2 && scheme != Scheme::sdirk2) || moments.empty()) return "";
  const auto row =
      static_cast<std::size_t>(std::ranges::find_if(moments, [](const Vec3& m) { return m[0] > 0; }) - moments.begin());
  return fmt::format(
      "\"{}\" moves bodies with three equal moments of inertia; those of shape \"{}\" are {:.4g}, {:.4g} and {:.4g} "
      "kg m^2. Choose \"backward-euler\" or \"midpoint\", or another shape.",
      scheme == Scheme::bdf2 ? "bdf2" : "sdirk2", world.shapes()[world.shape.read()[row]].name, moments[row][0],
      moments[row][1], moments[row][2]);
}

/// Friction and rolling resistance of one contact.
/// \return the impulse of friction on a [N s]
Vec3 slow_down(SlidingBody<double>& a, SlidingBody<double>& b, const PotentialContact& c, double push) {
  const Arms<double> arms{c.arm_a.dot(c.normal), -c.arm_b.dot(c.normal)};
  const Vec3 impulse = rub<double>(a, b, c.normal, arms, c.friction, push);
  if (c.rolling > 0) resist_rolling<double>(a, b, std::min(c.arm_a.norm(), c.arm_b.norm()), c.rolling, push);
  return impulse;
}
Vec3 slow_down(SlidingSolid<double>& a, SlidingSolid<double>& b, const PotentialContact& c, double push) {
  const Vec3 impulse = rub<double>(a, b, c.normal, c.arm_a, c.arm_b, c.friction, push);
  if (c.rolling > 0) resist_rolling<double>(a, b, std::min(c.arm_a.norm(), c.arm_b.norm()), c.rolling, push);
  return impulse;
}

}  // namespace

struct Variational::SetUp {
  std::uint64_t version;
  std::vector<std::uint8_t> driven;
  FreeBodies bodies;
  ContactTerm contacts;
  FrictionTerm friction;  ///< Scheme::sdirk2
  int lags = 0;           ///< number of times that the forces of friction were taken in this stage
  double weight = 0;      ///< weight of this stage in the part [s]
  double given = 0;       ///< by friction to free bodies in this part [J]
  std::vector<const EnergyTerm*> conservative;  ///< bonds and contacts
  std::optional<EnergyBalance> balance;         ///< set if a part may be rejected
  std::optional<ImplicitStep> step;

  SetUp(World& world, EnergyProblem& potential, double friction_speed)
      : version(potential.version()),
        driven(driven_bodies(world)),
        bodies(world, driven),
        contacts(world, potential),
        friction(friction_speed) {}
};

IntegratorTraits Variational::traits() const {
  IntegratorTraits traits;
  traits.face = PotentialFace::kName;
  traits.needs_gradient_consistency = true;
  traits.fracture_dt = options_.fracture_dt;
  traits.fracture_option = "/integrator/fracture_dt";
  return traits;
}

void Variational::columns(World& world) {
  if (const std::string why = refused_moments(world, options_.scheme); !why.empty()) throw OptionError("/scheme", why);
  for (const char* name :
       {kNewton, kNewtonTotal, kCorrections, kLinearTotal, kClamped, kHalvings, kResidual, kRepeated})
    world.metric(name);
  parts_.figures(world);
  world.column<double>(kOrder, "m", false);
  world.column<Vec3>(kAcceleration, "m/s^2", false);
  world.column<Vec3>(kAngularAcceleration, "rad/s^2", false);
  if (options_.scheme != Scheme::bdf2) return;
  world.column<Vec3>("previous_position", "m", false);
  world.column<Quat>("previous_orientation", "", false);
  world.column<Vec3>("previous_velocity", "m/s", false);
  world.column<Vec3>("previous_angular_velocity", "rad/s", false);
}

void Variational::edited(World& world, const EditLog&) {
  if (const std::string why = refused_moments(world, options_.scheme); !why.empty())
    throw NumericalError("integrator \"variational\", scheme: " + why);
  set_up_.reset();
  std::ranges::fill(world.column<double>(kOrder, "m", false).write(), 0.0);
  // A body that came or was moved has no state one step before: all begin anew.
  if (options_.scheme == Scheme::bdf2)
    for (Quat& q : world.column<Quat>("previous_orientation", "", false).write()) q.coeffs().setZero();
}

void Variational::step(Mechanics& mechanics, double dt) {
  World& world = mechanics.world();
  if (!world.members().empty())
    throw NumericalError("integrator \"variational\" does not move bodies that ride on others. Choose another one.");
  EnergyProblem& potential = ability<EnergyProblem>(mechanics);
  for (double done = 0; done < dt;) {
    const Part part{world.time + done, parts_.next(world, dt - done)};
    if (!solve(mechanics, potential, part, dt)) continue;
    slide_and_roll(world, potential, part.h);
    done = part.h < dt - done ? done + part.h : dt;
  }
  world.move_prescribed(world.time + dt);
  mechanics.commit();
}

void Variational::restore(World& world, const Start& start, double time) {
  std::ranges::copy(start.position, world.position.write().begin());
  std::ranges::copy(start.orientation, world.orientation.write().begin());
  std::ranges::copy(start.velocity, world.velocity.write().begin());
  std::ranges::copy(start.angular_velocity, world.angular_velocity.write().begin());
  world.move_prescribed(time);
}

/// Solves, breaks what is overloaded, and solves again if the options say so.
/// \return true if the part stands; if not, bodies are in their previous places
bool Variational::solve(Mechanics& mechanics, EnergyProblem& potential, const Part& part, double dt) {
  World& world = mechanics.world();
  const auto copy = [](auto span) { return std::vector(span.begin(), span.end()); };
  const Start start{copy(world.position.read()), copy(world.velocity.read()), copy(world.angular_velocity.read()),
                    copy(world.orientation.read())};
  bool broke = false;
  for (int again = 0;; ++again) {
    solve_covered(mechanics, potential, start, part);
    if (rejects(world, potential, part)) {
      restore(world, start, part.begin);
      return false;
    }
    const bool last = again >= options_.resolve_breaks;
    if (break_bonds(world, potential, start, part, last) == 0) break;
    broke = true;
    if (last) break;
    ++world.metric(kRepeated);
  }
  parts_.done(world, dt, broke);
  if (options_.scheme == Scheme::bdf2) remember(world, start);
  note_changes(world, start, part.h);
  return true;
}

/// A part that may be divided is made again where bonds are overloaded at its end: a crack runs through an element in
/// about the time of a wave. So is one that loses energy: it does not resolve what happens.
bool Variational::rejects(World& world, EnergyProblem& potential, const Part& part) {
  if (!parts_.may_shorten(part.h)) return false;
  if (potential.largest_utilisation() > 1) {
    parts_.overloaded(world);
    return true;
  }
  const Motion motion{world.position.write(), world.orientation.write(), world.velocity.write(),
                      world.angular_velocity.write()};
  const Wrenches loads = potential.loads();
  if (!(set_up_->balance->defect(motion, {loads.force, loads.torque}, set_up_->given) > options_.energy_tolerance))
    return false;
  parts_.lossy(world, part.h);
  return true;
}

/// Breaks overloaded bonds. If the part is repeated without them, they release their energy at its beginning: the
/// energy at the end of the trial never existed. \return number of bonds that broke
std::size_t Variational::break_bonds(World& world, EnergyProblem& potential, const Start& start, const Part& part,
                                     bool last) {
  const double time = part.begin + part.h;
  const Configuration now{world.position.read(), world.orientation.read()};
  if (last) return potential.break_overloaded(time, 0, now);
  if (!(potential.largest_utilisation() > 1)) return 0;
  const std::vector<Vec3> position(now.position.begin(), now.position.end());
  const std::vector<Quat> orientation(now.orientation.begin(), now.orientation.end());
  restore(world, start, part.begin);
  return potential.break_overloaded(time, options_.worst_part, {position, orientation});
}

/// Keeps how velocities changed, for the next step.
void Variational::note_changes(World& world, const Start& start, double dt) {
  const auto velocity = world.velocity.read(), spin = world.angular_velocity.read();
  const auto acceleration = world.column<Vec3>(kAcceleration, "m/s^2", false).write();
  const auto angular = world.column<Vec3>(kAngularAcceleration, "rad/s^2", false).write();
  const auto orientation = world.orientation.read();
  const std::span<const Vec3> moments = set_up_->bodies.moments;
  for (std::size_t i = 0; i < world.size(); ++i) {
    acceleration[i] = (velocity[i] - start.velocity[i]) / dt;
    angular[i] = (spin[i] - start.angular_velocity[i]) / dt;
    if (!unequal(moments, i)) continue;
    const Turning before{start.orientation[i], start.angular_velocity[i]}, now{orientation[i], spin[i]};
    angular[i] = velocity_of((now.momentum(moments[i]) - before.momentum(moments[i])) / dt, orientation[i], moments[i]);
  }
}

/// One minimisation, of each stage, with lists that hold wherever it leads.
void Variational::solve_covered(Mechanics& mechanics, EnergyProblem& potential, const Start& start, const Part& part) {
  World& world = mechanics.world();
  const double dt = part.h;
  double way = 0, turn = 0;
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    restore(world, start, part.begin);
    const Wrenches loads = potential.loads();
    const auto inverse_mass = world.inverse_mass.read();
    for (std::size_t i = 0; i < world.size(); ++i) {
      way = std::max(way, kReserve * dt * (start.velocity[i].norm() + dt * inverse_mass[i] * loads.force[i].norm()));
      turn = std::max(turn, kReserve * dt * start.angular_velocity[i].norm());
    }
    potential.cover(way, turn);
    set_up(world, potential);

    const Motion motion{world.position.write(), world.orientation.write(), world.velocity.write(),
                        world.angular_velocity.write()};
    const Applied applied{loads.force, loads.torque};
    if (parts_.may_shorten(dt))
      set_up_->balance.emplace(set_up_->conservative, set_up_->driven, set_up_->bodies.columns(), motion, applied);
    const MinimiseReport report =
        set_up_->step->advance(motion, earlier(world), applied, dt, hooks(mechanics, potential, part),
                               {world.column<Vec3>(kAcceleration, "m/s^2", false).read(),
                                world.column<Vec3>(kAngularAcceleration, "rad/s^2", false).read()});
    book(world, report);
    if (potential.covered()) return;
    ++world.metric(kRepeated);
    for (std::size_t i = 0; i < world.size(); ++i) {
      way = std::max(way, kReserve * (world.position.read()[i] - start.position[i]).norm());
      turn = std::max(turn, kReserve * world.orientation.read()[i].angularDistance(start.orientation[i]));
    }
    way = std::max(2 * way, 1e-300);
    turn = std::max(2 * turn, 1e-300);
  }
  throw NumericalError(
      fmt::format("a body moves farther with every attempt at the step that begins at {:.6g} s: after "
                  "{} of them by {:.3g} m. Lower dt.",
                  part.begin, kMostAttempts, way));
}

/// Returns the hooks of a step: bonds that resist rates begin, driven bodies move. With Scheme::sdirk2 loads are
/// renewed, and friction follows normal forces.
StepHooks Variational::hooks(Mechanics& mechanics, EnergyProblem& potential, const Part& part) {
  World& world = mechanics.world();
  if (options_.scheme != Scheme::sdirk2)
    return {.drive = [&world, &potential, part](double reached) {
      potential.begin_bonds(reached);
      world.move_prescribed(part.begin + reached);
    }};
  const double h = kStageShare * part.h;
  SetUp& s = *set_up_;
  s.given = 0;
  s.friction.clear();
  const auto state = [&world] { return Configuration{world.position.read(), world.orientation.read()}; };
  return {.drive =
              [&world, &potential, &s, part, h, state](double reached) {
                potential.begin_bonds(h);
                s.friction.begin(state(), h);
                if (reached < part.h) s.friction.lag(s.contacts.at(state()), state());
                s.lags = 1;
                s.weight = reached < part.h ? part.h - h : h;
                world.move_prescribed(part.begin + reached);
                potential.loads();
              },
          .again = [this, &world] { return lag_friction(world); }};
}

/// Takes friction from the normal forces at the minimum. \return whether they were others, by too much
bool Variational::lag_friction(World& world) {
  SetUp& s = *set_up_;
  const Configuration x{world.position.read(), world.orientation.read()};
  const double change = s.friction.lag(s.contacts.at(x), x);
  if (change > kLagged && ++s.lags <= kMostLags) return true;
  s.given += s.weight * s.friction.power(x, s.driven);
  return false;
}

void Variational::set_up(World& world, EnergyProblem& potential) {
  if (!set_up_ || set_up_->version != potential.version()) {
    set_up_ = std::make_shared<SetUp>(world, potential, options_.friction_speed);
    SetUp& s = *set_up_;
    std::vector<BodyPair> pairs;
    potential.list_pairs(pairs);
    s.contacts.set_pairs(std::move(pairs));
    s.conservative.assign(potential.bonds().begin(), potential.bonds().end());
    s.conservative.push_back(&s.contacts);
    std::vector<const EnergyTerm*> terms = s.conservative;
    if (options_.scheme == Scheme::sdirk2) terms.push_back(&s.friction);
    const auto order = world.column<double>(kOrder, "m", false).read();
    if (std::ranges::all_of(order, [](double place) { return place == 0; })) set_order(world, s.driven);
    s.step.emplace(options_.scheme, s.bodies.columns(), Unknowns(world.size(), s.driven, order), terms,
                   options_.minimise, options_.linear_solver);
  }
  set_up_->contacts.forget();
}

/// Friction and rolling resistance of the step's contacts, eqs. (37), (38), (47), one after the other. With
/// Scheme::sdirk2 friction, eq. (49), is in the minimum already.
void Variational::slide_and_roll(World& world, EnergyProblem& potential, double dt) {
  const bool inside = options_.scheme == Scheme::sdirk2;
  const Configuration x{world.position.read(), world.orientation.read()};
  const auto contacts = set_up_->contacts.at(x);
  if (inside) set_up_->friction.lag(contacts, x);
  const auto velocity = world.velocity.write(), spin = world.angular_velocity.write();
  const auto inverse_mass = world.inverse_mass.read();
  const auto orientation = world.orientation.read();
  const std::span<const Vec3> moments = set_up_->bodies.moments;
  const auto body = [&](std::uint32_t i, const Vec3& arm) -> SlidingBody<double> {
    if (inverse_mass[i] == 0) return {velocity[i] + spin[i].cross(arm), Vec3::Zero(), 0, 0};
    return {velocity[i], spin[i], inverse_mass[i], 1 / set_up_->bodies.moment[i]};
  };
  const auto solid = [&](std::uint32_t i, const Vec3& arm) -> SlidingSolid<double> {
    const SlidingBody<double> state = body(i, arm);
    const Mat3 inverse = unequal(moments, i) ? in_world_axes<double>(moments[i].cwiseInverse(), orientation[i])
                                             : Mat3(state.inverse_inertia * Mat3::Identity());
    return {state.velocity, state.angular_velocity, state.inverse_mass, inverse};
  };
  const auto slow = [&](const PotentialContact& c, double push, auto a, auto b) {
    const Vec3 impulse = slow_down(a, b, c, push);
    if (inverse_mass[c.a] > 0) velocity[c.a] = a.velocity, spin[c.a] = a.angular_velocity;
    if (inverse_mass[c.b] > 0) velocity[c.b] = b.velocity, spin[c.b] = b.angular_velocity;
    return impulse;
  };
  std::vector<Vec3> forces;
  forces.reserve(contacts.size());
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    PotentialContact c = contacts[k];
    const double push = c.force * dt;
    Vec3 impulse = push * c.normal;
    if (inside) impulse += dt * set_up_->friction.force(x, k), c.friction = 0;
    if (c.friction > 0 || c.rolling > 0)
      impulse -= unequal(moments, c.a) || unequal(moments, c.b)
                     ? slow(c, push, solid(c.a, c.arm_a), solid(c.b, c.arm_b))
                     : slow(c, push, body(c.a, c.arm_a), body(c.b, c.arm_b));
    forces.push_back(impulse / dt);
  }
  potential.accept_forces(forces);
}

Earlier Variational::earlier(World& world) const {
  if (options_.scheme != Scheme::bdf2 || world.size() == 0) return {};
  const auto q = world.column<Quat>("previous_orientation", "", false).read();
  if (q[0].coeffs().isZero(0)) return {};
  return {world.column<Vec3>("previous_position", "m", false).read(), q,
          world.column<Vec3>("previous_velocity", "m/s", false).read(),
          world.column<Vec3>("previous_angular_velocity", "rad/s", false).read()};
}

void Variational::remember(World& world, const Start& start) {
  std::ranges::copy(start.position, world.column<Vec3>("previous_position", "m", false).write().begin());
  std::ranges::copy(start.orientation, world.column<Quat>("previous_orientation", "", false).write().begin());
  std::ranges::copy(start.velocity, world.column<Vec3>("previous_velocity", "m/s", false).write().begin());
  std::ranges::copy(start.angular_velocity,
                    world.column<Vec3>("previous_angular_velocity", "rad/s", false).write().begin());
}

/// \throws NumericalError with the residual of every iterate, for a step without a minimum
void Variational::book(World& world, const MinimiseReport& report) {
  world.metric(kNewton) = report.iterations;
  world.metric(kNewtonTotal) += report.iterations;
  world.metric(kCorrections) += report.corrections;
  world.metric(kLinearTotal) += report.linear_iterations;
  world.metric(kClamped) += report.clamped;
  world.metric(kHalvings) += report.halvings;
  world.metric(kResidual) = report.residual;
  if (report.converged || report.residual <= kForgiven * options_.minimise.tolerance) return;
  std::vector<double> residuals;
  for (const Iterate& iterate : report.history) residuals.push_back(iterate.residual);
  residuals.push_back(report.residual);
  throw NumericalError(fmt::format(
      "the step that begins at {:.6g} s has no minimum within reach ({} after {} iterations, solver {}): residuals "
      "{:.2e}, wanted {:.1e}. Lower dt, raise max_iterations, or choose another linear_solver.",
      world.time, report.stopped, report.iterations, set_up_->step->solver().name(), fmt::join(residuals, " "),
      options_.minimise.tolerance));
}

}  // namespace scree::bonded
