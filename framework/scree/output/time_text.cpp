#include "scree/output/time_text.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace scree {

std::string time_text(double time) { return fmt::format("{:.12g}", time); }

double time_in_files(double time) { return std::strtod(time_text(time).c_str(), nullptr); }

}  // namespace scree
