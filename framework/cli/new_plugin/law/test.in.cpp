// Tests of the law alone: one contact.

#include "@name@.hpp"
#include "expect.hpp"

int main() {
  const double overlap = 1e-4, one = 1, zero = 0, approach = -0.2;
  scree::ContactColumns contact;
  contact.size = 1;
  contact.overlap = &overlap;
  for (int k = 0; k < 3; ++k) contact.normal[k] = k == 0 ? &one : &zero, contact.velocity[k] = k == 0 ? &approach : &zero;
  double force[3], energy;
  scree::ForceColumns out;
  for (int k = 0; k < 3; ++k) out.force[k] = &force[k];
  const @name@::Law law(1000, 0.5);
  law.force(contact, nullptr, nullptr, out);
  law.energy(contact, nullptr, &energy);
  expect("force [N]", force[0], 1000 * 1e-4 + 0.5 * 0.2);
  expect("energy [J]", energy, 0.5 * 1000 * 1e-8);
  return failures;
}
