#pragma once
/// \file Bonded bodies to test and to measure with: chains, cubic lattices, tetrahedra of cut cubes.

#include <cmath>
#include <numbers>

#include "incremental/bond_term.hpp"
#include "packing/elements.hpp"
#include "solvers/newton/implicit_step.hpp"
#include "use_solvers.hpp"

namespace scree::bonded {

/// Bodies and bonds in columns, at rest.
struct Specimen {
  std::vector<Vec3> position, velocity, angular_velocity;
  std::vector<Quat> orientation;
  std::vector<double> mass, moment, radius;
  std::vector<Vec3> moments;  ///< moments for BodyColumns: empty if all bodies are spheres
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
  BodyColumns bodies() const { return {mass, moment, radius, moments}; }
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

/// A body per element at rest, a bond per shared face. \param shift  added to all positions [m]
inline Specimen specimen_of(const Elements& elements, double young, double shear_modulus, double density = 1000,
                            const Vec3& shift = Vec3::Zero()) {
  Specimen s;
  for (std::size_t i = 0; i < elements.size(); ++i)
    s.add_body(elements.centroid[i] + shift, density * elements.volume[i], radius_of(elements.volume[i]));
  for (const SharedSide& face : elements.shared) s.add_bond(face.a, face.b, young, shear_modulus, face.area);
  return s;
}

/// nx x ny x nz bodies at distance `spacing`, bonds of section spacing^2 to the nearest neighbours; the first layer at
/// x = 0, the x axis in the middle.
inline Specimen lattice(int nx, int ny, int nz, double spacing, double young, double shear_modulus,
                        double density = 1000) {
  const Elements cells = cubic_lattice({spacing * Vec3(nx, ny, nz), {nx, ny, nz}});
  return specimen_of(cells, young, shear_modulus, density, -spacing / 2 * Vec3(1, ny, nz));
}

/// nx x ny x nz cubes, each cut into six tetrahedra; a body per tetrahedron, of its mass and volume. From x = 0, the x
/// axis in the middle. \param jitter  of Cuboid
inline Specimen cut_cubes(int nx, int ny, int nz, double spacing, double young, double shear_modulus,
                          double density = 1000, double jitter = 0) {
  const TetrahedralMesh mesh = kuhn_mesh({spacing * Vec3(nx, ny, nz), {nx, ny, nz}, jitter});
  return specimen_of(elements_of(mesh, FaceArea::whole), young, shear_modulus, density, -spacing / 2 * Vec3(0, ny, nz));
}

/// Totals, with spins and orbits about the origin.
struct Momenta {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
  double kinetic = 0;
};
inline Momenta momenta(const Specimen& s) {
  Momenta m;
  for (std::size_t i = 0; i < s.size(); ++i) {
    const Vec3 spin = s.bodies().times_inertia(i, s.orientation[i], s.angular_velocity[i]);
    m.linear += s.mass[i] * s.velocity[i];
    m.angular += s.mass[i] * s.position[i].cross(s.velocity[i]) + spin;
    m.kinetic += 0.5 * s.mass[i] * s.velocity[i].squaredNorm() + 0.5 * spin.dot(s.angular_velocity[i]);
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
    const auto report =
        step_.advance(s_.motion(), earlier(), {applied_, {}}, dt_, {.drive = [&](double) { drive(s_); }});
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
