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
  memory.fluid.lower.fill(-1), memory.fluid.count.fill(1);
  memory.fluid.pressure = {0.125};
  memory.fluid.velocity.assign(1 << D, Vec<D>::Constant(0.5));
  memory.fluid.viscous.assign(1 << D, Vec<D>::Constant(-2));
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
  CHECK(loaded.fluid.lower == saved.fluid.lower);
  CHECK(loaded.fluid.count == saved.fluid.count);
  CHECK(loaded.fluid.pressure == saved.fluid.pressure);
  CHECK(loaded.fluid.velocity == saved.fluid.velocity);
  CHECK(loaded.fluid.viscous == saved.fluid.viscous);
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
  m.fluid.count = {1, 1}, m.fluid.pressure = {0.5};
  m.fluid.velocity.assign(4, {1, 2}), m.fluid.viscous.assign(4, {3, 4});
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
  refused([](auto& m) { m.fluid.pressure[0] = std::nan(""); }, "is no number");
  refused([](auto& m) { m.fluid.velocity[1][0] = std::nan(""); }, "is no number");
  refused([](auto& m) { m.contact_impulse[0][1] = std::nan(""); }, "is no number");
  refused([](auto& m) { m.nodes = {5, 3}; }, "do not ascend");
  refused([](auto& m) { m.contacts[1] = m.contacts[0]; }, "do not ascend");
  refused([](auto& m) { m.fluid.pressure.clear(); }, "has another size");
  refused([](auto& m) { m.fluid.viscous.clear(); }, "has another size");
  refused([](auto& m) { m.fluid.count[0] = -1; }, "has another size");
}
