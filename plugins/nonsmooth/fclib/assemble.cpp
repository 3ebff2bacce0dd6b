#include "fclib/assemble.hpp"

#include <algorithm>

namespace scree::fclib {

using coulomb::DelassusProblem;
using coulomb::kImmovable;
using coulomb::kSpin;
using coulomb::Mat;
using coulomb::RigidBody;
using coulomb::RigidContact;
using coulomb::RigidProblem;
using coulomb::Vec;

namespace {

/// Velocity of the contact by a body's velocity and spin.
template <int D>
using Jacobian = Eigen::Matrix<double, D, D + kSpin<D>>;
template <int D>
using Twist = Eigen::Matrix<double, D + kSpin<D>, 1>;

/// What a spin of one adds to the velocity at `arm`.
Eigen::Matrix<double, 2, 1> by_spin(const Vec<2>& arm) { return {-arm[1], arm[0]}; }
Mat<3> by_spin(const Vec<3>& arm) {
  Mat<3> m;
  m << 0, arm[2], -arm[1], -arm[2], 0, arm[0], arm[1], -arm[0], 0;
  return m;
}

/// One body's part in one contact.
template <int D>
struct Side {
  std::uint32_t contact, body;
  Jacobian<D> jacobian;  ///< signed: a moves away, b comes along the normal
};

template <int D>
Side<D> side(std::uint32_t contact, std::uint32_t body, const Mat<D>& frame, const Vec<D>& arm, double sign) {
  Side<D> s{contact, body, {}};
  s.jacobian.template leftCols<D>() = sign * frame;
  s.jacobian.template rightCols<kSpin<D>>() = sign * frame * by_spin(arm);
  return s;
}

/// Two for each contact at most, in the order of contacts.
template <int D>
std::vector<Side<D>> sides_of(const RigidProblem<D>& problem) {
  std::vector<Side<D>> sides;
  for (std::uint32_t i = 0; i < problem.size(); ++i) {
    const RigidContact<D>& c = problem.contacts[i];
    if (c.a != kImmovable) sides.push_back(side<D>(i, c.a, c.frame, c.arm_a, -1));
    if (c.b != kImmovable) sides.push_back(side<D>(i, c.b, c.frame, c.arm_b, 1));
  }
  return sides;
}

template <int D>
Jacobian<D> times_inverse_mass(const Jacobian<D>& j, const RigidBody<D>& body) {
  Jacobian<D> product;
  product.template leftCols<D>() = j.template leftCols<D>() * body.inverse_mass;
  product.template rightCols<kSpin<D>>() = j.template rightCols<kSpin<D>>() * body.inverse_inertia;
  return product;
}

template <int D>
Twist<D> twist(const RigidBody<D>& body) {
  Twist<D> t;
  t << body.velocity, body.spin;
  return t;
}

template <int D>
struct Block {
  std::uint32_t row, column;
  Mat<D> value;
};

/// Appends rows from blocks sorted by row and column; blocks of one place are summed in their order.
template <int D>
void append(const std::vector<Block<D>>& blocks, DelassusProblem<D>& problem, std::size_t contacts) {
  problem.row_start.assign(contacts + 1, 0);
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    const Block<D>& b = blocks[k];
    if (k > 0 && blocks[k - 1].row == b.row && blocks[k - 1].column == b.column) {
      problem.block.back() += b.value;
      continue;
    }
    problem.column.push_back(b.column);
    problem.block.push_back(b.value);
    ++problem.row_start[b.row + 1];
  }
  for (std::size_t i = 0; i < contacts; ++i) problem.row_start[i + 1] += problem.row_start[i];
}

template <int D>
bool before(const Block<D>& a, const Block<D>& b) {
  return a.row != b.row ? a.row < b.row : a.column < b.column;
}

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

template <int D>
DelassusProblem<D> assemble(const RigidProblem<D>& rigid) {
  DelassusProblem<D> problem;
  for (const RigidContact<D>& c : rigid.contacts) {
    problem.q.push_back(c.w);
    problem.friction.push_back(c.friction);
  }
  std::vector<Side<D>> sides = sides_of(rigid);
  std::vector<Block<D>> blocks;
  for (std::uint32_t i = 0; i < rigid.size(); ++i) blocks.push_back({i, i, Mat<D>::Zero()});
  for (const Side<D>& s : sides) problem.q[s.contact] += s.jacobian * twist(rigid.bodies[s.body]);
  std::stable_sort(sides.begin(), sides.end(), [](const Side<D>& a, const Side<D>& b) { return a.body < b.body; });
  for (auto begin = sides.cbegin(); begin != sides.cend();) {
    const auto end = std::find_if(begin, sides.cend(), [&](const Side<D>& s) { return s.body != begin->body; });
    for (auto a = begin; a != end; ++a) {
      const Jacobian<D> weighted = times_inverse_mass<D>(a->jacobian, rigid.bodies[a->body]);
      for (auto b = begin; b != end; ++b)
        blocks.push_back({a->contact, b->contact, weighted * b->jacobian.transpose()});
    }
    begin = end;
  }
  std::stable_sort(blocks.begin(), blocks.end(), before<D>);
  append(blocks, problem, rigid.size());
  return problem;
}

template DelassusProblem<2> in_blocks(const SparseMatrix&, const std::vector<double>&, std::vector<double>);
template DelassusProblem<3> in_blocks(const SparseMatrix&, const std::vector<double>&, std::vector<double>);
template DelassusProblem<2> assemble(const RigidProblem<2>&);
template DelassusProblem<3> assemble(const RigidProblem<3>&);

}  // namespace scree::fclib
