#pragma once
/// \file Columns by which a page colours, with their units, names and ranges.

#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

class vtkDataSetAttributes;
class vtkPolyData;

namespace scree::render {

struct ColumnInfo {
  std::string unit;
  double lowest = std::numeric_limits<double>::infinity(), highest = -std::numeric_limits<double>::infinity();
  /// Range of nearly all values of a frame, the widest of all frames.
  double nearly_lowest = std::numeric_limits<double>::infinity(),
         nearly_highest = -std::numeric_limits<double>::infinity();
  std::set<int> kinds;             ///< numbers that occur, of columns that are no amounts
  std::vector<std::string> names;  ///< names of these numbers, from 0
};

class ColumnInfos {
 public:
  /// Adds columns of one number. \param layer  what has them: "bodies", "rods", "surface", "solid"
  void add(vtkDataSetAttributes& data, const std::string& layer);
  /// Adds the names of groups, materials and shapes.
  void add_names(vtkPolyData& data);
  void include_diameter(double diameter) { diameter_ = std::max(diameter_, diameter); }

  /// Returns the columns that colour what the page shows first.
  std::vector<std::string> names() const;
  /// Returns the column that tells most: speed where bodies move, else fragments or what parts them.
  std::string chosen() const;
  nlohmann::json told() const;

 private:
  bool tells_kinds(const std::string& column) const;

  std::map<std::string, ColumnInfo> columns_;
  std::map<std::string, std::set<std::string>> layers_;  ///< by column
  double diameter_ = 0;                                  ///< size of a typical body [m]
};

}  // namespace scree::render
