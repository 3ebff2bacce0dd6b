#pragma once
/// \file The error that ends a run whose bodies are not where they may be.

#include <cstddef>

#include "scree/contacts/methods.hpp"
#include "scree/world/world.hpp"

namespace scree {

/// \param row  of a body that became NaN, or left the domain \param dt  of the step that is not counted yet [s]
/// \throws NumericalError
[[noreturn]] SCREE_API void report_unsound(const World& world, const Domain& domain, std::size_t row, double dt);

}  // namespace scree
