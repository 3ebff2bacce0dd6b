#pragma once
/// \file Messages for people, printed where that is possible.

#include <cstdio>
#include <string>
#include <string_view>

#include "scree/base/printable.hpp"

namespace scree {

/// Prints text as it is, escape sequences too, and flushes. A stream that is closed, full or broken must not end what
/// the message is about: failures are ignored.
inline void tell_raw(std::FILE* stream, std::string_view text) noexcept {
  std::fwrite(text.data(), 1, text.size(), stream);
  std::fflush(stream);
}

/// The same for text in which others may have a say (names of a scene, files, plugins): what would act on a terminal is
/// shown as \x1b. All messages go through here.
inline void tell(std::FILE* stream, std::string_view text) noexcept {
  try {
    tell_raw(stream, printable(text));
  } catch (...) {  // no memory for the copy
  }
}

}  // namespace scree
