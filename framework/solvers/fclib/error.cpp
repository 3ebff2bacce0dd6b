#include "solvers/fclib/error.hpp"

#include <fmt/format.h>

namespace scree::fclib {

Error::Error(const std::filesystem::path& file, std::string_view place, std::string_view message)
    : std::runtime_error(place.empty() ? fmt::format("{}: {}", file.string(), message)
                                       : fmt::format("{}: {}: {}", file.string(), place, message)) {}

Error::~Error() = default;

}  // namespace scree::fclib
