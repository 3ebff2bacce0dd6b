#include "scree/base/internal_error.hpp"

namespace scree {

InternalError::~InternalError() = default;

}  // namespace scree
