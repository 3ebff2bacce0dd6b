#pragma once
/// \file What a FCLib file holds. SI units; vectors interleave the components of a contact: (N, T...), (N, T...), ...

#include <Eigen/SparseCore>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "solvers/coulomb/problem.hpp"

namespace scree::fclib {

using SparseMatrix = Eigen::SparseMatrix<double, Eigen::RowMajor>;

struct Info {
  std::string title, description, math_info;
};

/// M v = H r + f, u = H^T v + w. H is the transpose of what most papers call H.
struct GlobalForm {
  SparseMatrix mass;        ///< M: (dofs, dofs), whole and symmetric
  SparseMatrix directions;  ///< H: (dofs, D contacts)
  Eigen::VectorXd f, w;
};

/// A guess, or a solution. Anything not in the file is empty.
struct Iterate {
  std::vector<double> r, u;  ///< (D contacts) impulses [N s], velocities [m/s]
  std::vector<double> v, l;  ///< (dofs) of the global form; (equalities) their multipliers
};

template <int D>
struct Problem {
  coulomb::DelassusProblem<D> contacts;
  std::optional<GlobalForm> global;  ///< what `contacts` was reduced from, if the file holds that form
  Info info;
  std::optional<Iterate> solution;  ///< often absent, zero or poor: check its error before you trust it
  std::vector<Iterate> guesses;
};

/// In the plane or in space, as the file's `spacedim` says.
using AnyProblem = std::variant<Problem<2>, Problem<3>>;

/// Numbers (D contacts) as impulses or velocities of contacts.
template <int D>
std::vector<coulomb::Vec<D>> by_contact(const std::vector<double>& numbers) {
  std::vector<coulomb::Vec<D>> vectors(numbers.size() / D);
  for (std::size_t i = 0; i < vectors.size(); ++i) vectors[i] = Eigen::Map<const coulomb::Vec<D>>(&numbers[D * i]);
  return vectors;
}

}  // namespace scree::fclib
