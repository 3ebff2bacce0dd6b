/// \file Prints a hash of what the formulas of a step give for random bodies and contacts: one line per formula.

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <vector>

#include "law_models.hpp"
#include "scree/contacts/evaluation/kinematics.hpp"
#include "scree/detect/sphere_contact.hpp"
#include "scree/integrate/rigid_body.hpp"

using namespace scree;

namespace {

constexpr std::size_t kCount = 128;  ///< of contacts: one block of them
constexpr std::size_t kRounds = 50;

/// FNV-1a over the bits of numbers.
class Hash {
 public:
  void add(const double* values, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) {
      std::uint64_t bits;
      std::memcpy(&bits, values + i, sizeof bits);
      value_ = (value_ ^ bits) * 1099511628211u;
    }
  }
  void print(const char* name) const { std::printf("%s %016llx\n", name, static_cast<unsigned long long>(value_)); }

 private:
  std::uint64_t value_ = 14695981039346656037u;
};

using Columns = std::vector<std::vector<double>>;
Columns columns(std::size_t count) { return Columns(count, std::vector<double>(kCount + 8)); }

class Random {
 public:
  /// By whole numbers: the library's distributions may differ.
  double operator()(double low, double high) {
    return low + (high - low) * static_cast<double>(bits_() >> 11) * 0x1p-53;
  }
  Vec3 vector(double size) { return {(*this)(-size, size), (*this)(-size, size), (*this)(-size, size)}; }

 private:
  std::mt19937_64 bits_{7};
};

/// Spheres that touch, by the loop of the detector of spheres.
void contacts_of_spheres(Random& random, Hash& hash) {
  Columns in = columns(8);
  for (std::size_t i = 0; i < kCount; ++i) {
    for (int k = 0; k < 3; ++k) in[k][i] = random(-1, 1), in[4 + k][i] = random(-1e-3, 1e-3);
    in[3][i] = random(1e-3, 2e-3), in[7][i] = random(1e-3, 2e-3);
  }
  double *x = in[0].data(), *y = in[1].data(), *z = in[2].data(), *a = in[3].data();
  double *dx = in[4].data(), *dy = in[5].data(), *dz = in[6].data(), *b = in[7].data();
#pragma omp simd
  for (std::size_t i = 0; i < kCount; ++i) {
    const auto c = sphere_sphere(x[i], y[i], z[i], a[i], dx[i], dy[i], dz[i], b[i]);
    x[i] = c.overlap, y[i] = c.nx, z[i] = c.ny, a[i] = c.nz;
    dx[i] = c.px, dy[i] = c.py, dz[i] = c.pz, b[i] = c.effective_radius;
  }
  for (const auto& column : in) hash.add(column.data(), kCount);
}

/// Motion at contacts and what forces do to bodies, central and not.
void kinematics(Random& random, bool central, Hash& hash) {
  constexpr std::size_t kBodies = 64;
  std::vector<BodyRow> rows(kBodies);
  for (BodyRow& row : rows) {
    row.position = random.vector(0.01), row.velocity = random.vector(1), row.angular_velocity = random.vector(100);
    row.radius = random(1e-3, 2e-3), row.inverse_mass = random(0, 1e4);
  }
  BodyView view{};
  view.size = kBodies, view.row = rows.data();
  std::vector<Pair> pairs(kCount);
  ContactBuffer buffer;
  const ContactBuffer::Rows to = buffer.extend(kCount);
  for (std::uint32_t i = 0; i < kCount; ++i) {
    pairs[i].a = i % kBodies, pairs[i].b = (7 * i + 3) % kBodies;
    to.pair[i] = i;
    to.overlap[i] = random(1e-6, 1e-5);
    const Vec3 n = random.vector(1).normalized(), point = random.vector(0.01);
    for (int k = 0; k < 3; ++k) to.normal[k][i] = n[k], to.point[k][i] = point[k];
    to.arm_a[i] = random(1e-3, 2e-3), to.arm_b[i] = random(1e-3, 2e-3);
    to.radius[i] = random(1e-3, 2e-3);
  }
  const detail::ContactBlock block(view, pairs, buffer, 0, kCount, central, true);
  Columns c = columns(14);
  const auto vector = [&](std::size_t k) {
    return detail::VectorColumns{{c[k].data(), c[k + 1].data(), c[k + 2].data()}};
  };
  detail::MotionColumns motion;
  motion.velocity = vector(0), motion.spin = vector(3), motion.turn = vector(6);
  motion.mass = c[9].data(), motion.bounding_radius = c[10].data();
  detail::relative_motion(block, motion, 1e-6, nullptr);
  for (const auto& column : c) hash.add(column.data(), kCount);
  std::vector<WrenchSlot> slots(kBodies);
  detail::add_forces(block, vector(0), vector(3), nullptr, slots.data());
  for (const WrenchSlot& slot : slots) hash.add(slot.force, 3), hash.add(slot.torque, 3);
}

