#include "scree/world/world.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "catch.hpp"
#include "scree/base/error.hpp"

using namespace scree;

TEST_CASE("rows are found by id, be ids close together or far apart, after reordering and removal") {
  const bool far = GENERATE(false, true);
  const Id ids[] = {3, far ? Id{1} << 60 : Id{1}, 2, 0};
  World world(3);
  world.reset_rows(4);
  std::copy(std::begin(ids), std::end(ids), world.id.write().begin());
  world.rows_filled();
  for (std::size_t i = 0; i < 4; ++i) CHECK(world.row(ids[i]) == i);
  CHECK(!world.row(4));
  const std::uint32_t order[] = {2, 0, 3, 1};
  world.reorder(order);
  for (std::size_t i = 0; i < 4; ++i) CHECK(world.row(ids[order[i]]) == i);
  world.remove(std::vector<Id>{3});
  CHECK(!world.row(3));
  CHECK(world.row(ids[1]) == 2u);
  CHECK(World(3).row(0) == std::nullopt);
}

namespace {

/// A unit ball, or a shape without bound.
class Ball final : public Shape {
 public:
  explicit Ball(double radius) : radius_(radius) {}
  int dimension() const noexcept override { return 3; }
  MassProperties mass(double density) const override { return {density, Vec3::Constant(0.4 * density)}; }
  double bounding_radius() const noexcept override { return radius_; }
  Surface surface() const override { return {}; }
  const void* facet(std::string_view) const noexcept override { return nullptr; }

 private:
  double radius_;
};

}  // namespace

TEST_CASE("scales follow their bodies through reordering and removal, those that no body can have are refused") {
  World world(3);
  world.add_shape("ball", std::make_shared<Ball>(1));
  world.add_shape("floor", std::make_shared<Ball>(std::numeric_limits<double>::infinity()));
  world.add_material({"m", 1000});
  BodySpec one, half, floor;
  half.scale = 0.5;
  floor.shape = 1;
  floor.kind = BodyKind::fixed;
  world.add(std::vector<BodySpec>{one, floor});
  CHECK(!world.scaled());
  world.add(std::vector<BodySpec>{half});
  CHECK(world.scaled());
  world.reorder(std::vector<std::uint32_t>{2, 0, 1});
  CHECK(world.scale.read()[0] == 0.5);
  CHECK(world.radius.read()[0] == 0.5);
  CHECK(world.mass.read()[0] == 125);
  CHECK(world.inertia.read()[0] == Vec3::Constant(12.5));
  CHECK(world.scale.read()[1] == 1);

  const auto refusal = [&world](BodySpec spec, double scale, Id owner = kNewId) {
    spec.scale = scale;
    spec.owner = owner;
    try {
      world.add(std::vector<BodySpec>{spec});
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  const std::string body = "a body of shape \"ball\" is given the scale ";
  CHECK(refusal(one, 0) == body + "0.000000; a scale is a finite number above 0");
  CHECK(refusal(one, std::nan("")) == body + "nan; a scale is a finite number above 0");
  CHECK(refusal(floor, 2) ==
        "a body of shape \"floor\" is given the scale 2.000000, but the shape is without bound and has no size to "
        "scale; leave it at 1");
  CHECK(refusal(one, 2, 0) ==
        body +
            "2.000000, but rides on body 0, whose mass does not follow; leave it at 1, or make a shape of that size");
  CHECK(world.size() == 3);
  CHECK(
      refusal(one, 1, 2) ==
      "a body rides on body 2, whose scale is 0.500000; an owner's mass is that of all that rides on it, so its scale "
      "must be 1");
}
