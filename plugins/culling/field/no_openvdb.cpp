#include "field/solid_field.hpp"
#include "scree/base/error.hpp"

namespace scree::culling {

bool has_openvdb() { return false; }

std::unique_ptr<SolidField> make_openvdb_field(const FieldBox&, double) {
  throw OptionError("/field",
                    "\"openvdb\" needs OpenVDB, and scree was built without it. Install libopenvdb-dev and build "
                    "again, or use \"dense\".");
}

}  // namespace scree::culling
