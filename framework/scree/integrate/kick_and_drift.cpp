#include "scree/integrate/kick_and_drift.hpp"

#include <array>

#include "scree/base/lanes.hpp"
#include "scree/base/parallel.hpp"
#include "scree/integrate/rigid_body.hpp"

namespace scree {

namespace {

struct Planar {
  static Vec3 acceleration(const Vec3& torque, const Quat&, const Vec3& inverse_moments) {
    return {0, 0, torque[2] * inverse_moments[2]};
  }
  static void turn(Quat& q, Vec3& omega, const Vec3&, const Vec3&, double dt) { q = turned_about_z(q, omega[2], dt); }
  /// Tells whether angular acceleration is torque times inverse moment, component by component, and free rotation keeps
  /// omega.
  static bool simple(const Vec3&) { return true; }
};

struct Spatial {
  static Vec3 acceleration(const Vec3& torque, const Quat& q, const Vec3& inverse_moments) {
    return angular_acceleration<double>(torque, q, inverse_moments);
  }
  static void turn(Quat& q, Vec3& omega, const Vec3& moments, const Vec3& inverse_moments, double dt) {
    const Rotation<double> now = rotated_freely<double>({q, omega}, moments, inverse_moments, dt);
    q = now.q;
    omega = now.omega;
  }
  static bool simple(const Vec3& inverse_moments) {
    return spherical<double>(inverse_moments) && inverse_moments[0] > 0;
  }
};

/// Four bodies one after the other.
constexpr std::ptrdiff_t kFour = 4;
FourVectors load(const Vec3* of_first) { return load_vectors(of_first->data()); }
void store(Vec3* of_first, const FourVectors& v) { store_vectors(of_first->data(), v); }
FourVectors kicked_four(const FourVectors& v, const FourVectors& a, double dt) {
  return {{v.group[0] + a.group[0] * dt, v.group[1] + a.group[1] * dt, v.group[2] + a.group[2] * dt}};
}

/// The columns that describe where free bodies are and how they move.
struct State {
  explicit State(World& world)
      : inverse_mass(world.inverse_mass.read()),
        moments(world.inertia.read()),
        inverse_moments(world.inverse_inertia.read()),
        x(world.position.write()),
        v(world.velocity.write()),
        omega(world.angular_velocity.write()),
        q(world.orientation.write()) {}
  std::span<const double> inverse_mass;
  std::span<const Vec3> moments, inverse_moments;
  ColumnWriter<Vec3> x, v, omega;
  ColumnWriter<Quat> q;

  template <class Axes>
  void kick(std::ptrdiff_t i, const Wrenches& wrenches, double dt) const {
    v[i] = kicked<double>(v[i], linear_acceleration<double>(wrenches.force[i], inverse_mass[i]), dt);
    omega[i] = kicked<double>(omega[i], Axes::acceleration(wrenches.torque[i], q[i], inverse_moments[i]), dt);
  }
  template <class Axes>
  void drift(std::ptrdiff_t i, double dt) const {
    if (inverse_mass[i] == 0) return;  // fixed, prescribed, or riding on an owner
    x[i] = drifted<double>(x[i], v[i], dt);
    Axes::turn(q[i], omega[i], moments[i], inverse_moments[i], dt);
  }

  template <class Axes>
  bool four_are_simple(std::ptrdiff_t i) const {
    bool simple = true;
    for (std::ptrdiff_t k = i; k < i + kFour; ++k) simple = simple && Axes::simple(inverse_moments[k]);
    return simple;
  }
  bool four_are_free(std::ptrdiff_t i) const {
    return inverse_mass[i] > 0 && inverse_mass[i + 1] > 0 && inverse_mass[i + 2] > 0 && inverse_mass[i + 3] > 0;
  }

