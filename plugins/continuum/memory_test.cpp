// What a checkpoint holds of a step, for the next one.

#include "memory.hpp"

#include <cmath>
#include <functional>

#include "catch.hpp"
#include "scree/base/error.hpp"

using namespace scree;
using namespace scree::continuum;

namespace {

template <int D>
Memory<D> example() {
  Memory<D> memory;
  for (int k = 0; k < D; ++k) memory.origin[k] = 0.1 * (k + 1);
  memory.placed = true;
  memory.dt = 0.25;
  memory.sweeps = 137;
  memory.nodes = {3, 5, 8};
  for (int k = 0; k < 3; ++k) memory.stress.push_back(Stress<D>::Constant(1.5 * k));
  memory.pore_cells = {4, 7};
  memory.pore = {0.125, 9};
  memory.contacts = {{3, 1, 0}, {5, 1, 2}};
  for (int k = 0; k < 2; ++k) memory.contact_impulse.push_back(Vec<D>::Constant(k - 0.75));
  return memory;
}

template <int D>
void check_memory() {
  const Memory<D> saved = example<D>();
  const std::vector<std::byte> bytes = saved.save();
  Memory<D> loaded;
  loaded.load(bytes);
  CHECK(loaded.origin == saved.origin);
  CHECK(loaded.placed);
  CHECK(loaded.dt == 0.25);
  CHECK(loaded.sweeps == 137);
  CHECK(loaded.nodes == saved.nodes);
  CHECK(loaded.stress == saved.stress);
  CHECK(loaded.pore_cells == saved.pore_cells);
  CHECK(loaded.pore == saved.pore);
  CHECK(loaded.contacts == saved.contacts);
  CHECK(loaded.contact_impulse == saved.contact_impulse);
  for (const std::size_t size : {bytes.size() - 1, bytes.size() / 2, std::size_t{8}})
    CHECK_THROWS_WITH(loaded.load(std::span(bytes).first(size)), Catch::Matchers::Contains("has another size"));
  Memory<5 - D> other;
  CHECK_THROWS_WITH(other.load(bytes), Catch::Matchers::Contains("has another size"));
}

Memory<2> some_memory() {
  Memory<2> m;
  m.origin = {1, 2}, m.placed = true, m.dt = 1e-3, m.sweeps = 7;
  m.nodes = {3, 5}, m.stress = {{1, 2, 3}, {4, 5, 6}};
  m.pore_cells = {9}, m.pore = {0.5};
  m.contacts = {{3, 1, 0}, {3, 1, 1}}, m.contact_impulse = {{1, 0}, {0, 1}};
  return m;
}

}  // namespace

TEST_CASE("all that a step leaves for the next one is saved and loaded, and what is cut short is refused") {
  check_memory<2>();
  check_memory<3>();
}

TEST_CASE("what no step leaves is refused, and changes nothing") {
  const auto refused = [](const std::function<void(Memory<2>&)>& change, const std::string& what) {
    Memory<2> wrong = some_memory(), kept = some_memory();
    change(wrong);
    CHECK_THROWS_AS(kept.load(wrong.save()), InputError);
    CHECK_THROWS_WITH(kept.load(wrong.save()), Catch::Matchers::ContainsSubstring(what));
    CHECK(kept.save() == some_memory().save());
  };
  refused([](auto& m) { m.origin[0] = std::nan(""); }, "is no number");
  refused([](auto& m) { m.dt = -1; }, "is no number, or a negative time");
  refused([](auto& m) { m.sweeps = -1; }, "impossible number of sweeps");
  refused([](auto& m) { m.sweeps = 2'000'000'000; }, "impossible number of sweeps");
  refused([](auto& m) { m.stress[1][2] = HUGE_VAL; }, "is no number");
  refused([](auto& m) { m.pore[0] = std::nan(""); }, "is no number");
  refused([](auto& m) { m.contact_impulse[0][1] = std::nan(""); }, "is no number");
  refused([](auto& m) { m.nodes = {5, 3}; }, "do not ascend");
  refused([](auto& m) { m.contacts[1] = m.contacts[0]; }, "do not ascend");
  refused([](auto& m) { m.pore.clear(); }, "has another size");
}
