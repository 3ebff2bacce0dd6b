/// \file 1000 of 10,000 grains at a time are one rigid body, for ten of 1000 steps.

#include "aggregates.hpp"

using namespace scree::test;

TEST_CASE("a thousand of ten thousand grains in turns: momenta, bits for any number of threads and when resumed") {
  check_aggregates(aggregate_scene(20, 1000, 1010, "velocity-verlet"), 1010, 1000);
}
