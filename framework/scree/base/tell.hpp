#pragma once
/// \file Messages to users, printed if possible.

#include <cstdio>
#include <string>
#include <string_view>

#include "scree/base/printable.hpp"

namespace scree {

/// Prints text as it is, escape sequences too, and flushes. Failures are ignored: a stream that is closed, full or
/// broken must not end the run.
inline void tell_raw(std::FILE* stream, std::string_view text) noexcept {
  std::fwrite(text.data(), 1, text.size(), stream);
  std::fflush(stream);
}

/// Prints text that may contain names of a scene, files or plugins: bytes that would act on a terminal are shown as
/// \x1b. All messages go through here.
inline void tell(std::FILE* stream, std::string_view text) noexcept {
  try {
    tell_raw(stream, printable(text));
  } catch (...) {  // no memory for the copy
  }
}

}  // namespace scree
