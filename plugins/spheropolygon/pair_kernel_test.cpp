#include "pair_kernel.hpp"

#include <optional>

#include "catch.hpp"
#include "random_cases.hpp"
#include "scree/base/error.hpp"
#include "springs.hpp"
#include "test_bodies.hpp"

using namespace scree;
using namespace scree::spheropolygon;
using namespace scree::spheropolygon::test;

namespace {

/// Results of a kernel for the pair (0, 1).
class OnDevice {
 public:
  OnDevice(const Bodies& bodies, const VertexEdgeOptions& options) : detector_(options) {
    bodies.bind(detector_);
    offer_ = static_cast<const device::DeviceShapePairs*>(detector_.face(device::DeviceShapePairs::kName));
    const std::uint32_t shapes[2] = {bodies.shape[0], bodies.shape[1]};
    tables_ = offer_->tables(shapes);
  }

  VertexEdgeKernel::Found contacts(const Bodies& bodies, const double (&scale)[2], double margin) const {
    VertexEdgeKernel::Found found;
    const auto& kernel = *static_cast<const VertexEdgeKernel*>(offer_->stage().parameters);
    kernel.find(placed(bodies, scale, 0), placed(bodies, scale, 1), margin, tables_.data(), found);
    return found;
  }
  const device::DeviceShapePairs& offer() const { return *offer_; }
  const VertexEdge& detector() const { return detector_; }

 private:
  static device::PlacedShape placed(const Bodies& bodies, const double (&scale)[2], std::size_t i) {
    const BodyRow row = bodies.view().row[i];
    const Quat& q = row.orientation;
    return {{row.position.x(), row.position.y(), row.position.z()},
            {q.x(), q.y(), q.z(), q.w()},
            scale[i],
            bodies.shape[i]};
  }
  VertexEdge detector_;
  const device::DeviceShapePairs* offer_;
  std::vector<std::byte> tables_;
};

/// The host's contacts, of a pair that is new to it, or why there are none.
struct OnHost {
  ContactBuffer contacts;
  std::string trouble;

