/// \file Parts of a lump of grains that are one rigid body for ten steps each.

#include "aggregates.hpp"

using namespace scree::test;

TEST_CASE("attaching and releasing in turns keeps momenta, and bits for any number of threads and when resumed") {
  const std::string integrator = GENERATE("velocity-verlet", "gear");
  INFO(integrator);
  check_aggregates(aggregate_scene(10, 200, 310, integrator), 310, 200);
}
