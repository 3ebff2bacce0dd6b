// Pairs that a detector remembers: contacts of a tile and their nodes are shared out among lanes, however many there
// are, and the contacts are those that a plain loop finds.
#include "scree/device/remembered_pairs.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "catch.hpp"
#include "engine/device_code.hpp"
#include "tests/evaluation.hpp"

using namespace scree;
using namespace scree::device;

namespace {

/// The detector of a third party, for bodies that are known by their places: from none to eight contacts of a pair,
/// from one to 70 nodes of a contact, of which the deepest counts.
struct Numbered {
  static constexpr int kContacts = 8;
  static constexpr std::uint32_t kTrouble = 13;
  using Space = InPlane;
  struct Memory {
    std::uint8_t in_slot[kContacts];
    std::uint32_t known, a, b;
  };
  struct Sight {
    std::uint32_t a, b;
  };
  using Search = Sight;
  struct Choice {
    float depth = -1;
    std::uint32_t nodes = 0;
  };

  static SCREE_HD std::uint32_t number_of(const PlacedShape& body) {
    return static_cast<std::uint32_t>(1e3 * body.x.x);
  }
  static SCREE_HD std::uint32_t contacts(std::uint32_t a, std::uint32_t b) { return (a * 7 + b * 3) % (kContacts + 1); }
  static SCREE_HD std::uint32_t nodes(std::uint32_t a, std::uint32_t b, std::uint32_t i) {
    return 1 + (a + b * 5 + i * 11) % 70;
  }
  static SCREE_HD float depth(std::uint32_t a, std::uint32_t b, std::uint32_t node) {
    return static_cast<float>((a * 2654435761u ^ b * 40503u ^ node * 2246822519u) >> 12 & 1023) / 1024;
  }

  struct Meeting {
    std::uint32_t a, b;
    Vector3d x, d;
    Meeting() = default;
    SCREE_HD Meeting(const PlacedShape& of_a, const PlacedShape& of_b, double, const std::byte*)
        : a(number_of(of_a)), b(number_of(of_b)), x(of_a.x), d(of_b.x - of_a.x) {}

