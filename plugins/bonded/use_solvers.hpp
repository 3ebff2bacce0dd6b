#pragma once
/// \file Names of framework/solvers/{blocks,newton} without a prefix in this plugin.

namespace scree::solvers {
struct Motion;
}

namespace scree::bonded {

using namespace solvers;
using solvers::Motion;  // and not that of walls, scree::Motion

}  // namespace scree::bonded
