#include "fluid/pore_fluid.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>

#include "fluid/fluid_range.hpp"
#include "grid/shape_functions.hpp"

namespace scree::continuum {

namespace {

/// Nodes whose surroundings are full of suspension to more than this part hold the phi that its points remember.
constexpr double kInterior = 0.75;
/// Fractions below which there are no grains, and above which there are only grains.
constexpr double kLeastFraction = 1e-9, kMostFraction = 0.9;
/// A node of which walls leave less than this is the wall's.
constexpr double kLeastPart = 0.01;
/// Velocities that count as rest, over what gravity gives in a step.
constexpr double kRest = 1e-6;
constexpr int kMostIterations = 2000;
/// Rounding of sums of flows through faces.
constexpr double kRounding = 1e-9;

/// Viscous forces of a cell of width 1 and viscosity 1: twice the integral of D(N_i e_k) : D(N_j e_l), rows D i + k.
template <int D>
auto unit_stiffness() {
  Eigen::Matrix<double, D * kCorners<D>, D * kCorners<D>> k = decltype(k)::Zero();
  const double offset = 0.5 / std::sqrt(3.);
  for (int g = 0; g < kCorners<D>; ++g) {
    Vec<D> at;
    for (int d = 0; d < D; ++d) at[d] = 0.5 + (g >> d & 1 ? offset : -offset);
    const ShapeFunctions<D> shapes(at, 1);
    for (int i = 0; i < kCorners<D>; ++i)
      for (int j = 0; j < kCorners<D>; ++j) {
        const Vec<D> a = shapes.gradient(i), b = shapes.gradient(j);
        k.template block<D, D>(D * i, D * j) += (a.dot(b) * Mat<D>::Identity() + b * a.transpose()) / kCorners<D>;
      }
  }
  return k;
}

}  // namespace

template <int D>
void PoreFluid<D>::begin(const Grid<D>& grid, std::span<const Wall> walls, std::span<const NodeValues<D>> nodes,
                         std::span<const std::uint32_t> target, const FluidLaw& law, double most, double dt,
                         FluidState<D>& state) {
  law_ = law, dt_ = dt;
  threads_ = omp_get_max_threads();
  iterations_ = 0;
  const double h = grid.lattice().width;
  area_ = std::pow(h, D - 1), cell_volume_ = std::pow(h, D);
  for (int i = 0; i < kCorners<D>; ++i)
    for (int k = 0; k < D; ++k) gradient_[i][k] = (i >> k & 1 ? 2 : -2) * area_ / kCorners<D>;
  stiffness_ = unit_stiffness<D>() * std::pow(h, D - 2);
  const CellRange<D> range = widen(state, grid, walls);
  box_.build(grid.lattice(), range, walls);
  fluid_ = state.velocity, viscous_ = state.viscous;
  pressure_.resize(box_.cells().size());
  for (std::size_t c = 0; c < pressure_.size(); ++c) pressure_[c] = state.pressure[box_.cells()[c].number];
  of_node_.assign(nodes.size(), kNoNode);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (target[i] != i) continue;
    const std::uint32_t node = box_.node_at(Lattice<D>::place(grid.nodes()[i]));
    if (node != kNoNode && box_.volume()[node] > 0) of_node_[i] = node;
  }
  find_phases(nodes, target, most);
  advect();
}

