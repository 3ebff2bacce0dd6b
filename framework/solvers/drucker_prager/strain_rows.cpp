#include "solvers/drucker_prager/strain_rows.hpp"

namespace scree::continuum {
namespace {

template <int D>
bool moves(const StrainProblem<D>& problem, std::uint32_t node) {
  return node != kNoNode && !problem.inverse_mass[node].isZero(0);
}

/// rho: 0.6 tr H, which costs few sweeps where H is nearly isotropic, and no less than a bound of the largest
/// eigenvalue of H, which is that of the row's own block of W: r W_jj r = tr(lambda^2 H) / 2, and |r|^2 = tr(lambda^2)
/// / 2. \param mobility  H = sum g g^T / m [m^4/kg]
template <int D>
double step_bound(const Mat<D>& mobility) {
  return std::fmax(0.6 * mobility.trace(), mobility.cwiseAbs().rowwise().sum().maxCoeff());
}

}  // namespace

template <int D>
void StrainRows<D>::prepare(const StrainProblem<D>& problem, int threads) {
  find_order(problem, order_);
  const std::size_t n = problem.strain.size();
  rows_.resize(n);
  std::uint32_t neighbours = 0;
  for (std::size_t i = 0; i < n; ++i) {
    rows_[i].begin = neighbours;
    for (const std::uint32_t node : problem.strain[order_.row[i]].node) neighbours += moves(problem, node);
    rows_[i].end = neighbours;
  }
  node_.resize(neighbours);
  g_.resize(D * std::size_t{neighbours});
  coulomb::for_chunks(n, threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) pack(problem, problem.strain[order_.row[i]], rows_[i]);
  });
  shift_.assign(n, 0);
  impulse_.assign(n, Stress<D>::Zero());
  last_ = impulse_;
  turn_.assign(order_.blocks(), 0);
}

template <int D>
void StrainRows<D>::pack(const StrainProblem<D>& problem, const StrainRow<D>& from, Row& row) {
  row.k = from.k * Stress<D>::Unit(0);
  row.friction = from.friction;
  row.apex = from.apex;
  row.weight = from.weight;
  Mat<D> mobility = Mat<D>::Zero();
  std::uint32_t n = row.begin;
  for (int a = 0; a < kNeighbours<D>; ++a) {
    const std::uint32_t node = from.node[a];
    if (moves(problem, node)) {
      node_[n] = node;
      for (int b = 0; b < D; ++b) g_[D * std::size_t{n} + b] = from.g[a][b];
      mobility += problem.inverse_mass[node].maxCoeff() * from.g[a] * from.g[a].transpose();
      ++n;
    } else if (node != kNoNode) {
      row.k += continuum::strain_rate<D>(from.g[a], problem.velocity[node]);
    }
  }
  row.rho = step_bound<D>(mobility);
  row.inverse_rho = row.rho > 0 ? 1 / row.rho : 0;
  row.share = yield_share(row.rho * from.viscosity);
}

template <int D>
bool StrainRows<D>::set_shift(const StrainProblem<D>& problem, std::span<const Vec<D>> velocity, int threads) {
  if (velocity.empty()) {
    shift_.assign(size(), 0);
    return false;
  }
  coulomb::for_chunks(size(), threads, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const StrainRow<D>& row = problem.strain[order_.row[i]];
      Stress<D> rate = Stress<D>::Zero();
      for (int a = 0; a < kNeighbours<D>; ++a) {
        if (row.node[a] != kNoNode) rate += continuum::strain_rate<D>(row.g[a], velocity[row.node[a]]);
      }
      shift_[i] = shift_of<D>(rate, row.friction);
    }
  });
  return std::ranges::any_of(shift_, [](double s) { return s > 0; });
}

template <int D>
void StrainRows<D>::set_impulses(std::span<const Stress<D>> impulses) {
  for (std::size_t i = 0; i < size(); ++i) {
    impulse_[i] = rows_[i].rho > 0 ? impulses[order_.row[i]] : Stress<D>(Stress<D>::Zero());
  }
}

template <int D>
void StrainRows<D>::get_impulses(std::span<Stress<D>> impulses) const {
  for (std::size_t i = 0; i < size(); ++i) impulses[order_.row[i]] = impulse_[i];
}

template <int D>
double StrainRows<D>::square() const {
  double sum = 0;
  for (std::size_t i = 0; i < size(); ++i) sum += (rows_[i].weight * impulse_[i]).squaredNorm();
  return sum;
}

template <int D>
Squares StrainRows<D>::squares(std::span<const Node<D>> nodes, int threads) const {
  const auto sums = coulomb::chunked_sum<2>(size(), threads, [&](std::size_t i, std::array<double, 2>& sum) {
    const Row& row = rows_[i];
    const Stress<D> rate = strain_rate(row, nodes.data());
    const auto map = [&](double shift) {
      const Stress<D> step = impulse_[i] - row.inverse_rho * (rate + shift * Stress<D>::Unit(0));
      return (row.weight * (impulse_[i] - respond<D>(step, row.friction, row.apex, row.share))).squaredNorm();
    };
    sum[0] += map(shift_[i]);
    sum[1] += map(shift_of<D>(rate, row.friction));
  });
  return {sums[0], sums[1]};
}

template class StrainRows<2>;
template class StrainRows<3>;

}  // namespace scree::continuum
