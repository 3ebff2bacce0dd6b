#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "solvers/blocks/solver.hpp"

namespace scree::solvers {

namespace {

/// Up to this much work (rows times cross-section squared) a factorisation is taken: measured in
/// framework/docs/notes/bonded.md.
constexpr double kDirectWork = 1e5, kCholmodWork = 1e6;

/// Sizes of the levels of a breadth-first search. \return the last row reached
std::uint32_t search_from(const BlockPattern& p, std::uint32_t start, std::vector<std::uint8_t>& seen,
                          std::vector<std::size_t>& levels) {
  std::vector<std::uint32_t> front{start}, next;
  seen[start] = 1;
  std::uint32_t last = start;
  for (; !front.empty(); front.swap(next)) {
    levels.push_back(front.size());
    last = front.back();
    next.clear();
    for (const std::uint32_t row : front)
      for (std::size_t k = p.row_start[row]; k < p.row_start[row + 1]; ++k)
        if (!seen[p.column[k]]) seen[p.column[k]] = 1, next.push_back(p.column[k]);
  }
  return last;
}

}  // namespace

SystemShape shape_of(const BlockPattern& p) {
  SystemShape shape{p.rows(), p.blocks(), 0};
  if (shape.rows == 0) return shape;
  // From an end of the largest piece of the body: levels are its cross-sections.
  std::vector<std::uint8_t> seen(p.rows(), 0), again(p.rows(), 0);
  std::size_t largest = 0;
  std::uint32_t end = 0;
  for (std::uint32_t row = 0; row < p.rows(); ++row) {
    if (seen[row]) continue;
    std::vector<std::size_t> levels;
    const std::uint32_t last = search_from(p, row, seen, levels);
    std::size_t size = 0;
    for (const std::size_t level : levels) size += level;
    if (size > largest) largest = size, end = last;
  }
  std::vector<std::size_t> levels;
  search_from(p, end, again, levels);
  std::nth_element(levels.begin(), levels.begin() + static_cast<std::ptrdiff_t>(levels.size() / 2), levels.end());
  shape.cross_section = levels[levels.size() / 2];
  return shape;
}

std::vector<std::string> solver_names() {
  return {"auto", "block-jacobi", "block-ic", "multigrid", "direct", "cholmod"};
}

SolverChoice choose_solver(const BlockPattern& pattern, std::string_view name) {
  if (name == "block-jacobi") return {block_jacobi_cg(), "block-jacobi: asked for"};
  if (name == "block-ic") return {block_ic_cg(), "block-ic: asked for"};
  if (name == "multigrid") return {multigrid_cg(), "multigrid: asked for"};
  if (name == "direct") return {direct_cholesky(), "direct: asked for"};
  if (name == "cholmod") {
    auto solver = cholmod_cholesky();
    if (!solver)
      throw std::invalid_argument(
          "linear solver \"cholmod\": this build has none. Install SuiteSparse and configure with SCREE_CHOLMOD=ON, or "
          "use \"auto\"");
    return {std::move(solver), "cholmod: asked for"};
  }
  if (name != "auto") {
    std::string known;
    for (const std::string& n : solver_names()) known += (known.empty() ? "" : ", ") + n;
    throw std::invalid_argument("linear solver \"" + std::string(name) + "\": unknown. Known: " + known);
  }
  const SystemShape s = shape_of(pattern);
  // Work of a factorisation: rows times cross-section squared, as for a band.
  const double rows = static_cast<double>(s.rows), section = static_cast<double>(s.cross_section);
  const double work = rows * section * section;
  auto cholmod = cholmod_cholesky();
  const double limit = cholmod ? kCholmodWork : kDirectWork;
  std::string why(160, '\0');
  why.resize(static_cast<std::size_t>(
      std::snprintf(why.data(), why.size(), "%zu rows, cross-section %zu: factorisation work %.1e, direct up to %.1e",
                    s.rows, s.cross_section, work, limit)));
  if (work > limit) return {multigrid_cg(), "multigrid: " + why};
  if (cholmod) return {std::move(cholmod), "cholmod: " + why};
  return {direct_cholesky(), "direct: " + why};
}

}  // namespace scree::solvers
