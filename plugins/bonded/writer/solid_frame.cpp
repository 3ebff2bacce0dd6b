#include "writer/solid_frame.hpp"

#include <algorithm>

#include "scree/world/rows_by_id.hpp"

namespace scree::bonded {

namespace {

std::span<const double> tetrahedra_of(const World& world) {
  const ColumnStorage* column = world.find_column(kTetrahedronColumn);
  if (!column || column->type() != ColumnType::float64 || column->components() != 12) return {};
  return {reinterpret_cast<const double*>(column->read()), 12 * column->rows()};
}

/// Rows of bodies that are tetrahedra, in order of id.
std::vector<std::uint32_t> element_rows(const World& world, std::span<const double> tetrahedron) {
  return rows_by_id(world, [&](std::uint32_t row) {
    if (12 * row >= tetrahedron.size()) return false;
    const auto corners = tetrahedron.subspan(12 * row, 12);
    return std::any_of(corners.begin(), corners.end(), [](double x) { return x != 0; });
  });
}

/// Sorts bonds into those of which both bodies are here, and those of which one is gone.
void find_joints(const World& world, SolidFrame& frame) {
  const Bonds& bonds = world.bonds();
  const std::vector<Id>& id = frame.id;
  const auto index = [&](Id wanted) {
    const auto at = std::lower_bound(id.begin(), id.end(), wanted);
    return at != id.end() && *at == wanted ? static_cast<std::ptrdiff_t>(at - id.begin()) : -1;
  };
  frame.lost.assign(id.size(), 0);
  for (std::size_t k = 0; k < bonds.size(); ++k) {
    const auto a = index(bonds.a[k]), b = index(bonds.b[k]);
    if (a >= 0 && b >= 0)
      frame.joints.push_back({static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b), bonds.branch[k],
                              bonds.made_a[k], bonds.made_b[k], bonds.whole(k)});
    else if (a >= 0 && !world.row(bonds.b[k]))
      ++frame.lost[static_cast<std::size_t>(a)];
    else if (b >= 0 && !world.row(bonds.a[k]))
      ++frame.lost[static_cast<std::size_t>(b)];
  }
}

}  // namespace

SolidFrame solid_frame(const World& world) {
  const auto tetrahedron = tetrahedra_of(world);
  SolidFrame frame;
  for (const std::uint32_t row : element_rows(world, tetrahedron)) {
    frame.id.push_back(world.id.read()[row]);
    frame.position.push_back(world.position.read()[row]);
    frame.orientation.push_back(world.orientation.read()[row]);
    frame.speed.push_back(world.velocity.read()[row].norm());
    frame.mass.push_back(world.mass.read()[row]);
    const auto corners = tetrahedron.subspan(12 * row, 12);
    frame.tetrahedron.insert(frame.tetrahedron.end(), corners.begin(), corners.end());
  }
  find_joints(world, frame);
  return frame;
}

}  // namespace scree::bonded
