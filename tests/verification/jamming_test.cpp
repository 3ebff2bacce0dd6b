// Frictionless discs at random places have as many contacts as they have degrees of freedom, where they begin to jam.

#include "jamming.hpp"
#include "one_thread.hpp"
#include "series.hpp"

namespace scree::test::jamming_test {

TEST_CASE("frictionless discs of two sizes jam at a fraction of 0.84, with four contacts each") {
  const OneThread quick;
  std::vector<double> sizes(400, 1);  // half of them 1.4 times as large, so that they do not crystallise
  for (std::size_t i = 0; i < sizes.size(); i += 2) sizes[i] = 1.4;
  const SoftPacking::Jammed jammed = SoftPacking(2, sizes).jam(0.87, 7, 4000);
  // O'Hern et al., Phys. Rev. E 68 (2003) 011306, find 0.842, and coordination that grows by 3.6 sqrt(fraction -
  // jamming).
  compare("400 frictionless discs", "jamming fraction", 0.842, jammed.fraction, 0.01);
  compare("400 frictionless discs", "coordination at jamming", 4, jammed.coordination, 0.1 / 4);
}

}  // namespace scree::test::jamming_test
