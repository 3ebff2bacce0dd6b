// No passive law gives energy, whatever the shapes and the pose, at the steps that are taken without a word.

#include "passive.hpp"

TEST_CASE("hits of every pair of shapes by every law leave no more energy than there was") {
  scree::test::check_hits(1);
}
