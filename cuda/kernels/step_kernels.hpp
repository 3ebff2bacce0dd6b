#pragma once
/// \file The bodies of kernels of a step, but for those of methods: places of sites, sums of forces, motion. The
/// formulas are those of the host.

#include "scree/device/execution.hpp"
#include "scree/device/plane.hpp"
#include "scree/device/step_data.hpp"
#include "scree/integrate/rigid_body.hpp"
#include "scree/model/environment.hpp"

namespace scree::device {

SCREE_HD inline Vector3<double> eigen(const Vector3d& v) { return {v.x, v.y, v.z}; }
SCREE_HD inline Vector3d plain(const Vector3<double>& v) { return {v[0], v[1], v[2]}; }
SCREE_HD inline scree::Quaternion<double> eigen(const Quaterniond& q) { return {q.w, q.x, q.y, q.z}; }
SCREE_HD inline Quaterniond plain(const scree::Quaternion<double>& q) { return {q.x(), q.y(), q.z(), q.w()}; }

/// Where sites are now, and how far the one is that went farthest since pairs were listed.
struct PlaceSites {
  static constexpr const char* kName = "place-sites";
  static constexpr int kThreads = 256, kWarps = kThreads / kWarpSize;
  struct Shared {
    unsigned long long most[kWarps];
  };
  Bodies bodies;
  Sites sites;
  Control* control;

  SCREE_HD std::uint32_t blocks(std::uint32_t) const { return (sites.count + kThreads - 1) / kThreads; }
  SCREE_HD void operator()(const Block& block, Shared& shared) const {
    block.warps([&](const Warp& warp) {
      Lane<unsigned long long> way;
      warp.each([&](int lane) {
        const std::uint32_t slot = block.index * kThreads + warp.index * kWarpSize + lane;
        way[lane] = 0;
        if (slot >= sites.count) return;
        const std::uint32_t body = sites.body[slot];
        Vector3d x = bodies.x[body];
        if (sites.local) {
          const Vector3d l = sites.local[slot];
          if (l.x != 0 || l.y != 0 || l.z != 0) x = x + turned(bodies.q[body], l);
        }
        sites.x[slot] = x;
        const double squared = dot(x - sites.x0[slot], x - sites.x0[slot]);
        way[lane] = ordered_bits(squared);
      });
      const unsigned long long most = warp.largest(way);
      warp.each([&](int lane) {
        if (lane == 0) shared.most[warp.index] = most;
      });
    });
    block.warps([&](const Warp& warp) {
      if (warp.index != 0) return;
      warp.each([&](int lane) {
        if (lane != 0) return;
        unsigned long long most = shared.most[0];
        for (int w = 1; w < kWarps; ++w) most = shared.most[w] > most ? shared.most[w] : most;
        atomic_max(&control->way, most);
      });
    });
  }
};

/// How far an obstacle has moved since pairs were listed.
struct WallMotion {
  double shift, angle;  ///< [m], [rad]
  double reach;         ///< how far its surface is from its centre, where that matters [m]
  double farthest;      ///< distance of the farthest site then, beyond which nothing matters; or infinite [m]
};

/// Halts the batch where a pair may have come within reach that is not listed.
struct CheckLists {
  static constexpr const char* kName = "check-lists";
  Batch* batch;
  double skin;  ///< [m]
  const WallMotion* wall;
  std::uint32_t walls;
  std::uint32_t per_step;  ///< those of step i begin at wall[i per_step]

