/// \file Bodies that a modifier has stored: they have mass and velocity, and what contacts would tell of them is
/// unknown.

#include "catch.hpp"
#include "fields_scenes.hpp"
#include "scree/hooks/stored_bodies.hpp"

namespace scree::fields {

namespace {

using test::Gas;
using test::grid_of;
using test::Moment;

/// Frame shape of a modifier that stores one body.
class OneStored final : public Shape, public StoredBodies {
 public:
  int dimension() const noexcept override { return 3; }
  MassProperties mass(double) const override { return {}; }
  double bounding_radius() const noexcept override { return 0; }
  Surface surface() const override { return {}; }
  const void* facet(std::string_view name) const noexcept override {
    return name == StoredBodies::kName ? static_cast<const StoredBodies*>(this) : nullptr;
  }
  std::size_t size() const override { return 1; }
  void each(const World&, const VisitBody& visit) const override {
    BodyState state;
    state.id = 100, state.owner = 99;
    state.rigid.mass = 2;
    state.rigid.frame.position = {1, 1, 1};
    state.rigid.twist.velocity = {0, 3, 0};
    visit(state);
  }
  void bring_back(World&, HistoryStore&, std::span<const Id>) const override {}
};

}  // namespace

TEST_CASE("where bodies are stored fields have their mass, and stress, fabric and coordination are unknown") {
  Gas gas(3, 5, false);
  gas.world.add_shape("frame", std::make_shared<OneStored>());
  const Moment m(grid_of(gas.world, R"(, "lower": [-5, -5, -5], "upper": [5, 5, 5], "width": 0.3)"), gas.world, {});
  CHECK(m.total(kMass) == Approx(2 + totals(gas.world, Vec3::Zero()).mass).epsilon(1e-12));
  const auto rho = m.field("density"), stress = m.field("contact_stress"), ends = m.field("coordination");
  std::size_t unknown = 0, wrong = 0;
  for (std::size_t k = 0; k < m.grid.cells(); ++k) {
    const bool near = (m.centre(k) - Vec3(1, 1, 1)).norm() < m.grid.radius;
    unknown += near;
    wrong += std::isnan(stress[9 * k]) != near || std::isnan(ends[k]) != near || !std::isfinite(rho[k]);
  }
  CHECK(unknown > 100);
  CHECK(wrong == 0);
}

}  // namespace scree::fields
