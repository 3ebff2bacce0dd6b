#include "scree/base/error.hpp"
#include "writer/ledger_observer.hpp"

namespace scree::culling {

std::unique_ptr<StoredPictures> make_stored_pictures() {
  throw InputError(
      "writer culling-ledger: \"pictures\" needs VTK, and scree was built without it. Build with "
      "SCREE_VTK=ON, or set \"pictures\" to false.");
}

}  // namespace scree::culling
