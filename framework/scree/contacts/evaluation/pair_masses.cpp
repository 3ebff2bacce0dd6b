#include "scree/contacts/evaluation/pair_masses.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scree/base/error.hpp"
#include "scree/base/lanes.hpp"
#include "scree/contacts/evaluation/kinematics.hpp"

namespace scree {

namespace {

/// Checks whether a law needs masses, or its contacts are watched.
bool asks(const Methods& methods, const PairChunk& chunk) {
  return std::ranges::any_of(chunk.segments, [&](const PairChunk::Segment& segment) {
    const Interaction& law = methods.interactions[methods.channels[segment.channel].interaction];
    return law.needs.mass || law.hasty_mass > 0;
  });
}

/// Three numbers that stay in registers. Those of an Eigen vector would be loaded two at a time, and wait for each
/// other in memory.
struct Triple {
  double x = 0, y = 0, z = 0;
};
inline Triple operator+(const Triple& a, const Triple& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Triple operator*(double f, const Triple& a) { return {f * a.x, f * a.y, f * a.z}; }
inline double dot(const Triple& a, const Triple& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline double dot(double a, double b) { return a * b; }
inline Triple normal_of(const ContactBuffer& c, std::uint32_t i) {
  return {c.normal(0)[i], c.normal(1)[i], c.normal(2)[i]};
}

/// Returns at least this much room. It only grows, and keeps old contents.
double* room(std::vector<double>& numbers, std::size_t size) {
  if (numbers.size() < size) numbers.resize(std::max(size, 2 * numbers.size()));
  return numbers.data();
}

/// Group of four numbers of eight bodies' rows, as columns. \param first  first number of the group
struct WideBlock {
  WideLanes v[4];
  WideBlock(const double* const (&row)[8], int first) {
    LaneBlock low, high;
    for (int k = 0; k < 4; ++k) low.v[k] = load_lanes(row[k] + first), high.v[k] = load_lanes(row[k + 4] + first);
    low = transposed(low), high = transposed(high);
    for (int k = 0; k < 4; ++k) v[k] = joined(low.v[k], high.v[k]);
  }
};

/// Terms of J M^-1 J^T of eight bodies [1/kg].
struct Mobility {
  WideLanes straight, turning;  ///< 1/m; (r x n) I^-1 (r x n)
};

}  // namespace

/// Plane: bodies rotate about z only, so a lever r x n is one number. A row has 1/m and 1/I.
class PairMasses::InPlane {
 public:
  static constexpr int kNumbers = 1, kRow = 4;
  using Lever = double;

  static void fill(const World& world, const PairChunk& chunk, const BodyView& bodies, std::vector<double>& rows) {
    const Vec3* const inverse = world.inverse_inertia.read().data();
    double* to = room(rows, kRow * chunk.rows.size());
    for (std::size_t k = 0; k < chunk.rows.size(); ++k, to += kRow)
      store_lanes(to, Lanes{bodies.row[k].inverse_mass, inverse[chunk.rows[k]].z(), 0, 0});
  }
  static Mobility mobility(const double* const (&row)[8], const WideLanes3& arm, const WideLanes3& n, double* lever,
                           std::size_t) {
    const WideBlock body(row, 0);
    const WideLanes l = arm.x * n.y - arm.y * n.x;
    store_lanes(lever, l);
    return {body.v[0], body.v[1] * l * l};
  }
  static Lever load(const double* lever, std::size_t) { return *lever; }
  static Lever turned(const double* row, Lever lever) { return row[1] * lever; }
};

/// Space: a row has 1/m and the inverse of the moments in world axes: xx, yy, zz, xy, xz, yz.
class PairMasses::InSpace {
 public:
  static constexpr int kNumbers = 3, kRow = 8;
  using Lever = Triple;

  /// Fills the rows with R D R^T: d.x in all directions, and the differences to it along the other two axes of the
  /// body.
  static void fill(const World& world, const PairChunk& chunk, const BodyView& bodies, std::vector<double>& rows) {
    const Vec3* const inverse = world.inverse_inertia.read().data();
    const Quat* const orientation = world.orientation.read().data();
    double* to = room(rows, kRow * chunk.rows.size());
    for (std::size_t k = 0; k < chunk.rows.size(); ++k, to += kRow) {
      const double *const m = inverse[chunk.rows[k]].data(), *const q = orientation[chunk.rows[k]].coeffs().data();
      const double x = q[0], y = q[1], z = q[2], w = q[3], d = m[0], e = m[1] - d, f = m[2] - d;
      const Triple u{2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)};
      const Triple v{2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)};
      const Triple eu = e * u, fv = f * v;
      store_lanes(to, Lanes{bodies.row[k].inverse_mass, d + eu.x * u.x + fv.x * v.x, d + eu.y * u.y + fv.y * v.y,
                            d + eu.z * u.z + fv.z * v.z});
      store_lanes(to + 4, Lanes{eu.x * u.y + fv.x * v.y, eu.x * u.z + fv.x * v.z, eu.y * u.z + fv.y * v.z, 0});
    }
  }
  static Mobility mobility(const double* const (&row)[8], const WideLanes3& arm, const WideLanes3& n, double* lever,
                           std::size_t stride) {
    const WideBlock body(row, 0), across(row, 4);
    const WideLanes3 l = cross(arm, n);
    store_lanes(lever, l.x);
    store_lanes(lever + stride, l.y);
    store_lanes(lever + 2 * stride, l.z);
    return {body.v[0], l.x * (body.v[1] * l.x + 2.0 * (across.v[0] * l.y + across.v[1] * l.z)) +
                           l.y * (body.v[2] * l.y + 2.0 * across.v[2] * l.z) + l.z * body.v[3] * l.z};
  }
  static Lever load(const double* lever, std::size_t stride) { return {lever[0], lever[stride], lever[2 * stride]}; }
  static Lever turned(const double* row, const Lever& l) {
    return {row[1] * l.x + row[4] * l.y + row[5] * l.z, row[4] * l.x + row[2] * l.y + row[6] * l.z,
            row[5] * l.x + row[6] * l.y + row[3] * l.z};
  }
};

void PairMasses::find(const World& world, const Methods& methods, const PairChunk& chunk, const BodyView& bodies,
                      const ContactBuffer& contacts, bool normals_through_centres) {
  hasty_ = {};
  found_ = !normals_through_centres && asks(methods, chunk);
  if (!found_) return;
  room(mass_, contacts.size() + 8);
  room(stiffest_, contacts.size() + 8);
  if (contacts.size() == 0) return;
  if (world.dimension() == 2) {
    InPlane::fill(world, chunk, bodies, rows_);
    find_in<InPlane>(methods, chunk, bodies, contacts);
  } else {
    InSpace::fill(world, chunk, bodies, rows_);
    find_in<InSpace>(methods, chunk, bodies, contacts);
  }
}

template <class Space>
void PairMasses::find_in(const Methods& methods, const PairChunk& chunk, const BodyView& bodies,
                         const ContactBuffer& contacts) {
  find_alone<Space>(chunk, bodies, contacts);
  const auto size = static_cast<std::uint32_t>(contacts.size());
  const std::uint32_t* const pair = contacts.pair();
  std::uint32_t first = 0;
  for (const PairChunk::Segment& segment : chunk.segments) {
    const Channel& channel = methods.channels[segment.channel];
    const Interaction& law = methods.interactions[channel.interaction];
    const Run all{first, static_cast<std::uint32_t>(std::lower_bound(pair + first, pair + size, segment.end) - pair)};
    first = all.end;
    list_runs(pair, all);
    if (!runs_.empty()) ask_law(*law.force, channel, contacts, all);
    for (const Run& run : runs_) {
      const Pair& p = chunk.pairs[pair[run.begin]];
      share<Space>(rows_.data() + Space::kRow * std::size_t{chunk.owner_of(p.a)},
                   rows_.data() + Space::kRow * std::size_t{chunk.owner_of(p.b)}, contacts, run);
    }
    if (law.hasty_mass > 0) watch(law, chunk, bodies, contacts, all);
  }
}

/// Lists the pairs with several contacts, without branches: they would be hard to predict.
void PairMasses::list_runs(const std::uint32_t* pair, Run all) {
  runs_.resize(all.end - all.begin + 1);
  std::size_t count = 0;
  std::uint32_t begin = all.begin;
  for (std::uint32_t i = all.begin + 1; i <= all.end; ++i) {
    const bool ends = i == all.end || pair[i] != pair[begin];
    runs_[count] = {begin, i};
    count += ends && i - begin > 1 ? 1 : 0;
    begin = ends ? i : begin;
  }
  runs_.resize(count);
}

/// Computes masses as if each contact were the only one of its pair, and the levers of all contacts.
template <class Space>
void PairMasses::find_alone(const PairChunk& chunk, const BodyView& bodies, const ContactBuffer& contacts) {
  constexpr double kRounding = 1e-12;  // tolerance of normals through the centres, whose masses are the reduced ones
  const std::size_t size = contacts.size();
  stride_ = (size + 7) / 8 * 8;
  double *const mass = mass_.data(), *const stiffest = stiffest_.data();
  double* const lever = room(lever_, 2 * Space::kNumbers * stride_);
  const double* const rows = rows_.data();
  const std::uint32_t* const owner = chunk.owner.empty() ? nullptr : chunk.owner.data();
  const detail::ContactBlock block(bodies, chunk.pairs, contacts, 0, size, false, false);
  const auto rows_of = [&](const BodyRow* const(&low)[4], const BodyRow* const(&high)[4], const double*(&row)[8]) {
    for (int k = 0; k < 4; ++k) {
      row[k] = rows + Space::kRow * (low[k] - bodies.row);
      row[k + 4] = rows + Space::kRow * (high[k] - bodies.row);
    }
  };
  for (std::size_t i = 0; i < size; i += 8) {
    const detail::EightPairs pairs(block, i, owner);
    const double *of_a[8], *of_b[8];
    rows_of(pairs.low.a, pairs.high.a, of_a);
    rows_of(pairs.low.b, pairs.high.b, of_b);
    const WideLanes3 n = detail::load_wide(block.normal, i), at = detail::load_wide(block.point, i);
    const WideLanes3 arm_a = at - detail::Places(pairs.low.a, pairs.high.a).centre;
    const WideLanes3 arm_b = at - detail::Places(pairs.low.b, pairs.high.b).centre;
    const Mobility a = Space::mobility(of_a, arm_a, n, lever + i, stride_);
    const Mobility b = Space::mobility(of_b, arm_b, n, lever + Space::kNumbers * stride_ + i, stride_);
    const WideLanes straight = a.straight + b.straight, turning = a.turning + b.turning, none = WideLanes{};
    const WideLanes alone = 1 / (straight + (turning > kRounding * straight ? turning : none));
    store_lanes(mass + i, alone);
    store_lanes(stiffest + i, alone);
  }
}

/// Calls a law for forces and stiffnesses of all its contacts, 0 across gaps. Bounding radii are the same for all
/// contacts of a pair, and need not be known.
void PairMasses::ask_law(const ForceFace& law, const Channel& channel, const ContactBuffer& contacts, Run all) {
  const std::size_t size = all.end - all.begin;
  if (ones_.size() < size) ones_.resize(size, 1);
  const double* const overlap = contacts.overlap() + all.begin;
  ContactColumns columns;
  columns.size = size;
  columns.overlap = overlap;
  columns.radius = channel.curvature ? contacts.radius() + all.begin : ones_.data();
  double* const force = room(force_, contacts.size()) + all.begin;
  double* const stiffness = room(stiffness_, contacts.size()) + all.begin;
  law.elastic(columns, force, stiffness);
  const double* const weight = channel.weighted ? contacts.force_weight() + all.begin : ones_.data();
  double* const weighted = room(weighted_, contacts.size()) + all.begin;
#pragma omp simd
  for (std::size_t i = 0; i < size; ++i) {
    const double there = overlap[i] > 0 ? 1.0 : 0.0;
    stiffness[i] *= there;
    force[i] *= there * weight[i];
    weighted[i] = weight[i] * stiffness[i];
  }
}

/// Computes the masses of the contacts of one pair. \param a, b  rows of the bodies that take the force
template <class Space>
void PairMasses::share(const double* a, const double* b, const ContactBuffer& contacts, Run run) {
  const double* const lever = lever_.data();
  const auto of_a = [&](std::uint32_t i) { return Space::load(lever + i, stride_); };
  const auto of_b = [&](std::uint32_t i) { return Space::load(lever + Space::kNumbers * stride_ + i, stride_); };
  const double *const force = force_.data(), *const weighted = weighted_.data();
  Triple sum;
  typename Space::Lever torque_a{}, torque_b{};
  for (std::uint32_t i = run.begin; i < run.end; ++i) {
    sum = sum + force[i] * normal_of(contacts, i);
    torque_a = torque_a + force[i] * of_a(i);
    torque_b = torque_b + force[i] * of_b(i);
  }
  sum = (a[0] + b[0]) * sum;
  const auto turning_a = Space::turned(a, torque_a), turning_b = Space::turned(b, torque_b);
  double stored = 0, done = 0;
  for (std::uint32_t i = run.begin; i < run.end; ++i) {
    const double along = dot(normal_of(contacts, i), sum) + dot(turning_a, of_a(i)) + dot(turning_b, of_b(i));
    stored += weighted[i] * along * along;
    done += force[i] * along;
  }
  if (!(stored > 0 && done > 0)) return;  // weights may cancel
  const double per_square = done / stored;
  double stiffest = 0;
  for (std::uint32_t i = run.begin; i < run.end; ++i) {
    const bool touching = stiffness_[i] > 0;
    mass_[i] = touching ? stiffness_[i] * per_square : mass_[i];
    stiffest = touching && mass_[i] > stiffest ? mass_[i] : stiffest;
  }
  for (std::uint32_t i = run.begin; i < run.end; ++i) stiffest_[i] = stiffest;
}

/// Records the contact of a law that oscillates fastest, if the step does not resolve it.
void PairMasses::watch(const Interaction& law, const PairChunk& chunk, const BodyView& bodies,
                       const ContactBuffer& contacts, Run all) {
  const double *const mass = stiffest_.data(), *const overlap = contacts.overlap();
  const double hasty = law.hasty_mass;
  double least = hasty;
#pragma omp simd reduction(min : least)
  for (std::size_t k = all.begin; k < all.end; ++k) {
    const double touching = overlap[k] > 0 ? mass[k] : hasty;
    least = touching < least ? touching : least;
  }
  if (!(least < hasty)) return;
  std::uint32_t i = all.begin;
  while (!(overlap[i] > 0 && mass[i] == least)) ++i;
  const std::uint32_t* const pair = contacts.pair();
  const Pair& p = chunk.pairs[pair[i]];
  const BodyRow &a = bodies.row[p.a], &b = bodies.row[p.b];
  const double radius = 1 / (1 / a.radius + 1 / b.radius);
  HastyContact found{.duration = law.force->contact_duration(least, radius),
                     .body_a = static_cast<double>(a.id),
                     .body_b = static_cast<double>(b.id)};
  while (i > all.begin && pair[i - 1] == pair[i]) --i;
  for (std::uint32_t k = i; k < all.end && pair[k] == pair[i]; ++k) found.at_once += overlap[k] > 0;
  hasty_.keep_shorter(found);
  if (least < law.unstable_mass)
    throw NumericalError(fmt::format(
        "interaction {}: body {} and body {} touch at {:.0f} {} at once: such a contact lasts {:.2g} s, and steps this "
        "long give it energy. Lower /integrator/dt to {:.2g} s or less. To run all the same, set /run/accept_long_dt "
        "to "
        "true.",
        law.name, a.id, b.id, found.at_once, found.at_once > 1 ? "places" : "place", found.duration,
        found.duration / 10));
}

}  // namespace scree
