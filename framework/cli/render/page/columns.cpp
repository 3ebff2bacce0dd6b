#include "page/columns.hpp"

#include <vtkDataSetAttributes.h>
#include <vtkFieldData.h>
#include <vtkInformation.h>
#include <vtkInformationStringKey.h>
#include <vtkPolyData.h>
#include <vtkStringArray.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "shown_data.hpp"
#include "view.hpp"

namespace scree::render {

namespace {

constexpr std::size_t kMostKinds = 64;

}  // namespace

void ColumnInfos::add(vtkDataSetAttributes& data, const std::string& layer) {
  for (int k = 0; k < data.GetNumberOfArrays(); ++k) {
    vtkDataArray* const array = data.GetArray(k);
    if (array == nullptr || array->GetName() == nullptr || array->GetNumberOfComponents() != 1) continue;
    const std::string name = array->GetName();
    ColumnInfo& info = columns_[name];
    layers_[name].insert(layer);
    if (array->HasInformation() && array->GetInformation()->Has(vtkDataArray::UNITS_LABEL()))
      info.unit = array->GetInformation()->Get(vtkDataArray::UNITS_LABEL());
    if (name == "speed") info.unit = "m/s";
    double range[2];
    if (array->GetNumberOfTuples() == 0 || (array->GetFiniteRange(range, 0), range[0] > range[1])) continue;
    info.lowest = std::min(info.lowest, range[0]), info.highest = std::max(info.highest, range[1]);
    info.nearly_lowest = std::min(info.nearly_lowest, quantile(array, 1 - kNearlyAll));
    info.nearly_highest = std::max(info.nearly_highest, quantile(array, kNearlyAll));
    if (!is_kind(name)) continue;
    for (vtkIdType i = 0; i < array->GetNumberOfTuples() && info.kinds.size() < kMostKinds; ++i)
      info.kinds.insert(static_cast<int>(std::clamp(array->GetTuple1(i), 0.0, 1e9)));
  }
}

void ColumnInfos::add_names(vtkPolyData& data) {
  for (const std::string column : {"group", "material", "shape"}) {
    auto* const names =
        vtkStringArray::SafeDownCast(data.GetFieldData()->GetAbstractArray((column + "_names").c_str()));
    if (names == nullptr || !columns_.contains(column)) continue;
    auto& known = columns_[column].names;
    known.clear();
    for (vtkIdType k = 0; k < names->GetNumberOfValues(); ++k) known.push_back(names->GetValue(k));
  }
}

std::vector<std::string> ColumnInfos::names() const {
  std::vector<std::string> names;
  for (const auto& [name, info] : columns_) names.push_back(name);
  return names;
}

bool ColumnInfos::tells_kinds(const std::string& column) const {
  constexpr std::size_t most = 8;  // colours that are told apart
  const auto it = columns_.find(column);
  return it != columns_.end() && it->second.kinds.size() >= 2 && it->second.kinds.size() <= most;
}

std::string ColumnInfos::chosen() const {
  const auto speed = columns_.find("speed");
  if (speed != columns_.end() && flows(speed->second.nearly_highest, diameter_)) return "speed";
  if (columns_.contains("fragment")) return "fragment";
  for (const std::string column : {"group", "material", "shape"})
    if (tells_kinds(column)) return column;
  for (const std::string column : {"radius", "pressure", "speed"})
    if (const auto it = columns_.find(column);
        it != columns_.end() && it->second.highest > 1.05 * std::abs(it->second.lowest))
      return column;
  return columns_.empty() ? "speed" : columns_.contains("speed") ? "speed" : columns_.begin()->first;
}

nlohmann::json ColumnInfos::told() const {
  nlohmann::json told = nlohmann::json::object();
  const auto number = [](double value) { return std::isfinite(value) ? value : 0; };
  for (const auto& [name, info] : columns_) {
    nlohmann::json names = nlohmann::json::object();
    for (const int kind : info.kinds)
      names[std::to_string(kind)] =
          static_cast<std::size_t>(kind) < info.names.size() ? info.names[static_cast<std::size_t>(kind)] : "";
    const std::string kind = is_kind(name)                                            ? "names"
                             : name == "fragment" || name == "strand" || name == "id" ? "kinds"
                                                                                      : "scale";
    told[name] = {{"unit", info.unit},
                  {"kind", kind},
                  {"range", {number(info.lowest), number(info.highest)}},
                  {"nearly", {number(info.nearly_lowest), number(info.nearly_highest)}},
                  {"names", names},
                  {"layers", layers_.at(name)}};
  }
  return told;
}

}  // namespace scree::render
