#include "solvers/fclib/blocks.hpp"

#include <algorithm>

namespace scree::fclib {

using coulomb::DelassusProblem;
using coulomb::Mat;

namespace {

template <int D>
int first_row(std::uint32_t contact) {
  return D * static_cast<int>(contact);
}

template <int D>
std::uint32_t block_column(const SparseMatrix::InnerIterator& entry) {
  return static_cast<std::uint32_t>(entry.col() / D);
}

/// Ascending; the diagonal is among them.
template <int D>
std::vector<std::uint32_t> block_columns(const SparseMatrix& w, std::uint32_t contact) {
  std::vector<std::uint32_t> columns = {contact};
  for (int k = 0; k < D; ++k)
    for (SparseMatrix::InnerIterator entry(w, first_row<D>(contact) + k); entry; ++entry)
      if (columns.back() != block_column<D>(entry)) columns.push_back(block_column<D>(entry));
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

std::size_t place(const std::vector<std::uint32_t>& columns, std::uint32_t column) {
  return static_cast<std::size_t>(std::lower_bound(columns.begin(), columns.end(), column) - columns.begin());
}

}  // namespace

template <int D>
DelassusProblem<D> in_blocks(const SparseMatrix& w, const std::vector<double>& q, std::vector<double> friction) {
  DelassusProblem<D> problem;
  problem.friction = std::move(friction);
  problem.q = by_contact<D>(q);
  problem.row_start.push_back(0);
  for (std::uint32_t i = 0; i < problem.size(); ++i) {
    const std::vector<std::uint32_t> columns = block_columns<D>(w, i);
    std::vector<Mat<D>> blocks(columns.size(), Mat<D>::Zero());
    for (int k = 0; k < D; ++k)
      for (SparseMatrix::InnerIterator entry(w, first_row<D>(i) + k); entry; ++entry)
        blocks[place(columns, block_column<D>(entry))](k, entry.col() % D) = entry.value();
    problem.column.insert(problem.column.end(), columns.begin(), columns.end());
    problem.block.insert(problem.block.end(), blocks.begin(), blocks.end());
    problem.row_start.push_back(problem.column.size());
  }
  return problem;
}

template DelassusProblem<2> in_blocks(const SparseMatrix&, const std::vector<double>&, std::vector<double>);
template DelassusProblem<3> in_blocks(const SparseMatrix&, const std::vector<double>&, std::vector<double>);

}  // namespace scree::fclib
