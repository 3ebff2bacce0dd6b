#include "scree/base/error.hpp"

#include <algorithm>
#include <numeric>

namespace scree {

Error::~Error() = default;
InputError::~InputError() = default;
NumericalError::~NumericalError() = default;
IoError::~IoError() = default;
OptionError::~OptionError() = default;

namespace {

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t substitute = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({substitute, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::string nearest_name(const std::string& word, const std::vector<std::string>& known) {
  const std::size_t limit = std::max<std::size_t>(1, (word.size() + 2) / 3);
  std::string best;
  std::size_t best_distance = limit + 1;
  for (const std::string& name : known) {
    const std::size_t distance = edit_distance(word, name);
    if (distance < best_distance) {
      best = name;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace scree
