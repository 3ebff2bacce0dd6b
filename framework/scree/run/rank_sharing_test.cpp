#include "scree/run/rank_sharing.hpp"

#include "catch.hpp"

using namespace scree;

TEST_CASE("ranks are told how long they waited, and where to look if bodies were seldom divided") {
  const std::string text =
      "4 ranks: each waited for others, and for messages, during 2.5 % of the time, at most 5 %. In ";
  CHECK(told({0.5, 1, 900}, 4, 20, 1000) == text + "900 of 1000 steps each advanced bodies of its own alone.");
  CHECK(told({0.5, 1, 0}, 4, 20, 1000) ==
        text +
            "0 of 1000 steps each advanced bodies of its own alone; plugins/mpi/README.md tells what keeps bodies "
            "from being divided.");
}
