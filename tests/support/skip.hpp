#pragma once
/// \file A test that cannot run says so, and ctest lists it as skipped, not as passed. Both are to be followed by
/// `return`.

#include <cstdlib>
#include <string>

#include "catch.hpp"

namespace scree::test {

/// Something that was left out of this build on purpose.
inline void skip_not_built(const std::string& what) {
  WARN("SKIPPED: this build has no " << what);  // the word that scree_add_test() looks for
}

/// Something this machine lacks. With SCREE_NO_SKIPS in the environment, as in CI, the test fails.
inline void skip_for_want_of(const std::string& what) {
  if (std::getenv("SCREE_NO_SKIPS") != nullptr) FAIL("needs " << what << "; SCREE_NO_SKIPS is set");
  WARN("SKIPPED: needs " << what);
}

/// A GPU. CI has none either, so the test does not fail there.
inline void skip_without_gpu(const std::string& why) { WARN("SKIPPED: needs a GPU. " << why); }

}  // namespace scree::test