/// Finds the phases. In a node full of suspension, phi is the mean of the points' memory; at a surface there is less of
/// it, and grains feel the inside.
template <int D>
void PoreFluid<D>::find_phases(std::span<const NodeValues<D>> nodes, std::span<const std::uint32_t> target,
                               double most) {
  struct Sum {
    double solid = 0, space = 0, packed = 0, mass = 0;
  };
  std::vector<Sum> sums(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    Sum& sum = sums[target[i]];
    sum.solid += nodes[i].volume;
    sum.space += (nodes[i].volume + nodes[i].expansion) / most;
    sum.packed += nodes[i].packed * most;
    sum.mass += nodes[i].mass;
  }
  phases_.resize(box_.nodes());
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (std::size_t n = 0; n < phases_.size(); ++n) {
    const double room = box_.volume()[n] * std::max(box_.open()[n], kLeastPart);
    phases_[n] = room > 0
                     ? phases_of<D>(law_, law_.density, kLeastFraction, kLeastFraction, room, dt_, box_.closed()[n])
                     : Phases<D>();
  }
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::uint32_t n = of_node_[i];
    if (n == kNoNode) continue;
    const Sum& sum = sums[i];
    const double room = box_.volume()[n] * std::max(box_.open()[n], kLeastPart);
    const double packing = std::min(sum.packed / sum.solid, kMostFraction);
    const double fraction = sum.space > kInterior * room ? packing : sum.solid / room;
    phases_[n] = phases_of<D>(law_, sum.mass / sum.solid, std::clamp(fraction, 1e-7, kMostFraction), packing, room, dt_,
                              box_.closed()[n]);
  }
}

/// u_f(x - dt u_f): stable for any step.
template <int D>
void PoreFluid<D>::advect() {
  const std::vector<Vec<D>> before = fluid_;
  const Lattice<D>& lattice = box_.lattice();
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (std::size_t n = 0; n < before.size(); ++n) {
    if (box_.volume()[n] == 0) {
      fluid_[n].setZero();
      continue;
    }
    const Place<D> place = box_.place_of_node(n);
    Place<D> cell;
    Vec<D> local;
    for (int k = 0; k < D; ++k) {
      double x = place[k] - dt_ * before[n][k] / lattice.width;
      if (lattice.period[k] == 0) {
        const double low = box_.range().lower[k], high = low + box_.range().count[k];
        x = std::clamp(x, low, high);
      }
      const double floor = std::floor(x);
      cell[k] = static_cast<int>(floor);
      local[k] = x - floor;
    }
    Vec<D> sum = Vec<D>::Zero();
    double weights = 0;
    for (int i = 0; i < kCorners<D>; ++i) {
      Place<D> corner = cell;
      double weight = 1;
      for (int k = 0; k < D; ++k) {
        corner[k] += i >> k & 1;
        weight *= i >> k & 1 ? local[k] : 1 - local[k];
      }
      const std::uint32_t from = weight > 0 ? box_.node_at(corner) : kNoNode;
      if (from == kNoNode || box_.volume()[from] == 0) continue;
      sum += weight * before[from];
      weights += weight;
    }
    fluid_[n] = weights > 0 ? Vec<D>(sum / weights) : before[n];
  }
}

template <int D>
void PoreFluid<D>::find_covers(std::span<const Wall> walls, const RigidBodies<D>& bodies) {
  covers_.clear();
  for (const auto& c : box_.covers()) {
    const Wall& wall = walls[c.wall];
    const Vec3 arm = wall.arm(box_.position(c.node)), velocity = wall.velocity + wall.angular_velocity.cross(arm);
    covers_.push_back({c.node, c.wall, bodies.body_of(c.wall), c.share, arm.head<D>(), velocity.head<D>()});
  }
}

