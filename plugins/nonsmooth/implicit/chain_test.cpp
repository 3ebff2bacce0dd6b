// Steps and derivatives in chain coordinates, on trees of three links: held, and free.

#include "implicit/chain.hpp"

#include <random>

#include "catch.hpp"

using namespace scree;
using namespace scree::nonsmooth;

namespace {

/// Body 0 holds, or is no part of it; 1 is the root; 2 and 4 hang on 1, 3 on 2.
struct Tree {
  Fragment fragment;
  std::vector<std::uint32_t> row{solvers::Unknowns::kNone, 2, 0, 3, 1};
  std::vector<double> mass{1, 2, 0.5, 3, 1.5};
  std::vector<Vec3> position;
  std::vector<Quat> orientation;
  std::mt19937 random{3};

  explicit Tree(bool held) {
    for (int i = 0; i < 5; ++i) {
      position.push_back(vector());
      orientation.push_back(Quat(1, 0.3 * number(), 0.5 * number(), number()).normalized());
    }
    fragment.bodies = {1, 2, 4, 3};
    fragment.branches = {{1, held ? 0 : Branch::kNone, vector(), vector(), 0},
                         {2, 1, vector(), vector(), 0},
                         {4, 1, vector(), vector(), 0},
                         {3, 2, vector(), vector(), 1}};
    fragment.trees = {0, 4};
  }
  double number() { return std::uniform_real_distribution<double>(-1, 1)(random); }
  Vec3 vector() { return {number(), number(), number()}; }
  solvers::BlockVector step() {
    return solvers::BlockVector::NullaryExpr(24, [this] { return number(); });
  }

  Vec3 gap(const Branch& b, std::span<const Vec3> p, std::span<const Quat> q) const {
    return p[b.body] + q[b.body] * b.point - p[b.parent] - q[b.parent] * b.parents_point;
  }
  Vec3 centre(std::span<const Vec3> p) const {
    Vec3 sum = Vec3::Zero();
    for (std::size_t i = 1; i < 5; ++i) sum += mass[i] * p[i];
    return sum / 7;
  }
};

}  // namespace

TEST_CASE("gaps change by what they change by to first order, turns are those asked for") {
  for (const bool held : {true, false}) {
    Tree tree(held);
    const solvers::BlockVector step = tree.step();
    std::vector<Vec3> p = tree.position;
    std::vector<Quat> q = tree.orientation;
    move(tree.fragment, tree.row, tree.mass, step, {p, q});
    const auto part = [&](std::uint32_t body, int offset) -> Vec3 {
      if (body == 0) return Vec3::Zero();
      return step.segment<3>(6 * tree.row[body] + offset);
    };
    for (std::size_t k = held ? 0 : 1; k < 4; ++k) {
      const Branch& b = tree.fragment.branches[k];
      const auto change = [&](std::uint32_t body, const Vec3& point) -> Vec3 {
        return part(body, 0) + part(body, 3).cross(tree.orientation[body] * point);
      };
      const Vec3 expected =
          tree.gap(b, tree.position, tree.orientation) + change(b.body, b.point) - change(b.parent, b.parents_point);
      CHECK((tree.gap(b, p, q) - expected).norm() < 1e-14);
      CHECK(q[b.body].angularDistance(exponential<double>(part(b.body, 3)) * tree.orientation[b.body]) < 1e-7);
    }
    if (held) continue;
    Vec3 moved = Vec3::Zero();
    for (std::uint32_t i = 1; i < 5; ++i) moved += tree.mass[i] / 7 * part(i, 0);
    CHECK((tree.centre(p) - tree.centre(tree.position) - moved).norm() < 1e-14);
  }
}

TEST_CASE("second derivatives along a step are those of the energy, as differences tell") {
  // Dead loads: by places their second derivatives are 0.
  for (const bool held : {true, false}) {
    Tree tree(held);
    solvers::BlockVector gradient = solvers::BlockVector::Zero(24);
    for (int row = 0; row < 4; ++row) gradient.segment<3>(6 * row) = tree.vector();
    const solvers::BlockPattern pattern(4, {});
    solvers::BlockMatrix hessian(pattern);
    hessian.set_zero();
    curve(tree.fragment, tree.row, tree.mass, gradient, {tree.position, tree.orientation}, hessian);
    for (int trial = 0; trial < 5; ++trial) {
      const solvers::BlockVector step = tree.step();
      const auto energy = [&](double part) {
        std::vector<Vec3> p = tree.position;
        std::vector<Quat> q = tree.orientation;
        move(tree.fragment, tree.row, tree.mass, part * step, {p, q});
        double sum = 0;
        for (std::uint32_t i = 1; i < 5; ++i) sum += gradient.segment<3>(6 * tree.row[i]).dot(p[i]);
        return sum;
      };
      constexpr double kPart = 1e-3;
      const double difference = (energy(kPart) - 2 * energy(0) + energy(-kPart)) / (kPart * kPart);
      solvers::BlockVector product;
      hessian.multiply(step, product);
      CHECK(step.dot(product) == Approx(difference).epsilon(1e-5).margin(1e-8));
    }
  }
}
