#pragma once
/// \file Regular expressions of schemas on texts from unknown sources, of any length.

#include <string>
#include <string_view>

#include "scree/base/api.hpp"

namespace scree {

/// Checks whether the pattern of a JSON Schema is found in the text. The stack does not grow with the text, unlike that
/// of std::regex, which recurses once per character and overflows it.
/// \throws Error for an invalid pattern, or one that looks ahead
SCREE_API bool fits_pattern(std::string_view text, const std::string& pattern);

}  // namespace scree
