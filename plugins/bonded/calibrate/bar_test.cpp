#include "calibrate/bar.hpp"

#include "calibrate/inverse.hpp"
#include "catch.hpp"
#include "one_thread.hpp"

using namespace scree;
using namespace scree::bonded;

namespace {

const Cuboid kRegular{Vec3(1.2, 0.3, 0.3), {12, 3, 3}}, kJittered{Vec3(1.2, 0.3, 0.3), {12, 3, 3}, 0.18};

Bar cells() { return bar_of(kRegular, cubic_lattice(kRegular)); }
Bar bcc() { return bar_of(kJittered, elements_of(bcc_mesh(kJittered), FaceArea::whole)); }
Bar kuhn() { return bar_of(kRegular, elements_of(kuhn_mesh(kRegular), FaceArea::whole)); }

}  // namespace

TEST_CASE("Saint-Venant's torsion constant: a square, and a thin strip") {
  CHECK(torsion_constant(2, 2) == Approx(0.140577 * 16).epsilon(1e-5));
  CHECK(torsion_constant(100, 1) == Approx(100.0 / 3 * (1 - 0.630 / 100)).epsilon(1e-4));
}

TEST_CASE("a cubic lattice stretches with the bonds' own modulus and does not contract") {
  const Macroscopic m = measured(cells(), 0.4, false);
  CHECK(m.young == Approx(1).epsilon(1e-6));
  CHECK(std::abs(m.poisson) < 1e-6);
}

TEST_CASE("a small bar of tetrahedra: softer than its bonds, contracting more where bonds shear more easily") {
  const scree::test::OneThread one;
  const Macroscopic soft = measured(bcc(), 0.2, false), stiff = measured(bcc(), 0.5, true);
  CHECK(soft.young < stiff.young);
  CHECK(stiff.young < 0.9);
  CHECK(soft.poisson > stiff.poisson);
  CHECK(stiff.poisson > 0.1);
  CHECK(stiff.shear / stiff.young == Approx(0.5 / (1 + stiff.poisson)).epsilon(0.15));  // three cells wide
}

TEST_CASE("bonds are found for wanted moduli, and what is out of reach is said") {
  const scree::test::OneThread one;
  const Bar bar = bcc();
  const Micro micro = micro_for(bar, 2e9, 0.2);
  CHECK(micro.achieved.poisson == Approx(0.2).margin(1e-4));
  CHECK(micro.young == Approx(2e9 / measured(bar, micro.ratio, false).young).epsilon(1e-6));
  CHECK(micro.solutions < 12);
  try {
    micro_for(kuhn(), 2e9, 0.49);
    FAIL("no complaint");
  } catch (const OutOfReach& e) {
    CHECK_THAT(e.what(),
               Catch::Matchers::ContainsSubstring("Poisson's ratio 0.49 is out of reach of this packing: bonds "
                                                  "with G/E from 0.02 to 1.5 give "));
    CHECK(e.least < 0);
    CHECK(e.most == Approx(0.306).epsilon(0.1));  // of a bar four wide
  }
}

TEST_CASE("a mesh that is no bar is refused") {
  TetrahedralMesh cube = kuhn_mesh({Vec3(1, 1, 1), {2, 2, 2}});
  CHECK_THROWS_WITH(bar_of(cube, FaceArea::whole),
                    Catch::Matchers::ContainsSubstring("at least twice as long as wide"));
  cube.tetrahedron.pop_back();
  CHECK_THROWS_WITH(bar_of(cube, FaceArea::whole), Catch::Matchers::ContainsSubstring("of its bounding box"));
}
