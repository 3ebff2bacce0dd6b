#pragma once
/// \file How many random cases a test draws.

#include <algorithm>

namespace scree::test {

#ifdef SCREE_SANITIZED
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

/// Sanitizers slow a test tenfold and more, and look for bad memory, not for rare numbers: there a tenth will do.
/// \param count  cases of a build without sanitizers
/// \param least  cases the test needs to mean anything
constexpr int random_cases(int count, int least = 1) { return kSanitized ? std::max(count / 10, least) : count; }

}  // namespace scree::test
