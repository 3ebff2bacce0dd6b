#include "coulomb/barrier_system.hpp"

#include <Eigen/LU>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>

namespace scree::coulomb {
namespace {

using Vector = Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double>;

/// LU factors of a matrix whose pattern stays.
class Factors {
 public:
  explicit Factors(const Sparse& pattern) {
    constexpr double kDiagonal = 0.1;  // share of the largest of its column that a pivot on the diagonal needs
    lu_.setPivotThreshold(kDiagonal);
    lu_.analyzePattern(pattern);
    struct Counts : Eigen::SimplicialLDLT<Sparse, Eigen::Lower> {
      double squares() const { return m_nonZerosPerCol.template cast<double>().squaredNorm(); }
    } counts;
    counts.analyzePattern(pattern);
    operations_ = 2 * counts.squares();
  }

  int factorise(const Sparse& matrix) {
    lu_.factorize(matrix);
    return lu_.info() == Eigen::Success ? (lu_.signDeterminant() > 0 ? 1 : -1) : 0;
  }
  Vector solve(const Vector& b) const { return lu_.solve(b); }
  double operations() const { return operations_; }

 private:
  Eigen::SparseLU<Sparse> lu_;
  double operations_;
};

template <int D>
Sparse block_diagonal(std::span<const Mat<D>> blocks) {
  const auto rows = static_cast<Eigen::Index>(D * blocks.size());
  Sparse matrix(rows, rows);
  matrix.reserve(Eigen::VectorXi::Constant(rows, D));
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    const auto first = static_cast<Eigen::Index>(D * i);
    for (int b = 0; b < D; ++b) {
      for (int a = 0; a < D; ++a) matrix.insert(first + a, first + b) = blocks[i](a, b);
    }
  }
  matrix.makeCompressed();
  return matrix;
}

/// Of (B G; G^T -I), whose Schur complement is A + B: what B^-1 would blow up where contacts stick stays small.
template <int D>
class BodyBarrier final : public BarrierSystem<D> {
 public:
  explicit BodyBarrier(const RigidProblem<D>& problem) : BodyBarrier(ScaledBodies<D>(problem)) {}

  Vector times(const Vector& x) const override { return G_ * (transpose_ * x); }

  int factorise(std::span<const Mat<D>> blocks) override {
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      for (int k = 0; k < D; ++k) {
        const auto column = static_cast<Eigen::Index>(D * i) + k;
        // The block's rows are the first of their columns.
        Eigen::Map<Vec<D>>(whole_.valuePtr() + whole_.outerIndexPtr()[column]) = blocks[i].col(k);
      }
    }
    const bool odd = G_.cols() % 2 != 0;
    return factors_.factorise(whole_) * (odd ? -1 : 1);
  }

  Vector solve(const Vector& b) const override {
    Vector both = Vector::Zero(whole_.rows());
    both.head(b.size()) = b;
    return factors_.solve(both).head(b.size());
  }

  double operations_to_factorise() const override { return factors_.operations(); }

 private:
  explicit BodyBarrier(const ScaledBodies<D>& bodies)
      : BarrierSystem<D>(bodies),
        G_(this->row_factors().asDiagonal() * bodies.G),
        transpose_(G_.transpose()),
        whole_(bordered(G_)),
        factors_(whole_) {}

  /// With ones in the blocks.
  static Sparse bordered(const Sparse& G) {
    std::vector<Eigen::Triplet<double>> entries;
    for (Eigen::Index i = 0; i < G.rows(); i += D) {
      for (int a = 0; a < D; ++a) {
        for (int b = 0; b < D; ++b) entries.emplace_back(i + a, i + b, 1);
      }
    }
    for (Eigen::Index k = 0; k < G.cols(); ++k) {
      entries.emplace_back(G.rows() + k, G.rows() + k, -1);
      for (Sparse::InnerIterator at(G, k); at; ++at) {
        entries.emplace_back(at.row(), G.rows() + k, at.value());
        entries.emplace_back(G.rows() + k, at.row(), at.value());
      }
    }
    Sparse matrix(G.rows() + G.cols(), G.rows() + G.cols());
    matrix.setFromTriplets(entries.begin(), entries.end());
    return matrix;
  }

  Sparse G_, transpose_, whole_;
  Factors factors_;
};

template <int D>
class DelassusBarrier final : public BarrierSystem<D> {
 public:
  explicit DelassusBarrier(const DelassusProblem<D>& problem) : DelassusBarrier(ScaledSystem<D>(problem)) {}

  Vector times(const Vector& x) const override { return A_ * x; }
  int factorise(std::span<const Mat<D>> blocks) override { return factors_.factorise(A_ + block_diagonal<D>(blocks)); }
  Vector solve(const Vector& b) const override { return factors_.solve(b); }
  double operations_to_factorise() const override { return factors_.operations(); }

 private:
  explicit DelassusBarrier(const ScaledSystem<D>& system)
      : BarrierSystem<D>(system),
        A_(this->row_factors().asDiagonal() * system.A * this->row_factors().asDiagonal()),
        factors_(A_) {}

  Sparse A_;
  Factors factors_;
};

}  // namespace

template <int D>
BarrierSystem<D>::BarrierSystem(const ScaledVariables<D>& variables)
    : c_(variables.c), scale_(variables.size()), friction_(variables.friction) {
  c_.array() *= row_factors().array();
  for (std::size_t i = 0; i < size(); ++i) {
    scale_[i] = row_factors().template segment<D>(static_cast<Eigen::Index>(D * i)) / variables.root[i];
  }
}

template <int D>
Eigen::VectorXd BarrierSystem<D>::row_factors() const {
  Vector factors(static_cast<Eigen::Index>(D * size()));
  for (std::size_t i = 0; i < size(); ++i) {
    const auto first = static_cast<Eigen::Index>(D * i);
    factors.template segment<D>(first).setConstant(friction_[i]);
    factors[first] = 1;
  }
  return factors;
}

template <int D>
std::vector<Vec<D>> BarrierSystem<D>::impulses(const Vector& x) const {
  std::vector<Vec<D>> r(size());
  for (std::size_t i = 0; i < size(); ++i) {
    r[i] = scale_[i].cwiseProduct(x.template segment<D>(static_cast<Eigen::Index>(D * i)));
  }
  return r;
}

template <int D>
Eigen::VectorXd BarrierSystem<D>::variables(std::span<const Vec<D>> impulses) const {
  Vector x = Vector::Zero(static_cast<Eigen::Index>(D * size()));
  for (std::size_t i = 0; i < size(); ++i) {
    for (int k = 0; k < D; ++k) {
      if (scale_[i][k] > 0) x[static_cast<Eigen::Index>(D * i) + k] = impulses[i][k] / scale_[i][k];
    }
  }
  return x;
}

template <int D>
std::unique_ptr<BarrierSystem<D>> barrier_system(const RigidProblem<D>& problem) {
  return std::make_unique<BodyBarrier<D>>(problem);
}
template <int D>
std::unique_ptr<BarrierSystem<D>> barrier_system(const DelassusProblem<D>& problem) {
  return std::make_unique<DelassusBarrier<D>>(problem);
}

template class BarrierSystem<2>;
template class BarrierSystem<3>;
template std::unique_ptr<BarrierSystem<2>> barrier_system(const RigidProblem<2>&);
template std::unique_ptr<BarrierSystem<3>> barrier_system(const RigidProblem<3>&);
template std::unique_ptr<BarrierSystem<2>> barrier_system(const DelassusProblem<2>&);
template std::unique_ptr<BarrierSystem<3>> barrier_system(const DelassusProblem<3>&);

}  // namespace scree::coulomb