  /// How far a point of it has gone, at most [m]. \param way  of the farthest site [m]
  SCREE_HD static double way_of(const WallMotion& wall, double way) {
    const double seen = wall.farthest + way, reach = seen < wall.reach ? seen : wall.reach;
    return wall.shift + (wall.angle == 0 || reach == 0 ? 0 : wall.angle * reach);
  }
  SCREE_HD void operator()(std::uint32_t) const {
    const double way = std::sqrt(from_ordered_bits(batch->now.way));
    double most = 0;
    for (std::uint32_t g = 0; g < walls; ++g) {
      const double of_wall = way_of(wall[batch->step * per_step + g], way);
      most = most < of_wall ? of_wall : most;
    }
    if (2 * way > skin || way + most > skin) batch->halted = kListsAreStale;
  }
};

/// Puts aside what the step has found, and halts the batch where that is a fault.
struct EndStep {
  static constexpr const char* kName = "end-step";
  Batch* batch;
  SCREE_HD void operator()(std::uint32_t) const {
    const Control found = batch->now;
    batch->of_step[batch->step++] = found;
    batch->now = empty_control();
    const bool fault = found.fault != kNone || found.coincident != kNone || found.trouble != kNoTrouble;
    if (fault) batch->halted = kFaultFound;
  }
};

/// A body with prescribed motion at one moment.
struct PrescribedPose {
  std::uint32_t body;
  Vector3d x;
  Quaterniond q;
  Vector3d v, w;
};

struct Prescribe {
  static constexpr const char* kName = "prescribe";
  Bodies bodies;
  const PrescribedPose* pose;
  bool place, rates;  ///< which of them are set
  SCREE_HD void operator()(std::uint32_t i) const {
    const PrescribedPose& p = pose[i];
    if (place) bodies.x[p.body] = p.x, bodies.q[p.body] = p.q;
    if (rates) bodies.v[p.body] = p.v, bodies.w[p.body] = p.w;
  }
};

/// Blocks that a multiprocessor is to hold of kernels over bodies: as many as take no spills.
template <class Space>
inline constexpr int kBlocksOverBodies = Space::kPlanar ? 4 : 3;

/// What the wrench on a body is the sum of.
struct Loads {
  Bodies bodies;
  Sites sites;
  const std::uint32_t *first_entry, *entry, *ref;
  PairSlots pair_slots;
  const Vector3d* shift;
  const WallItems* wall;
  std::uint32_t walls;
  StepContacts contacts;
  const LiveContacts* live;  ///< by first slot of an item
  bool moments;              ///< laws give couples too
  Damping damping;
  bool damps;
  Vector3<double> gravity;
};

struct BodyWrench {
  Vector3<double> force, torque;
};

/// The wrench on each body: its contacts in the order of its sites' rows, then those with obstacles, then what acts on
/// all bodies. \tparam Space  InSpace, or InPlane where forces have no z
template <class Space>
struct SumForces : Loads {
  static constexpr const char* kName = Space::kPlanar ? "sum-forces-in-plane" : "sum-forces";
  static constexpr int kLeastBlocks = kBlocksOverBodies<Space>;
  struct Sum {
    decltype(Space::within(Vector3d{})) force = Space::within(Vector3d{0, 0, 0});
    decltype(Space::across(Vector3d{})) torque = Space::across(Vector3d{0, 0, 0});
  };

  /// Who a contact is seen by.
  struct Side {
    bool b;        ///< or a
    bool central;  ///< the contact is between centres
    Vector3d x;    ///< centre of the body, of the image where it is one [m]
  };

  /// What a contact does to a side.
  SCREE_HD void add(std::uint32_t place, const Side& side, Sum& sum) const {
    const StepContacts& c = contacts;
    const double weight = c.force_weight ? c.force_weight[place] : 1;
    const auto f = weight * Space::within(c.force, place);
    auto torque = sum.torque;
    if (has_point(side.central, side.central ? c.arm_a[place] : 0)) {
      torque = cross(Space::within(c.point, place) - Space::within(side.x), f);
    } else {
      const double arm = side.b ? -c.arm_b[place] : c.arm_a[place];
      torque = arm * cross(Space::within(c.normal, place), f);
    }
    if (moments) torque = torque + weight * Space::across(c.moment, place);
    const double sign = side.b ? 1 : -1;
    sum.force = sum.force + sign * f;
    sum.torque = sum.torque + sign * torque;
  }

  /// \param items  of its segment
  SCREE_HD void add_item(const LiveContacts& item, std::uint32_t items, const Side& side, Sum& sum) const {
    std::uint32_t place = item.place;
    for (std::uint32_t rest = item.bits; rest != 0; rest &= rest - 1, place = next_place(place, items))
      add(place, side, sum);
  }

  SCREE_HD void add_site(std::uint32_t body, std::uint32_t rank, Sum& sum) const {
    const std::uint32_t slot = sites.slot_of_rank[rank];
    for (std::uint32_t e = first_entry[slot]; e < first_entry[slot + 1]; ++e) {
      const std::uint32_t channel = pair_slots.channel_of(ref[e] >> 1);
      const ItemSlots of_pair = pair_slots.of(ref[e] >> 1, channel);
      const LiveContacts pair = live[of_pair.first];
      if (pair.bits == 0) continue;
      // Contacts stand where a is. Seen from b's row, a is an image, and b one of it.
      Side side{(ref[e] & 1) != 0, pair_slots.central[channel] != 0, bodies.x[body]};
      if (side.b && entry[e] >> kSiteBits != kOwnImage) side.x = side.x - shift[entry[e] >> kSiteBits];
      add_item(pair, of_pair.stride, side, sum);
    }
    for (std::uint32_t g = 0; g < walls; ++g) {
      const std::uint32_t item = wall[g].item_of[rank];
      if (item == kNone) continue;
      add_item(live[wall[g].first_slot + item], wall[g].items, {wall[g].body < body, false, bodies.x[body]}, sum);
    }
  }

