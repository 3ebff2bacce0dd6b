#include "sums.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "scree/base/exact_sum.hpp"
#include "scree/hooks/body_volume.hpp"
#include "scree/hooks/contact_branch.hpp"
#include "scree/hooks/stored_frames.hpp"
#include "spread.hpp"

namespace scree::fields {

namespace {

/// Images that are spread at a time: bounds memory.
constexpr std::size_t kBatch = 1 << 14;

/// Pieces of a branch that is very long beside the kernel: more would only cost time.
constexpr double kMostPieces = 1e4;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

/// A body in the order of ids.
struct Grain {
  Id id;
  Vec3 place, velocity;
  double mass, volume, ends;
  bool stored;  ///< contacts of it may be unknown
};

/// Adds points of a moment batch by batch.
class Adder {
 public:
  Adder(const Grid& grid, const World& world, std::span<double> sums) : grid_(grid), world_(world), sums_(sums) {}

  void add(const Grain& grain) {
    begin(&grain);
    each_image(grain.place, [&](const Vec3& place, const Vec3& drift) {
      const Vec3 v = grain.velocity + drift, p = grain.mass * v;
      points_.add({place,
                   kNumber,
                   13,
                   {1, grain.volume, grain.mass, p[0], p[1], p[2], p[0] * v[0], p[1] * v[1], p[2] * v[2], p[0] * v[1],
                    p[1] * v[2], p[2] * v[0], grain.stored ? kUnknown : grain.ends}});
    });
    if (!grain.stored) return;
    add(grain.place, {Vec3::Zero(), kForces, 9, unknown()});
    add(grain.place, {Vec3::Zero(), kBoundary, 10, unknown()});
  }

  void add_branch(const Branch& branch, const Vec3& force) {
    const double pieces = std::clamp(std::ceil(branch.way.norm() / (1.5 * grid_.width)), 1.0, kMostPieces);
    PointValues values{Vec3::Zero(), kForces, 9, {}};
    const double root = std::sqrt(0.6);
    for (double piece = 0; piece < pieces; ++piece)
      for (const auto& [at, weight] : {std::pair(-root, 5.0 / 18), {0.0, 8.0 / 18}, {root, 5.0 / 18}}) {
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            values.value[static_cast<std::size_t>(3 * i + j)] = weight / pieces * force[i] * branch.way[j];
        add(branch.from + (piece + 0.5 + 0.5 * at) / pieces * branch.way, values);
      }
  }

  /// \param from_outside  force on counted bodies by others [N]
  void add_contact(const ContactRecord& c, const Vec3& from_outside) {
    const Vec3 &n = c.normal, &b = from_outside;
    add(c.point, {Vec3::Zero(),
                  kBoundary,
                  10,
                  {b[0], b[1], b[2], 1, n[0] * n[0], n[1] * n[1], n[2] * n[2], n[0] * n[1], n[1] * n[2], n[2] * n[0]}});
  }

  Outside end() {
    flush();
    return outside_;
  }

 private:
  static std::array<double, kMostValues> unknown() {
    std::array<double, kMostValues> all;
    all.fill(kUnknown);
    return all;
  }
  template <class Each>
  void each_image(const Vec3& at, const Each& each) const {
    for_each_image_near(grid_, world_.cell, at,
                        [&](const Vec3& shift, const Vec3& velocity) { each(Vec3(at + shift), velocity); });
  }
  void add(const Vec3& at, PointValues values) {
    begin(nullptr);
    each_image(at, [&](const Vec3& place, const Vec3&) {
      values.place = place;
      points_.add(values);
    });
  }
  void begin(const Grain* grain) {
    if (points_.images() >= kBatch) flush();
    points_.begin();
    grains_.push_back(grain);
  }
  void flush() {
    spread(grid_, points_, kSums, sums_, shares_outside_);
    for (std::size_t k = 0; k < grains_.size(); ++k)
      if (const Grain* const grain = grains_[k]; grain && shares_outside_[k] > 0) {
        const double mass = shares_outside_[k] * grain->mass;
        outside_ += {mass, mass * grain->velocity};
      }
    points_.clear(), grains_.clear();
  }

  const Grid& grid_;
  const World& world_;
  std::span<double> sums_;
  Points points_;
  std::vector<const Grain*> grains_;  ///< grain of each point; null: it is none
  std::vector<double> shares_outside_;
  Outside outside_;
};

std::vector<Grain> grains_of(const World& world, const ChosenGroups& chosen, std::span<const double> ends) {
  const std::set<Id> frames = frames_of_stored(world);
  std::vector<Grain> grains;
  for_each_free_body(world, [&](const BodyState& state) {
    if (!chosen(state.group)) return;
    const auto row = world.row(state.id);
    grains.push_back({state.id, state.rigid.frame.position, state.rigid.twist.velocity, state.rigid.mass,
                      volume_of(world, state), row ? ends[*row] : 0, frames.contains(state.owner)});
  });
  std::ranges::sort(grains, {}, &Grain::id);
  return grains;
}

/// A contact and its bodies, if it acts on one that counts.
struct Meeting {
  const ContactRecord* contact;
  BranchEnd a, b;
};

std::vector<Meeting> meetings_of(const World& world, const ContactView& contacts, const ChosenGroups& chosen) {
  const auto end_of = [&](std::size_t row) {
    const std::size_t carrier = carrier_of(world, row);
    return BranchEnd{carrier, chosen(world.group.read()[carrier]) && moves_freely(world, carrier)};
  };
  std::vector<Meeting> all;
  for (const ContactRecord& c : contacts) {
    const auto a = world.row(c.a), b = world.row(c.b);
    if (!a || !b || !acts(c)) continue;
    const Meeting meeting{&c, end_of(*a), end_of(*b)};
    if (meeting.a.counts || meeting.b.counts) all.push_back(meeting);
  }
  return all;
}

/// Number of neighbours of each row: several contacts of two bodies, which stand together, count once.
std::vector<double> ends_of(const World& world, const std::vector<Meeting>& meetings) {
  std::vector<double> ends(world.size(), 0);
  const ContactRecord* last = nullptr;
  for (const Meeting& m : meetings) {
    const ContactRecord& c = *m.contact;
    if (!last || last->a != c.a || last->b != c.b || last->image != c.image) ++ends[m.a.row], ++ends[m.b.row];
    last = &c;
  }
  return ends;
}

}  // namespace

Outside add_moment(const Grid& grid, const World& world, const ContactView& contacts, const ChosenGroups& chosen,
                   std::span<double> sums) {
  const std::vector<Meeting> meetings = meetings_of(world, contacts, chosen);
  const std::vector<Grain> grains = grains_of(world, chosen, ends_of(world, meetings));
  Adder adder(grid, world, sums);
  for (const Grain& grain : grains) adder.add(grain);
  for (const Meeting& m : meetings) {
    const ContactRecord& c = *m.contact;
    adder.add_branch(branch_between(world, c, m.a, m.b), c.force);
    adder.add_contact(c, m.a.counts && m.b.counts ? Vec3(Vec3::Zero()) : m.b.counts ? c.force : Vec3(-c.force));
  }
  return adder.end();
}

double mean_diameter(const World& world, const ChosenGroups& chosen) {
  ExactSum sum;
  std::size_t count = 0;
  for_each_free_body(world, [&](const BodyState& state) {
    if (!chosen(state.group)) return;
    sum.add(2 * state.scale * world.shapes()[state.shape].shape->bounding_radius());
    ++count;
  });
  return count > 0 ? sum.value() / static_cast<double>(count) : 0;
}

}  // namespace scree::fields
