#pragma once
/// \file Bodies that are pressed into each other so far that no depth is meant any more.

#include <string>

#include "scree/base/types.hpp"

namespace scree::star {

/// A node as near the other's centre as this part of its smallest radius has lost its way.
inline constexpr double kCrushed = 0.1;

/// Names both bodies: the other's outline has reached the centre of the inner one, whose smallest and largest radius
/// are given [m].
std::string crushed_text(Id a, Id b, bool a_is_inner, double r_min, double r_max);

/// \throws NumericalError with that text
[[noreturn]] void throw_crushed(Id a, Id b, bool a_is_inner, double r_min, double r_max);

}  // namespace scree::star
