#include "scree/detect/sphere_contact.hpp"

#include "catch.hpp"

using namespace scree;

TEST_CASE("two spheres: overlap, normal from a to b, point in the middle of the overlap") {
  const auto c = sphere_sphere(1.0, 2.0, 3.0, 0.5, 0.6, 0.0, 0.0, 0.2);
  CHECK(c.overlap == Approx(0.1).epsilon(1e-14));
  CHECK(c.nx == 1);
  CHECK(c.px == Approx(1.45).epsilon(1e-15));  // from 1.4, where b begins, to 1.5, where a ends
  CHECK(c.py == 2);
  CHECK(c.effective_radius == Approx(0.5 * 0.2 / 0.7).epsilon(1e-14));
}

TEST_CASE("effective radius on faces: plane r, sphere 1/R* = 1/r +- 1/R, cylinder their geometric mean") {
  CHECK(effective_radius_on_face(0.2, 0.0, 0.0) == Approx(0.2).epsilon(1e-15));
  CHECK(effective_radius_on_face(0.2, 2.0, 2.0) == Approx(effective_radius(0.2, 0.5)).epsilon(1e-15));
  CHECK(effective_radius_on_face(0.2, -2.0, -2.0) == Approx(1 / (1 / 0.2 - 2)).epsilon(1e-15));
  const double inside = 1 / (1 / 0.2 - 2);
  CHECK(effective_radius_on_face(0.2, -2.0, 0.0) == Approx(std::sqrt(0.2 * inside)).epsilon(1e-15));
  CHECK(effective_radius_on_face(0.2, -5.0, -5.0) == 0.2);  // a sphere as large as its container
  CHECK(effective_radius_on_face(0.2, -6.0, 0.0) == 0.2);
}

TEST_CASE("a sphere on a face: the normal points into the matter, the point lies in the middle of the overlap") {
  const auto c = sphere_face(0.0, 0.0, 0.09, 0.1, 0.09, 0.0, 0.0, 1.0, 0.0, 0.0);
  CHECK(c.overlap == Approx(0.01).epsilon(1e-12));
  CHECK(c.nz == -1);
  CHECK(c.pz == Approx(-0.005).epsilon(1e-12));
}

TEST_CASE("the formulas hold in single precision") {
  const auto c = sphere_sphere(0.0f, 0.0f, 0.0f, 0.5f, 0.0f, 0.6f, 0.0f, 0.2f);
  CHECK(c.overlap == Approx(0.1f).epsilon(1e-5));
}
