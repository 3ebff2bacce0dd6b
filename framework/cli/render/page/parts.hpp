#pragma once
/// \file Compressed parts of a page, by name.

#include <string>
#include <utility>
#include <vector>

namespace scree::render {

/// Compresses bytes by zlib, and returns them in base 64.
std::string compressed(const std::string& bytes);

/// Returns the bytes of columns one after another, each aligned to four bytes.
template <class... T>
std::string joined(const std::vector<T>&... columns) {
  std::string bytes;
  const auto append = [&](const auto& column) {
    bytes.append(reinterpret_cast<const char*>(column.data()), column.size() * sizeof(column[0]));
    bytes.resize((bytes.size() + 3) / 4 * 4);
  };
  (append(columns), ...);
  return bytes;
}

class Parts {
 public:
  /// Compresses bytes. \return the name by which the page finds them
  std::string add(const std::string& bytes);
  /// Returns names and texts.
  const std::vector<std::pair<std::string, std::string>>& all() const { return parts_; }

 private:
  std::vector<std::pair<std::string, std::string>> parts_;
};

}  // namespace scree::render
