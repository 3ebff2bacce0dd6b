#include "scree/base/printable.hpp"

#include <algorithm>

#include "scree/base/utf8.hpp"

namespace scree {

std::string printable(std::string_view text) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_length(text), taken = std::max<std::size_t>(length, 1);
    const std::string_view character = text.substr(0, taken);
    if (length > 0 && !is_control(character)) {
      shown += character;
    } else {
      for (const char c : character) {
        const auto byte = static_cast<unsigned char>(c);
        shown += {'\\', 'x', kDigits[byte >> 4], kDigits[byte & 15]};
      }
    }
    text.remove_prefix(taken);
  }
  return shown;
}

}  // namespace scree
