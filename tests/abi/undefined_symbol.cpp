// A plugin that calls what nobody defines.
#include "scree/plugin/plugin.hpp"

namespace elsewhere {
int answer(double x);
}

extern "C" const char* const scree_schema_of_undefined_symbol = "{}";
SCREE_PLUGIN(undefined_symbol, "1.0.0") { elsewhere::answer(1.0); }
