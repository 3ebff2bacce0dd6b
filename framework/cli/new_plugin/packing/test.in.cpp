// Tests of the places.

#include "@name@.hpp"
#include "expect.hpp"

int main() {
  const scree::Packed packed = @name@::ring(scree::Vec3(1, 2, 3), 0.5, 4);
  expect("places", static_cast<double>(packed.places.size()), 4);
  for (const scree::Placement& place : packed.places)
    expect("distance [m]", (place.position - scree::Vec3(1, 2, 3)).norm(), 0.5);
  expect("x of the first [m]", packed.places[0].position.x(), 1.5);
  return failures;
}
