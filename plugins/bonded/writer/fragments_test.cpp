#include "writer/fragments.hpp"

#include <algorithm>
#include <map>

#include "catch.hpp"
#include "packing/elements.hpp"

using namespace scree;
using namespace scree::bonded;

namespace {

/// A cuboid of tetrahedra with its joints, which may be moved and broken.
struct Solid {
  Elements elements;
  std::vector<Quat> orientation;
  std::vector<Joint> joints;

  explicit Solid(const Cuboid& box) : elements(elements_of(bcc_mesh(box), FaceArea::whole)) {
    orientation.assign(elements.size(), Quat::Identity());
    for (const SharedSide& s : elements.shared)
      joints.push_back({s.a, s.b, elements.centroid[s.b] - elements.centroid[s.a]});
  }
  SolidState state() const { return {elements.centroid, orientation, elements.tetrahedron}; }
  Pieces pieces() const { return bonded::pieces(joints, std::vector<std::uint32_t>(elements.size())); }
  std::vector<Seam> seams() const { return bonded::seams(state(), joints); }
  std::vector<ShownFace> shown(CrackFaces which) const {
    return shown_faces(elements.size(), joints, seams(), pieces(), which);
  }
  Vec3 area_vector(const ShownFace& f) const {
    const std::size_t e = f.side.element;
    return face_area_vector({state().corner(e, 0), state().corner(e, 1), state().corner(e, 2), state().corner(e, 3)},
                            f.side.face);
  }
  double area(CrackFaces which) const {
    double sum = 0;
    for (const ShownFace& f : shown(which)) sum += area_vector(f).norm();
    return sum;
  }
  /// Breaks all joints between elements on different sides of x = place that `which` picks by their mean.
  template <class Which>
  int cut(Which&& which) {
    int broken = 0;
    for (Joint& j : joints)
      if (which(elements.centroid[j.a], elements.centroid[j.b])) j.live = false, ++broken;
    return broken;
  }
};

const Cuboid kBeam{Vec3(2, 0.5, 0.5), {8, 2, 2}, 0.15, 3};

}  // namespace

TEST_CASE("an unbroken solid shows the sides of its box, outward, and every joint is a shared face") {
  const Solid solid(kBeam);
  for (const Seam& seam : solid.seams()) REQUIRE(seam.exists());
  CHECK(solid.area(CrackFaces::broken) == Approx(2 * (1 + 1 + 0.25)).epsilon(1e-12));  // rounding
  CHECK(solid.area(CrackFaces::fragments) == Approx(2 * (1 + 1 + 0.25)).epsilon(1e-12));
  Vec3 sum = Vec3::Zero();
  double volume = 0;  // divergence theorem: sum x.A/3
  for (const ShownFace& f : solid.shown(CrackFaces::broken)) {
    CHECK_FALSE(f.crack);
    const Vec3 a = solid.area_vector(f);
    sum += a;
    volume += a.dot(solid.state().corner(f.side.element, kFaces[f.side.face][0])) / 3;
  }
  CHECK(sum.norm() < 1e-13);
  CHECK(volume == Approx(0.5).epsilon(1e-12));
}

TEST_CASE("seams pair the corners that coincide, and their areas are those of the shared faces") {
  const Solid solid(kBeam);
  const auto seams = solid.seams();
  for (std::size_t n = 0; n < seams.size(); ++n) {
    const Joint& j = solid.joints[n];
    for (std::size_t k = 0; k < 3; ++k)
      REQUIRE((solid.state().corner(j.a, seams[n].a[k]) - solid.state().corner(j.b, seams[n].b[k])).norm() < 1e-12);
    REQUIRE(solid.area_vector({{j.a, seams[n].face_a}}).norm() == Approx(solid.elements.shared[n].area));
  }
}

TEST_CASE("seams are found in bodies that were turned when their bonds were made") {
  Solid solid(kBeam);
  const auto before = solid.seams();
  for (Joint& j : solid.joints) {
    // Body frames differ from the world's by made_a, made_b: the corners in them by their inverses.
    j.made_a = Quat(Eigen::AngleAxisd(0.1 * j.a, Vec3(1, 2, 3).normalized()));
    j.made_b = Quat(Eigen::AngleAxisd(0.1 * j.b, Vec3(1, 2, 3).normalized()));
  }
  for (std::size_t i = 0; i < solid.elements.size(); ++i)
    for (std::size_t k = 0; k < 4; ++k) {
      Eigen::Map<Vec3> corner(&solid.elements.tetrahedron[12 * i + 3 * k]);
      corner = Eigen::AngleAxisd(-0.1 * static_cast<double>(i), Vec3(1, 2, 3).normalized()) * Vec3(corner);
    }
  const auto after = solid.seams();
  for (std::size_t n = 0; n < before.size(); ++n) {
    REQUIRE(after[n].face_a == before[n].face_a);
    REQUIRE(after[n].b == before[n].b);
  }
}

