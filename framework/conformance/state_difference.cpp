#include "conformance/state_difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <vector>

#include "scree/run/checkpoint.hpp"
#include "scree/run/detail/columns_of_copy.hpp"

namespace scree::conformance {

namespace {

bool equal_bits(double x, double y) { return std::memcmp(&x, &y, sizeof x) == 0; }

/// Returns rows by ascending id.
std::vector<std::size_t> by_id(const std::vector<Id>& ids) {
  std::vector<std::size_t> order(ids.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::ranges::sort(order, {}, [&](std::size_t i) { return ids[i]; });
  return order;
}

std::string difference(const TableCopy& one, const TableCopy& other) {
  const auto ids = detail::values_of<Id>(one, "id"), other_ids = detail::values_of<Id>(other, "id");
  const auto order = by_id(ids), other_order = by_id(other_ids);
  const auto id_of = [](const auto& of) { return [&of](std::size_t i) { return of[i]; }; };
  if (!std::ranges::equal(order, other_order, {}, id_of(ids), id_of(other_ids)))
    return fmt::format("which rows {} has", one.name);
  for (const TableCopy::ColumnCopy& column : one.columns) {
    const std::string name = fmt::format("column \"{}\" of {}", column.name, one.name);
    const TableCopy::ColumnCopy* const found = other.find(column.name);
    if (!found) return name;
    const auto bytes = column.rows.bytes(), other_bytes = found->rows.bytes();
    if (bytes.size() != other_bytes.size()) return name;
    const std::size_t width = ids.empty() ? 0 : bytes.size() / ids.size();
    for (std::size_t k = 0; k < order.size(); ++k)
      if (std::memcmp(bytes.data() + order[k] * width, other_bytes.data() + other_order[k] * width, width) != 0)
        return fmt::format("{}, row {}", name, ids[order[k]]);
  }
  return one.columns.size() == other.columns.size() ? "" : fmt::format("the columns of {}", one.name);
}

std::string difference(const std::map<std::string, double>& one, const std::map<std::string, double>& other) {
  for (const auto& [name, value] : one)
    if (const auto found = other.find(name); found == other.end() || !equal_bits(found->second, value))
      return fmt::format("figure \"{}\"", name);
  return one.size() == other.size() ? "" : "the number of figures";
}

std::string difference(const MethodStates& one, const MethodStates& other) {
  if (one.integrator != other.integrator) return "what the integrator saves";
  for (std::size_t k = 0; k < one.modifiers.size() && k < other.modifiers.size(); ++k)
    if (one.modifiers[k] != other.modifiers[k]) return fmt::format("what \"{}\" saves", one.modifier_names.at(k));
  for (const auto& [name, state] : one.observers)
    if (const auto found = other.observers.find(name); found == other.observers.end() || found->second != state)
      return fmt::format("what \"{}\" saves", name);
  return "";
}

std::string difference(const HistoryTable& one, const HistoryTable& other) {
  const auto records = one.records(), others = other.records();
  const auto alike = [](const HistoryRecord& p, const HistoryRecord& q) {
    return p.interaction == q.interaction && p.a == q.a && p.b == q.b && p.image == q.image && p.feature == q.feature &&
           p.payload == q.payload && std::ranges::equal(p.values, q.values, equal_bits);
  };
  return std::ranges::equal(records, others, alike) ? "" : "what laws remember of contacts";
}

}  // namespace

std::string state_difference(const std::filesystem::path& one, const std::filesystem::path& other) {
  const Snapshot a = open_checkpoint(one).snapshot, b = open_checkpoint(other).snapshot;
  if (a.step != b.step || !equal_bits(a.time, b.time)) return "the time";
  if (a.tables.size() != b.tables.size()) return "the tables";
  for (std::size_t k = 0; k < a.tables.size(); ++k)
    if (const std::string text = difference(a.tables[k], b.tables[k]); !text.empty()) return text;
  if (const std::string text = difference(a.figures, b.figures); !text.empty()) return text;
  if (const std::string text = difference(a.history, b.history); !text.empty()) return text;
  return difference(a.methods, b.methods);
}

}  // namespace scree::conformance
