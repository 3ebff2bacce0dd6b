// Tests of the shape alone. Add what your outline must hold: its area, its inertia, a point on it.

#include "@name@.hpp"
#include "expect.hpp"

int main() {
  const double a = 0.01, b = 0.006, thickness = 0.002, density = 1000, pi = 3.14159265358979;
  const @name@::Outline outline(a, b, thickness);
  const scree::MassProperties m = outline.mass(density);
  const double mass = density * thickness * pi * a * b;
  expect("mass [kg]", m.mass, mass);
  expect("moment of inertia about z [kg m^2]", m.inertia.z(), mass * (a * a + b * b) / 4);
  expect("bounding radius [m]", outline.bounding_radius(), a);
  return failures;
}
