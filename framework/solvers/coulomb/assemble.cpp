#include "solvers/coulomb/assemble.hpp"

#include <algorithm>

#include "solvers/coulomb/rigid_kinematics.hpp"

namespace scree::coulomb {
namespace {

/// One end of a contact at a body that moves.
struct End {
  std::uint32_t contact;
  bool second;  ///< the body is its b
};

template <int D>
struct Touch {
  const RigidContact<D>& contact;
  bool second;

  std::uint32_t body() const { return second ? contact.b : contact.a; }
  const Vec<D>& arm() const { return second ? contact.arm_b : contact.arm_a; }
  double sign() const { return second ? 1 : -1; }
};

template <int D>
std::vector<std::vector<End>> ends_of_bodies(const RigidProblem<D>& problem) {
  std::vector<std::vector<End>> ends(problem.bodies.size());
  for (std::uint32_t i = 0; i < problem.size(); ++i) {
    const RigidContact<D>& c = problem.contacts[i];
    if (c.a != kImmovable && !is_fixed(problem.bodies[c.a])) ends[c.a].push_back({i, false});
    if (c.b != kImmovable && !is_fixed(problem.bodies[c.b])) ends[c.b].push_back({i, true});
  }
  return ends;
}

template <int D>
Vec<D> free_velocity(const RigidProblem<D>& problem, const RigidContact<D>& c) {
  Vec<D> u = c.w;
  for (const bool second : {false, true}) {
    const Touch<D> touch{c, second};
    if (touch.body() == kImmovable) continue;
    const RigidBody<D>& body = problem.bodies[touch.body()];
    u += touch.sign() * (c.frame * Motion<D>{body.velocity, body.spin}.at(touch.arm()));
  }
  return u;
}

template <int D>
DelassusProblem<D> assemble_any(const RigidProblem<D>& problem) {
  const auto ends = ends_of_bodies(problem);
  DelassusProblem<D> w;
  w.row_start.push_back(0);
  std::vector<Mat<D>> blocks;                                // of one row, as they come
  std::vector<std::pair<std::uint32_t, std::size_t>> order;  // column, block
  for (std::uint32_t i = 0; i < problem.size(); ++i) {
    const RigidContact<D>& c = problem.contacts[i];
    blocks.assign(1, Mat<D>::Zero());
    order.assign(1, {i, 0});
    for (const bool second : {false, true}) {
      const Touch<D> at{c, second};
      if (at.body() == kImmovable) continue;
      const RigidBody<D>& body = problem.bodies[at.body()];
      const Mobility<D> mobility{body.inverse_mass, body.inverse_inertia};
      for (const End& end : ends[at.body()]) {
        const Touch<D> by{problem.contacts[end.contact], end.second};
        order.emplace_back(end.contact, blocks.size());
        blocks.push_back(at.sign() * by.sign() * coupling<D>(mobility, c.frame, at.arm(), by.contact.frame, by.arm()));
      }
    }
    // By column, then as they came: not with stable_sort, whose buffer is not aligned for blocks.
    std::sort(order.begin(), order.end());
    for (std::size_t k = 0; k < order.size(); ++k) {
      const Mat<D>& block = blocks[order[k].second];
      if (k > 0 && order[k].first == order[k - 1].first) {
        w.block.back() += block;
      } else {
        w.column.push_back(order[k].first);
        w.block.push_back(block);
      }
    }
    w.row_start.push_back(w.column.size());
    w.q.push_back(free_velocity(problem, c));
    w.friction.push_back(c.friction);
  }
  return w;
}

}  // namespace

DelassusProblem<2> assemble(const RigidProblem<2>& problem) { return assemble_any(problem); }
DelassusProblem<3> assemble(const RigidProblem<3>& problem) { return assemble_any(problem); }

}  // namespace scree::coulomb
