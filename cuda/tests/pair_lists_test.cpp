// RankPair lists on the device's layout against all pairs, and what contacts remember against a map.
#include "engine/pair_lists.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <set>

#include "catch.hpp"

using namespace scree;
using namespace scree::device;

namespace {

/// Spheres in a cube, of two species that all touch each other by one law or another.
struct Cloud {
  explicit Cloud(std::uint32_t count, double size, unsigned seed, bool clumps = false) : extent(size) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> unit(0, 1);
    for (std::uint32_t i = 0; i < count; ++i) {
      x.push_back({size * unit(random), size * unit(random), size * unit(random)});
      q.push_back({0, 0, 0, 1});
      inverse_mass.push_back(i % 7 == 3 ? 0 : 1);
      plan.first_site.push_back(static_cast<std::uint32_t>(plan.sites.size()));
      plan.row_of_rank.push_back(i);
      for (int k = 0; k < (clumps ? 3 : 1); ++k)
        plan.sites.push_back({i, i % 2, 0.4 + 0.2 * unit(random), {clumps ? 0.3 * k : 0.0, 0, 0}});
    }
    plan.first_site.push_back(static_cast<std::uint32_t>(plan.sites.size()));
    plan.species = 2;
    plan.channel_of = {0, 1, 1, -1};
    plan.largest_radius = 0.6;
    plan.history = 2;
    for (int c = 0; c < 2; ++c) plan.pairs.push_back({{&channel, &interaction, nullptr, true}, stage, 1, nullptr, {}});
  }
  Cloud(const Cloud&) = delete;
  Cloud& operator=(const Cloud&) = delete;

  void rebuild(PairLists& lists, Device& device) const {
    const Buffer<Vector3d> at(device, x);
    const Buffer<Quaterniond> turn(device, q);
    const Buffer<double> mass(device, inverse_mass);
    lists.rebuild({at.data(), turn.data(), mass.data()}, {});
  }
  Vec3 place(std::uint32_t site) const {
    const SiteDefinition& s = plan.sites[site];
    return Vec3(x[s.body].x + s.local.x, x[s.body].y, x[s.body].z);
  }
  void move(std::mt19937& random, double way) {
    std::normal_distribution<double> step(0, way);
    for (Vector3d& at : x)
      for (double* k : {&at.x, &at.y, &at.z}) *k = std::clamp(*k + step(random), 0.0, extent);
  }

  double extent;
  DevicePlan plan;
  std::vector<Vector3d> x;
  std::vector<Quaterniond> q;
  std::vector<double> inverse_mass;
  Channel channel;
  Interaction interaction;
  DeviceStage stage{"", "", nullptr};
};

using RankPair = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;  ///< ranks of both sites, image

std::vector<RankPair> listed(const PairLists& lists) {
  const PairLists::HostPairs p = lists.download_pairs();
  std::vector<RankPair> pairs;
  for (std::size_t i = 0; i < p.a.size(); ++i)
    pairs.emplace_back(p.site_rank[p.a[i]], p.site_rank[p.b[i] & kSiteMask], p.b[i] >> kSiteBits);
  return pairs;
}

std::vector<RankPair> all_pairs(const Cloud& cloud, double skin, const PeriodicCell& cell) {
  std::vector<RankPair> pairs;
  const DevicePlan& plan = cloud.plan;
  for (std::uint32_t i = 0; i < plan.sites.size(); ++i)
    for (std::uint32_t j = i + 1; j < plan.sites.size(); ++j) {
      const SiteDefinition &a = plan.sites[i], &b = plan.sites[j];
      if (a.body == b.body || plan.channel_of[a.species * 2 + b.species] < 0) continue;
      if (cloud.inverse_mass[a.body] == 0 && cloud.inverse_mass[b.body] == 0) continue;
      for (int z = -1; z <= 1; ++z)
        for (int y = -1; y <= 1; ++y)
          for (int c = -1; c <= 1; ++c) {
            const Image image(c, y, z);
            bool there = true;
            for (int k = 0; k < 3; ++k) there = there && (image[k] == 0 || cell.periodic(k));
            const Vec3 d = cloud.place(j) + cell.shift(image) - cloud.place(i);
            if (there && d.norm() <= a.radius + b.radius + skin)
              pairs.emplace_back(i, j, static_cast<std::uint32_t>((c + 1) + 3 * (y + 1) + 9 * (z + 1)));
          }
    }
  return pairs;
}