  /// Of body i; kept for those who ask.
  SCREE_HD BodyWrench wrench(std::uint32_t i) const {
    Sum sum;
    for (std::uint32_t rank = bodies.first_site[i]; rank < bodies.first_site[i + 1]; ++rank) add_site(i, rank, sum);
    BodyWrench on{eigen(spatial(sum.force)), eigen(spatial(sum.torque))};
    if (bodies.inverse_mass[i] > 0) {
      if (bodies.external_force) {
        on.force += eigen(spatial(Space::within(bodies.external_force[i])));
        on.torque += eigen(spatial(Space::across(bodies.external_torque[i])));
      }
      if (damps)
        add_environment<double>(
            damping, gravity,
            {bodies.mass[i], eigen(bodies.moments[i]), eigen(bodies.q[i]), eigen(bodies.v[i]), eigen(bodies.w[i])},
            on.force, on.torque);
      else
        add_weight<double>(bodies.mass[i], gravity, on.force);
    }
    bodies.force[i] = plain(on.force);
    bodies.torque[i] = plain(on.torque);
    return on;
  }

  SCREE_HD void operator()(std::uint32_t i) const { wrench(i); }
};

/// How bodies are moved.
struct Motion {
  Bodies bodies;
  double kick, drift;  ///< [s]; 0: none
  bool check;
  Vector3d low, high;  ///< of the domain [m]
  Control* control;
};

/// Kick, drift, and whether bodies are where they may be. Only free bodies move. \tparam Space  InSpace, or InPlane
/// where bodies turn about z alone
template <class Space>
struct KickDrift : Motion {
  static constexpr const char* kName = Space::kPlanar ? "kick-drift-in-plane" : "kick-drift";
  static constexpr int kLeastBlocks = kBlocksOverBodies<Space>;

  SCREE_HD bool sound(const Vector3d& x, const Vector3<double>& v, const Vector3<double>& w) const {
    return x.x >= low.x && x.x <= high.x && x.y >= low.y && x.y <= high.y && x.z >= low.z && x.z <= high.z &&
           dot(plain(v), plain(v)) + dot(plain(w), plain(w)) < 1e300;
  }
  SCREE_HD void move(std::uint32_t i, const BodyWrench& by) const {
    Vector3<double> v = eigen(bodies.v[i]), w = eigen(bodies.w[i]);
    Vector3d x = bodies.x[i];
    scree::Quaternion<double> q = eigen(bodies.q[i]);
    const Vector3<double> inverse = eigen(bodies.inverse_moments[i]);
    Vector3<double> alpha(0, 0, by.torque[2] * inverse[2]);
    if constexpr (!Space::kPlanar) alpha = angular_acceleration<double>(by.torque, q, inverse);
    v = kicked<double>(v, linear_acceleration<double>(by.force, bodies.inverse_mass[i]), kick);
    w = kicked<double>(w, alpha, kick);
    if (drift != 0) {
      bodies.x[i] = x = plain(drifted<double>(eigen(x), v, drift));
      if constexpr (Space::kPlanar) {
        q = turned_about_z<double>(q, w[2], drift);
      } else {
        const scree::Rotation<double> now = rotated_freely<double>({q, w}, eigen(bodies.moments[i]), inverse, drift);
        q = now.q;
        w = now.omega;
      }
      bodies.q[i] = plain(q);
    }
    bodies.v[i] = plain(v);
    bodies.w[i] = plain(w);
    if (check && !sound(x, v, w)) atomic_min(&control->fault, i);
  }
  SCREE_HD void operator()(std::uint32_t i) const {
    if (bodies.inverse_mass[i] > 0) move(i, {eigen(bodies.force[i]), eigen(bodies.torque[i])});
  }
};

/// Both in one, where forces are not read again: a body's sum asks nothing of others, so they may have moved.
template <class Space>
struct SumKickDrift {
  static constexpr const char* kName = Space::kPlanar ? "sum-kick-drift-in-plane" : "sum-kick-drift";
  static constexpr int kLeastBlocks = kBlocksOverBodies<Space>;
  SumForces<Space> sum;
  KickDrift<Space> motion;

  SCREE_HD void operator()(std::uint32_t i) const {
    const BodyWrench wrench = sum.wrench(i);
    if (sum.bodies.inverse_mass[i] > 0) motion.move(i, wrench);
  }
};

}  // namespace scree::device
