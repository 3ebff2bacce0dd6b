#include "drucker_prager/pore_rows.hpp"

namespace scree::continuum {

template <int D>
void PoreRows<D>::prepare(const StrainProblem<D>& problem) {
  rows_ = problem.pore;
  find_pore_order(problem, order_);
  rho_.assign(size(), 0);
  inverse_rho_.assign(size(), 0);
  for (std::size_t j = 0; j < size(); ++j) {
    const PoreRow<D>& row = rows_[j];
    rho_[j] = row.own_leak;
    for (std::size_t a = 0; a < row.node.size(); ++a) {
      if (row.node[a] != kNoNode) rho_[j] += problem.inverse_mass[row.node[a]].dot(row.c[a].cwiseAbs2());
    }
    if (rho_[j] > 0) inverse_rho_[j] = 1 / rho_[j];
  }
  impulse_.assign(size(), 0);
  last_ = impulse_;
  turn_.assign(size(), 0);
}

/// What flows out of the row's surroundings [m^3/s].
template <int D>
double PoreRows<D>::flow(std::size_t j, std::span<const Node<D>> nodes) const {
  const PoreRow<D>& row = rows_[j];
  double sum = row.own_leak * impulse_[j];
  for (std::size_t a = 0; a < row.node.size(); ++a) {
    if (row.node[a] != kNoNode) sum += row.c[a].dot(nodes[row.node[a]].velocity.matrix().template head<D>());
  }
  for (std::size_t a = 0; a < row.other.size(); ++a) {
    if (row.other[a] != kNoNode) sum -= row.leak[a] * impulse_[row.other[a]];
  }
  return sum;
}

template <int D>
void PoreRows<D>::push(std::size_t j, double change, std::span<Node<D>> nodes) const {
  const PoreRow<D>& row = rows_[j];
  for (std::size_t a = 0; a < row.node.size(); ++a) {
    if (row.node[a] == kNoNode) continue;
    Node<D>& node = nodes[row.node[a]];
    node.velocity.template head<D>() += change * node.inverse_mass.template head<D>() * row.c[a].array();
  }
}

template <int D>
void PoreRows<D>::push_all(std::span<Node<D>> nodes) const {
  visit_blocks(order_, [&](std::size_t block) {
    for (std::uint32_t i = order_.block_start[block]; i < order_.block_start[block + 1]; ++i) {
      push(order_.row[i], impulse_[order_.row[i]], nodes);
    }
  });
}

template <int D>
void PoreRows<D>::sweep(std::span<Node<D>> nodes) {
  visit_blocks(order_, [&](std::size_t block) {
    for (std::uint32_t i = order_.block_start[block]; i < order_.block_start[block + 1]; ++i) {
      const std::uint32_t j = order_.row[i];
      const double change = -inverse_rho_[j] * flow(j, nodes);
      impulse_[j] += change;
      push(j, change, nodes);
      turn_[j] = -rho_[j] * change * (impulse_[j] - last_[j]);
    }
  });
}

template <int D>
double PoreRows<D>::turn() const {
  double sum = 0;
  for (const double t : turn_) sum += t;
  return sum;
}

template <int D>
void PoreRows<D>::extrapolate(double beta) {
  for (std::size_t j = 0; j < size(); ++j) {
    const double now = impulse_[j];
    impulse_[j] += beta * (now - last_[j]);
    last_[j] = now;
  }
}

template <int D>
double PoreRows<D>::squares(std::span<const Node<D>> nodes) const {
  double sum = 0;
  for (std::size_t j = 0; j < size(); ++j) {
    const double change = inverse_rho_[j] * flow(j, nodes);
    sum += change * change;
  }
  return sum;
}

template class PoreRows<2>;
template class PoreRows<3>;

}  // namespace scree::continuum
