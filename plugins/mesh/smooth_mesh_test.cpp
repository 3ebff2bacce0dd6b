// Smooth bodies on meshes: one contact where flat, one energy over edges and corners.
#include "smooth_mesh.hpp"

#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "catch.hpp"
#include "mesh_shape.hpp"
#include "scree/base/error.hpp"
#include "scree/shape/radial_shape_3d.hpp"
#include "test_meshes.hpp"

namespace scree::mesh {
namespace {

/// An ellipsoid by its radius.
class Oval final : public RadialShape3D {
 public:
  explicit Oval(const Vec3& axes) : axes_(axes) { derive({}); }
  double radius(const Vec3& unit) const override { return 1 / unit.cwiseQuotient(axes_).norm(); }

 private:
  Vec3 axes_;
};

struct Sum {
  double energy = 0;
  Vec3 force = Vec3::Zero(), torque = Vec3::Zero();  ///< on the body
  int touching = 0;
};

struct Meet {
  std::shared_ptr<const Shape> body;
  std::shared_ptr<const MeshShape> wall;
  Vec3 at = Vec3::Zero();
  Quat turn = Quat::Identity();
  double size = 1;

  Meet(std::shared_ptr<const Shape> of, const SurfaceMesh& s)
      : body(std::move(of)), wall(std::make_shared<MeshShape>(s, MeshOptions{false, Sides::automatic, "/file"})) {}

