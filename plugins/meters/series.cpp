#include "series.hpp"

#include <fmt/format.h>

#include "scree/base/error.hpp"

namespace scree::meters {

Series::Series(const std::string& name) : file_(name + ".csv") {
  for (const char* const taken : {"metrics", "culling"})
    if (name == taken)
      throw OptionError("/name",
                        fmt::format("\"{}\" is the name of another file of the run. Choose another one.", file_));
}

void Series::add(const Frame& frame, const std::vector<std::string>& columns, std::span<const double> values) {
  if (!table_) {
    std::vector<std::string> all = {"time_s"};
    all.insert(all.end(), columns.begin(), columns.end());
    table_.emplace(folder_ / file_, all, continued_ ? std::optional(frame.time) : std::nullopt, KeptRows::before);
  }
  std::vector<double> row = {frame.time};
  row.insert(row.end(), values.begin(), values.end());
  table_->append(row);
}

}  // namespace scree::meters
