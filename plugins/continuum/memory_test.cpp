// What a checkpoint holds of a step, for the next one.

#include "memory.hpp"

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
void check() {
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

}  // namespace

TEST_CASE("all that a step leaves for the next one is saved and loaded, and what is cut short is refused") {
  check<2>();
  check<3>();
}