  OnHost(const VertexEdge& detector, const Bodies& bodies, const double (&scale)[2], double margin) {
    BodyView view = bodies.view();
    view.scale = scale;
    PairCache cache;
    const Pair pair{0, 1};
    try {
      detector.detect(view, {&pair, 1}, cache, margin, contacts);
    } catch (const NumericalError& e) {
      trouble = e.what();
      contacts.clear();
    }
  }
};

/// Equal but for the sign of zero. All numbers are found by the same operations in the same order.
bool same(const device::Contact& c, const ContactBuffer& host, std::size_t k) {
  const Vec3 n = host.normal_at(k), p = host.point_at(k);
  return c.overlap == host.overlap()[k] && c.normal.x == n.x() && c.normal.y == n.y() && c.normal.z == n.z() &&
         c.point.x == p.x() && c.point.y == p.y() && c.point.z == p.z() && c.radius == host.radius()[k] &&
         c.force_weight == host.force_weight()[k] && c.energy_weight == host.energy_weight()[k];
}

bool same(const VertexEdgeKernel::Found& found, const ContactBuffer& host) {
  if (static_cast<std::size_t>(found.count) != host.size()) return false;
  for (std::size_t k = 0; k < host.size(); ++k)
    if (found.payload[k] != host.payload()[k] || !same(found.contact[k], host, k)) return false;
  return true;
}

/// The part of a trouble's text that both have.
std::string kind_of(const std::string& text) {
  for (const char* part : {"skeletons cross", "lies within the other's", "it would soon pass through"})
    if (text.find(part) != std::string::npos) return part;
  return text;
}

struct Tally {
  int poses = 0, contacts = 0, troubles = 0, most = 0, too_many = 0;
};

/// One pose: the kernel's contacts and troubles are the host's.
void compare(const OnDevice& device, const Bodies& bodies, const double (&scale)[2], double margin, Tally& tally) {
  const OnHost host(device.detector(), bodies, scale, margin);
  const VertexEdgeKernel::Found found = device.contacts(bodies, scale, margin);
  ++tally.poses;
  tally.most = std::max(tally.most, static_cast<int>(host.contacts.size()));
  if (found.trouble == device::kTooManyContacts) {  // a beast of twice the size around one of half of it
    REQUIRE(host.contacts.size() > 16);
    ++tally.too_many;
    return;
  }
  if (found.trouble || !host.trouble.empty()) {
    ++tally.troubles;
    const std::string text = found.trouble ? device.offer().trouble(found.trouble, {0, 0}, {1, 0}) : "";
    REQUIRE(kind_of(text) == kind_of(host.trouble));
    return;
  }
  REQUIRE(same(found, host.contacts));
  tally.contacts += found.count;
}

std::vector<Vec2> hills(int edges) {
  std::vector<Vec2> v;
  for (int k = 0; k <= edges; ++k) v.emplace_back(0.3 * k, 0.2 * std::sin(0.9 * k) + 0.1 * std::sin(2.3 * k));
  return v;
}

std::shared_ptr<const Discs> discs(std::vector<Vec3> centres, std::vector<double> radii) {
  return std::make_shared<Discs>(std::move(centres), std::move(radii));
}

struct Case {
  std::shared_ptr<const Shape> a, b;
  int poses;
};

std::vector<Case> cases() {
  const auto beast = polygon(cow(), 0.1), box = polygon(square(1), 0.1),
             triangle = polygon({{0, 0}, {1, 0}, {0, 1}}, 0.07), l = polygon(l_shape(), 0.1),
             land = chain(hills(300), 0.05), bare = chain(hills(5), 0);
  const auto disc = discs({{0, 0, 0}}, {0.15}), clump = discs({{0, 0, 0}, {0.3, 0.1, 0}}, {0.2, 0.1});
  std::vector<Vec3> many;
  for (int k = 0; k < 30; ++k) many.emplace_back(0.1 * k - 1.5, 0.05 * (k % 7), 0);
  const auto heap = discs(many, std::vector<double>(30, 0.08));
  return {{beast, beast, 400}, {beast, l, 300},    {box, box, 500},       {box, triangle, 500}, {land, beast, 200},
          {land, box, 300},    {box, bare, 300},   {disc, beast, 300},    {box, disc, 300},     {clump, l, 300},
          {beast, clump, 200}, {heap, beast, 200}, {triangle, land, 300}, {land, disc, 200}};
}

/// Anywhere near each other: apart, touching, or through each other.
void put_anywhere(Bodies& bodies, const double (&scale)[2], std::mt19937& random) {
  std::uniform_real_distribution<double> any(-1, 1);
  for (const std::size_t i : {0, 1}) bodies.angle[i] = 4 * any(random);
  bodies.at[0] = {100 * any(random), any(random)};
  const double reach = scale[0] * bodies.shapes[0]->bounding_radius() + scale[1] * bodies.shapes[1]->bounding_radius();
  bodies.at[1] = bodies.at[0] + reach * Vec2(any(random), any(random));
}

/// Puts body 1 near where a vertex of one is about to pass through an edge of the other, coming from outside.
void press(const OnDevice& device, Bodies& bodies, const double (&scale)[2], std::mt19937& random) {
  std::uniform_real_distribution<double> any(0, 1);
  const double angle = 2 * std::numbers::pi * any(random);
  const Vec2 way(std::cos(angle), std::sin(angle));
  const double reach = scale[0] * bodies.shapes[0]->bounding_radius() + scale[1] * bodies.shapes[1]->bounding_radius();
  double low = 0, high = reach;
  for (int k = 0; k < 14; ++k) {
    const double middle = (low + high) / 2;
    bodies.at[1] = bodies.at[0] + middle * way;
    const VertexEdgeKernel::Found found = device.contacts(bodies, scale, 0);
    (found.trouble ? low : high) = middle;
  }
  bodies.at[1] = bodies.at[0] + (high + 0.12 * any(random) * any(random) - 0.01) * way;
}

}  // namespace

TEST_CASE("a kernel finds the contacts of the host, bit for bit, and the same troubles") {
  std::mt19937 random(23);
  std::uniform_real_distribution<double> any(-1, 1);
  Tally anywhere, pressed;
  for (const Case& which : cases())
    for (const int c : {0, 2, 3}) {
      Bodies bodies = two(which.a, which.b);
      const OnDevice device(bodies, {c, 1e-9, 0});
      const int poses = scree::test::random_cases(which.poses, 20);
      for (int k = 0; k < poses; ++k) {
        const double scale[2] = {std::exp2(any(random)), k % 4 == 0 ? 1 : std::exp2(any(random))};
        const double margin = k % 3 == 0 ? 0 : 0.05 * std::abs(any(random));
        put_anywhere(bodies, scale, random);
        compare(device, bodies, scale, margin, anywhere);
        press(device, bodies, scale, random);
        compare(device, bodies, scale, margin, pressed);
      }
    }
  INFO(anywhere.contacts << " contacts and " << anywhere.troubles << " troubles in " << anywhere.poses << " poses; "
                         << pressed.contacts << " and " << pressed.troubles << " in " << pressed.poses
                         << " pressed together, " << pressed.most << " at most, " << pressed.too_many
                         << " with more than there is room for");
  CHECK(anywhere.troubles > anywhere.poses / 20);
  CHECK(pressed.troubles > pressed.poses / 50);
  CHECK(pressed.contacts > pressed.poses);
  CHECK(anywhere.too_many == 0);
  CHECK(pressed.too_many < pressed.poses / 200);
  CHECK(pressed.most > 16);  // of cows within each other
}

