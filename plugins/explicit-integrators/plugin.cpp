#include "scree/plugin/plugin.hpp"

#include "symplectic_euler.hpp"
#include "velocity_verlet.hpp"

SCREE_PLUGIN(explicit_integrators, "1.0.0") {
  using namespace scree::explicit_integrators;
  registrar.integrator("symplectic-euler", [](const scree::Options&) { return std::make_unique<SymplecticEuler>(); });
  registrar.integrator("velocity-verlet", [](const scree::Options&) { return std::make_unique<VelocityVerlet>(); });
}
