#include "scree/integrate/integrator.hpp"

#include "scree/integrate/bond_steps.hpp"
#include "scree/integrate/cones.hpp"
#include "scree/integrate/grid_images.hpp"
#include "scree/integrate/implicit_bonds.hpp"
#include "scree/integrate/joints.hpp"
#include "scree/integrate/potential.hpp"
#include "scree/integrate/scene_warnings.hpp"

namespace scree {

Mechanics::~Mechanics() = default;
Cones::~Cones() = default;
GridImages::~GridImages() = default;
Joints::~Joints() = default;
ImplicitBonds::~ImplicitBonds() = default;
BondSteps::~BondSteps() = default;
Potential::~Potential() = default;
SceneWarnings::~SceneWarnings() = default;
Integrator::~Integrator() = default;
const void* Integrator::face(std::string_view) const noexcept { return nullptr; }
void Integrator::columns(World&) {}
std::vector<std::byte> Integrator::save() const { return {}; }
void Integrator::load(const std::vector<std::byte>&) {}
void Integrator::edited(World&, const EditLog&) {}

}  // namespace scree