template <int D>
void PoreFluid<D>::start(std::span<const NodeValues<D>> nodes, std::span<const Vec<D>> start,
                         std::span<const Wall> walls, const Vec<D>& gravity, double ratio, RigidBodies<D>& bodies,
                         std::span<Vec<D>> free, std::span<Vec<D>> inverse_mass) {
  least_speed_ = kRest * gravity.norm() * dt_;
  find_covers(walls, bodies);
  grains_ = fluid_;
  std::vector<Vec<D>> pull(box_.nodes(), Vec<D>::Zero());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (of_node_[i] == kNoNode) continue;
    grains_[of_node_[i]] = start[i];
    pull[of_node_[i]] = nodes[i].force / nodes[i].mass;
  }
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (std::size_t n = 0; n < grains_.size(); ++n) {
    const Phases<D>& p = phases_[n];
    if (box_.volume()[n] == 0) continue;
    const Vec<D> of_grains = p.grains * (grains_[n] + dt_ * pull[n]), of_fluid = p.fluid * fluid_[n];
    grains_[n] = p.gg.cwiseProduct(of_grains) + p.gf.cwiseProduct(of_fluid);
    fluid_[n] = p.gf.cwiseProduct(of_grains) + p.ff.cwiseProduct(of_fluid);
  }
  // Bodies are lighter by the fluid in whose place they are.
  for (const Cover& c : covers_)
    if (c.body != kImmovable)
      bodies.push(c.body, -law_.density * c.share * box_.volume()[c.node] * dt_ * gravity, c.arm);
  find_diagonals();
  velocity_.resize(box_.nodes()), force_.resize(box_.nodes());
  find_velocity(bodies, velocity_);
  std::vector<double> divergence(pressure_.size());
  find_divergence(velocity_, divergence);
  first_divergence_ = sum_of_products<double>(divergence, divergence, threads_);
  find_strain_force(velocity_, force_);
  first_viscous_ = dt_ * dt_ * sum_of_products<Vec<D>>(force_, force_, threads_);
  for (double& p : pressure_) p *= ratio;
  find_force(pressure_, force_);
  for (std::size_t n = 0; n < force_.size(); ++n) {
    viscous_[n] *= ratio;
    force_[n] += viscous_[n];
  }
  push(force_, bodies);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (of_node_[i] == kNoNode) continue;
    free[i] = grains_[of_node_[i]];
    inverse_mass[i] = phases_[of_node_[i]].gg;
  }
}

template <int D>
void PoreFluid<D>::find_diagonals() {
  const auto cells = box_.cells();
  viscosity_.resize(cells.size()), inverse_diagonal_.resize(cells.size());
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (std::size_t c = 0; c < cells.size(); ++c) {
    double fraction = 0, diagonal = 0;
    for (int i = 0; i < kCorners<D>; ++i) {
      const std::uint32_t n = cells[c].node[i];
      fraction += phases_[n].fraction / kCorners<D>;
      const double open = box_.open()[n];
      diagonal += open * open * phases_[n].of_volume.dot(gradient_[i].cwiseAbs2());
    }
    viscosity_[c] = law_.of_mixture(fraction);
    inverse_diagonal_[c] = diagonal > 0 ? 1 / diagonal : 0;
  }
  inverse_viscous_.assign(box_.nodes(), Vec<D>::Zero());
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (std::size_t n = 0; n < inverse_viscous_.size(); ++n) {
    const double open = box_.open()[n];
    if (box_.volume()[n] == 0 || open < kLeastPart) continue;
    for (int k = 0; k < D; ++k) {
      if (!(phases_[n].of_volume[k] > 0)) continue;
      double diagonal = 1 / phases_[n].of_volume[k];
      for (int i = 0; i < kCorners<D>; ++i)
        if (const std::uint32_t c = box_.cells_of_node()[n][i]; c != kNoNode)
          diagonal += dt_ * open * open * viscosity_[c] * stiffness_(D * i + k, D * i + k);
      inverse_viscous_[n][k] = 1 / diagonal;
    }
  }
}

template <int D>
void PoreFluid<D>::find_velocity(const RigidBodies<D>& bodies, std::span<Vec<D>> out) const {
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (std::size_t n = 0; n < out.size(); ++n)
    out[n] = box_.volume()[n] > 0 ? Vec<D>(box_.open()[n] * phases_[n].volume_velocity(grains_[n], fluid_[n]))
                                  : Vec<D>(Vec<D>::Zero());
  for (const Cover& c : covers_)
    out[c.node] += c.share * (c.body == kImmovable ? c.velocity : bodies.motion_of(c.body).at(c.arm));
}

template <int D>
void PoreFluid<D>::respond(std::span<const Vec<D>> force, const RigidBodies<D>& bodies,
                           std::span<Vec<D>> change) const {
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (std::size_t n = 0; n < change.size(); ++n)
    change[n] = box_.open()[n] * box_.open()[n] * phases_[n].of_volume.cwiseProduct(force[n]);
  if (bodies.size() == 0) return;
  std::vector<coulomb::Motion<D>> motion(bodies.size(), {Vec<D>::Zero(), Vec<coulomb::kSpin<D>>::Zero()});
  for (const Cover& c : covers_) {
    if (c.body == kImmovable) continue;
    const coulomb::Motion<D> by = bodies.mobility_of(c.body).response(c.share * force[c.node], c.arm);
    motion[c.body].velocity += by.velocity;
    motion[c.body].spin += by.spin;
  }
  for (const Cover& c : covers_)
    if (c.body != kImmovable) change[c.node] += c.share * motion[c.body].at(c.arm);
}

