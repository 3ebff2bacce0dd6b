#include "scree/detect/node_runs.hpp"

#include <random>
#include <vector>

#include "catch.hpp"

using namespace scree;

namespace {

std::vector<NodeRun> runs_of(const std::vector<bool>& in) {
  const auto n = static_cast<std::uint32_t>(in.size());
  std::vector<std::uint64_t> mask(mask_words(n), 0);
  for (std::uint32_t i = 0; i < n; ++i)
    if (in[i]) mask[i / 64] |= std::uint64_t{1} << (i % 64);
  if (n % 64 != 0) mask.back() |= ~std::uint64_t{0} << (n % 64);  // bits beyond the nodes must not matter
  std::vector<NodeRun> runs;
  for_each_run(mask, n, [&](NodeRun run) { runs.push_back(run); });
  return runs;
}

/// Straight from the definition: a run starts at each node that is in while its predecessor is out.
std::vector<NodeRun> runs_by_definition(const std::vector<bool>& in) {
  const std::size_t n = in.size();
  std::vector<NodeRun> runs;
  for (std::size_t i = 0; i < n; ++i) {
    if (!in[i] || in[(i + n - 1) % n]) continue;
    std::uint32_t count = 0;
    while (in[(i + count) % n]) ++count;
    runs.push_back({static_cast<std::uint32_t>(i), count});
  }
  return runs;
}

/// Old and new contacts of one pair for match_runs().
struct Contacts {
  std::vector<std::uint32_t> old_feature, new_feature;
  std::vector<std::uint64_t> old_payload, new_payload;
  std::vector<std::int32_t> source;

  void match(std::int32_t* successor = nullptr) {
    source.assign(new_payload.size(), -7);
    match_runs({old_payload.size(), new_payload.size(), old_feature.data(), old_payload.data(), new_feature.data(),
                new_payload.data(), source.data(), successor});
  }
};

constexpr std::uint32_t kNodes = 100;
std::uint64_t nodes_a(std::uint32_t first, std::uint32_t count) {
  return pack_intervals(ring_interval({first, count}, kNodes), {});
}
std::uint64_t nodes_b(std::uint32_t first, std::uint32_t count) {
  return pack_intervals({}, ring_interval({first, count}, kNodes));
}

}  // namespace

TEST_CASE("runs of inside nodes: none, all, one that wraps past node 0") {
  CHECK(runs_of(std::vector<bool>(7, false)).empty());
  CHECK(runs_of(std::vector<bool>(64, true)) == std::vector<NodeRun>{{0, 64}});
  CHECK(runs_of({true, false, false, true, true}) == std::vector<NodeRun>{{3, 3}});
  CHECK(runs_of({true, true, false, true, false}) == std::vector<NodeRun>{{0, 2}, {3, 1}});
}

TEST_CASE("runs of random masks are those of the definition") {
  std::mt19937 random(7);
  for (const std::uint32_t n : {1u, 2u, 63u, 64u, 65u, 100u, 128u, 200u}) {
    for (int trial = 0; trial < 200; ++trial) {
      std::vector<bool> in(n);
      for (std::uint32_t i = 0; i < n; ++i) in[i] = random() % 5 < 1 + static_cast<unsigned>(trial) % 4;
      if (std::find(in.begin(), in.end(), false) == in.end()) continue;
      REQUIRE(runs_of(in) == runs_by_definition(in));
    }
  }
}

TEST_CASE("shared length of two runs counts common nodes, around the ring too") {
  const auto shared = [](NodeRun p, NodeRun q) {
    return shared_length(ring_interval(p, kNodes), ring_interval(q, kNodes)) * double{kNodes} / 65536;
  };
  // Each run is widened by half a node at either end, so a common stretch of k nodes counts k + 1. Rounding to
  // 1/65536 of the ring: 0.002 of a node per end.
  CHECK(shared({10, 5}, {10, 5}) == Approx(6).margin(0.01));
  CHECK(shared({10, 5}, {13, 9}) == Approx(3).margin(0.01));
  CHECK(shared({98, 6}, {1, 2}) == Approx(3).margin(0.01));
  CHECK(shared({1, 2}, {98, 6}) == Approx(3).margin(0.01));
  CHECK(shared({7, 1}, {8, 1}) == Approx(1).margin(0.01));
  CHECK(shared({99, 1}, {0, 1}) == Approx(1).margin(0.01));
  CHECK(shared({7, 1}, {9, 1}) == Approx(0).margin(0.01));
  CHECK(shared({0, 60}, {50, 60}) == Approx(22).margin(0.01));  // two parts: 50..59 and 0..9
  CHECK(shared({0, kNodes}, {40, 3}) == Approx(4).margin(0.01));
}

