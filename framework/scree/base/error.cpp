#include "scree/base/error.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace scree {

Error::~Error() = default;
InputError::~InputError() = default;
NumericalError::~NumericalError() = default;
IoError::~IoError() = default;
OptionError::~OptionError() = default;

namespace {

/// Returns the number of letters to insert, remove, replace, or swap with the next one.
std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> before, last(b.size() + 1), row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    before = std::exchange(last, row);
    row[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      row[j + 1] = std::min({last[j] + (a[i] == b[j] ? 0 : 1), last[j + 1] + 1, row[j] + 1});
      const bool swapped = i > 0 && j > 0 && a[i] == b[j - 1] && a[i - 1] == b[j];
      if (swapped) row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
    }
  }
  return row.back();
}

/// Returns the name that begins alike and shares most letters: at least four, and half of the shorter word.
std::string same_beginning(const std::string& word, const std::vector<std::string>& known) {
  std::string best;
  std::size_t most = 3;
  for (const std::string& name : known) {
    const std::size_t shorter = std::min(word.size(), name.size());
    std::size_t shared = 0;
    while (shared < shorter && word[shared] == name[shared]) ++shared;
    if (shared <= most || 2 * shared < shorter) continue;
    most = shared;
    best = name;
  }
  return best;
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
  return best.empty() ? same_beginning(word, known) : best;
}

}  // namespace scree
