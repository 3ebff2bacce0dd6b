#include "solvers/drucker_prager/check.hpp"

#include <cmath>
#include <sstream>
#include <stdexcept>

namespace scree::continuum {
namespace {

template <class... Parts>
[[noreturn]] void deny(const Parts&... parts) {
  std::ostringstream text;
  (text << ... << parts);
  throw std::invalid_argument(text.str());
}

void check_size(const char* what, std::size_t got, const char* things, std::size_t count) {
  if (got != count) deny(got, " ", what, " for ", count, " ", things, "; give one for each");
}

/// 0 or more, and finite.
void check_positive(const char* what, std::size_t i, double value) {
  if (!(value >= 0) || !std::isfinite(value)) deny(what, " ", i, " is ", value, "; allowed: 0 or more, finite");
}

void check_scale(const char* what, double value) {
  if (!(value > 0) || !std::isfinite(value)) deny(what, " is ", value, "; allowed: more than 0, finite");
}

template <class Vectors>
void check_vectors(const char* what, const Vectors& vectors) {
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    if (!vectors[i].allFinite()) deny(what, " ", i, " is not finite (", vectors[i].reshaped().transpose(), ")");
  }
}

void check_options(const Options& options) {
  if (!(options.tolerance > 0)) deny("tolerance is ", options.tolerance, "; allowed: more than 0");
  if (!(options.fine_tolerance >= 0)) deny("fine_tolerance is ", options.fine_tolerance, "; allowed: 0 or more");
  if (options.fine_sweeps < 0) deny("fine_sweeps is ", options.fine_sweeps, "; allowed: 0 or more");
  if (options.max_sweeps < 0) deny("max_sweeps is ", options.max_sweeps, "; allowed: 0 or more");
  if (options.first_try < 0) deny("first_try is ", options.first_try, "; allowed: 0 or more");
  if (options.threads < 1) deny("threads is ", options.threads, "; allowed: 1 or more");
}

template <int D>
void check_nodes(const StrainProblem<D>& problem) {
  const std::size_t nodes = problem.velocity.size();
  check_size("inverse masses", problem.inverse_mass.size(), "nodes", nodes);
  if (!problem.start_velocity.empty()) {
    check_size("start velocities", problem.start_velocity.size(), "nodes", nodes);
  }
  check_vectors("velocity of node", problem.velocity);
  check_vectors("start velocity of node", problem.start_velocity);
  for (std::size_t i = 0; i < nodes; ++i) {
    for (int a = 0; a < D; ++a) check_positive("inverse mass of node", i, problem.inverse_mass[i][a]);
  }
}

template <int D>
void check_strain_row(const StrainProblem<D>& problem, std::size_t j) {
  const StrainRow<D>& row = problem.strain[j];
  for (int a = 0; a < kNeighbours<D>; ++a) {
    if (row.node[a] == kNoNode) continue;
    if (row.node[a] >= problem.velocity.size()) {
      deny("strain row ", j, " names node ", row.node[a], " of ", problem.velocity.size(), "; for none give kNoNode");
    }
    if (!row.g[a].allFinite()) deny("g of strain row ", j, " is not finite (", row.g[a].transpose(), ")");
  }
  if (!std::isfinite(row.k)) deny("k of strain row ", j, " is ", row.k, "; allowed: finite");
  check_positive("friction of strain row", j, row.friction);
  check_positive("apex of strain row", j, row.apex);
  check_positive("viscosity of strain row", j, row.viscosity);
  check_positive("weight of strain row", j, row.weight);
}

void check_starts(const char* what, std::span<const std::uint32_t> start, const char* of, std::size_t count) {
  if (start.empty() || start.front() != 0 || start.back() != count) {
    deny(what, " has to go from 0 to ", count, ", the number of ", of);
  }
  for (std::size_t i = 1; i < start.size(); ++i) {
    if (start[i] < start[i - 1]) deny(what, " falls from ", start[i - 1], " to ", start[i], " at ", i);
  }
}

/// Threads would otherwise write to one node at once.
template <int D>
void check_colours(const StrainProblem<D>& problem) {
  const auto& [blocks, colours] = problem.blocks;
  constexpr std::uint32_t kNobody = 0xffffffff;
  std::vector<std::uint32_t> colour_of(problem.velocity.size(), kNobody), block_of(problem.velocity.size(), 0);
  for (std::uint32_t c = 0; c + 1 < colours.size(); ++c) {
    for (std::uint32_t b = colours[c]; b < colours[c + 1]; ++b) {
      for (std::uint32_t j = blocks[b]; j < blocks[b + 1]; ++j) {
        for (const std::uint32_t i : problem.strain[j].node) {
          if (i == kNoNode || problem.inverse_mass[i].isZero(0)) continue;
          if (colour_of[i] == c && block_of[i] != b) {
            deny("blocks ", block_of[i], " and ", b, " of colour ", c, " share node ", i, "; give them two colours");
          }
          colour_of[i] = c, block_of[i] = b;
        }
      }
    }
  }
}

template <int D>
void check_blocks(const StrainProblem<D>& problem) {
  const auto& [blocks, colours] = problem.blocks;
  if (problem.blocks.empty()) return;
  check_starts("block_start", blocks, "strain rows", problem.strain.size());
  check_starts("colour_start", colours, "blocks", blocks.size() - 1);
  check_colours(problem);
}

template <int D>
void check_contact(const StrainProblem<D>& problem, std::size_t i) {
  const coulomb::RigidContact<D>& c = problem.contacts[i];
  const std::size_t ends = problem.velocity.size() + problem.bodies.size();
  for (const std::uint32_t end : {c.a, c.b}) {
    if (end != kImmovable && end >= ends) {
      deny("contact ", i, " names row ", end, " of ", problem.velocity.size(), " nodes and ", problem.bodies.size(),
           " bodies; for what nothing moves give kImmovable");
    }
  }
  if (c.a == c.b && c.a != kImmovable) deny("contact ", i, " is between row ", c.a, " and itself");
  if (!c.arm_a.allFinite() || !c.arm_b.allFinite() || !c.w.allFinite()) {
    deny("arms or w of contact ", i, " are not finite");
  }
  if (!((c.frame * c.frame.transpose() - Mat<D>::Identity()).norm() < 1e-6)) {
    deny("frame of contact ", i, " is not orthonormal (", c.frame.reshaped().transpose(), ")");
  }
  if (c.friction != kJoint) check_positive("friction of contact", i, c.friction);
}

template <int D>
void check_second_node(const StrainProblem<D>& problem, std::size_t i) {
  const SecondNode& second = problem.second[i];
  if (second.node == kNoNode) return;
  const std::size_t nodes = problem.velocity.size();
  if (second.node >= nodes || problem.contacts[i].b >= nodes || second.node == problem.contacts[i].b) {
    deny("contact ", i, " is between nodes ", problem.contacts[i].b, " and ", second.node, " of ", nodes,
         "; give two that differ");
  }
  if (!(second.share >= 0 && second.share <= 1)) {
    deny("share of the second node of contact ", i, " is ", second.share, "; allowed: 0 to 1");
  }
}

template <int D>
void check_body(const coulomb::RigidBody<D>& body, std::size_t i) {
  check_positive("inverse mass of body", i, body.inverse_mass);
  if (!body.velocity.allFinite() || !body.spin.allFinite() || !body.inverse_inertia.allFinite()) {
    deny("velocity, spin or inverse inertia of body ", i, " is not finite");
  }
}

template <int D>
void check_solution(const StrainProblem<D>& problem, const Solution<D>& solution) {
  check_size("stresses", solution.stress.size(), "strain rows", problem.strain.size());
  check_size("impulses", solution.contact.size(), "contacts", problem.contacts.size());
  check_size("velocities", solution.velocity.size(), "nodes", problem.velocity.size());
  check_size("motions", solution.motion.size(), "bodies", problem.bodies.size());
  check_vectors("start stress of row", solution.stress);
  check_vectors("start impulse of contact", solution.contact);
}

}  // namespace

template <int D>
void check(const StrainProblem<D>& problem, const Solution<D>& solution, const Options& options) {
  check_options(options);
  check_scale("pressure", problem.pressure);
  check_scale("face", problem.face);
  check_nodes(problem);
  for (std::size_t j = 0; j < problem.strain.size(); ++j) check_strain_row(problem, j);
  check_blocks(problem);
  for (std::size_t i = 0; i < problem.bodies.size(); ++i) check_body(problem.bodies[i], i);
  for (std::size_t i = 0; i < problem.contacts.size(); ++i) check_contact(problem, i);
  if (!problem.second.empty()) check_size("second nodes", problem.second.size(), "contacts", problem.contacts.size());
  for (std::size_t i = 0; i < problem.second.size(); ++i) check_second_node(problem, i);
  check_solution(problem, solution);
}

template void check(const StrainProblem<2>&, const Solution<2>&, const Options&);
template void check(const StrainProblem<3>&, const Solution<3>&, const Options&);

}  // namespace scree::continuum