    /// Of some pairs it never does, so that tiles with and without such pairs stand side by side.
    SCREE_HD bool holds(const Memory& memory) const { return memory.known != 0 && (a * 5 + b) % 41 != 0; }
    SCREE_HD Search begin(Memory& memory, int&) const {
      memory = {{}, 0, a, b};
      return {a, b};
    }
    SCREE_HD void finish(Memory& memory, FoundPayloads<kContacts>& found) const {
      for (std::uint32_t i = 0; i < memory.known - 1; ++i) found.add(i);
    }
    SCREE_HD Sight sight() const { return {a, b}; }
    template <class F>
    SCREE_HD void for_nodes(const Memory&, std::uint32_t key, const F& f) const {
      for (std::uint32_t k = 0; k < nodes(a, b, key); ++k) f(key << 8 | k);
    }
    SCREE_HD Contact contact(const Memory&, std::uint32_t key, const Choice& choice, int& trouble) const {
      if (choice.nodes != nodes(a, b, key)) trouble = kTrouble;
      return {choice.depth, (1 / length(d)) * d, x + 0.5 * d, 0, -1, -1};
    }
  };
  /// Each lane looks for one contact, from behind.
  SCREE_HD bool search(const Warp& warp, const Search& s, double, const std::byte*, Memory& memory) const {
    Lane<bool> is;
    warp.each([&](int lane) { is[lane] = 31u - static_cast<std::uint32_t>(lane) < contacts(s.a, s.b); });
    const std::uint32_t bits = warp.ballot(is);
    warp.each([&](int lane) {
      if (lane == 0) memory.known = 1 + (bits == 0 ? 0 : lowest_run(bits));
    });
    return true;
  }
  /// Keys are not the numbers of contacts.
  SCREE_HD std::uint32_t key(const Memory& memory, int i) const {
    return contacts(memory.a, memory.b) - 1 - static_cast<std::uint32_t>(i);
  }
  SCREE_HD void forget(Memory& memory) const { memory.known = 0; }
  SCREE_HD std::uint32_t nodes(double, const Memory& memory, std::uint32_t key) const {
    return nodes(memory.a, memory.b, key);
  }
  SCREE_HD float depth(const Sight& s, const std::byte*, std::uint32_t node) const { return depth(s.a, s.b, node); }
  SCREE_HD void add(const Sight&, std::uint32_t, float depth, Choice& choice) const {
    choice.depth = depth > choice.depth ? depth : choice.depth;
    ++choice.nodes;
  }
  SCREE_HD void match(const ContactMatch&) const {}
};

class NumberedOnDevice final : public DeviceShapePairs {
 public:
  DeviceStage stage() const override;
  int contacts() const override { return Numbered::kContacts; }
  std::size_t memory() const override { return sizeof(Numbered::Memory); }
  std::vector<std::byte> tables(std::span<const std::uint32_t>) const override { return {}; }
  std::string trouble(int, const NamedBody&, const NamedBody&) const override { return {}; }
};

constexpr StageEntry kNumberedStages[] = {{"numbered", narrow_remembered<Numbered>}, {"push", PlanarPush::stage}};
const StageTable kNumberedTable = table_of(kNumberedStages);
[[maybe_unused]] const bool kNumberedLinked = linked_stages().emplace("numbered", &kNumberedTable).second;

DeviceStage NumberedOnDevice::stage() const {
  static const Numbered geometry;
  return {"numbered", "numbered", &geometry};
}

/// Bodies in a row, all within reach of each other.
struct Row {
  explicit Row(int count) {
    for (int i = 0; i < count; ++i) {
      bodies.x.push_back({(i + 0.5) * 1e-3, 0, 0});
      bodies.v.push_back({0, 0, 0});
      bodies.radius.push_back(1);
    }
    bodies.define(plan, 1);
    plan.channel_of = {0};
    plan.history = 1;
    const ContactMethods methods{&channel, &interaction, &law, false, true, true};
    plan.columns.add(methods);
    plan.pairs.push_back({methods, detector.stage(), Numbered::kContacts, &detector, {}});
  }
  Row(const Row&) = delete;
  Row& operator=(const Row&) = delete;

  /// By a plain loop.
  std::vector<double> expected() const {
    const auto count = static_cast<std::uint32_t>(bodies.x.size());
    std::vector<double> sums(count);
    for (std::uint32_t a = 0; a < count; ++a)
      for (std::uint32_t b = a + 1; b < count; ++b)
        for (std::uint32_t i = 0; i < Numbered::contacts(a, b); ++i) {
          float deepest = 0;
          for (std::uint32_t k = 0; k < Numbered::nodes(a, b, i); ++k)
            deepest = std::max(deepest, Numbered::depth(a, b, i << 8 | k));
          sums[a] -= spring.stiffness * deepest;
          sums[b] += spring.stiffness * deepest;
        }
    return sums;
  }

  PlanarPush::Parameters spring{1024, 0};
  NumberedOnDevice detector;
  DeviceLaw law{{"numbered", "push", &spring}, true};
  Channel channel;
  Interaction interaction;
  DevicePlan plan;
  PlanarBodies bodies;
};

}  // namespace

TEST_CASE("remembered pairs: all nodes of all contacts are compared, from one tile at a time or from two") {
  for (const int count : {2, 9, 40}) {
    const Row row(count);
    const std::vector<double> expected = row.expected();
    for (const Order order : {Order::forward, Order::reversed, Order::shuffled}) {
      const std::vector<Vector3d> forces = row.bodies.forces(row.plan, order);
      // Some hundred forces of up to 1024 N each, with the rounding of a normal.
      for (std::size_t i = 0; i < forces.size(); ++i) REQUIRE(std::abs(forces[i].x - expected[i]) < 1e-9);
    }
  }
}
