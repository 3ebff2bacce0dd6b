// Plugins whose own code misbehaves while they are loaded.
#include <cmath>
#include <csignal>
#include <stdexcept>

#include "scree/plugin/plugin.hpp"
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace {

#ifdef UNRULY_THROWS
int fail() { throw std::runtime_error("no licence"); }
const int thrown = fail();
#endif
#ifdef UNRULY_CRASHES
const int crashed = std::raise(SIGSEGV);
#endif
#ifdef UNRULY_FLUSHES
// What the start-up code of programs linked with -ffast-math does.
#if defined(__x86_64__)
const int flushes = (_mm_setcsr(_mm_getcsr() | 0x8040), 0);
#endif
#endif

}  // namespace

extern "C" const char* const scree_schema_of_unruly = "{}";
SCREE_PLUGIN(unruly, "1.0.0") {
#ifdef UNRULY_THROWS_ODDLY
  throw 42;
#endif
}
