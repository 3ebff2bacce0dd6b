#include "implicit/fragment_factors.hpp"

#include <Eigen/Dense>
#include <random>

#include "catch.hpp"

using namespace scree;
using namespace scree::nonsmooth;

namespace {

constexpr std::uint32_t kRods = 6, kLinks = 5, kRing = 4, kBodies = kRods * kLinks + kRing;

/// Six rods of five bodies and a ring of four.
struct Tangle {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs = [] {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> all;
    for (std::uint32_t rod = 0; rod < kRods; ++rod)
      for (std::uint32_t k = 0; k + 1 < kLinks; ++k) all.emplace_back(kLinks * rod + k, kLinks * rod + k + 1);
    for (std::uint32_t k = 0; k < kRing; ++k) {
      const std::uint32_t a = kRods * kLinks + k, b = kRods * kLinks + (k + 1) % kRing;
      all.emplace_back(std::min(a, b), std::max(a, b));
    }
    return all;
  }();
  solvers::BlockPattern pattern{kBodies, pairs};
  solvers::BlockMatrix matrix{pattern};
  Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(6 * kBodies, 6 * kBodies);
  std::vector<Fragment> fragments;
  std::vector<std::uint32_t> row;

  Tangle() {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> number(-1, 1);
    matrix.set_zero();
    for (std::uint32_t i = 0; i < kBodies; ++i) {
      const solvers::Block block = solvers::Block::NullaryExpr([&] { return number(random); });
      set(i, i, block + block.transpose() + 30 * solvers::Block::Identity());
      row.push_back(i);
    }
    for (const auto& [a, b] : pairs) {
      const solvers::Block block = solvers::Block::NullaryExpr([&] { return number(random); });
      set(a, b, block), set(b, a, block.transpose());
    }
    for (std::uint32_t f = 0; f <= kRods; ++f) {
      Fragment& fragment = fragments.emplace_back();
      for (std::uint32_t k = 0; k < (f < kRods ? kLinks : kRing); ++k) fragment.bodies.push_back(kLinks * f + k);
    }
  }
  void set(std::uint32_t a, std::uint32_t b, const solvers::Block& block) {
    (a == b ? matrix.diagonal(a) : matrix.block(pattern.slot(a, b))) = block;
    dense.block<6, 6>(6 * a, 6 * b) = block;
  }
};

}  // namespace

TEST_CASE("factors of six rods and a ring are those of the whole system") {
  Tangle t;
  FragmentFactors factors(t.pattern, t.fragments, t.row);
  std::vector<solvers::Block> added(kBodies);
  for (std::uint32_t i = 0; i < kBodies; ++i) added[i] = (1 + 0.1 * i) * solvers::Block::Identity();
  for (std::uint32_t i = 0; i < kBodies; ++i) t.dense.block<6, 6>(6 * i, 6 * i) += added[i];
  std::vector<std::uint8_t> wanted(t.fragments.size(), 1);
  factors.factor(t.matrix, added, wanted);
  CHECK(std::ranges::count(wanted, 0) == 7);
  const Eigen::MatrixXd inverse = t.dense.inverse();

  solvers::BlockVector x = solvers::BlockVector::LinSpaced(6 * kBodies, -1, 2);
  const solvers::BlockVector expected = inverse * x;
  factors.solve(x);
  CHECK((x - expected).norm() < 1e-13);
  std::vector<solvers::Block> diagonal(kBodies);
  factors.diagonal_of_inverse(diagonal);
  for (Eigen::Index i = 0; i < kBodies; ++i)
    CHECK((diagonal[static_cast<std::size_t>(i)] - inverse.block<6, 6>(6 * i, 6 * i)).norm() < 1e-14);
  for (std::size_t f = 0; f < t.fragments.size(); ++f) {
    const std::vector<std::uint32_t> places{0, 2, 3};
    std::vector<solvers::Block> blocks(9);
    factors.inverse(f, places, blocks);
    for (std::size_t i = 0; i < 3; ++i)
      for (std::size_t j = 0; j < 3; ++j) {
        const auto a = static_cast<Eigen::Index>(t.fragments[f].bodies[places[i]]);
        const auto b = static_cast<Eigen::Index>(t.fragments[f].bodies[places[j]]);
        CHECK((blocks[3 * i + j] - inverse.block<6, 6>(6 * a, 6 * b)).norm() < 1e-14);
      }
  }
}

TEST_CASE("a rod that is not positive definite is told, and leaves others of its group alone") {
  Tangle t;
  FragmentFactors factors(t.pattern, t.fragments, t.row);
  std::vector<std::uint8_t> wanted(t.fragments.size(), 1);
  factors.factor(t.matrix, {}, wanted);
  const solvers::BlockVector right = solvers::BlockVector::LinSpaced(6 * kBodies, -1, 2);
  solvers::BlockVector before = right;
  factors.solve(before);
  const solvers::Block good = t.matrix.diagonal(7);
  t.matrix.diagonal(7) -= 100 * solvers::Block::Identity();
  std::ranges::fill(wanted, 1);
  factors.factor(t.matrix, {}, wanted);
  CHECK(wanted == std::vector<std::uint8_t>{0, 1, 0, 0, 0, 0, 0});
  t.matrix.diagonal(7) = good;
  factors.factor(t.matrix, {}, wanted);
  CHECK(std::ranges::count(wanted, 0) == 7);
  solvers::BlockVector after = right;
  factors.solve(after);
  CHECK(after == before);
}
