#include "scree/grid/touching_bonds.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>

#include "scree/base/error.hpp"
#include "scree/grid/close_pairs.hpp"
#include "scree/world/bonded_bodies.hpp"

namespace scree {

namespace {

/// Gap of two bodies in relation to their size that is rounding.
constexpr double kRounding = 1e-9;

/// Longest bond, in relation to a side of the periodic cell: beyond a half, another image is nearer.
constexpr double kLongest = 0.4;

/// Returns the number of a group by its name.
std::uint32_t group_of(const World& world, const std::string& name) {
  return static_cast<std::uint32_t>(std::ranges::find(world.group_names, name) - world.group_names.begin());
}

void check_cell(const PeriodicCell& cell, const Bonds::Spec& bond) {
  for (int k = 0; k < 3; ++k)
    if (cell.periodic(k) && bond.branch.norm() > kLongest * cell.length(k))
      throw Error("bodies " + std::to_string(bond.a) + " and " + std::to_string(bond.b) + " are " +
                  std::to_string(bond.branch.norm()) + " m apart, and the periodic cell is only " +
                  std::to_string(cell.length(k)) + " m long in " + "xyz"[k] +
                  "; bonds need a cell of 2.5 times their length. Enlarge the cell, or lower the gap.");
}

}  // namespace

Bonds::Spec bond_of(const World& world, std::uint32_t entry, std::size_t i, std::size_t j, double section,
                    const Vec3& joint) {
  const auto x = world.position.read();
  const auto q = world.orientation.read();
  return {world.id.read()[i], world.id.read()[j], entry, section, world.cell.shortest(x[j] - x[i]), q[i], q[j], joint};
}

double round_section(const World& world, const Bonds::Entry& entry, std::size_t i, std::size_t j) {
  const double smaller = std::min(section_radius(world, i), section_radius(world, j));
  const double radius = entry.radius.value_or(entry.radius_multiplier * smaller);
  return std::numbers::pi * radius * radius;
}

std::vector<Bonds::Spec> touching_bonds(const World& world, std::uint32_t number, const TouchingBodies& bodies) {
  const Bonds::Entry& entry = world.bonds().entries.at(number);
  const std::uint32_t first = group_of(world, entry.a), second = group_of(world, entry.b);
  const auto group = world.group.read();
  const auto id = world.id.read(), owner = world.owner.read();
  const auto radius = world.radius.read();
  std::vector<std::uint32_t> rows;
  for (std::uint32_t i = 0; i < world.size(); ++i) {
    const bool named = !bodies.of_entry || group[i] == first || group[i] == second;
    const bool whole = std::isfinite(radius[i]) && radius[i] > 0 && owner[i] == id[i];
    if (named && whole && (!bodies.chosen || bodies.chosen(i))) rows.push_back(i);
  }
  double largest = 0;
  for (const std::uint32_t i : rows) largest = std::max(largest, radius[i]);
  std::vector<Bonds::Spec> bonds;
  for (RowPair p : close_pairs(world, rows, bodies.gap + 4 * kRounding * largest)) {
    if (id[p.i] > id[p.j]) std::swap(p.i, p.j);
    const bool joins = !bodies.of_entry || (group[p.i] == first && group[p.j] == second) ||
                       (group[p.i] == second && group[p.j] == first);
    if (!joins) continue;
    const JointDistance apart = joint_distance(world, p.i, p.j);
    if (apart.distance > apart.radii * (1 + kRounding) + bodies.gap) continue;
    const Vec3 joint = joint_place(world, p.i, p.j) - world.position.read()[p.i];
    bonds.push_back(bond_of(world, number, p.i, p.j, round_section(world, entry, p.i, p.j), joint));
    check_cell(world.cell, bonds.back());
  }
  std::ranges::sort(bonds, {}, [](const Bonds::Spec& s) { return std::pair(s.a, s.b); });
  return bonds;
}

}  // namespace scree