/// A law with its history, some steps on end.
template <class Model>
void law(const Model& model, Random& random, Hash& hash) {
  Columns in = columns(15), out = columns(6), last = columns(8), now = columns(8);
  ContactColumns c;
  c.size = kCount, c.dt = 1e-5;
  const auto three = [&](std::size_t k, const double*(&to)[3]) {
    for (std::size_t axis = 0; axis < 3; ++axis) to[axis] = in[k + axis].data();
  };
  three(0, c.normal), three(3, c.velocity), three(6, c.spin), three(9, c.turn);
  c.overlap = in[12].data(), c.mass = in[13].data(), c.radius = in[14].data();
  for (int step = 0; step < 5; ++step) {
    for (std::size_t i = 0; i < kCount; ++i) {
      const Vec3 n = random.vector(1).normalized(), v = random.vector(1), w = random.vector(100),
                 t = random.vector(100);
      for (int k = 0; k < 3; ++k) in[k][i] = n[k], in[3 + k][i] = v[k], in[6 + k][i] = w[k], in[9 + k][i] = t[k];
      in[12][i] = random(-1e-6, 1e-5), in[13][i] = random(1e-6, 1e-5), in[14][i] = random(1e-3, 2e-3);
    }
    const double* read[8];
    double* written[8];
    for (std::size_t k = 0; k < 8; ++k) read[k] = last[k].data(), written[k] = now[k].data();
    const ForceColumns to{{out[0].data(), out[1].data(), out[2].data()}, {out[3].data(), out[4].data(), out[5].data()}};
    model.force(c, read, written, to, compliant::HostLoop{});
    std::swap(last, now);
    for (const auto& column : out) hash.add(column.data(), kCount);
  }
}

compliant::HertzMindlinModel hertz_mindlin() {
  compliant::HertzMindlinModel model;
  model.planar = false;
  model.p.elasticity = {3e6, 1e6};
  model.p.damping_ratio = 0.3, model.p.friction = 0.5, model.p.tangential_damping = 1;
  model.rolling = {compliant::RollingParameters::Model::elastic_plastic, 0.1, 1, 0.3};
  return model;
}

/// Free rotation: the turn of a sphere, and of a body of three moments, which has no lanes.
void rotations(Random& random, Hash& hash) {
  for (std::size_t i = 0; i < kCount; ++i) {
    const Vec3 axis = random.vector(1), omega = random.vector(1000);
    const Quat q = Quat(random(-1, 1), axis[0], axis[1], axis[2]).normalized();
    const Vec3 moments{random(1, 2), random(1, 2), random(1, 2)};
    const Quat turned_q = turned<double>(q, omega, 1e-5);
    const Rotation<double> free = rotated_freely<double>({q, omega}, moments, moments.cwiseInverse(), 1e-5);
    hash.add(turned_q.coeffs().data(), 4);
    hash.add(free.q.coeffs().data(), 4);
    hash.add(free.omega.data(), 3);
  }
}

template <class F>
void print(const char* name, const F& f) {
  Random random;
  Hash hash;
  for (std::size_t round = 0; round < kRounds; ++round) f(random, hash);
  hash.print(name);
}

}  // namespace

int main() {
  print("contacts-of-spheres", contacts_of_spheres);
  print("motion-central", [](Random& r, Hash& h) { kinematics(r, true, h); });
  print("motion-any", [](Random& r, Hash& h) { kinematics(r, false, h); });
  print("hertz-mindlin", [](Random& r, Hash& h) { law(hertz_mindlin(), r, h); });
  print("rotations", rotations);
}
