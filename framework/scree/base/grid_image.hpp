#pragma once
/// \file Fields on the points of a regular grid, for files.

#include <array>
#include <string>
#include <vector>

#include "scree/base/types.hpp"

namespace scree {

/// Image of a grid: points at origin + spacing (i, j, k), i < counts[0] and so on, numbered with i first. In the plane
/// counts[2] is 1.
struct GridImage {
  struct Field {
    std::string name;           ///< name in files: letters, digits and underscores
    std::string unit;           ///< SI: "Pa", "m/s"; "" for none
    int components;             ///< number of components of a value: 1, or 3 of a vector
    std::vector<double> value;  ///< (points, components)
  };
  std::string name;  ///< name in files
  Vec3 origin = Vec3::Zero();
  Vec3 spacing = Vec3::Ones();  ///< [m]
  std::array<int, 3> counts = {0, 0, 0};
  std::vector<Field> fields;

  std::size_t points() const {
    return static_cast<std::size_t>(counts[0]) * static_cast<std::size_t>(counts[1]) *
           static_cast<std::size_t>(counts[2]);
  }
};

}  // namespace scree
