#pragma once
/// \file Error that ends a run when a body is NaN or outside the domain.

#include <cstddef>

#include "scree/model/methods.hpp"
#include "scree/world/world.hpp"

namespace scree {

/// Throws the error that names the body and the time.
/// \param row  row of a body that became NaN, or left the domain
/// \param dt  size of the step that is not counted yet [s]
/// \throws NumericalError
[[noreturn]] SCREE_API void report_unsound(const World& world, const DomainBox& domain, std::size_t row, double dt);

}  // namespace scree
