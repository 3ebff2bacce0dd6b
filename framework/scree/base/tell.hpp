#pragma once
/// \file Messages for people, printed where that is possible.

#include <cstdio>
#include <string_view>

namespace scree {

/// Prints and flushes at once. A stream that is closed, full or broken must not end what the message is about:
/// failures are ignored.
inline void tell(std::FILE* stream, std::string_view text) noexcept {
  std::fwrite(text.data(), 1, text.size(), stream);
  std::fflush(stream);
}

}  // namespace scree
