// An ordinary shared library, which ends every program that opens it.
#include <cstdlib>

extern "C" __attribute__((visibility("default"))) int answer() { return 42; }
__attribute__((constructor)) static void end() { std::abort(); }
