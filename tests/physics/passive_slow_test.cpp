// As passive_test.cpp, in many poses.

#include "passive.hpp"

TEST_CASE("hits in 200 poses leave no more energy than there was") { scree::test::check_hits(200); }
