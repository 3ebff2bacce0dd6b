#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

#include "scree/guard/detail/references.hpp"

namespace scree::detail {

namespace {

/// Names of the columns, in the order of References::writes_of().
constexpr std::array<const char*, 10> kNames = {"id",    "shape", "material", "group", "kind",
                                                "owner", "scale", "radius",   "mass",  "inverse_mass"};

class Look {
 public:
  Look(const Method& method, const char* entry, const World& world) : method_(method), entry_(entry), world_(world) {}

  void at(std::string_view column) const {
    if (column == "id") ids();
    if (column == "shape") below("shape", world_.shape.read(), world_.shapes().size());
    if (column == "material") below("material", world_.material.read(), world_.materials().size());
    if (column == "group" && !world_.group_names.empty())
      below("group", world_.group.read(), world_.group_names.size());
    if (column == "kind") below("kind", world_.kind.read(), 1 + static_cast<std::size_t>(BodyKind::prescribed));
    if (column == "owner") owners();
    const auto at_least_0 = [](double x) { return x >= 0; };
    if (column == "scale")
      numbers("scale", world_.scale.read(), "finite and above 0", [](double x) { return x > 0 && std::isfinite(x); });
    if (column == "radius") numbers("radius", world_.radius.read(), "at least 0", at_least_0);
    if (column == "mass") numbers("mass", world_.mass.read(), "at least 0", at_least_0);
    if (column == "inverse_mass")
      numbers("inverse_mass", world_.inverse_mass.read(), "finite and at least 0",
              [](double x) { return x >= 0 && std::isfinite(x); });
  }

 private:
  void below(const char* column, std::span<const std::uint32_t> values, std::size_t count) const {
    if (values.empty() || std::ranges::max(values) < count) return;
    const auto row = static_cast<std::size_t>(std::ranges::max_element(values) - values.begin());
    fail_contract(method_, entry_,
                  fmt::format("body {} has {} {} now; there are {}, counted from 0.", world_.id[row], column,
                              values[row], count));
  }

  template <class Good>
  void numbers(const char* column, std::span<const double> values, const char* allowed, const Good& good) const {
    const auto wrong = std::ranges::find_if_not(values, good);
    if (wrong == values.end()) return;
    const auto row = static_cast<std::size_t>(wrong - values.begin());
    fail_contract(method_, entry_,
                  fmt::format("body {} has {} {} now; it must be {}.", world_.id[row], column, *wrong, allowed));
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
      "changed World::step from {} to {} and World::time from {} to {} s. The core counts both; trial states "
      "have World::trial_time().",
      step_, world.step, time_, world.time);
  world.step = step_, world.time = time_;
  fail_contract(method, entry, text);
}

References::Writes References::writes_of(const World& w) {
  return {w.id.writes(),    w.shape.writes(), w.material.writes(), w.group.writes(), w.kind.writes(),
          w.owner.writes(), w.scale.writes(), w.radius.writes(),   w.mass.writes(),  w.inverse_mass.writes()};
}

void References::trust(const World& world) { seen_ = writes_of(world); }

void References::check(const Method& method, const char* entry, const World& world) {
  const Writes now = writes_of(world);
  if (now == seen_) return;
  for (std::size_t k = 0; k < now.size(); ++k)
    if (now[k] != seen_[k]) Look(method, entry, world).at(kNames[k]);
  seen_ = now;
}

}  // namespace scree::detail