  /// kick() of four simple bodies.
  void kick_four(std::ptrdiff_t i, const Wrenches& wrenches, double dt) const {
    const Lanes m = load_lanes(&inverse_mass[i]);
    const Lanes mass[3] = {__builtin_shufflevector(m, m, 0, 0, 0, 1), __builtin_shufflevector(m, m, 1, 1, 2, 2),
                           __builtin_shufflevector(m, m, 2, 3, 3, 3)};
    const FourVectors inverse = load(&inverse_moments[i]);
    FourVectors linear = load(&wrenches.force[i]), angular = load(&wrenches.torque[i]);
    for (int k = 0; k < 3; ++k) linear.group[k] *= mass[k], angular.group[k] *= inverse.group[k];
    store(&v[i], kicked_four(load(&v[i]), linear, dt));
    store(&omega[i], kicked_four(load(&omega[i]), angular, dt));
  }

  /// drift() of four free and simple bodies. \return false, and nothing is done, when one turns far in this step
  bool drift_four(std::ptrdiff_t i, double dt) const {
    Lanes3 r = columns_of(load(&omega[i]));
    r = {r.x * dt, r.y * dt, r.z * dt};
    const Lanes square = half_angle_squared<double>(r.x, r.y, r.z);
    for (int k = 0; k < kFour; ++k)
      if (!(square[k] < kSmallSquare)) return false;
    store(&x[i], kicked_four(load(&x[i]), load(&v[i]), dt));
    Quat* const turning = &q[i];  // in memory x, y, z, w
    const LaneBlock before =
        transposed({{load_lanes(turning), load_lanes(turning + 1), load_lanes(turning + 2), load_lanes(turning + 3)}});
    const QuaternionParts<Lanes> now = composed<double, Lanes>(cosine_and_sinc_series<double>(square), r.x, r.y, r.z,
                                                               {before.v[3], before.v[0], before.v[1], before.v[2]});
    const LaneBlock after = transposed({{now.x, now.y, now.z, now.w}});
    for (int k = 0; k < kFour; ++k) store_lanes(turning + k, after.v[k]);
    return true;
  }
};

template <class Axes>
void kick_as(World& world, std::span<const RowRange> rows, const Wrenches& wrenches, double dt) {
  const State s(world);
  const auto four = [&](std::ptrdiff_t i) {
    if (!s.four_are_simple<Axes>(i)) return false;
    s.kick_four(i, wrenches, dt);
    return true;
  };
  parallel_for_fours(rows, four, [&](std::ptrdiff_t i) { s.kick<Axes>(i, wrenches, dt); });
}

template <class Axes>
void kick_and_drift_as(World& world, std::span<const RowRange> rows, const Wrenches& wrenches, double kick,
                       double drift) {
  const State s(world);
  const auto four = [&](std::ptrdiff_t i) {
    if (!s.four_are_simple<Axes>(i)) return false;
    s.kick_four(i, wrenches, kick);
    if (s.four_are_free(i) && s.drift_four(i, drift)) return true;
    for (std::ptrdiff_t k = i; k < i + kFour; ++k) s.drift<Axes>(k, drift);
    return true;
  };
  parallel_for_fours(rows, four, [&](std::ptrdiff_t i) {
    s.kick<Axes>(i, wrenches, kick);
    s.drift<Axes>(i, drift);
  });
}

std::array<RowRange, 1> all_rows(const World& world) { return {RowRange{0, world.size()}}; }

}  // namespace

void kick(World& world, std::span<const RowRange> rows, const Wrenches& wrenches, double dt) {
  world.dimension() == 2 ? kick_as<Planar>(world, rows, wrenches, dt) : kick_as<Spatial>(world, rows, wrenches, dt);
}

void kick(World& world, const Wrenches& wrenches, double dt) { kick(world, all_rows(world), wrenches, dt); }

void kick_and_drift(World& world, std::span<const RowRange> rows, const Wrenches& wrenches, double kick, double drift) {
  world.dimension() == 2 ? kick_and_drift_as<Planar>(world, rows, wrenches, kick, drift)
                         : kick_and_drift_as<Spatial>(world, rows, wrenches, kick, drift);
  if (!world.members().empty()) world.update_members();
}

void kick_and_drift(World& world, const Wrenches& wrenches, double kick, double drift) {
  kick_and_drift(world, all_rows(world), wrenches, kick, drift);
}

}  // namespace scree
