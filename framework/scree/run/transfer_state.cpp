#include "scree/run/transfer_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "scree/base/error.hpp"
#include "scree/run/detail/carried_bodies.hpp"
#include "scree/run/detail/carried_history.hpp"
#include "scree/scene/detail/json.hpp"
#include "scree/scene/detail/scene_changes.hpp"

namespace scree {

namespace {

void refuse_changes(const std::string& source, const std::vector<SceneChange>& changes) {
  std::string text;
  for (const SceneChange& change : changes)
    if (!change.refusal.empty()) text += fmt::format("\n  {} ({})", change.text(), change.refusal);
  if (text.empty()) return;
  throw InputError(fmt::format(
      "{}: belongs to another scene, so it cannot be resumed with this one. What differs and may not:{}\nPut these "
      "back, or start again from step 0.",
      source, text));
}

/// Makes current positions the reference of pair lists, with the present reach of pairs.
void list_pairs_here(Snapshot& s) {
  for (const auto& [from, to] :
       {std::pair("position", "reference_position"), {"orientation", "reference_orientation"}}) {
    const TableCopy::ColumnCopy* const now = s.tables.at(0).find(from);
    for (TableCopy::ColumnCopy& column : s.tables[0].columns)
      if (column.name == to && now && column.type == now->type && column.components == now->components)
        column.rows = now->rows;
  }
  s.reference_cell = s.cell;
}

/// Adds columns that the previous methods did not use, with zeros.
void add_columns(Snapshot& s, const World& world) {
  for (const Table* table : world.tables()) {
    const auto copy = std::ranges::find(s.tables, table->name(), &TableCopy::name);
    if (copy == s.tables.end()) continue;
    for (const auto& column : table->columns())
      if (!copy->find(column->name()))
        copy->columns.push_back(
            {column->name(), column->type(), column->components(),
             RowCopies(std::vector<std::byte>(copy->rows * column->row_bytes()), column->row_bytes())});
  }
}

/// Transfers modifiers by name: "culling", "culling 2", "remove gate". A new one that acts once acts now, unless its
/// time is still to come.
void carry_modifiers(Snapshot& s, Prepared& prepared, TransferredState& result) {
  MethodStates& methods = s.methods;
  std::vector<std::vector<std::byte>> states;
  std::vector<std::string> names;
  for (std::size_t i = 0; i < prepared.modifiers.size(); ++i) {
    names.push_back(modifier_key(prepared, i));
    const auto before = std::ranges::find(methods.modifier_names, names.back());
    const auto index = static_cast<std::size_t>(before - methods.modifier_names.begin());
    const bool known = index < methods.modifiers.size();
    states.push_back(known ? methods.modifiers[index] : std::vector<std::byte>());
    Schedule& schedule = prepared.modifiers[i].schedule;
    if (known) continue;
    methods.new_modifiers.insert(i);
    if (schedule.interval <= 0) schedule.start = std::max(schedule.start, s.time);
  }
  for (std::size_t k = 0; k < methods.modifier_names.size() && k < methods.modifiers.size(); ++k)
    if (!methods.modifiers[k].empty() && std::ranges::find(names, methods.modifier_names[k]) == names.end()) {
      s.cell.rate.setZero();  // one that deforms the periodic cell does so no more
      result.warnings.push_back(fmt::format("modifier \"{}\" is no longer there: what it kept ({} bytes) is dropped.",
                                            methods.modifier_names[k], methods.modifiers[k].size()));
    }
  methods.modifiers = std::move(states);
  methods.modifier_names = std::move(names);
}

bool is_at_or_below(const std::string& pointer, const std::string& root) {
  return pointer == root || pointer.starts_with(root + "/");
}

/// Checks whether the integrator begins: a new one, or one that works in another way, has only positions and
/// velocities.
bool integrator_begins(const std::vector<SceneChange>& changes) {
  return std::ranges::any_of(changes, [](const SceneChange& c) {
    return is_at_or_below(c.pointer, "/integrator") && c.pointer != "/integrator/dt";
  });
}

/// Transfers the clock: time continues from now with another step.
void carry_clock(Snapshot& s, const StepClock& next) {
  if (s.clock.dt != next.dt) s.clock.origin = {s.step, s.time};
  s.clock.dt = next.dt;
}

}  // namespace

TransferredState transfer_state(Snapshot& s, const std::string& source, const Scene& scene, Prepared& prepared) {
  TransferredState result;
  if (s.scene.empty() || s.scene == scene.decisive) return result;
  const std::vector<SceneChange> changes = scene_changes(s.scene, scene.decisive);
  refuse_changes(source, changes);
  if (changes.empty()) return result;
  for (const SceneChange& change : changes) result.changes.push_back(change.text());
  carry_clock(s, prepared.clock);
  list_pairs_here(s);
  detail::carry_history(s, prepared, result);
  detail::carry_bodies(s, scene, prepared, changes, result);
  carry_modifiers(s, prepared, result);
  if (integrator_begins(changes)) {
    s.methods.new_integrator = true;
    s.methods.integrator.clear();
    result.moved = detail::ids_of(s);
  }
  add_columns(s, *prepared.world);
  s.scene = scene.decisive;
  return result;
}

}  // namespace scree