std::vector<RankPair> sorted(std::vector<RankPair> pairs) {
  std::ranges::sort(pairs);
  return pairs;
}

}  // namespace

TEST_CASE(
    "the lists hold the pairs that a look at all pairs finds, in open and periodic space, of spheres and clumps") {
  for (const bool clumps : {false, true})
    for (const Vec3& period : {Vec3(0, 0, 0), Vec3(8, 0, 0), Vec3(8, 8, 8)}) {
      const Cloud cloud(200, 8, 1, clumps);
      const PeriodicCell cell(Vec3::Zero(), period);
      const auto device = make_host_device({}, {});
      PairLists lists(*device, cloud.plan, cell, 0.3);
      cloud.rebuild(lists, *device);
      const std::vector<RankPair> pairs = listed(lists);
      CHECK(pairs.size() > 200);
      CHECK(sorted(pairs) == sorted(all_pairs(cloud, 0.3, cell)));
      // Pairs of one law stand together.
      std::vector<int> law;
      for (const auto& [a, b, image] : pairs) law.push_back(cloud.plan.sites[a].species || cloud.plan.sites[b].species);
      CHECK(std::ranges::is_sorted(law));
    }
}

TEST_CASE("rows do not depend on the order of blocks and threads") {
  const Cloud cloud(300, 9, 2);
  std::vector<RankPair> first;
  for (const Order order : {Order::forward, Order::reversed, Order::shuffled}) {
    const auto device = make_host_device({.order = order, .seed = 9}, {});
    PairLists lists(*device, cloud.plan, PeriodicCell(), 0.3);
    cloud.rebuild(lists, *device);
    if (first.empty()) first = listed(lists);
    CHECK(listed(lists) == first);
  }
}

TEST_CASE("over 200 rebuilds every pair keeps what it remembered, and a new one remembers nothing") {
  Cloud cloud(120, 7, 3);
  std::mt19937 random(4);
  const auto device = make_host_device({}, {});
  PairLists lists(*device, cloud.plan, PeriodicCell(), 0.2);
  std::map<RankPair, std::pair<double, double>> expected;
  std::size_t kept = 0;
  for (int n = 0; n < 200; ++n) {
    cloud.rebuild(lists, *device);
    const std::vector<RankPair> pairs = listed(lists);
    PairLists::HostMemory memory = lists.download_memory();
    REQUIRE(lists.slot_count() == pairs.size());
    std::map<RankPair, std::pair<double, double>> now;
    for (std::size_t p = 0; p < pairs.size(); ++p) {
      const auto before = expected.find(pairs[p]);
      REQUIRE((memory.live[p] != 0) == (before != expected.end()));
      if (before != expected.end()) {
        REQUIRE(std::pair(memory.of(p)[0], memory.of(p)[1]) == before->second);
        ++kept;
      }
      // Two of three pairs touch, and remember something of their own.
      memory.live[p] = random() % 3 != 0;
      memory.of(p)[0] = static_cast<double>(random());
      memory.of(p)[1] = n;
      if (memory.live[p]) now[pairs[p]] = {memory.of(p)[0], memory.of(p)[1]};
    }
    lists.upload_memory(memory);
    expected = now;
    cloud.move(random, 0.05);
  }
  CHECK(kept > 10000);
}

TEST_CASE("contacts of all tiles have places of their own, and those of a tile follow each other") {
  for (const std::uint32_t items : {1u, 31u, 32u, 33u, 100u})
    for (const std::uint32_t per_item : {1u, 3u, 32u}) {
      const Segment s{items, per_item, 0, 64, 0, 0, nullptr, nullptr};
      std::set<std::uint32_t> places;
      for (std::uint32_t tile = 0; tile < s.tiles(); ++tile)
        for (std::uint32_t i = 0; i < Segment::kTile * per_item; ++i) {
          const std::uint32_t place = s.place(tile, i);
          REQUIRE((place >= s.first_place && place < s.first_place + s.places()));
          REQUIRE(places.insert(place).second);
          if (i + 1 < Segment::kTile * per_item) REQUIRE(next_place(place, items) == s.place(tile, i + 1));
        }
    }
}
