// Kernel bodies on the host's processors: what a device does is imitated where it matters for results.
#include "scree/device/execution.hpp"

#include <cmath>
#include <vector>

#include "catch.hpp"
#include "scree/device/active.hpp"

using namespace scree::device;

namespace {

/// The sum of all numbers before each within its block of 256, by warps that meet once.
struct BlockSums {
  static constexpr int kThreads = 256;
  struct Shared {
    std::uint32_t of_warp[kThreads / kWarpSize];
    double untouched;
  };
  const std::uint32_t* from;
  std::uint32_t* to;
  std::uint32_t count;
  double* poison;

  std::uint32_t blocks(std::uint32_t) const { return (count + kThreads - 1) / kThreads; }
  void operator()(const Block& block, Shared& shared) const {
    poison[block.index] = shared.untouched;
    block.warps([&](const Warp& warp) {
      Lane<std::uint32_t> value;
      warp.each([&](int lane) {
        const std::uint32_t i = block.index * kThreads + warp.index * kWarpSize + lane;
        value[lane] = i < count ? from[i] : 0;
      });
      shared.of_warp[warp.index] = warp.scan(value);
      warp.each([&](int lane) {
        const std::uint32_t i = block.index * kThreads + warp.index * kWarpSize + lane;
        if (i < count) to[i] = value[lane];
      });
    });
    block.warps([&](const Warp& warp) {
      std::uint32_t before = 0;
      for (std::uint32_t w = 0; w < warp.index; ++w) before += shared.of_warp[w];
      warp.each([&](int lane) {
        const std::uint32_t i = block.index * kThreads + warp.index * kWarpSize + lane;
        if (i < count) to[i] += before;
      });
    });
  }
};

struct Square {
  const double* from;
  double* to;
  unsigned long long* largest;
  void operator()(std::uint32_t i) const {
    to[i] = from[i] * from[i];
    atomic_max(largest, ordered_bits(to[i]));
  }
};

/// Counts the visits of each tile, and all lanes of all of them.
struct Visits {
  struct Shared {};
  struct Tally {
    std::uint32_t lanes = 0;
    void add(const Tally& other) { lanes += other.lanes; }
    static Tally over(const Warp&, const Lane<Tally>& tally) {
      Tally sum;
      for (int lane = 0; lane < kWarpSize; ++lane) sum.add(tally[lane]);
      return sum;
    }
  };
  const std::uint32_t* count;
  std::uint32_t *visits, *lanes;

  std::uint32_t tiles() const { return 777; }
  std::uint32_t tiles_now() const { return *count; }
  void operator()(const Warp& warp, std::uint32_t tile, Shared&, Lane<Tally>& tally) const {
    ++visits[tile];
    warp.each([&](int lane) { ++tally[lane].lanes; });
  }
  void report(const Tally& found) const { atomic_add(lanes, found.lanes); }
};

const Order kOrders[] = {Order::forward, Order::reversed, Order::shuffled};

}  // namespace

TEST_CASE("threads of a block meet: sums over 1000 items are right in every order of blocks and warps") {
  std::vector<std::uint32_t> from(1000), expected(1000);
  for (std::uint32_t i = 0; i < 1000; ++i) from[i] = i * 7 % 13;
  for (std::uint32_t i = 0; i < 1000; ++i) expected[i] = i % 256 == 0 ? 0 : expected[i - 1] + from[i - 1];
  for (const Order order : kOrders) {
    std::vector<std::uint32_t> to(1000);
    std::vector<double> poison(4, 0.0);
    CHECK(for_blocks({.order = order, .seed = 3}, 4, BlockSums{from.data(), to.data(), 1000, poison.data()}) == 0);
    CHECK(to == expected);
    for (const double p : poison) CHECK(std::isnan(p));  // shared memory has no values of its own
  }
}

TEST_CASE("items: each once, in every order, and atomics of integers do not depend on it") {
  std::vector<double> from(777);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = std::sin(static_cast<double>(i));
  std::vector<double> first;
  unsigned long long most = 0;
  for (const Order order : kOrders) {
    std::vector<double> to(from.size(), -1);
    unsigned long long largest = 0;
    for_each({.order = order, .seed = 5}, 777, Square{from.data(), to.data(), &largest});
    if (first.empty()) first = to, most = largest;
    CHECK(to == first);
    CHECK(largest == most);
  }
}

TEST_CASE("tiles: each once, as many of them as the device's memory says") {
  for (const Order order : kOrders)
    for (const std::uint32_t count : {0u, 1u, 300u, 777u}) {
      std::vector<std::uint32_t> visits(777);
      std::uint32_t lanes = 0;
      CHECK(for_tiles({.order = order, .seed = 7}, Visits{&count, visits.data(), &lanes}) == 0);
      for (std::uint32_t t = 0; t < 777; ++t) REQUIRE(visits[t] == (t < count ? 1 : 0));
      CHECK(lanes == 32 * count);
    }
}

TEST_CASE("lanes of a warp: ballot, shuffle, largest") {
  const Warp warp{0};
  Lane<bool> odd;
  Lane<int> number, from;
  warp.each([&](int lane) { odd[lane] = lane % 2 == 1, number[lane] = 100 + lane, from[lane] = 31 - lane; });
  CHECK(warp.ballot(odd) == 0xaaaaaaaau);
  CHECK(warp.largest(number) == 131);
  CHECK(warp.smallest(number) == 100);
  const Lane<int> turned = warp.shuffle(number, from);
  CHECK((turned[0] == 131 && turned[31] == 100));
}

TEST_CASE("runs of bits: the lowest is found, where it begins and how long it is") {
  CHECK((lowest_bit(0b1011100u) == 2 && lowest_run(0b1011100u) == 3));
  CHECK((lowest_bit(~0u) == 0 && lowest_run(~0u) == 32));
  CHECK((lowest_bit(1u << 31) == 31 && lowest_run(1u << 31) == 1));
  CHECK((low_bits(0) == 0 && low_bits(5) == 31 && low_bits(32) == ~0u));
}
