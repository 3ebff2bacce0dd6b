#pragma once
/// \file How much a run writes, for its user.

#include <filesystem>
#include <span>
#include <string>

#include "scree/base/api.hpp"

namespace scree {

/// "43.1 MB", "582 MB"
SCREE_API std::string bytes_text(double bytes);

/// Bytes of the files of these names in a folder, and of all files in folders of these names. What is not there, or
/// cannot be read, counts nothing.
SCREE_API double bytes_of(const std::filesystem::path& folder, std::span<const std::string> names);

}  // namespace scree
