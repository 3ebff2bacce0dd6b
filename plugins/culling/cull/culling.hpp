#pragma once
/// \file The modifier `granular-culling`: simulate the surface, keep the inside, lose nothing.

#include <memory>
#include <vector>

#include "cull/audit.hpp"
#include "cull/exchange.hpp"
#include "cull/settings.hpp"
#include "field/solid_field.hpp"
#include "scree/hooks/hook.hpp"
#include "scree/plugin/chosen_groups.hpp"
#include "solid/solid_test.hpp"

namespace scree::culling {

class Carrier;

/// Counts and times of exchanges; wall-clock seconds are not part of the run's state.
struct CullingCounts {
  std::uint64_t impacts = 0, exposures = 0;                       ///< members hit, members bared
  std::uint64_t culls = 0, carves = 0, restored = 0, stored = 0;  ///< events, events, granules, granules
  std::uint64_t event_hash = 0;                                   ///< hash of all events: time step, kind, ids
  double sample_seconds = 0, cull_seconds = 0, carve_seconds = 0;
};

class Culling final : public Modifier {
 public:
  explicit Culling(const Settings& settings) : set_(settings) {}
  ~Culling() override;

  void begin(World& world) override;
  void apply(World& world, const ContactView* contacts, HistoryStore& history) override;
  std::vector<std::byte> save() const override;
  void load(const std::vector<std::byte>& state) override;

  /// StoredBodies::bring_back().
  void bring_back(World& world, HistoryStore& history, std::span<const Id> ids);

  const Ledger& ledger() const { return ledger_; }
  const CullingCounts& counts() const { return counts_; }
  double diameter() const { return diameter_; }

 private:
  /// Impulses of a window that are to carve: which member, and how far about it.
  using Balls = std::vector<Ball>;

  void sample(World& world);
  bool window_ends(const World& world);
  std::map<Id, Balls> impacts(World& world);
  void expose(World& world, std::map<Id, Balls>& balls);
  void carve(World& world, HistoryStore& history);
  void cull(World& world, HistoryStore& history);
  void restore_all(World& world, HistoryStore& history);
  void open(World& world, HistoryStore& history, Id owner, std::span<const Id> out);
  Exchange exchange(World& world, HistoryStore& history) {
    return {world, history, ledger_, set_.cage_gap * diameter_};
  }
  void forget_lost_members(World& world);

  template <class F>
  void for_each_granule(const World& world, const F& f) const;
  std::size_t count_granules(const World& world) const;
  Granules granules(const World& world) const;
  std::vector<Wall> walls(const World& world, bool as_solid) const;
  std::vector<char> frozen(World& world, const Granules& granules, const Touching& touching, const Touching& near);
  static std::vector<char> enclosed(const Granules& granules, const std::vector<char>& frozen, const Touching& near);
  std::vector<char> candidates(const World& world, const Granules& granules, const std::vector<char>& frozen,
                               Touching& near, HistoryStore& history) const;
  std::unique_ptr<SolidField> outer_surface(const World& world, std::span<const Ball> balls, const FieldBox& box) const;
  FieldBox box_about(std::span<const Vec3> places, std::vector<Ball>& balls, double far) const;
  FieldBox box_of_members(const World& world, double margin) const;
  /// Returns how far balls and walls reach beyond the bodies that they stand for, so that gaps are closed [m].
  double wrap() const { return (set_.ball_radius - 0.5 + set_.closing) * diameter_; }
  bool as_seen(World& world, std::span<const std::uint32_t> rows);
  void add_stored_balls(const World& world, std::vector<Ball>& balls) const;
  double radius_of(const World& world, const Aggregate& aggregate) const;
  void note(const World& world, std::uint64_t kind, std::span<const Id> ids);
  void check_bodies(const World& world) const;
  void begin_anew(World& world, const Exchanged& exchanged) const;
  bool due(int every) const { return every > 0 && window_ % every == 0; }
  void show(World& world) const;

  Settings set_;
  double diameter_ = 0;  ///< diameter of the largest granule [m]
  ChosenGroups is_granule_;
  Ledger ledger_;
  CullingCounts counts_;
  bool tested_ = false;       ///< true if there was a test for solids
  double sampled_ = 0;        ///< time of the last sample [s]
  std::int64_t window_ = -1;  ///< number of the last window that ended
  std::uint64_t frozen_ =
      0;  ///< hash of the frozen granules in the last test, after which none went in or out; 0: unknown
  Id seen_from_ = kNewId;  ///< the aggregate in whose frame places are remembered; kNewId: none are
  std::shared_ptr<Carrier> carrier_;
  World* world_ = nullptr;
};

/// The culling at work in this World, for observers; nullptr where there is none.
const Culling* culling_of(const World& world);

}  // namespace scree::culling
