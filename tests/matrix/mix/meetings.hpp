#pragma once
/// \file Which shapes meet in a dimension, and with which detectors.

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "mix/mix.hpp"

namespace scree::test::matrix {

/// What one dimension offers.
struct Offers {
  std::vector<Json> free, obstacles;
};

/// The integrators' faces that shapes with ShapeTraits::driven_by need: their bodies meet nobody, and are tested by
/// their plugins.
std::set<std::string> driving_faces();
/// Checks the refusal of every shape that does not exist there.
Offers offers(int dimension);
/// Calls use(mix) for every two shapes of a dimension, one of them free, with every detector.
void for_all_mixes(int dimension, const std::function<void(const Mix&)>& use);

}  // namespace scree::test::matrix
