#pragma once
/// \file Times in files. Steps are counted, and their times are products that end in ...002: files have 12 digits.

#include <string>

#include "scree/base/api.hpp"

namespace scree {

/// Returns a time [s] as text with at most 12 digits: "1.2", not "1.2000000000000002". Steps shorter than a part in
/// 1e12 of the time would get the same text.
SCREE_API std::string time_text(double time);

/// Returns the number of this text [s].
SCREE_API double time_in_files(double time);

}  // namespace scree
