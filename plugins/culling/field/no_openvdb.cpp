#include "field/solid_field.hpp"
#include "scree/base/error.hpp"

namespace scree::culling {

bool has_openvdb() { return false; }

std::unique_ptr<SolidField> make_openvdb_field(const FieldBox&, double) {
  throw NumericalError("granular-culling: scree was built without OpenVDB.");
}

}  // namespace scree::culling
