#include "metrics.hpp"

#include <fmt/format.h>

#include "scree/base/error.hpp"

namespace scree::insertion {

void claim_name(const std::string& name, const World& world) {
  if (world.metrics().contains(name + "_count"))
    throw OptionError("/name", fmt::format("\"{}\" is the name of another hook too, and of its columns. Give each a "
                                           "\"name\" of its own.",
                                           name));
}

}  // namespace scree::insertion
