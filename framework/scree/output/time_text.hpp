#pragma once
/// \file Times in files. Steps are counted, and their times are products that end in ...002: files give 12 digits.

#include <string>

#include "scree/base/api.hpp"

namespace scree {

/// A time [s] as files give it, with at most 12 digits: "1.2", not "1.2000000000000002". Steps shorter than a part in
/// 1e12 of the time would get the same text.
SCREE_API std::string time_text(double time);

/// The number that this text says [s].
SCREE_API double time_in_files(double time);

}  // namespace scree
