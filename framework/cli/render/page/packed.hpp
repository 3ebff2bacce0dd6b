#pragma once
/// \file Surfaces in the compact form of a page.

#include <vtkBoundingBox.h>
#include <vtkSmartPointer.h>

#include <cstdint>
#include <string>
#include <vector>

class vtkPolyData;

namespace scree::render {

/// One surface: corners in 16 bits of a box, colours in 8 bits of a range.
struct Packed {
  std::vector<std::uint16_t> corners;    ///< (3 per point) 0 to 65535 between the sides of the box
  std::vector<std::uint8_t> colours;     ///< (points) 0 to 255 within the range; empty: without colour
  std::vector<std::uint32_t> triangles;  ///< (3 per triangle) points
  std::vector<std::uint32_t> edges;      ///< (2 per edge) points; only for flat bodies
};

/// Column and range of colours.
struct ColourRange {
  std::string column;
  double lowest = 0, highest = 1;
};

/// Packs polygons as triangles and, in a plane, with their borders. If cells have the column, points get it from them.
/// \param box  holds all points
Packed pack(vtkPolyData& surface, const vtkBoundingBox& box, const ColourRange& range, bool flat);

/// Returns the step of a value: 0 to `steps` between the ends.
double step_of(double value, double lowest, double highest, double steps);

/// Joins columns one after another, little-endian, each aligned to four bytes.
template <class... T>
std::string joined(const std::vector<T>&... columns) {
  std::string bytes;
  const auto append = [&](const auto& column) {
    bytes.append(reinterpret_cast<const char*>(column.data()), column.size() * sizeof(column[0]));
    bytes.resize((bytes.size() + 3) / 4 * 4);
  };
  (append(columns), ...);
  return bytes;
}

/// Compresses bytes by zlib, and returns them in base 64.
std::string compressed(const std::string& bytes);

/// Returns corners, colours, triangles and edges, joined and compressed.
/// \param topology  true to include triangles and edges
std::string as_text(const Packed& packed, bool topology);

}  // namespace scree::render
