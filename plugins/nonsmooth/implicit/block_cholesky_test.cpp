#include "implicit/block_cholesky.hpp"

#include <Eigen/Dense>
#include <random>

#include "catch.hpp"

using namespace scree;
using namespace scree::nonsmooth;

namespace {

using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

Pairs chain(std::uint32_t n) {
  Pairs pairs;
  for (std::uint32_t i = 0; i + 1 < n; ++i) pairs.emplace_back(i, i + 1);
  return pairs;
}

Pairs ring(std::uint32_t n) {
  Pairs pairs = chain(n);
  pairs.emplace_back(0, n - 1);
  return pairs;
}

Pairs tree(std::uint32_t n) {
  Pairs pairs;
  for (std::uint32_t i = 1; i < n; ++i) pairs.emplace_back((i - 1) / 3, i);
  return pairs;
}

Pairs grid(std::uint32_t n) {
  Pairs pairs;
  for (std::uint32_t i = 0; i < n; ++i) {
    if ((i + 1) % 4 != 0 && i + 1 < n) pairs.emplace_back(i, i + 1);
    if (i + 4 < n) pairs.emplace_back(i, i + 4);
  }
  return pairs;
}

struct System {
  solvers::BlockPattern pattern;
  solvers::BlockMatrix matrix;
  Eigen::MatrixXd dense;

  System(std::uint32_t n, const Pairs& pairs)
      : pattern(n, pairs), matrix(pattern), dense(Eigen::MatrixXd::Zero(6 * n, 6 * n)) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> number(-1, 1);
    matrix.set_zero();
    const auto fill = [&](std::uint32_t a, std::uint32_t b) {
      const solvers::Block block = solvers::Block::NullaryExpr([&] { return number(random); });
      matrix.block(pattern.slot(a, b)) = block;
      matrix.block(pattern.slot(b, a)) = block.transpose();
      dense.block<6, 6>(6 * a, 6 * b) = block;
      dense.block<6, 6>(6 * b, 6 * a) = block.transpose();
    };
    for (const auto& [a, b] : pairs) fill(a, b);
    for (std::uint32_t i = 0; i < n; ++i) {
      solvers::Block block = solvers::Block::NullaryExpr([&] { return number(random); });
      block = (block + block.transpose()).eval() + 40 * solvers::Block::Identity();
      matrix.diagonal(i) = block;
      dense.block<6, 6>(6 * i, 6 * i) = block;
    }
  }
};

/// One fragment by itself.
class Single : public BlockCholesky<double> {
 public:
  Single(const solvers::BlockPattern& pattern, std::span<const std::uint32_t> rows)
      : BlockCholesky({Elimination(pattern, rows)}) {}
  bool factor(const solvers::BlockMatrix& a, std::span<const solvers::Block> added = {}) {
    return BlockCholesky::factor(a, added)[0];
  }
};

}  // namespace

TEST_CASE("the factors of chains, rings, trees and grids solve their systems, and know their inverses") {
  for (const auto& pairs : {chain(9), ring(9), tree(14), grid(16)}) {
    const std::uint32_t n = 1 + std::ranges::max(pairs, {}, [](const auto& p) { return p.second; }).second;
    System system(n, pairs);
    std::vector<std::uint32_t> rows(n);
    for (std::uint32_t i = 0; i < n; ++i) rows[i] = i;
    Single factors(system.pattern, rows);
    REQUIRE(factors.factor(system.matrix));
    const Eigen::MatrixXd inverse = system.dense.inverse();

    solvers::BlockVector x = solvers::BlockVector::LinSpaced(6 * n, -1, 2);
    const solvers::BlockVector right = x;
    factors.solve(x);
    CHECK((x - inverse * right).norm() < 1e-13);

    const std::vector<std::uint32_t> places{1, 4, 7};
    std::vector<solvers::Block> blocks(9);
    factors.inverse(0, places, blocks);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j)
        CHECK((blocks[3 * i + j] - inverse.block<6, 6>(6 * places[i], 6 * places[j])).norm() < 1e-14);
    std::vector<solvers::Block> diagonal(n);
    factors.diagonal_of_inverse(diagonal);
    for (std::size_t i = 0; i < n; ++i) CHECK((diagonal[i] - inverse.block<6, 6>(6 * i, 6 * i)).norm() < 1e-14);
  }
}

TEST_CASE("the factors of a chain and of a tree have no more blocks than the matrix") {
  for (const auto& pairs : {chain(20), tree(20)}) {
    const System system(20, pairs);
    // Breadth first from body 0, as both are numbered.
    std::vector<std::uint32_t> rows(20);
    for (std::uint32_t i = 0; i < 20; ++i) rows[i] = i;
    CHECK(Elimination(system.pattern, rows).column.size() == 19);
  }
}

TEST_CASE("what is added to the diagonal counts as if the matrix had it") {
  System system(9, ring(9));
  std::vector<std::uint32_t> rows(9);
  for (std::uint32_t i = 0; i < 9; ++i) rows[i] = i;
  std::vector<solvers::Block> added(9);
  for (std::uint32_t i = 0; i < 9; ++i) {
    added[i] = (1.0 + i) * solvers::Block::Identity();
    system.dense.diagonal().segment<6>(6 * i).array() += 1.0 + i;
  }
  Single factors(system.pattern, rows);
  REQUIRE(factors.factor(system.matrix, added));
  const solvers::BlockVector right = solvers::BlockVector::LinSpaced(54, -1, 2);
  solvers::BlockVector x = right;
  factors.solve(x);
  CHECK((system.dense * x - right).norm() < 1e-12);
}

TEST_CASE("a matrix that is not positive definite has no factors") {
  System system(5, chain(5));
  system.matrix.diagonal(2) -= 100 * solvers::Block::Identity();
  const std::vector<std::uint32_t> rows{0, 1, 2, 3, 4};
  CHECK_FALSE(Single(system.pattern, rows).factor(system.matrix));
}

TEST_CASE("the rows of one fragment are factored as if there were no others") {
  Pairs pairs{{0, 2}, {2, 4}, {1, 3}};
  System system(5, pairs);
  const std::vector<std::uint32_t> rows{4, 2, 0};
  Single factors(system.pattern, rows);
  REQUIRE(factors.factor(system.matrix));
  solvers::BlockVector x = solvers::BlockVector::LinSpaced(30, 1, 3);
  const solvers::BlockVector right = x;
  factors.solve(x);
  CHECK(x.segment<6>(6) == right.segment<6>(6));
  const Eigen::VectorXd all = system.dense.inverse() * right;
  for (const int row : {0, 2, 4}) CHECK((x.segment<6>(6 * row) - all.segment<6>(6 * row)).norm() < 1e-14);
}
