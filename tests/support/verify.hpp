#pragma once
/// \file Checks of figures against references, noted for the page of verification (framework/docs/verification.md).

#include <cmath>
#include <cstdlib>
#include <fstream>
#include <string>

#include "catch.hpp"

namespace scree::test {

/// How far a result is off: relative to the reference, absolute where that is 0.
inline double deviation(double reference, double result) { return reference == 0 ? result : result / reference - 1; }

/// Checks one figure of a test. Where SCREE_VERIFICATION names a file, a line goes there: test, quantity, reference,
/// result and tolerance, with tabs between. \param tolerance  relative to the reference, absolute where that is 0
inline void verify(const std::string& quantity, double reference, double result, double tolerance) {
  if (const char* const file = std::getenv("SCREE_VERIFICATION")) {
    std::ofstream out(file, std::ios::app);
    out.precision(17);
    out << Catch::getResultCapture().getCurrentTestName() << '\t' << quantity << '\t' << reference << '\t' << result
        << '\t' << tolerance << '\n';
  }
  INFO(quantity << ": reference " << reference << ", result " << result);
  CHECK(std::abs(deviation(reference, result)) <= tolerance);
}

}  // namespace scree::test
