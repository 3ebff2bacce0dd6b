// The table of the extremal depth law: four hundred hits per shape, beside the deepest-node scheme.

#include "catch.hpp"
#include "star_energy.hpp"

using namespace scree;
using namespace scree::test;

TEST_CASE("400 hits of stars: order two in the step, below 5e-6 in the mean at 1e-6 s, and no bad hit") {
  fmt::print("{:<10} {:>6} {:<8} {:>6} {:>10} {:>10} {:>10} {:>10}\n", "star", "nodes", "detector", "hits", "1e-4 s",
             "1e-5 s", "1e-6 s", "worst");
  for (const EnergyStar& star : kEnergyStars)
    for (const char* detector : {"extremal", "taubin"})
      for (const int nodes : {100, 200}) {
        const HitErrors a = hit_errors(star, nodes, 400, 1e-4, detector),
                        b = hit_errors(star, nodes, 400, 1e-5, detector),
                        c = hit_errors(star, nodes, 400, 1e-6, detector);
        fmt::print("{:<10} {:>6} {:<8} {:>6} {:>10.2e} {:>10.2e} {:>10.2e} {:>10.1e}\n", star.name, nodes, detector,
                   c.hits, a.mean, b.mean, c.mean, c.worst);
        if (detector == std::string("taubin")) continue;
        CHECK(c.hits > 350);
        CHECK(b.mean < 5e-4);
        CHECK(c.mean < 5e-6);
        CHECK(c.worst < 1e-4);
        CHECK(std::log10(b.mean / c.mean) >= 1.8);
      }
}
