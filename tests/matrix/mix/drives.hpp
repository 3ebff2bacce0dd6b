#pragma once
/// \file Which laws go with which integrators.

#include <cstddef>
#include <vector>

#include "mix/mix.hpp"

namespace scree::test::matrix {

/// Laws with the integrators that can use them.
struct Drive {
  Json law, integrator;
  bool picky;  ///< the integrator asks more than a face: of detectors, or of bodies
};

/// All that fit; of the others the sentence is checked.
std::vector<Drive> drives();
/// One drive per law: what a detector makes of sizes does not depend on the integrator.
std::vector<Drive> one_per_law(const std::vector<Drive>& all);
/// For each law the picky integrators and one of the others, by turns from one meeting to the next.
std::vector<Drive> some_of(const std::vector<Drive>& all, std::size_t turn);
/// The drives of every third law, by turns from one meeting to the next.
std::vector<Drive> third_of(const std::vector<Drive>& all, std::size_t turn);
/// Whether the integrator moves bodies of shapes with ShapeTraits::driven_by, and no others.
bool drives_its_own(const Json& integrator);

}  // namespace scree::test::matrix
