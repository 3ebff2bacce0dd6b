#pragma once
/// \file Regular expressions of schemas on texts that strangers wrote, of any length.

#include <string>
#include <string_view>

#include "scree/base/api.hpp"

namespace scree {

/// Whether the pattern of a JSON Schema is found in the text. std::regex recurses once per character, which overflows
/// the stack for long texts; here the stack does not grow.
/// \throws Error for a pattern that is none, or looks ahead
SCREE_API bool fits_pattern(std::string_view text, const std::string& pattern);

}  // namespace scree