TEST_CASE("payload keeps the intervals of both sides") {
  const RingInterval a = ring_interval({99, 3}, kNodes), b = ring_interval({12, 1}, 7);
  CHECK(interval_a(pack_intervals(a, b)) == a);
  CHECK(interval_b(pack_intervals(a, b)) == b);
}

TEST_CASE("a contact that slides along the outline keeps its feature for a full turn") {
  for (const std::uint32_t count : {1u, 4u}) {
    Contacts c;
    c.old_feature = {3};
    c.old_payload = {nodes_a(0, count)};
    for (std::uint32_t step = 1; step <= kNodes; ++step) {
      c.new_feature = {0};
      c.new_payload = {nodes_a(step % kNodes, count)};
      c.match();
      REQUIRE(c.source == std::vector<std::int32_t>{0});
      REQUIRE(c.new_feature == std::vector<std::uint32_t>{3});
      c.old_payload = c.new_payload;
    }
  }
}

TEST_CASE("a run that splits hands its history to the larger part, the other is new") {
  Contacts c{{5}, {0, 1}, {nodes_a(10, 9)}, {nodes_a(10, 2), nodes_a(14, 5)}, {}};
  c.match();
  CHECK(c.source == std::vector<std::int32_t>{-1, 0});
  CHECK(c.new_feature == std::vector<std::uint32_t>{0, 5});
}

TEST_CASE("two runs that merge keep the history of the one with more common nodes") {
  Contacts c{{0, 1}, {0}, {nodes_a(10, 2), nodes_a(14, 5)}, {nodes_a(10, 9)}, {}};
  c.match();
  CHECK(c.source == std::vector<std::int32_t>{1});
  CHECK(c.new_feature == std::vector<std::uint32_t>{1});
}

TEST_CASE("of two runs that merge both leave what they carried to the one, of one that ends alone none does") {
  Contacts c{{0, 1, 2}, {0}, {nodes_a(10, 2), nodes_a(14, 5), nodes_a(50, 3)}, {nodes_a(10, 9)}, {}};
  std::int32_t successor[] = {-1, -1, -1};
  c.match(successor);
  CHECK(successor[0] == 0);
  CHECK(successor[1] == -1);  // it goes on
  CHECK(successor[2] == -1);
}

TEST_CASE("equal shares: the smallest feature is inherited") {
  Contacts c{{8, 2}, {0}, {nodes_a(10, 3), nodes_a(14, 3)}, {nodes_a(11, 5)}, {}};
  c.match();
  CHECK(c.new_feature == std::vector<std::uint32_t>{2});
}

TEST_CASE("a new contact gets a feature that no old one has, and sides do not mix") {
  Contacts c{{0, 2}, {0, 1, 2}, {nodes_a(10, 3), nodes_b(50, 3)}, {nodes_a(50, 3), nodes_b(51, 3), nodes_b(10, 3)}, {}};
  c.match();
  CHECK(c.source == std::vector<std::int32_t>{-1, 1, -1});
  CHECK(c.new_feature == std::vector<std::uint32_t>{1, 2, 3});
}

TEST_CASE("runs of two outlines that bound one overlap are one region, others stay apart") {
  // a's run goes from left to right at the bottom of the overlap, b's from right to left at its top.
  std::vector<OutlineRun> a(2), b(2);
  a[0].begin = {0, 0, 0}, a[0].end = {1, 0, 0};
  b[0].begin = {1, 0.1, 0}, b[0].end = {0, 0.1, 0};
  a[1].begin = {5, 0, 0}, a[1].end = {6, 0, 0};
  b[1].begin = {9, 0, 0}, b[1].end = {8, 0, 0};
  a[0].overlap = 0.1, b[0].overlap = 0.2;
  join_facing_runs(a, b, 0.3);
  CHECK(a[0].region == b[0].region);
  CHECK(a[1].region != b[1].region);
  CHECK(a[1].region != a[0].region);
  CHECK(deepest_of(b, a[0].region) == &b[0]);
  CHECK(deepest_of(a, b[1].region) == nullptr);
}
