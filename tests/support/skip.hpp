#pragma once
/// \file A test that cannot run says so, and ctest lists its file as skipped, not as passed. All of these are to be
/// followed by `return`.

#include <cstdlib>
#include <string>

#include "catch.hpp"

namespace scree::test {

/// How many cases of this program were skipped.
inline int& skipped_cases() {
  static int count = 0;
  return count;
}

inline void skip(const std::string& why) {
  ++skipped_cases();
  WARN("SKIPPED: " << why);
}

/// Something that was left out of this build on purpose.
inline void skip_not_built(const std::string& what) { skip("this build has no " + what); }

/// Something this machine lacks. With SCREE_NO_SKIPS in the environment, as in CI, the test fails.
inline void skip_for_want_of(const std::string& what) {
  if (std::getenv("SCREE_NO_SKIPS") != nullptr) FAIL("needs " << what << "; SCREE_NO_SKIPS is set");
  skip("needs " + what);
}

/// A GPU. CI has none either, so the test does not fail there.
inline void skip_without_gpu(const std::string& why) { skip("needs a GPU. " + why); }

}  // namespace scree::test
