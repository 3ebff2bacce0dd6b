#include "solvers/blocks/direct.hpp"

#ifdef SCREE_BONDED_CHOLMOD
#include <Eigen/CholmodSupport>
#include <cmath>
#endif

namespace scree::solvers {

#ifdef SCREE_BONDED_CHOLMOD
namespace {

class Cholmod final : public DirectSolver<Eigen::CholmodSupernodalLLT<Eigen::SparseMatrix<double>, Eigen::Lower>> {
 public:
  Cholmod() {
    auto& common = factorisation_.cholmod();
    common.nmethods = 1;
    common.method[0].ordering = CHOLMOD_METIS;
    common.postorder = 1;
    common.print = 0;  // a matrix that is not positive definite is an answer here
  }
  std::string_view name() const override { return "cholmod"; }
  std::size_t bytes() const override { return const_cast<Cholmod*>(this)->factorisation_.cholmod().memory_inuse; }
};

}  // namespace

std::unique_ptr<LinearSolver> cholmod_cholesky() { return std::make_unique<Cholmod>(); }
#else
std::unique_ptr<LinearSolver> cholmod_cholesky() { return nullptr; }
#endif

}  // namespace scree::solvers
