#include "writer/fragment_table.hpp"

#include <algorithm>
#include <tuple>

namespace scree::bonded {

namespace {

struct Row {
  Id fragment = 0;
  std::size_t bodies = 0;
  double mass = 0;
};

std::vector<Row> rows_of(const SolidFrame& solid, const Pieces& pieces) {
  std::vector<Row> rows(solid.size());
  for (std::size_t i = 0; i < solid.size(); ++i) {
    Row& row = rows[pieces.fragment[i]];
    row.fragment = solid.id[pieces.fragment[i]];
    ++row.bodies;
    row.mass += solid.mass[i];
  }
  std::erase_if(rows, [](const Row& row) { return row.bodies == 0; });
  std::ranges::sort(rows, [](const Row& a, const Row& b) {
    return std::tuple(-a.mass, a.fragment) < std::tuple(-b.mass, b.fragment);
  });
  return rows;
}

}  // namespace

void FragmentTable::add(double time, const SolidFrame& solid, const Pieces& pieces) {
  if (!table_)
    table_.emplace(file_, std::vector<std::string>{"time_s", "fragment", "bodies", "mass_kg"},
                   continues_ ? std::optional(time) : std::nullopt, KeptRows::before);
  std::vector<double> rows;
  for (const Row& row : rows_of(solid, pieces))
    rows.insert(rows.end(), {time, static_cast<double>(row.fragment), static_cast<double>(row.bodies), row.mass});
  table_->append(rows);
}

}  // namespace scree::bonded