TEST_CASE("small polygons touch in fewer places than they are given room for") {
  std::mt19937 random(29);
  std::uniform_real_distribution<double> any(0, 1);
  for (int k = 0; k < scree::test::random_cases(300, 20); ++k) {
    std::shared_ptr<const Shape> shape[2];
    for (auto& s : shape) {
      std::vector<Vec2> v;
      const int n = 3 + static_cast<int>(5 * any(random));
      for (int i = 0; i < n; ++i) {
        const double angle = 2 * std::numbers::pi * (i + 0.5 * any(random)) / n, r = 0.15 + any(random);
        v.emplace_back(r * std::cos(angle), r * std::sin(angle));
      }
      s = polygon(v, 0.02 + 0.3 * any(random));
    }
    Bodies bodies = two(shape[0], shape[1]);
    const OnDevice device(bodies, {k % 2 == 0 ? 0 : 2, 0, 0});
    for (int pose = 0; pose < 10; ++pose) {
      const double scale[2] = {1, 0.5 + 1.5 * any(random)};
      bodies.angle = {6 * any(random), 6 * any(random)};
      press(device, bodies, scale, random);
      REQUIRE(device.contacts(bodies, scale, 0.02).count <= device.offer().contacts());
    }
  }
}

TEST_CASE("a pair with more contacts than there is room for says so") {
  // A disc as large as the comb meets all its vertices.
  std::vector<Vec2> comb;
  for (int k = 0; k < 60; ++k) comb.emplace_back(std::cos(0.05 * k), std::sin(0.05 * k));
  Bodies bodies = two(chain(comb, 0.1), discs({{0, 0, 0}}, {0.95}));
  bodies.at[1] = -bodies.shapes[0]->reference_point().head<2>();
  const double scale[2] = {1, 1};
  const OnDevice device(bodies, {0, 0, 0});
  bodies.at[1] =
      bodies.place(0, facet<SweptPolygon>(*bodies.shapes[0])->vertices()[30]) - Vec2(std::cos(1.5), std::sin(1.5));
  const VertexEdgeKernel::Found found = device.contacts(bodies, scale, 0);
  CHECK(found.trouble == device::kTooManyContacts);
}

TEST_CASE("tables hold the shapes that take part, and any of them meets itself") {
  Bodies bodies = two(polygon(square(1), 0.1), polygon(cow(), 0.1));
  VertexEdge detector;
  bodies.bind(detector);
  const auto& offer = *static_cast<const device::DeviceShapePairs*>(detector.face(device::DeviceShapePairs::kName));
  CHECK(detector.face("device-shape-pairs/0") == nullptr);
  CHECK(offer.contacts() == 32);
  const std::uint32_t second[1] = {1};
  const std::vector<std::byte> tables = offer.tables(second);
  CHECK(TableShape(tables.data(), 0).row().vertices == 0);
  const TableShape beast(tables.data(), 1);
  CHECK(beast.row().vertices == 62);
  CHECK(beast.row().edges == 62);
  CHECK(beast.row().nodes == 8);
  CHECK(reinterpret_cast<std::uintptr_t>(&beast.vertex(0)) % 16 == 0);
  std::uint32_t next = 0;  // runs follow each other
  beast.walk([](const FlatBox&) { return true; },
             [&](const FlatNode& run) {
               CHECK(run.first == next);
               next = run.first + run.count;
             });
  CHECK(next == 62);
}

TEST_CASE("history is handed on by a kernel as by the host") {
  std::mt19937 random(31);
  Bodies bodies = two(polygon(cow(), 0.1), polygon(l_shape(), 0.1));
  const OnDevice device(bodies, {2, 0, 0});
  const double scale[2] = {1, 1};
  std::normal_distribution<double> jump(0, 0.02);
  for (int k = 0; k < 200; ++k) {
    press(device, bodies, scale, random);
    const VertexEdgeKernel::Found old = device.contacts(bodies, scale, 0);
    bodies.at[1] += Vec2(jump(random), jump(random));
    const VertexEdgeKernel::Found now = device.contacts(bodies, scale, 0);
    std::vector<std::uint32_t> old_feature(static_cast<std::size_t>(old.count));
    for (std::size_t i = 0; i < old_feature.size(); ++i) old_feature[i] = static_cast<std::uint32_t>(3 * i);
    std::vector<std::uint32_t> feature[2];
    std::vector<std::int32_t> source[2];
    for (const int way : {0, 1}) {
      feature[way].resize(static_cast<std::size_t>(now.count));
      source[way].assign(feature[way].size(), -1);
      const ContactMatch match{old_feature.size(),  feature[way].size(), old_feature.data(), old.payload,
                               feature[way].data(), now.payload,         source[way].data()};
      way == 0 ? device.detector().match(match) : VertexEdgeKernel{2}.match(match);
    }
    CHECK(feature[0] == feature[1]);
    CHECK(source[0] == source[1]);
  }
}
