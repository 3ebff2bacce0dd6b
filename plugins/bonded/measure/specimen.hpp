#pragma once
/// \file Bonded bodies to test and to measure with: chains, cubic lattices, tetrahedra of cut cubes.

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "incremental/bond_term.hpp"
#include "newton/implicit_step.hpp"

namespace scree::bonded {

/// Bodies and bonds in columns, at rest.
struct Specimen {
  std::vector<Vec3> position, velocity, angular_velocity;
  std::vector<Quat> orientation;
  std::vector<double> mass, moment, radius;
  std::vector<std::uint8_t> driven;

  std::vector<std::uint32_t> a, b;
  std::vector<double> stretch, shear, twist, bend, rest_length, section;
  std::vector<Vec3> rest;

  std::size_t size() const { return position.size(); }

  /// A sphere. \param weight  mass [kg]
  void add_body(const Vec3& at, double weight, double r) {
    position.push_back(at);
    velocity.push_back(Vec3::Zero());
    angular_velocity.push_back(Vec3::Zero());
    orientation.push_back(Quat::Identity());
    mass.push_back(weight);
    moment.push_back(0.4 * weight * r * r);
    radius.push_back(r);
    driven.push_back(0);
  }
  void add_bond(std::uint32_t i, std::uint32_t j, double young, double shear_modulus, double area) {
    const Vec3 branch = position[j] - position[i];
    const double length = branch.norm();
    const auto k = beam_stiffness(young, shear_modulus, area, length);
    a.push_back(i);
    b.push_back(j);
    stretch.push_back(k.stretch);
    shear.push_back(k.shear);
    twist.push_back(k.twist);
    bend.push_back(k.bend);
    rest_length.push_back(length);
    rest.push_back(branch / length);
    section.push_back(area);
  }

  BondColumns bonds() const { return {a, b, stretch, shear, twist, bend, rest_length, rest, {}, {}}; }
  BodyColumns bodies() const { return {mass, moment, radius}; }
  Motion motion() { return {position, orientation, velocity, angular_velocity}; }
  Moving moving() { return {position, orientation}; }
  Configuration configuration() const { return {position, orientation}; }
  Unknowns unknowns() const {
    std::vector<double> x(size());
    for (std::size_t i = 0; i < size(); ++i) x[i] = position[i].x();
    return {size(), driven, x};
  }
  /// Drives the bodies for which `which(position)` holds.
  template <class Which>
  void drive(Which&& which) {
    for (std::size_t i = 0; i < size(); ++i) driven[i] = which(position[i]);
  }
};

/// A straight chain of n bonds along x from the origin, round section of radius r, spheres of a share of the mass.
inline Specimen chain(int n, double length, double r, double young, double shear_modulus, double density = 1000) {
  Specimen s;
  const double spacing = length / n, area = std::numbers::pi * r * r;
  for (int k = 0; k <= n; ++k) s.add_body(Vec3(k * spacing, 0, 0), density * area * spacing, spacing / 2);
  for (int k = 0; k < n; ++k)
    s.add_bond(static_cast<std::uint32_t>(k), static_cast<std::uint32_t>(k + 1), young, shear_modulus, area);
  return s;
}

/// nx x ny x nz bodies at distance `spacing`, bonds of section spacing^2 to the nearest neighbours.
inline Specimen lattice(int nx, int ny, int nz, double spacing, double young, double shear_modulus,
                        double density = 1000) {
  Specimen s;
  const double volume = spacing * spacing * spacing, r = std::cbrt(3 * volume / (4 * std::numbers::pi));
  const auto at = [=](int i, int j, int k) { return static_cast<std::uint32_t>((i * ny + j) * nz + k); };
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j)
      for (int k = 0; k < nz; ++k)
        s.add_body(spacing * Vec3(i, j - 0.5 * (ny - 1), k - 0.5 * (nz - 1)), density * volume, r);
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j)
      for (int k = 0; k < nz; ++k) {
        const double area = spacing * spacing;
        if (i + 1 < nx) s.add_bond(at(i, j, k), at(i + 1, j, k), young, shear_modulus, area);
        if (j + 1 < ny) s.add_bond(at(i, j, k), at(i, j + 1, k), young, shear_modulus, area);
        if (k + 1 < nz) s.add_bond(at(i, j, k), at(i, j, k + 1), young, shear_modulus, area);
      }
  return s;
}

