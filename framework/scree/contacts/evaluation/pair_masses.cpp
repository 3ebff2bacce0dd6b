#include "scree/contacts/evaluation/pair_masses.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scree/base/error.hpp"

namespace scree {

namespace {

/// Whether a law asks for masses, or its contacts are watched.
bool asks(const Methods& methods, const PairChunk& chunk) {
  return std::ranges::any_of(chunk.segments, [&](const PairChunk::Segment& segment) {
    const Interaction& law = methods.interactions[methods.channels[segment.channel].interaction];
    return law.needs.mass || law.hasty_mass > 0;
  });
}

/// Three numbers that stay in registers: those of an Eigen vector are loaded two at a time, and would wait for each other
/// in memory.
struct Triple {
  double x = 0, y = 0, z = 0;
};
inline Triple operator+(const Triple& a, const Triple& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Triple operator-(const Triple& a, const Triple& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Triple operator*(double f, const Triple& a) { return {f * a.x, f * a.y, f * a.z}; }
inline double dot(const Triple& a, const Triple& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline double dot(double a, double b) { return a * b; }
inline Triple cross(const Triple& a, const Triple& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Triple load(const double* v) { return {v[0], v[1], v[2]}; }
inline Triple normal_of(const ContactBuffer& c, std::uint32_t i) { return {c.normal(0)[i], c.normal(1)[i], c.normal(2)[i]}; }
inline Triple point_of(const ContactBuffer& c, std::uint32_t i) {
  return {c.point(0)[i], c.point(1)[i], c.point(2)[i]};
}

/// Grows only: what stands in it is old.
double* room(std::vector<double>& numbers, std::size_t size) {
  if (numbers.size() < size) numbers.resize(std::max(size, 2 * numbers.size()));
  return numbers.data();
}

}  // namespace

/// Bodies turn about z alone: a lever is one number, and so is what turns a body.
class PairMasses::InPlane {
 public:
  static constexpr int kNumbers = 1;
  using Lever = double;

  InPlane(const World& world, const PairChunk& chunk, std::vector<double>& turning)
      : turning_(room(turning, chunk.rows.size())) {
    const auto inverse = world.inverse_inertia.read();
    for (std::size_t k = 0; k < chunk.rows.size(); ++k) turning_[k] = inverse[chunk.rows[k]].z();
  }
  static Lever lever(const Triple& point, const Triple& centre, const Triple& n) {
    return (point.x - centre.x) * n.y - (point.y - centre.y) * n.x;
  }
  static void store(const Lever& lever, double* to) { *to = lever; }
  static Lever load(const double* from) { return *from; }
  Lever turned(std::uint32_t row, const Lever& lever) const { return turning_[row] * lever; }

 private:
  double* turning_;
};

class PairMasses::InSpace {
 public:
  static constexpr int kNumbers = 3;
  using Lever = Triple;

  /// Columns first, of moments along the body's axes and orientations, then of the inverse in world axes.
  InSpace(const World& world, const PairChunk& chunk, std::vector<double>& turning)
      : rows_(chunk.rows.size()), turning_(room(turning, kColumns * chunk.rows.size())) {
    const Vec3* const inverse = world.inverse_inertia.read().data();
    const Quat* const orientation = world.orientation.read().data();
    for (std::size_t k = 0; k < rows_; ++k) {
      const Vec3& d = inverse[chunk.rows[k]];
      const Quat& q = orientation[chunk.rows[k]];
      for (int c = 0; c < 3; ++c) column(kGiven + c)[k] = d.data()[c];
      for (int c = 0; c < 4; ++c) column(kGiven + 3 + c)[k] = q.coeffs().data()[c];
    }
    turn_all();
  }
  static Lever lever(const Triple& point, const Triple& centre, const Triple& n) { return cross(point - centre, n); }
  static void store(const Lever& lever, double* to) { to[0] = lever.x, to[1] = lever.y, to[2] = lever.z; }
  static Lever load(const double* from) { return {from[0], from[1], from[2]}; }
  /// Columns are xx, yy, zz, xy, xz, yz.
  Lever turned(std::uint32_t row, const Lever& l) const {
    const double* const t = turning_ + row;
    const double xy = t[3 * rows_], xz = t[4 * rows_], yz = t[5 * rows_];
    return {t[0] * l.x + xy * l.y + xz * l.z, xy * l.x + t[rows_] * l.y + yz * l.z,
            xz * l.x + yz * l.y + t[2 * rows_] * l.z};
  }

 private:
  static constexpr int kGiven = 6, kColumns = 13;
  double* column(int c) const { return turning_ + static_cast<std::size_t>(c) * rows_; }

  /// R D R^T for many rows at a time: d.x in all directions, and the differences to it along the other two axes.
  void turn_all() const {
    const double *const dx = column(6), *const dy = column(7), *const dz = column(8);
    const double *const qx = column(9), *const qy = column(10), *const qz = column(11), *const qw = column(12);
    double *const xx = column(0), *const yy = column(1), *const zz = column(2);
    double *const xy = column(3), *const xz = column(4), *const yz = column(5);
#pragma omp simd
    for (std::size_t k = 0; k < rows_; ++k) {
      const double x = qx[k], y = qy[k], z = qz[k], w = qw[k], d = dx[k], ey = dy[k] - d, ez = dz[k] - d;
      const double ux = 2 * (x * y - w * z), uy = 1 - 2 * (x * x + z * z), uz = 2 * (y * z + w * x);
      const double vx = 2 * (x * z + w * y), vy = 2 * (y * z - w * x), vz = 1 - 2 * (x * x + y * y);
      xx[k] = d + ey * ux * ux + ez * vx * vx;
      yy[k] = d + ey * uy * uy + ez * vy * vy;
      zz[k] = d + ey * uz * uz + ez * vz * vz;
      xy[k] = ey * ux * uy + ez * vx * vy;
      xz[k] = ey * ux * uz + ez * vx * vz;
      yz[k] = ey * uy * uz + ez * vy * vz;
    }
  }

  std::size_t rows_;
  double* turning_;
};

void PairMasses::find(const World& world, const Methods& methods, const PairChunk& chunk, const BodyView& bodies,
                      const ContactBuffer& contacts, bool normals_through_centres) {
  hasty_ = {};
  found_ = !normals_through_centres && asks(methods, chunk);
  if (!found_ || contacts.size() == 0) {
    if (found_) room(mass_, 8);
    return;
  }
  if (world.dimension() == 2)
    find_in(InPlane(world, chunk, turning_), methods, chunk, bodies, contacts);
  else
    find_in(InSpace(world, chunk, turning_), methods, chunk, bodies, contacts);
}

template <class Space>
void PairMasses::find_in(const Space& space, const Methods& methods, const PairChunk& chunk, const BodyView& bodies,
                         const ContactBuffer& contacts) {
  find_alone(space, chunk, bodies, contacts);
  const auto size = static_cast<std::uint32_t>(contacts.size());
  const std::uint32_t* const pair = contacts.pair();
  const double* const overlap = contacts.overlap();
  std::uint32_t i = 0;
  for (const PairChunk::Segment& segment : chunk.segments) {
    const Channel& channel = methods.channels[segment.channel];
    const Interaction& law = methods.interactions[channel.interaction];
    const std::uint32_t first = i;
    Fastest fastest{law.hasty_mass, {}, 0};
    runs_.clear();
    while (i < size && pair[i] < segment.end) {
      const std::uint32_t begin = i++;
      if (i == size || pair[i] != pair[begin]) {
        if (overlap[begin] > 0 && mass_[begin] < fastest.mass) fastest = {mass_[begin], {begin, i}, begin};
        continue;
      }
      while (i < size && pair[i] == pair[begin]) ++i;
      runs_.push_back({begin, i});
    }
    if (!runs_.empty()) ask_law(*law.force, channel, contacts, {first, i});
    for (const Run& run : runs_) {
      const Pair& p = chunk.pairs[pair[run.begin]];
      const std::uint32_t a = chunk.owner_of(p.a), b = chunk.owner_of(p.b);
      share(space, {a, b, bodies.row[a].inverse_mass + bodies.row[b].inverse_mass}, contacts, run);
      // All contacts of a pair swing alike, k/m, and the stiffest has the largest mass: those that barely touch by
      // Hertz's law have little of either.
      std::uint32_t stiffest = run.end;
      for (std::uint32_t k = run.begin; k < run.end; ++k)
        if (overlap[k] > 0 && (stiffest == run.end || mass_[k] > mass_[stiffest])) stiffest = k;
      if (stiffest != run.end && mass_[stiffest] < fastest.mass) fastest = {mass_[stiffest], run, stiffest};
    }
    if (fastest.pair.end > 0) watch(law, chunk, bodies, contacts, fastest.pair, fastest.stiffest);
  }
}

/// As if each contact were the only one of its pair.
template <class Space>
void PairMasses::find_alone(const Space& space, const PairChunk& chunk, const BodyView& bodies,
                            const ContactBuffer& contacts) {
  constexpr double kRounding = 1e-12;  // of normals through the centres, whose masses are the reduced ones
  constexpr int kNumbers = Space::kNumbers;
  const std::size_t size = contacts.size();
  double* const mass = room(mass_, size + 8);
  double* lever = room(lever_, 2 * kNumbers * size);
  const std::uint32_t* const pair = contacts.pair();
  const Pair* const pairs = chunk.pairs.data();
  const std::uint32_t* const owner = chunk.owner.empty() ? nullptr : chunk.owner.data();
  for (std::uint32_t i = 0; i < size; ++i, lever += 2 * kNumbers) {
    const Pair& p = pairs[pair[i]];
    const std::uint32_t a = owner ? owner[p.a] : p.a, b = owner ? owner[p.b] : p.b;
    const BodyRow &body_a = bodies.row[a], &body_b = bodies.row[b];
    const double straight = body_a.inverse_mass + body_b.inverse_mass;
    const Triple n = normal_of(contacts, i), point = point_of(contacts, i);
    const auto of_a = Space::lever(point, load(body_a.position.data()), n),
               of_b = Space::lever(point, load(body_b.position.data()), n);
    const double turned = dot(of_a, space.turned(a, of_a)) + dot(of_b, space.turned(b, of_b));
    Space::store(of_a, lever);
    Space::store(of_b, lever + kNumbers);
    mass[i] = 1 / (straight + (turned > kRounding * straight ? turned : 0));
  }
}

/// Forces and stiffnesses of all contacts of one law, 0 across gaps. Bounding radii are the same for all contacts of a
/// pair, and need not be known.
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

template <class Space>
void PairMasses::share(const Space& space, const Sides& sides, const ContactBuffer& contacts, Run run) {
  constexpr int kNumbers = Space::kNumbers;
  const double* const levers = lever_.data();
  const auto of_a = [&](std::uint32_t i) { return Space::load(levers + 2 * kNumbers * i); };
  const auto of_b = [&](std::uint32_t i) { return Space::load(levers + 2 * kNumbers * i + kNumbers); };
  const double *const force = force_.data(), *const weighted = weighted_.data();
  Triple sum;
  typename Space::Lever torque_a{}, torque_b{};
  for (std::uint32_t i = run.begin; i < run.end; ++i) {
    sum = sum + force[i] * normal_of(contacts, i);
    torque_a = torque_a + force[i] * of_a(i);
    torque_b = torque_b + force[i] * of_b(i);
  }
  sum = sides.inverse_mass * sum;
  const auto turning_a = space.turned(sides.a, torque_a), turning_b = space.turned(sides.b, torque_b);
  double stored = 0, done = 0;
  for (std::uint32_t i = run.begin; i < run.end; ++i) {
    const double along = dot(normal_of(contacts, i), sum) + dot(turning_a, of_a(i)) + dot(turning_b, of_b(i));
    stored += weighted[i] * along * along;
    done += force[i] * along;
  }
  if (!(stored > 0 && done > 0)) return;  // weights may cancel
  const double per_square = done / stored;
  for (std::uint32_t i = run.begin; i < run.end; ++i)
    mass_[i] = stiffness_[i] > 0 ? stiffness_[i] * per_square : mass_[i];
}

/// A contact that swings faster than the step resolves.
void PairMasses::watch(const Interaction& law, const PairChunk& chunk, const BodyView& bodies,
                       const ContactBuffer& contacts, Run pair, std::uint32_t i) {
  const Pair& p = chunk.pairs[contacts.pair()[i]];
  const BodyRow &a = bodies.row[p.a], &b = bodies.row[p.b];
  const double radius = 1 / (1 / a.radius + 1 / b.radius);
  HastyContact found{.duration = law.force->contact_duration(mass_[i], radius),
                     .body_a = static_cast<double>(a.id),
                     .body_b = static_cast<double>(b.id)};
  for (std::uint32_t k = pair.begin; k < pair.end; ++k) found.at_once += contacts.overlap()[k] > 0;
  hasty_.keep_shorter(found);
  if (mass_[i] < law.unstable_mass)
    throw NumericalError(fmt::format(
        "interaction {}: body {} and body {} touch at {:.0f} {} at once: such a contact lasts {:.2g} s, and steps this "
        "long give it energy. Lower /integrator/dt to {:.2g} s or less. To run all the same, set /run/accept_long_dt to "
        "true.",
        law.name, a.id, b.id, found.at_once, found.at_once > 1 ? "places" : "place", found.duration,
        found.duration / 10));
}

}  // namespace scree
