#include "solvers/coulomb/barrier_system.hpp"

#include <Eigen/LU>
#include <Eigen/SparseCholesky>
#include <Eigen/SparseLU>
#include <utility>
#include <vector>

namespace scree::coulomb {
namespace {

using Vector = Eigen::VectorXd;
using Sparse = Eigen::SparseMatrix<double>;

/// Of the rows of A in the variables of BarrierSystem, from those of ScaledVariables.
template <int D>
Vector row_factors(const ScaledVariables<D>& variables) {
  Vector factors(static_cast<Eigen::Index>(D * variables.size()));
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const auto first = static_cast<Eigen::Index>(D * i);
    factors.template segment<D>(first).setConstant(variables.friction[i]);
    factors[first] = 1;
  }
  return factors;
}

/// LU factors of a matrix that stays but for the contacts' blocks on its diagonal, which come first.
template <int D>
class FactorisedBarrier : public BarrierSystem<D> {
 public:
  int factorise(std::span<const Mat<D>> blocks) override {
    for (std::size_t i = 0; i < blocks.size(); ++i) {
      for (int k = 0; k < D; ++k) column(i, k) = own_[i].col(k) + blocks[i].col(k);
    }
    lu_.factorize(matrix_);
    if (lu_.info() != Eigen::Success) return 0;
    const bool odd = (matrix_.cols() - static_cast<Eigen::Index>(first_.size())) % 2 != 0;
    return (lu_.signDeterminant() > 0) != odd ? 1 : -1;
  }
  Vector solve(const Vector& b) const override {
    Vector whole = Vector::Zero(matrix_.rows());
    whole.head(b.size()) = b;
    return lu_.solve(whole).head(b.size());
  }
  double operations_to_factorise() const override { return operations_; }

 protected:
  /// \param matrix  without B, but with an entry wherever B has one; negative definite in the rows that follow contacts
  FactorisedBarrier(const ScaledVariables<D>& variables, Sparse matrix)
      : BarrierSystem<D>(variables), matrix_(std::move(matrix)), own_(variables.size()) {
    for (std::size_t i = 0; i < own_.size(); ++i) {
      const auto row = static_cast<Eigen::Index>(D * i);
      for (int k = 0; k < D; ++k) {
        first_.push_back(&matrix_.coeffRef(row, row + k) - matrix_.valuePtr());
        own_[i].col(k) = column(i, k);
      }
    }
    constexpr double kDiagonal = 0.1;  // share of the largest of its column that a pivot on the diagonal needs
    lu_.setPivotThreshold(kDiagonal);
    lu_.analyzePattern(matrix_);
    struct Counts : Eigen::SimplicialLDLT<Sparse, Eigen::Lower> {
      double squares() const { return m_nonZerosPerCol.template cast<double>().squaredNorm(); }
    } counts;
    counts.analyzePattern(matrix_);
    operations_ = 2 * counts.squares();
  }

 private:
  /// Of the block of contact i, in the matrix.
  Eigen::Map<Vec<D>> column(std::size_t i, int k) {
    return Eigen::Map<Vec<D>>(matrix_.valuePtr() + first_[D * i + static_cast<std::size_t>(k)]);
  }

  Sparse matrix_;
  std::vector<Mat<D>> own_;            ///< (contacts) its blocks without B
  std::vector<std::ptrdiff_t> first_;  ///< (columns of contacts) places of the blocks' first rows
  Eigen::SparseLU<Sparse> lu_;
  double operations_;
};

/// Of (B G; G^T -I), whose Schur complement is A + B: what B^-1 would blow up where contacts stick stays small.
template <int D>
class BodyBarrier final : public FactorisedBarrier<D> {
 public:
  explicit BodyBarrier(const ScaledBodies<D>& bodies)
      : BodyBarrier(bodies, row_factors<D>(bodies).asDiagonal() * bodies.G) {}

  Vector times(const Vector& x) const override { return G_ * (transpose_ * x); }

 private:
  BodyBarrier(const ScaledBodies<D>& bodies, const Sparse& G)
      : FactorisedBarrier<D>(bodies, bordered(G)), G_(G), transpose_(G.transpose()) {}

  static Sparse bordered(const Sparse& G) {
    std::vector<Eigen::Triplet<double>> entries;
    for (Eigen::Index i = 0; i < G.rows(); i += D) {
      for (int a = 0; a < D; ++a) {
        for (int b = 0; b < D; ++b) entries.emplace_back(i + a, i + b, 0);
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

  Sparse G_, transpose_;
};

template <int D>
class DelassusBarrier final : public FactorisedBarrier<D> {
 public:
  explicit DelassusBarrier(const ScaledSystem<D>& system)
      : DelassusBarrier(system, row_factors<D>(system).asDiagonal() * system.A * row_factors<D>(system).asDiagonal()) {}

  Vector times(const Vector& x) const override { return A_ * x; }

 private:
  DelassusBarrier(const ScaledSystem<D>& system, const Sparse& A) : FactorisedBarrier<D>(system, A), A_(A) {}

  Sparse A_;
};

}  // namespace

template <int D>
BarrierSystem<D>::BarrierSystem(const ScaledVariables<D>& variables) : scale_(variables.size()) {
  const Vector factors = row_factors(variables);
  c_ = variables.c.cwiseProduct(factors);
  for (std::size_t i = 0; i < size(); ++i) {
    scale_[i] = factors.template segment<D>(static_cast<Eigen::Index>(D * i)) / variables.root[i];
  }
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
  return std::make_unique<BodyBarrier<D>>(ScaledBodies<D>(problem));
}
template <int D>
std::unique_ptr<BarrierSystem<D>> barrier_system(const DelassusProblem<D>& problem) {
  return std::make_unique<DelassusBarrier<D>>(ScaledSystem<D>(problem));
}

template class BarrierSystem<2>;
template class BarrierSystem<3>;
template std::unique_ptr<BarrierSystem<2>> barrier_system(const RigidProblem<2>&);
template std::unique_ptr<BarrierSystem<3>> barrier_system(const RigidProblem<3>&);
template std::unique_ptr<BarrierSystem<2>> barrier_system(const DelassusProblem<2>&);
template std::unique_ptr<BarrierSystem<3>> barrier_system(const DelassusProblem<3>&);

}  // namespace scree::coulomb