TEST_CASE("a beam cut through falls into two fragments named by their smallest elements, both sides of the cut show") {
  Solid solid(kBeam);
  const double before = solid.area(CrackFaces::broken);
  const auto left = [](const Vec3& p) { return p.x() < 1; };
  double cut_area = 0;
  for (std::size_t n = 0; n < solid.joints.size(); ++n)
    if (left(solid.elements.centroid[solid.joints[n].a]) != left(solid.elements.centroid[solid.joints[n].b]))
      cut_area += solid.elements.shared[n].area;
  REQUIRE(solid.cut([&](const Vec3& a, const Vec3& b) { return left(a) != left(b); }) > 0);
  const Pieces parts = solid.pieces();
  std::map<std::uint32_t, std::uint32_t> smallest;
  for (std::uint32_t i = 0; i < parts.fragment.size(); ++i) {
    smallest.emplace(parts.fragment[i], i);
    CHECK(left(solid.elements.centroid[i]) == left(solid.elements.centroid[parts.fragment[i]]));
  }
  REQUIRE(smallest.size() == 2);
  for (const auto& [fragment, first] : smallest) CHECK(fragment == first);
  CHECK(solid.area(CrackFaces::broken) == Approx(before + 2 * cut_area).epsilon(1e-12));
  CHECK(solid.area(CrackFaces::fragments) == Approx(before + 2 * cut_area).epsilon(1e-12));
}

TEST_CASE("a crack that ends inside is seen by its broken faces, the paper's reading does not see it") {
  Solid solid(kBeam);
  const double before = solid.area(CrackFaces::broken);
  const int broken = solid.cut(
      [](const Vec3& a, const Vec3& b) { return (a.x() < 1) != (b.x() < 1) && a.y() < 0.25 && b.y() < 0.25; });
  REQUIRE(broken > 0);
  const Pieces parts = solid.pieces();
  for (const std::uint32_t fragment : parts.fragment) REQUIRE(fragment == 0);
  CHECK(solid.area(CrackFaces::fragments) == Approx(before).epsilon(1e-12));
  int cracks = 0;
  for (const ShownFace& f : solid.shown(CrackFaces::broken)) cracks += f.crack;
  CHECK(cracks == 2 * broken);
  double dead = 0;  // every broken joint counts at both its elements
  std::vector<int> joints(solid.elements.size());
  for (const Joint& j : solid.joints) ++joints[j.a], ++joints[j.b];
  for (std::size_t i = 0; i < joints.size(); ++i) dead += parts.damage[i] * joints[i];
  CHECK(dead == Approx(2 * broken));
}

TEST_CASE("watertight corners: at rest the mesh's vertices, moved elements still share their points, cracks open") {
  Solid solid(kBeam);
  const auto mesh = bcc_mesh(kBeam);
  CHECK(points_of(solid.state(), solid.joints, solid.seams(), true).position.size() == mesh.vertex.size());
  CHECK(points_of(solid.state(), solid.joints, solid.seams(), false).position.size() == 4 * solid.elements.size());

  // One element turned and moved by a little: its corners are means, everybody else's far away stay.
  const Vec3 home = solid.elements.centroid[10];
  const auto seams = solid.seams();
  solid.orientation[10] = Quat(Eigen::AngleAxisd(0.01, Vec3::UnitZ()));
  const auto points = points_of(solid.state(), solid.joints, seams, true);
  CHECK(points.position.size() == mesh.vertex.size());
  for (std::size_t k = 0; k < 4; ++k) {
    const Vec3 rest = home + solid.state().corner_in_body(10, k), moved = solid.state().corner(10, k);
    const Vec3 shown = points.position[points.of_corner[40 + k]];
    const double sharing =
        static_cast<double>(std::count(points.of_corner.begin(), points.of_corner.end(), points.of_corner[40 + k]));
    CHECK((shown - (rest + (moved - rest) / sharing)).norm() < 1e-12);
  }
}

TEST_CASE("all joints broken: every element by itself, with all its faces and its own corners") {
  Solid solid(kBeam);
  const std::size_t outer = solid.shown(CrackFaces::broken).size();
  solid.cut([](const Vec3&, const Vec3&) { return true; });
  CHECK(solid.shown(CrackFaces::broken).size() == 4 * solid.elements.size());
  CHECK(solid.shown(CrackFaces::broken).size() == outer + 2 * solid.joints.size());
  const Pieces parts = solid.pieces();
  for (std::uint32_t i = 0; i < parts.fragment.size(); ++i) {
    REQUIRE(parts.fragment[i] == i);
    REQUIRE(parts.damage[i] == 1);
  }
  CHECK(points_of(solid.state(), solid.joints, solid.seams(), true).position.size() == 4 * solid.elements.size());
}