template <int D>
void PoreFluid<D>::push(std::span<const Vec<D>> force, RigidBodies<D>& bodies) {
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (std::size_t n = 0; n < force.size(); ++n) {
    const Vec<D> f = box_.open()[n] * force[n];
    grains_[n] += phases_[n].of_grains.cwiseProduct(f);
    fluid_[n] += phases_[n].of_fluid.cwiseProduct(f);
  }
  for (const Cover& c : covers_)
    if (c.body != kImmovable) bodies.push(c.body, c.share * force[c.node], c.arm);
}

template <int D>
void PoreFluid<D>::find_force(std::span<const double> pressure, std::span<Vec<D>> out) const {
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (std::size_t n = 0; n < out.size(); ++n) {
    out[n].setZero();
    for (int i = 0; i < kCorners<D>; ++i)
      if (const std::uint32_t c = box_.cells_of_node()[n][i]; c != kNoNode) out[n] += pressure[c] * gradient_[i];
  }
}

template <int D>
void PoreFluid<D>::find_divergence(std::span<const Vec<D>> velocity, std::span<double> out) const {
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (std::size_t c = 0; c < out.size(); ++c) {
    out[c] = 0;
    for (int i = 0; i < kCorners<D>; ++i) out[c] += gradient_[i].dot(velocity[box_.cells()[c].node[i]]);
  }
}

/// Computes the resistance of viscosity at each node, per second [N].
template <int D>
void PoreFluid<D>::find_strain_force(std::span<const Vec<D>> velocity, std::span<Vec<D>> out) const {
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (std::size_t n = 0; n < out.size(); ++n) {
    out[n].setZero();
    for (int i = 0; i < kCorners<D>; ++i) {
      const std::uint32_t c = box_.cells_of_node()[n][i];
      if (c == kNoNode) continue;
      for (int j = 0; j < kCorners<D>; ++j)
        out[n] += viscosity_[c] * (stiffness_.template block<D, D>(D * i, D * j) * velocity[box_.cells()[c].node[j]]);
    }
  }
}

/// Viscous forces implicitly, with those of nodes alone: what bodies do in answer comes with the next round.
template <int D>
void PoreFluid<D>::relax_viscosity(double part, RigidBodies<D>& bodies) {
  const std::size_t n = box_.nodes();
  find_velocity(bodies, velocity_);
  find_strain_force(velocity_, force_);
  std::vector<Vec<D>> residual(n), change, scaled_velocity(n);
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (std::size_t i = 0; i < n; ++i) {
    residual[i] = -box_.open()[i] * (viscous_[i] + dt_ * force_[i]);
    for (int k = 0; k < D; ++k)
      if (inverse_viscous_[i][k] == 0) residual[i][k] = 0;
  }
  const double least_impulse = law_.density * cell_volume_ * least_speed_;
  const double least = std::max(part * part * first_viscous_, least_impulse * least_impulse * static_cast<double>(n));
  const auto apply = [&](std::span<const Vec<D>> p, std::span<Vec<D>> q) {
#pragma omp parallel for schedule(static) num_threads(threads_)
    for (std::size_t i = 0; i < n; ++i) scaled_velocity[i] = box_.open()[i] * p[i];
    find_strain_force(scaled_velocity, q);
#pragma omp parallel for schedule(static) num_threads(threads_)
    for (std::size_t i = 0; i < n; ++i)
      for (int k = 0; k < D; ++k)
        q[i][k] = inverse_viscous_[i][k] > 0 ? p[i][k] / phases_[i].of_volume[k] + dt_ * box_.open()[i] * q[i][k] : 0;
  };
  iterations_ += viscous_solver_.solve(inverse_viscous_, apply, residual, change, least, kMostIterations, threads_);
#pragma omp parallel for schedule(static) num_threads(threads_)
  for (std::size_t i = 0; i < n; ++i) {
    for (int k = 0; k < D; ++k)
      force_[i][k] = inverse_viscous_[i][k] > 0    ? change[i][k] / (phases_[i].of_volume[k] * box_.open()[i])
                     : box_.open()[i] < kLeastPart ? -dt_ * force_[i][k] - viscous_[i][k]
                                                   : 0;  // in a body
    viscous_[i] += force_[i];
  }
  push(force_, bodies);
}

