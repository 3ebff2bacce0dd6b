#include <fmt/format.h>

#include <algorithm>

#include "scree/guard/detail/references.hpp"

namespace scree::detail {

namespace {

constexpr const char* kColumns[] = {"id", "shape", "material", "group", "kind", "owner"};

class Look {
 public:
  Look(const Method& method, const char* entry, const World& world) : method_(method), entry_(entry), world_(world) {}

  void all() const {
    if (written("id")) ids();
    below("shape", world_.shape.read(), world_.shapes().size());
    below("material", world_.material.read(), world_.materials().size());
    if (!world_.group_names.empty()) below("group", world_.group.read(), world_.group_names.size());
    below("kind", world_.kind.read(), 1 + static_cast<std::size_t>(BodyKind::prescribed));
    if (written("owner")) owners();
  }

 private:
  bool written(const char* column) const { return world_.find_column(column)->host_is_newer(); }

  void below(const char* column, std::span<const std::uint32_t> values, std::size_t count) const {
    if (!written(column) || values.empty() || std::ranges::max(values) < count) return;
    const auto row = static_cast<std::size_t>(std::ranges::max_element(values) - values.begin());
    fail_contract(method_, entry_,
                  fmt::format("body {} has {} {} now; there are {}, counted from 0.", world_.id[row], column,
                              values[row], count));
  }

  void ids() const {
    const auto ids = world_.id.read();
    for (std::size_t row = 0; row < ids.size(); ++row)
      if (ids[row] >= world_.next_id() || world_.row(ids[row]) != row)
        fail_contract(method_, entry_,
                      fmt::format("row {} of bodies has the id {} now, which is not that of its body. Ids stay as "
                                  "World::add() gave them.",
                                  row, ids[row]));
  }

  void owners() const {
    const auto ids = world_.id.read(), owners = world_.owner.read();
    for (std::size_t row = 0; row < owners.size(); ++row)
      if (owners[row] != ids[row] && !world_.row(owners[row]))
        fail_contract(method_, entry_,
                      fmt::format("body {} has body {} as its owner now, which is not there.", ids[row], owners[row]));
  }

  const Method& method_;
  const char* entry_;
  const World& world_;
};

}  // namespace

void Moment::require_same(const Method& method, const char* entry, World& world) const {
  if (world.step == step_ && world.time == time_) return;
  const std::string text = fmt::format(
      "changed World::step from {} to {} and World::time from {} to {} s. The core counts "
      "both; trial states have World::trial_time().",
      step_, world.step, time_, world.time);
  world.step = step_, world.time = time_;
  fail_contract(method, entry, text);
}

void check_references(const Method& method, const char* entry, const World& world) { Look(method, entry, world).all(); }

void note_references_seen(World& world) {
  for (const char* const column : kColumns) world.find_column(column)->mark_taken();
}

}  // namespace scree::detail