/// nx x ny x nz cubes, each cut into the six tetrahedra around its diagonal; a body per tetrahedron, of its mass and
/// volume, a bond of the face's area per shared face.
/// \param jitter  inner vertices are moved by up to this part of the spacing along each axis (a fixed pattern)
inline Specimen cut_cubes(int nx, int ny, int nz, double spacing, double young, double shear_modulus,
                          double density = 1000, double jitter = 0) {
  const auto vertex = [=](int i, int j, int k) { return (i * (ny + 1) + j) * (nz + 1) + k; };
  std::vector<Vec3> corner(static_cast<std::size_t>((nx + 1) * (ny + 1) * (nz + 1)));
  std::uint64_t random = 88172645463325252u;
  const auto draw = [&] {
    random ^= random << 13, random ^= random >> 7, random ^= random << 17;
    return jitter * spacing * (static_cast<double>(random >> 11) * 0x1p-52 - 1);
  };
  for (int i = 0; i <= nx; ++i)
    for (int j = 0; j <= ny; ++j)
      for (int k = 0; k <= nz; ++k) {
        Vec3& p = corner[static_cast<std::size_t>(vertex(i, j, k))];
        p = spacing * Vec3(i, j - 0.5 * ny, k - 0.5 * nz);
        const Vec3 move(draw(), draw(), draw());
        if (i > 0 && i < nx) p.x() += move.x();
        if (j > 0 && j < ny) p.y() += move.y();
        if (k > 0 && k < nz) p.z() += move.z();
      }
  Specimen s;
  std::map<std::array<int, 3>, std::uint32_t> open;
  const auto add_tetrahedron = [&](std::array<int, 4> v) {
    const auto p = [&](int c) -> const Vec3& {
      return corner[static_cast<std::size_t>(v[static_cast<std::size_t>(c)])];
    };
    const double volume = std::abs((p(1) - p(0)).cross(p(2) - p(0)).dot(p(3) - p(0))) / 6;
    const auto self = static_cast<std::uint32_t>(s.size());
    s.add_body((p(0) + p(1) + p(2) + p(3)) / 4, density * volume, std::cbrt(3 * volume / (4 * std::numbers::pi)));
    for (int left_out = 0; left_out < 4; ++left_out) {
      std::array<int, 3> face{};
      for (int c = 0, to = 0; c < 4; ++c)
        if (c != left_out) face[static_cast<std::size_t>(to++)] = v[static_cast<std::size_t>(c)];
      std::sort(face.begin(), face.end());
      const auto [other, fresh] = open.try_emplace(face, self);
      if (fresh) continue;
      const auto q = [&](int c) -> const Vec3& {
        return corner[static_cast<std::size_t>(face[static_cast<std::size_t>(c)])];
      };
      s.add_bond(other->second, self, young, shear_modulus, (q(1) - q(0)).cross(q(2) - q(0)).norm() / 2);
    }
  };
  for (int i = 0; i < nx; ++i)
    for (int j = 0; j < ny; ++j)
      for (int k = 0; k < nz; ++k) {
        // A path of three edges from corner 000 to 111 per tetrahedron.
        std::array<int, 3> axes{0, 1, 2};
        do {
          std::array<int, 3> at{i, j, k};
          std::array<int, 4> v{vertex(i, j, k), 0, 0, 0};
          for (std::size_t step = 0; step < 3; ++step) {
            ++at[static_cast<std::size_t>(axes[step])];
            v[step + 1] = vertex(at[0], at[1], at[2]);
          }
          add_tetrahedron(v);
        } while (std::next_permutation(axes.begin(), axes.end()));
      }
  return s;
}

/// Totals, with spins and orbits about the origin.
struct Momenta {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
  double kinetic = 0;
};
inline Momenta momenta(const Specimen& s) {
  Momenta m;
  for (std::size_t i = 0; i < s.size(); ++i) {
    m.linear += s.mass[i] * s.velocity[i];
    m.angular += s.mass[i] * s.position[i].cross(s.velocity[i]) + s.moment[i] * s.angular_velocity[i];
    m.kinetic +=
        0.5 * s.mass[i] * s.velocity[i].squaredNorm() + 0.5 * s.moment[i] * s.angular_velocity[i].squaredNorm();
  }
  return m;
}

/// Implicit steps of bonded bodies, everything held in one place.
class Stepper {
 public:
  Stepper(Specimen& specimen, Scheme scheme, double dt, const MinimiseOptions& options = {},
          std::string_view solver = "auto", const std::vector<const EnergyTerm*>& others = {})
      : s_(specimen),
        bonds_(specimen.bonds(), specimen.size()),
        dt_(dt),
        step_(scheme, specimen.bodies(), specimen.unknowns(), with(&bonds_, others), options, solver),
        applied_(specimen.size(), Vec3::Zero()) {}

  BondTerm& bonds() { return bonds_; }
  ImplicitStep& step() { return step_; }
  std::vector<Vec3>& applied() { return applied_; }  ///< forces [N], gravity among them

  /// Energy of the bonds [J].
  double potential_energy() const {
    std::vector<double> v(bonds_.items());
    bonds_.energies(s_.configuration(), v);
    return ordered_sum(v);
  }

  /// \param drive  called with the specimen after the prediction: moves driven bodies to where they end
  template <class Drive>
  MinimiseReport advance(Drive&& drive) {
    const Specimen start = s_;
    const auto report = step_.advance(s_.motion(), earlier(), {applied_, {}}, dt_, [&] { drive(s_); });
    before_ = start;
    return report;
  }
  MinimiseReport advance() {
    return advance([](Specimen&) {});
  }

 private:
  static std::vector<const EnergyTerm*> with(const EnergyTerm* first, std::vector<const EnergyTerm*> others) {
    others.insert(others.begin(), first);
    return others;
  }
  Earlier earlier() const {
    return {before_.position, before_.orientation, before_.velocity, before_.angular_velocity};
  }

  Specimen& s_;
  BondTerm bonds_;
  double dt_;
  ImplicitStep step_;
  std::vector<Vec3> applied_;
  Specimen before_;
};

}  // namespace scree::bonded
