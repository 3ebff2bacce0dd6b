#pragma once
/// \file Safe display of text from unknown sources on a terminal.

#include <string>
#include <string_view>

#include "scree/base/api.hpp"

namespace scree {

/// Returns the text with all bytes that would act on a terminal written as \x1b: escape sequences, controls, marks of
/// direction, bytes that are no UTF-8. Line feeds and tabs stay.
SCREE_API std::string printable(std::string_view text);

}  // namespace scree
