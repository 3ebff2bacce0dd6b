// Two spheres that overlap by a tenth of their radius.

#include "@name@.hpp"
#include "expect.hpp"

using scree::Vec3;

namespace {

class Sphere final : public scree::Shape, public scree::SphereSet {
 public:
  int dimension() const noexcept override { return 3; }
  scree::MassProperties mass(double) const override { return {1, Vec3::Ones()}; }
  double bounding_radius() const noexcept override { return 1; }
  scree::Surface surface() const override { return {}; }
  const void* facet(std::string_view name) const noexcept override {
    return name == kName ? static_cast<const scree::SphereSet*>(this) : nullptr;
  }
  std::span<const Vec3> centres() const override { return {&centre_, 1}; }
  std::span<const double> radii() const override { return {&radius_, 1}; }

 private:
  Vec3 centre_ = Vec3::Zero();
  double radius_ = 1;
};

}  // namespace

int main() {
  const Sphere sphere;
  const scree::Shape* const shapes[] = {&sphere};
  @name@::Detector detector;
  detector.bind(shapes);
  scree::BodyRow rows[2] = {};
  for (scree::BodyRow& row : rows) row.radius = 1, row.position = Vec3::Zero(), row.orientation = scree::Quat::Identity();
  rows[1].position.x() = 1.9;
  const std::uint32_t shape[2] = {0, 0};
  const scree::Pair pair{0, 1};
  scree::PairCache cache;
  scree::ContactBuffer contacts;
  detector.detect({2, rows, shape, nullptr}, {&pair, 1}, cache, 0, contacts);
  expect("contacts", static_cast<double>(contacts.size()), 1);
  if (contacts.size() != 1) return 1;
  expect("overlap [m]", contacts.overlap()[0], 0.1);
  expect("normal", contacts.normal(0)[0], 1);
  expect("point [m]", contacts.point(0)[0], 0.95);
  return failures;
}
