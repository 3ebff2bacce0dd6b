#pragma once
/// \file The plugin's integrators by name, for tests.

#include <memory>

#include "gear.hpp"
#include "rk4.hpp"

namespace scree::higher_order::test {

using Method = std::unique_ptr<Integrator>;

inline Method gear(int values, bool velocity_forces = false) { return std::make_unique<Gear>(values, velocity_forces); }

inline Method rk4() { return std::make_unique<Rk4>(); }

}  // namespace scree::higher_order::test