template <int D>
void PoreFluid<D>::relax_pressure(double part, RigidBodies<D>& bodies) {
  const std::size_t n = box_.cells().size();
  find_velocity(bodies, velocity_);
  std::vector<double> residual(n), change;
  find_divergence(velocity_, residual);
  double sum = 0, all = 0;
  for (double& r : residual) r = -r, sum += r, all += std::abs(r);
  if (!box_.has_opening()) {
    double flow = 0;
    for (const Vec<D>& w : velocity_) flow += area_ * w.norm();
    if (std::abs(sum) > std::max(1e-6 * all, kRounding * flow)) throw FluidIsShutIn();
    for (double& r : residual) r -= sum / static_cast<double>(n);
  }
  const double least_flow = area_ * least_speed_;
  const double least = std::max(part * part * first_divergence_, least_flow * least_flow * static_cast<double>(n));
  std::vector<Vec<D>> answer(box_.nodes());
  const auto apply = [&](std::span<const double> p, std::span<double> q) {
    find_force(p, force_);
    respond(force_, bodies, answer);
    find_divergence(answer, q);
  };
  iterations_ += pressure_solver_.solve(inverse_diagonal_, apply, residual, change, least, kMostIterations, threads_);
  for (std::size_t c = 0; c < n; ++c) pressure_[c] += change[c];
  find_force(change, force_);
  push(force_, bodies);
}

template <int D>
void PoreFluid<D>::relax(double part, RigidBodies<D>& bodies, std::span<Vec<D>> free, std::span<Vec<D>> now) {
  const std::vector<Vec<D>> before = grains_;
  relax_viscosity(part, bodies);
  relax_pressure(part, bodies);
  for (std::size_t i = 0; i < of_node_.size(); ++i) {
    const std::uint32_t n = of_node_[i];
    if (n == kNoNode) continue;
    const Vec<D> change = grains_[n] - before[n];
    free[i] += change;
    now[i] += change;
  }
}

template <int D>
void PoreFluid<D>::follow(std::span<const Vec<D>> now) {
  for (std::size_t i = 0; i < of_node_.size(); ++i) {
    const std::uint32_t n = of_node_[i];
    if (n == kNoNode) continue;
    const Phases<D>& p = phases_[n];
    fluid_[n] += p.gf.cwiseQuotient(p.gg).cwiseProduct(now[i] - grains_[n]);
    grains_[n] = now[i];
  }
}

template <int D>
void PoreFluid<D>::finish(FluidState<D>& state) const {
  state.velocity = fluid_;
  state.viscous = viscous_;
  std::ranges::fill(state.pressure, 0);
  for (std::size_t c = 0; c < pressure_.size(); ++c) state.pressure[box_.cells()[c].number] = pressure_[c];
}

template <int D>
void PoreFluid<D>::find_pressure(std::vector<double>& out) const {
  double mean = 0;
  if (!box_.has_opening()) {
    for (const double p : pressure_) mean += p;
    mean /= static_cast<double>(pressure_.size());
  }
  out.assign(of_node_.size(), 0);
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (of_node_[i] == kNoNode) continue;
    int count = 0;
    for (const std::uint32_t c : box_.cells_of_node()[of_node_[i]])
      if (c != kNoNode) out[i] += pressure_[c] - mean, ++count;
    out[i] /= count * dt_;
  }
}

template <int D>
void PoreFluid<D>::find_fraction(std::vector<double>& out) const {
  for (std::size_t i = 0; i < out.size(); ++i)
    if (of_node_[i] != kNoNode) out[i] = phases_[of_node_[i]].fraction;
}

template class PoreFluid<2>;
template class PoreFluid<3>;

}  // namespace scree::continuum
