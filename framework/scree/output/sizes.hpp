#pragma once
/// \file Sizes of a run's files, for its user.

#include <filesystem>
#include <span>
#include <string>

#include "scree/base/api.hpp"

namespace scree {

/// Returns a size as text: "43.1 MB", "582 MB".
SCREE_API std::string bytes_text(double bytes);

/// Returns the bytes of the files of these names in a folder, and of all files in folders of these names. Files that do
/// not exist, or cannot be read, count nothing.
SCREE_API double bytes_of(const std::filesystem::path& folder, std::span<const std::string> names);

}  // namespace scree
