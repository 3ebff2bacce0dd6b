#include "frame_bytes.hpp"

namespace scree::vtk {

namespace {

/// Size of a number in a file, compressed and in base 64 [bytes]: measured on frames of examples.
constexpr double kNumber = 4.9, kIndex = 2.5;

/// Contacts of a particle in a dense packing, each counted once.
constexpr double kContactsInPlane = 2, kContactsInSpace = 3;

/// Numbers of a vector or quaternion that are not 0 all through.
double numbers_of(int components, int dimension) {
  if (dimension == 3) return components;
  return components == 3 || components == 4 ? 2 : components;
}

double numbers_of_columns(const World& world, const std::vector<std::string>& columns) {
  double numbers = 1;  // speed
  for (const std::string& name : columns) {
    const ColumnStorage* const column = world.find_column(name);
    numbers += column ? numbers_of(column->components(), world.dimension()) : name == "stress" ? 9 : 1;
  }
  return numbers;
}

}  // namespace

FrameBytes frame_bytes(const World& world, Surfaces& surfaces, const std::vector<std::string>& columns) {
  const int dimension = world.dimension();
  const Rows rows = particle_rows(world);
  double corners = 0, indices = 0;
  for (const std::uint32_t row : rows) {
    const Surface& surface = surfaces.of(world, world.shape.read()[row]);
    corners += static_cast<double>(surface.points.size());
    for (const auto& cell : surface.cells) indices += 1 + static_cast<double>(cell.size());
  }
  const auto bodies = static_cast<double>(rows.size());
  const double of_columns = bodies * numbers_of_columns(world, columns), vector = dimension;
  const double contacts = bodies * (dimension == 2 ? kContactsInPlane : kContactsInSpace);
  return {.surfaces = kNumber * (corners * vector + of_columns) + kIndex * indices,
          .points = kNumber * (bodies * (vector + numbers_of(4, dimension)) + of_columns),
          .contacts = kNumber * contacts * (5 * vector + 3)};  // ends, force, normal, point; magnitude, overlap, ids
}

}  // namespace scree::vtk
