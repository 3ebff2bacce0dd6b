#pragma once
/// \file Curves of a page, from metrics.csv.

#include <filesystem>
#include <nlohmann/json.hpp>

#include "page/parts.hpp"

namespace scree::render {

/// Returns names and the number of rows of the columns that change, and the part that has them: times and columns one
/// after another, 32-bit floats. Null if there is no such file, or none that can be read: it may be just being written.
/// \param most  rows; of more, evenly chosen ones
nlohmann::json metrics_told(const std::filesystem::path& out, std::size_t most, Parts& parts);

}  // namespace scree::render
