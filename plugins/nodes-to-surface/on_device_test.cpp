// What a device finds of two bodies by their tables, called on the host, beside the detector.
#include "on_device.hpp"

#include <cmath>
#include <numbers>
#include <random>

#include "box.hpp"
#include "catch.hpp"
#include "nodes_to_surface.hpp"
#include "random_cases.hpp"
#include "scree/shape/radial_shape.hpp"

using namespace scree;
using namespace scree::nodes_to_surface;

namespace {

class Lobed : public RadialShape2D {
 public:
  Lobed(int lobes, double depth, double size) : lobes_(lobes), depth_(depth) {
    derive({.nodes = 150, .max_radius = size});
  }
  double radius(double theta) const override { return 1 + depth_ * std::sin(lobes_ * theta); }

 private:
  int lobes_;
  double depth_;
};

struct TabledPair {
  TabledPair(const Shape& a, const Shape& b) : shapes{&a, &b} {
    detector.bind(shapes);
    const std::uint32_t both[] = {0, 1};
    const auto* const face =
        static_cast<const device::DeviceShapePairs*>(detector.face(device::DeviceShapePairs::kName));
    tables = face->tables(both);
  }
  device::FoundContacts<8> on_device(double margin) const {
    device::FoundContacts<8> found;
    const auto placed = [&](std::uint32_t k) {
      const BodyRow& r = rows[k];
      const Quat& q = r.orientation;
      return device::PlacedShape{{r.position[0], r.position[1], 0}, {q.x(), q.y(), q.z(), q.w()}, scale[k], k};
    };
    device::NodesInFields().find(placed(0), placed(1), margin, tables.data(), found);
    return found;
  }
  ContactBuffer on_host(double margin) const {
    const std::uint32_t shape[2] = {0, 1};
    const Pair pair{0, 1};
    PairCache cache;
    ContactBuffer out;
    detector.detect({2, rows, shape, scale}, {&pair, 1}, cache, margin, out);
    return out;
  }
  const Shape* shapes[2];
  NodesToSurface detector;
  std::vector<std::byte> tables;
  BodyRow rows[2];
  double scale[2] = {1, 1};
};

}  // namespace

TEST_CASE("a device finds the detector's contacts to the error of its tables, at any size") {
  const Lobed cross(4, 0.4, 0.01), egg(2, 0.2, 0.012);
  const obstacles::Box box({{0.01, 0.004}, false, 1, 0.001});
  const std::pair<const Shape*, const Shape*> cases[] = {{&cross, &egg}, {&egg, &egg}, {&cross, &cross}, {&box, &egg}};
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> unit(0, 1);
  int touching = 0, equal = 0, compared = 0, normals_alike = 0;
  for (const auto& [a, b] : cases) {
    TabledPair m(*a, *b);
    for (int i = 0; i < test::random_cases(1500); ++i) {
      for (int k = 0; k < 2; ++k) {
        const double angle = 7 * unit(random);
        m.scale[k] = 0.5 + unit(random);
        m.rows[k] = {Vec3(0.01 * unit(random), 0.02 * k + 0.01 * unit(random), 0),
                     0,
                     Vec3::Zero(),
                     1,
                     Vec3::Zero(),
                     static_cast<Id>(k),
                     Quat(Eigen::AngleAxisd(angle, Vec3::UnitZ()))};
        m.rows[k].radius = m.scale[k] * m.shapes[k]->bounding_radius();
      }
      const device::FoundContacts<8> found = m.on_device(0);
      const ContactBuffer host = m.on_host(0);
      REQUIRE(found.trouble == 0);
      if (host.size() == 0) continue;
      ++touching;
      if (found.count != static_cast<int>(host.size())) continue;  // a node on the outline is in or out
      ++equal;
      for (int c = 0; c < found.count; ++c) {
        const auto k = static_cast<std::size_t>(c);
        const double radius = std::max(m.rows[0].radius, m.rows[1].radius);
        if (host.overlap()[k] > 0.06 * radius) continue;  // beyond what the tables are true for
        // Tables err by 1e-4 of the radius at most.
        REQUIRE(std::abs(found.contact[c].overlap - host.overlap()[k]) < 1.1e-4 * radius);
        ++compared;
        const Vec3 n(found.contact[c].normal.x, found.contact[c].normal.y, 0);
        if ((n - host.normal_at(k)).norm() < 0.03) ++normals_alike;
      }
    }
  }
  CHECK(touching > test::random_cases(1500));
  CHECK(equal > 0.95 * touching);
  CHECK(compared > test::random_cases(1500) / 10);
  CHECK(normals_alike > 0.95 * compared);  // of two nodes equally deep, either may be chosen
}
