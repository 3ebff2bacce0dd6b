#include "implicit/implicit_motion.hpp"

#include <algorithm>
#include <cmath>

#include "implicit/chain.hpp"
#include "scree/base/error.hpp"
#include "solvers/newton/block_sink.hpp"

namespace scree::nonsmooth {

using solvers::BlockVector;

namespace {

/// Turns of one iterate are cut to this [rad]: the energy of a joint is far from its second-order model beyond.
constexpr double kMostTurn = 1;
constexpr double kGravity = 9.81;  // [m/s^2]

std::vector<BodyPair> pairs_of(std::span<const EnergyTerm* const> terms) {
  std::vector<BodyPair> pairs;
  for (const EnergyTerm* const term : terms) term->list_pairs(pairs);
  return pairs;
}

std::vector<std::uint8_t> outside(std::size_t bodies, std::span<const Fragment> fragments) {
  std::vector<std::uint8_t> driven(bodies, 1);
  for (const Fragment& fragment : fragments)
    for (const std::uint32_t body : fragment.bodies) driven[body] = 0;
  return driven;
}

template <class T>
std::vector<T> copy(std::span<const T> of) {
  return {of.begin(), of.end()};
}

Eigen::Matrix<double, 6, 1> entries(const Wrench& w) {
  Eigen::Matrix<double, 6, 1> v;
  v << w.force, w.torque;
  return v;
}

}  // namespace

ImplicitMotion::ImplicitMotion(World& world, ImpulseProblem& bonds)
    : version_(bonds.bonds_version()),
      planar_(world.dimension() == 2),
      fragments_(
          fragments_of(world.id.read(), world.inverse_mass.read(), pairs_of(bonds.bond_terms()), bonds.bond_links())),
      shared_ends_(world.size(), fragments_),
      place_(world.size()),
      driven_(outside(world.size(), fragments_)),
      bodies_(world, driven_),
      inertia_(prediction_.columns(bodies_.columns())),
      bonds_(bonds.bond_terms()) {
  std::vector<const EnergyTerm*> terms{&inertia_};
  terms.insert(terms.end(), bonds_.begin(), bonds_.end());
  potential_.emplace(solvers::Unknowns(world.size(), driven_), std::move(terms));
  hessian_.emplace(potential_->pattern());
  for (std::uint32_t f = 0; f < fragments_.size(); ++f)
    for (std::uint32_t k = 0; k < fragments_[f].bodies.size(); ++k) place_[fragments_[f].bodies[k]] = {f, k};
  factors_.emplace(potential_->pattern(), fragments_, potential_->unknowns().row);
}

void ImplicitMotion::begin(World& world, const Wrenches& loads, double dt) {
  dt_ = dt;
  start_position_ = copy(world.position.read());
  start_orientation_ = copy(world.orientation.read());
  velocity_ = copy(world.velocity.read());
  spin_ = copy(world.angular_velocity.read());
  position_ = start_position_;
  orientation_ = start_orientation_;
  prediction_ = solvers::predict(solvers::Scheme::backward_euler, motion(), {}, bodies_.columns(),
                                 {loads.force, loads.torque}, dt);
  for (std::size_t i = 0; i < position_.size(); ++i)
    if (!driven_[i]) prediction_.orientation[i].normalize();
  inertia_.set(prediction_.columns(bodies_.columns()));
  world.move_prescribed(world.time + dt);
  for (std::size_t i = 0; i < position_.size(); ++i)
    if (driven_[i]) position_[i] = world.position.read()[i], orientation_[i] = world.orientation.read()[i];
  world.move_prescribed(world.time);
  world.prescribe_velocities(world.time + dt / 2);
  start_from_nearer();
}

/// Root of the mean, by mass, of the squares of the accelerations that forces out of balance would give [m/s^2].
/// \param pushes  wrenches of contacts, (bodies) or empty
double ImplicitMotion::acceleration_left(const Fragment& fragment, const BlockVector& gradient,
                                         std::span<const Wrench> pushes) const {
  double square = 0, mass = 0;
  for (const std::uint32_t i : fragment.bodies) {
    Eigen::Matrix<double, 6, 1> left =
        gradient.segment<6>(6 * static_cast<Eigen::Index>(potential_->unknowns().row[i]));
    if (!pushes.empty()) left -= entries(pushes[i]);
    const double lever = bodies_.radius[i];
    square += (left.head<3>().squaredNorm() + left.tail<3>().squaredNorm() / (lever * lever)) / bodies_.mass[i];
    mass += bodies_.mass[i];
  }
  return std::sqrt(square / mass);
}

/// Each fragment from where it is, or from where its bodies would go without bonds, gaps kept: from what is nearer to
/// balance.
void ImplicitMotion::start_from_nearer() {
  const solvers::Unknowns& unknowns = potential_->unknowns();
  BlockVector step(6 * static_cast<Eigen::Index>(unknowns.rows())), gradient;
  for (std::uint32_t row = 0; row < unknowns.rows(); ++row) {
    const std::uint32_t i = unknowns.body[row];
    step.segment<6>(6 * static_cast<Eigen::Index>(row)) << prediction_.position[i] - position_[i],
        solvers::logarithm(prediction_.orientation[i] * orientation_[i].conjugate());
  }
  std::vector<Vec3> position = position_;
  std::vector<Quat> orientation = orientation_;
  for (const Fragment& fragment : fragments_)
    nonsmooth::move(fragment, unknowns.row, bodies_.mass, step, {position, orientation});
  renew_gradient();
  potential_->gradient({position, orientation}, gradient);
  for (const Fragment& fragment : fragments_) {
    if (acceleration_left(fragment, gradient_, {}) <= acceleration_left(fragment, gradient, {})) continue;
    for (const std::uint32_t i : fragment.bodies) {
      const auto row = 6 * static_cast<Eigen::Index>(unknowns.row[i]);
      position_[i] = position[i];
      orientation_[i] = orientation[i];
      gradient_.segment<6>(row) = gradient.segment<6>(row);
    }
  }
}

/// Adds second derivatives. Those of inertia are always positive definite: for a thin body that rotates by more than a
/// tenth they would not be, and would then say nothing of its support.
void ImplicitMotion::add_second_derivatives(Curvature of_bonds, solvers::BlockMatrix& out) {
  const Configuration x{position_, orientation_};
  out.set_zero();
  const solvers::BlockSink sink(potential_->unknowns(), out);
  inertia_.add_hessian(x, Curvature::clamped, sink);
  for (const EnergyTerm* const term : bonds_) term->add_hessian(x, of_bonds, sink);
}

void ImplicitMotion::take_rows(const Fragment& fragment, const solvers::BlockMatrix& from) {
  const auto& start = from.pattern().row_start;
  for (const std::uint32_t body : fragment.bodies)
    for (std::size_t k = start[row(body)]; k < start[row(body) + 1]; ++k) hessian_->block(k) = from.block(k);
}

std::size_t ImplicitMotion::linearise(std::span<const Wrench> pushes) {
  const solvers::Unknowns& unknowns = potential_->unknowns();
  const Configuration x{position_, orientation_};
  BlockVector balance = gradient_;
  for (std::uint32_t row = 0; row < unknowns.rows(); ++row)
    balance.segment<6>(6 * static_cast<Eigen::Index>(row)) -= entries(pushes[unknowns.body[row]]);
  add_second_derivatives(Curvature::exact, *hessian_);
  const auto count = static_cast<std::ptrdiff_t>(fragments_.size());
#pragma omp parallel for schedule(dynamic) if (count > 1)
  for (std::ptrdiff_t k = 0; k < count; ++k)
    curve(fragments_[static_cast<std::size_t>(k)], unknowns.row, bodies_.mass, balance, x, *hessian_);
  std::vector<std::uint8_t> indefinite(fragments_.size(), 1);
  factors_->factor(*hessian_, {}, indefinite);
  const std::ptrdiff_t count_indefinite = std::ranges::count(indefinite, 1);
  // Near equilibrium the same derivatives by places and turns are nearly as good, and then those that are definite.
  for (const Curvature of_bonds : {Curvature::exact, Curvature::clamped}) {
    if (std::ranges::count(indefinite, 1) == 0) break;
    if (!instead_) instead_.emplace(potential_->pattern());
    add_second_derivatives(of_bonds, *instead_);
    for (std::size_t f = 0; f < fragments_.size(); ++f)
      if (indefinite[f]) take_rows(fragments_[f], *instead_);
    factors_->factor(*hessian_, {}, indefinite);
  }
  if (std::ranges::count(indefinite, 1) > 0)
    throw NumericalError("bonds have second derivatives that are no numbers. Lower /integrator/dt.");
  free_step_ = -gradient_;
  factors_->solve(free_step_);
  return static_cast<std::size_t>(count_indefinite);
}

PointMotion ImplicitMotion::so_far(std::uint32_t body) const {
  return {(position_[body] - start_position_[body]) / dt_,
          solvers::logarithm(orientation_[body] * start_orientation_[body].conjugate()) / dt_};
}

PointMotion ImplicitMotion::without_contacts(std::uint32_t body) const {
  const auto step = free_step_.segment<6>(6 * static_cast<Eigen::Index>(potential_->unknowns().row[body]));
  const PointMotion now = so_far(body);
  return {now.velocity + step.head<3>() / dt_, now.spin + step.tail<3>() / dt_};
}

void ImplicitMotion::mobility(std::size_t fragment, std::span<const std::uint32_t> places,
                              std::span<solvers::Block> out) const {
  factors_->inverse(fragment, places, out);
  for (solvers::Block& block : out) block /= dt_ * dt_;
}

void ImplicitMotion::own_mobility(std::span<solvers::Block> out) const {
  factors_->diagonal_of_inverse(out);
  for (solvers::Block& block : out) block /= dt_ * dt_;
}

/// x <- A^-1 x/dt^2.
void ImplicitMotion::solve(const FragmentFactors& factors, BlockVector& x) const {
  factors.solve(x);
  x /= dt_ * dt_;
}

bool ImplicitMotion::stiffen(std::span<const solvers::Block> added) {
  if (!stiffened_) stiffened_ = factors_;
  std::vector<solvers::Block> scaled(added.begin(), added.end());
  for (solvers::Block& block : scaled) block /= dt_ * dt_;
  std::vector<std::uint8_t> indefinite(fragments_.size(), 1);
  stiffened_->factor(*hessian_, scaled, indefinite);
  return std::ranges::count(indefinite, 1) == 0;
}

void ImplicitMotion::move(std::span<const Wrench> pushes) {
  const solvers::Unknowns& unknowns = potential_->unknowns();
  BlockVector step = -gradient_;
  for (std::uint32_t row = 0; row < unknowns.rows(); ++row)
    step.segment<6>(6 * static_cast<Eigen::Index>(row)) += entries(pushes[unknowns.body[row]]);
  factors_->solve(step);
  const auto count = static_cast<std::ptrdiff_t>(fragments_.size());
#pragma omp parallel for schedule(dynamic) if (count > 1)
  for (std::ptrdiff_t k = 0; k < count; ++k) {
    const Fragment& fragment = fragments_[static_cast<std::size_t>(k)];
    double most = 0;
    for (const std::uint32_t body : fragment.bodies) {
      auto of_row = step.segment<6>(6 * static_cast<Eigen::Index>(unknowns.row[body]));
      if (planar_) of_row[2] = of_row[3] = of_row[4] = 0;
      most = std::max(most, of_row.tail<3>().norm());
    }
    if (most > kMostTurn)
      for (const std::uint32_t body : fragment.bodies)
        step.segment<6>(6 * static_cast<Eigen::Index>(unknowns.row[body])) *= kMostTurn / most;
    nonsmooth::move(fragment, unknowns.row, bodies_.mass, step, motion().moving());
  }
  renew_gradient();
}

double ImplicitMotion::residual(std::span<const Wrench> pushes) const {
  double largest = 0;
  for (const Fragment& fragment : fragments_) {
    double way = 0;
    for (const std::uint32_t i : fragment.bodies) way = std::max(way, (position_[i] - start_position_[i]).norm());
    const double left = acceleration_left(fragment, gradient_, pushes) / std::max(kGravity, way / (dt_ * dt_));
    if (!(left <= largest)) largest = left;  // NaN too
  }
  return largest;
}

double ImplicitMotion::stretch() const {
  double largest = 0;
  for (const Fragment& fragment : fragments_)
    for (const Branch& b : fragment.branches) {
      if (b.parent == Branch::kNone) continue;
      const Vec3 gap = position_[b.body] + orientation_[b.body] * b.point - position_[b.parent] -
                       orientation_[b.parent] * b.parents_point;
      largest = std::max(largest, gap.norm() / bodies_.radius[b.body]);
    }
  return largest;
}

std::vector<Wrench> ImplicitMotion::bond_wrenches() const {
  std::vector<Wrench> of_body(position_.size(), Wrench{});
  for (const EnergyTerm* const term : bonds_) term->add_gradient({position_, orientation_}, of_body);
  for (Wrench& w : of_body) w.force = -w.force, w.torque = -w.torque;
  return of_body;
}

void ImplicitMotion::finish(World& world) {
  solvers::finish(solvers::Scheme::backward_euler, {start_position_, start_orientation_}, {}, prediction_,
                  bodies_.columns(), potential_->unknowns(), motion(), dt_);
  const auto position = world.position.write(), velocity = world.velocity.write();
  const auto spin = world.angular_velocity.write();
  const auto orientation = world.orientation.write();
  for (const std::uint32_t i : potential_->unknowns().body) {
    position[i] = position_[i];
    orientation[i] = orientation_[i];
    velocity[i] = velocity_[i];
    spin[i] = spin_[i];
  }
}

}  // namespace scree::nonsmooth
