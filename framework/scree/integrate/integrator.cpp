#include "scree/integrate/integrator.hpp"

#include "scree/integrate/energy_problem.hpp"
#include "scree/integrate/impulse_problem.hpp"

namespace scree {

Mechanics::~Mechanics() = default;
std::span<const RowRange> Mechanics::owned_rows() {
  all_ = {0, world().size()};
  return {&all_, 1};
}

ImpulseProblem::~ImpulseProblem() = default;
EnergyProblem::~EnergyProblem() = default;

Integrator::~Integrator() = default;
std::vector<SceneWarning> Integrator::warnings(const World&, const Vec3&, double) const { return {}; }
std::vector<GridImage> Integrator::grid_images() const { return {}; }
const void* Integrator::face(std::string_view) const noexcept { return nullptr; }
void Integrator::columns(World&) {}
std::vector<std::byte> Integrator::save() const { return {}; }
void Integrator::load(const std::vector<std::byte>&) {}
void Integrator::edited(World&, const EditLog&) {}

}  // namespace scree
