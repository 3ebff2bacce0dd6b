#pragma once
/// \file Text that strangers may have written, on its way to a terminal.

#include <string>
#include <string_view>

#include "scree/base/api.hpp"

namespace scree {

/// The text with what would act on a terminal instead of being shown (escape sequences, controls, marks of direction,
/// bytes that are no UTF-8) written as \x1b. Line feeds and tabs stay.
SCREE_API std::string printable(std::string_view text);

}  // namespace scree
