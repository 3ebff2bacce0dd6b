// Tests of the shape alone.

#include "@name@.hpp"
#include "expect.hpp"

int main() {
  const double r = 0.005, density = 1000, sphere = density * 4 / 3 * 3.14159265358979 * r * r * r;
  const @name@::Dumbbell shape(r);
  const scree::MassProperties m = shape.mass(density);
  expect("mass [kg]", m.mass, 2 * sphere);
  expect("moment of inertia about its axis [kg m^2]", m.inertia.z(), 0.8 * sphere * r * r);
  expect("moment of inertia across it [kg m^2]", m.inertia.x(), 2.8 * sphere * r * r);
  expect("bounding radius [m]", shape.bounding_radius(), 2 * r);
  return failures;
}
