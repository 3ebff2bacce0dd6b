#include "scree/integrate/integrator.hpp"

namespace scree {

Mechanics::~Mechanics() = default;
Integrator::~Integrator() = default;
void Integrator::columns(World&) {}
void Integrator::edited(World&, const EditLog&) {}

}  // namespace scree