  ContactBuffer contacts(bool mesh_first = false) const {
    SmoothMesh detector;
    const Shape* shapes[] = {body.get(), wall.get()};
    detector.bind(shapes);
    BodyRow row[2] = {};
    row[0].position = at, row[1].position = -wall->reference_point();
    row[0].orientation = turn, row[1].orientation = Quat::Identity();
    row[0].radius = size * body->bounding_radius(), row[1].radius = wall->bounding_radius();
    row[0].inverse_mass = 1;
    row[1].id = 1;
    const double scale[] = {size, 1};
    const std::uint32_t which[] = {0, 1};
    const Pair pair = mesh_first ? Pair{1, 0} : Pair{0, 1};
    PairCache cache;
    ContactBuffer out;
    detector.detect({2, row, which, scale}, {&pair, 1}, cache, 0, out);
    return out;
  }
  Sum sum() const {
    const ContactBuffer c = contacts();
    Sum s;
    for (std::size_t k = 0; k < c.size(); ++k) {
      const double overlap = c.overlap()[k];
      ++s.touching;
      s.energy += c.energy_weight()[k] * overlap * overlap / 2;
      const Vec3 f = -c.force_weight()[k] * overlap * c.normal_at(k);
      s.force += f;
      s.torque += (c.point_at(k) - at).cross(f);
    }
    return s;
  }
};

Quat random_turn(std::mt19937& random) {
  std::normal_distribution<double> normal;
  Quat q(normal(random), normal(random), normal(random), normal(random));
  return q.normalized();
}

std::shared_ptr<const Shape> oval() { return std::make_shared<Oval>(Vec3(0.3, 0.24, 0.18)); }

/// Largest difference between the force or torque and differences of the energy, over the force.
double gradient_error(const Meet& m, const Sum& s) {
  const double h = 1e-6;
  double worst = 0;
  const auto energy = [&](const Vec3& way, const Vec3& angle) {
    Meet moved = m;
    moved.at += way;
    if (angle.norm() > 0) moved.turn = Quat(Eigen::AngleAxisd(angle.norm(), angle.normalized())) * m.turn;
    return moved.sum().energy;
  };
  for (int k = 0; k < 3; ++k) {
    const Vec3 d = h * Vec3::Unit(k);
    worst = std::max(worst, std::abs((energy(d, Vec3::Zero()) - energy(-d, Vec3::Zero())) / (2 * h) + s.force[k]));
    worst = std::max(worst, std::abs((energy(Vec3::Zero(), d) - energy(Vec3::Zero(), -d)) / (2 * h) + s.torque[k]));
  }
  return worst / s.force.norm();
}

TEST_CASE("smooth-mesh: a flat mesh has one contact, whatever its triangles") {
  const auto flat = [](double, double) { return 0.0; };
  Meet coarse(oval(), test::sheet(1, 0, flat)), fine(oval(), test::sheet(14, 0.4, flat));
  std::mt19937 random(1);
  std::uniform_real_distribution<double> place(-0.6, 0.6), height(0.17, 0.3);
  int touching = 0;
  for (int k = 0; k < 2000; ++k) {
    coarse.at = fine.at = {place(random), place(random), height(random)};
    coarse.turn = fine.turn = random_turn(random);
    ContactBuffer a, b;
    try {
      a = coarse.contacts(), b = fine.contacts();
    } catch (const NumericalError&) {
      continue;
    }
    REQUIRE(a.size() <= 1);
    REQUIRE(b.size() == a.size());
    if (a.size() == 0) continue;
    ++touching;
    CHECK(std::abs(a.overlap()[0] - b.overlap()[0]) < 1e-12);
    CHECK((a.point_at(0) - b.point_at(0)).norm() < 1e-8);
    CHECK(b.energy_weight()[0] == 1);
    CHECK(std::abs(a.normal(2)[0] + 1) < 1e-8);
  }
  CHECK(touching > 500);
}

TEST_CASE("smooth-mesh: forces are the gradient of one energy over edges, corners and grooves") {
  const auto rough = [](double x, double y) { return 0.12 * std::sin(7 * x) * std::cos(5 * y) - 0.1 * std::abs(x); };
  const SurfaceMesh meshes[] = {test::fold(0.3), test::fold(-0.4),           test::fold(0.02),
                                test::cone(7),   test::sheet(9, 0.4, rough), test::box({0.5, 0.4, 0.3})};
  std::mt19937 random(2);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (const SurfaceMesh& s : meshes) {
    Meet m(oval(), s);
    int touching = 0, several = 0;
    double worst = 0;
    for (int k = 0; k < 4000 && touching < 150; ++k) {
      m.at = {0.5 * uniform(random), 0.4 * uniform(random), 0.6 * uniform(random)};
      m.turn = random_turn(random);
      m.size = 1 + 0.3 * uniform(random);
      Sum sum;
      try {
        sum = m.sum();
      } catch (const NumericalError&) {
        continue;
      }
      if (sum.energy < 1e-6 || sum.energy > 3e-4) continue;
      ++touching;
      several += sum.touching > 1;
      worst = std::max(worst, gradient_error(m, sum));
    }
    INFO("triangles " << s.faces.size() << ", several " << several << " of " << touching);
    CHECK(touching >= 30);
    CHECK(worst < 2e-4);
  }
}

TEST_CASE("smooth-mesh: the work along a path over a fold is the change of the energy") {
  for (const double angle : {0.4, -0.4, 0.05}) {
    Meet m(oval(), test::fold(angle));
    m.turn = Quat(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()));
    double work = 0, before = 0, first = 0, greatest = 0, jump = 0;
    Vec3 last = Vec3::Zero();
    const int steps = 4000;
    const Vec3 way(0.8, 0.1, 0.02);
    double height = 0.6;  // at which the deepest overlap on the way is about 0.03
    for (bool deep = false; !deep; height -= 0.005)
      for (int k = 0; k <= 20; ++k) {
        m.at = Vec3(0, 0, height) + (k / 20.0 - 0.5) * way;
        const ContactBuffer c = m.contacts();
        for (std::size_t i = 0; i < c.size(); ++i) deep = deep || c.overlap()[i] > 0.03;
      }
    for (int k = 0; k <= steps; ++k) {
      m.at = Vec3(0, 0, height) + (static_cast<double>(k) / steps - 0.5) * way;
      const Sum s = m.sum();
      if (k == 0) first = s.energy;
      if (k > 0) {
        work += (s.force + last).dot(way) / (2.0 * steps);
        jump = std::max(jump, (s.force - last).norm());
      }
      last = s.force;
      before = s.energy;
      greatest = std::max(greatest, s.energy);
    }
    INFO("angle " << angle << ", energy " << greatest);
    REQUIRE(greatest > 1e-6);
    CHECK(std::abs(before - first + work) < 1e-4 * greatest);
    CHECK(jump < 0.02 * std::sqrt(2 * greatest));
  }
}

TEST_CASE("smooth-mesh: the order of the two bodies only turns the normal") {
  Meet m(oval(), test::box({0.5, 0.4, 0.3}));
  m.at = {0.1, 0.2, 0.48};
  const ContactBuffer c = m.contacts(), d = m.contacts(true);
  REQUIRE(c.size() == 1);
  REQUIRE(d.size() == 1);
  CHECK(c.overlap()[0] == d.overlap()[0]);
  CHECK(c.normal_at(0) == -d.normal_at(0));
  // Above the flat side the contact lies below the centre of mass.
  CHECK(c.normal(2)[0] == Approx(-1));
}

}  // namespace
}  // namespace scree::mesh
