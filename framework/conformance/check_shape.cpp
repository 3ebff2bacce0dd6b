#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "conformance/checks.hpp"
#include "conformance/encounter.hpp"
#include "conformance/shape_facets.hpp"
#include "conformance/surface_moments.hpp"
#include "scree/base/error.hpp"

namespace scree::conformance {

namespace {

/// Result for one property, over all examples and both dimensions.
struct Tested {
  std::string check, none;
  double bound;
  std::size_t looked = 0;
  double worst = 0;
  std::string first = "";

  void take(double error, const std::string& where) {
    ++looked;
    if (!(error <= bound) && first.empty()) first = where;
    if (!(error <= worst)) worst = error;
  }
  Row row() const {
    if (looked == 0) return not_applicable(check, none);
    return judged(check, first.empty(),
                  fmt::format("{} times, error at most {:.2g}{}", looked, worst,
                              first.empty() ? "" : fmt::format(", bound {:.2g}; first for {}", bound, first)));
  }
};

struct Tests {
  Tested density{"mass goes with density", "it cannot move", 1e-12};
  Tested mass{"mass is that of the surface", "in 2D the surface tells no thickness; or it is not one closed piece",
              0.15};
  Tested moments{"moments of inertia are those of the surface",
                 "it cannot move, or its surface is not one closed piece", 0.15};
  Tested centre{"the body frame is at the centre of mass", "it cannot move, or its surface is not one closed piece",
                0.02};
  Tested axes{"axes of the body frame are principal", "planar, or its surface is not one closed piece", 0.02};
  Tested outward{"cells of the surface face outward", "its surface is not one closed piece", 0};
  Tested bound{"the bounding radius holds the surface and all facets", "it is infinite", 1e-9};
  Tested on_surface{"SignedDistance is 0 on the surface",
                    "no facet SignedDistance/1, or its surface is not one closed piece", 5e-3};
  Tested sign{"SignedDistance is below 0 inside, above 0 outside", "no facet SignedDistance/1", 0.02};
  Tested unit{"its gradient has length 1", "no facet SignedDistance/1", 1e-9};
  Tested gradient{"its gradient is its derivative", "no facet SignedDistance/1", 0.02};
  Tested outside{"SignedDistance is above 0 far away", "no facet SignedDistance/1, or it is without bound", 0};
  Tested spheres{"its spheres lie where its surface does", "no facet SphereSet/1", 0.1};
  Tested reach{"rotation_reach() bounds the way of its boundary", "it offers neither spheres nor a distance", 0.05};
  Tested reference{"reference_point() lies within the bounding radius", "it is infinite", 1};
  Tested exact{"ExactDistance changes no more than the way", "no facet ExactDistance/1", 1e-9};
};

/// Checks mass. Pictures of smooth surfaces are made of few cells, which limits the accuracy.
void check_mass(const Shape& shape, bool free, const Surface& surface, const std::string& text, Tests& tests) {
  const auto enclosed = moments_of(surface, shape.dimension());
  if (enclosed && free) tests.outward.take(enclosed->size > 0 ? 0 : 1, text);
  if (!free) return;
  const MassProperties one = shape.mass(1000), two = shape.mass(2000);
  tests.density.take(std::abs(two.mass / one.mass - 2) + std::abs(two.inertia.z() / one.inertia.z() - 2), text);
  if (!enclosed || !(enclosed->size > 0)) return;
  const double r = shape.bounding_radius();
  tests.centre.take(enclosed->centre.norm() / r, text);
  if (shape.dimension() == 2) {
    tests.moments.take(std::abs(enclosed->moment.z() / enclosed->size * one.mass / one.inertia.z() - 1), text);
    return;
  }
  tests.mass.take(std::abs(1000 * enclosed->size / one.mass - 1), text);
  // Divided by mass: a picture inscribed in a body is smaller than it, and has the same proportions.
  for (int k = 0; k < 3; ++k)
    tests.moments.take(std::abs(enclosed->moment[k] / enclosed->size * one.mass / one.inertia[k] - 1), text);
  tests.axes.take(enclosed->product, text);
}

void check_bound(const Shape& shape, const Surface& surface, const std::string& text, Tests& tests) {
  const double r = shape.bounding_radius();
  if (!std::isfinite(r)) return;
  const auto take = [&](const Vec3& p, double reach) {
    tests.bound.take(std::max(0.0, (p.norm() + reach) / r - 1), text);
  };
  for (const Vec3& p : surface.points) take(p, 0);
  if (const auto* nodes = facet<BoundaryNodes>(shape))
    for (const Vec3& p : nodes->nodes()) take(p, 0);
  if (const auto* spheres = facet<SphereSet>(shape))
    for (std::size_t i = 0; i < spheres->centres().size(); ++i) take(spheres->centres()[i], spheres->radii()[i]);
}

struct Seen {
  double distance;
  Vec3 gradient;
};
Seen seen_by(const SignedDistance& field, const Vec3& p) {
  Seen seen;
  field.distance({&p, 1}, {&seen.distance, 1}, {&seen.gradient, 1});
  return seen;
}

/// Share of the points of the surface at which something does not hold: corners and edges have no gradient.
class Share {
 public:
  void count(bool good) { ++all_, wrong_ += !good; }
  void end(Tested& test, const std::string& text) const {
    if (all_ > 0) test.take(static_cast<double>(wrong_) / static_cast<double>(all_), text);
  }

 private:
  std::size_t all_ = 0, wrong_ = 0;
};

/// Returns points within cells, or on edges of outlines: corners lie on two faces.
std::vector<Vec3> points_between(const Surface& surface, int dimension) {
  std::vector<Vec3> points;
  for (const auto& cell : surface.cells) {
    if (dimension == 3) {
      Vec3 sum = Vec3::Zero();
      for (const std::uint32_t k : cell) sum += surface.points[k];
      points.push_back(sum / static_cast<double>(cell.size()));
    } else {
      for (std::size_t k = 0; k + 1 < cell.size(); ++k)
        points.push_back((0.53 * surface.points[cell[k]] + 0.47 * surface.points[cell[k + 1]]));
    }
  }
  return points;
}

/// Returns the derivative along each axis [-].
Vec3 slope_of(const SignedDistance& field, const Vec3& p, double h, int dimension) {
  Vec3 slope = Vec3::Zero();
  for (int k = 0; k < dimension; ++k) {
    Vec3 way = Vec3::Zero();
    way[k] = h;
    slope[k] = (seen_by(field, p + way).distance - seen_by(field, p - way).distance) / (2 * h);
  }
  return slope;
}

void check_distance(const Shape& shape, bool one_piece, const Surface& surface, const std::string& text, Tests& tests) {
  const auto* field = facet<SignedDistance>(shape);
  if (field == nullptr || surface.points.empty()) return;
  const double r = std::isfinite(shape.bounding_radius()) ? shape.bounding_radius() : surface.points[0].norm();
  const double step = 1e-3 * r;
  if (one_piece)
    for (const Vec3& p : surface.points) tests.on_surface.take(std::abs(seen_by(*field, p).distance) / r, text);
  Share sign, gradient;
  const std::vector<Vec3> points = points_between(surface, shape.dimension());
  for (std::size_t i = 0; i < points.size(); i += std::max<std::size_t>(1, points.size() / 500)) {
    Vec3 p = points[i];  // moved to the boundary, from which chords of a picture deviate
    Seen here = seen_by(*field, p);
    for (int k = 0; k < 4; ++k, here = seen_by(*field, p)) p -= here.distance * here.gradient;
    if (!(std::abs(here.distance) < 1e-6 * r)) continue;
    tests.unit.take(std::abs(here.gradient.norm() - 1), text);
    const double out = seen_by(*field, p + step * here.gradient).distance;
    const double in = seen_by(*field, p - step * here.gradient).distance;
    sign.count(out > 0 && in < 0);
    const Vec3 slope = slope_of(*field, p + 0.1 * step * here.gradient, 1e-6 * r, shape.dimension());
    gradient.count((slope - here.gradient).norm() < 0.05);
  }
  sign.end(tests.sign, text);
  gradient.end(tests.gradient, text);
}

void check_exact(const Shape& shape, const std::string& text, Tests& tests) {
  const auto* field = facet<ExactDistance>(shape);
  if (field == nullptr) return;
  const double r = std::isfinite(shape.bounding_radius()) ? shape.bounding_radius() : 1;
  Draws draws(5);
  for (int i = 0; i < 300; ++i) {
    const Vec3 p = 2 * r * draws.unit() * draws.direction(shape.dimension());
    const Vec3 q = p + r * draws.unit() * draws.direction(shape.dimension());
    const double change = std::abs(seen_by(*field, p).distance - seen_by(*field, q).distance);
    tests.exact.take(std::max(0.0, change / (p - q).norm() - 1), text);
  }
}

void check_facets(const Shape& shape, const Surface& surface, const std::string& text, Tests& tests) {
  if (const auto far = distance_far_away(shape)) tests.outside.take(*far > 0 ? 0 : 1, text);
  if (const auto off = spheres_beside_surface(shape, surface)) tests.spheres.take(*off, text);
  if (const auto beyond = sweep_beyond_reach(shape, surface)) tests.reach.take(*beyond, text);
  if (const double r = shape.bounding_radius(); std::isfinite(r))
    tests.reference.take(shape.reference_point().norm() / r, text);
}

/// Counts the loaded shapes with which some loaded detector finds contacts.
Row meets(const Registry& registry, const std::string& name) {
  std::size_t met = 0, all = 0;
  std::string driven;
  std::vector<DetectorTraits> detectors;
  for (const Json& example : examples(registry, "detector"))
    detectors.push_back(registry.detector(example["type"])(made_of(registry, "detector", example))->traits());
  for (const int dimension : {2, 3}) {
    const std::vector<Figure> others = figures(registry, dimension);
    for (const Figure& own : figures(registry, dimension, name)) {
      driven = own.shape->traits().driven_by;
      for (const Figure& other : others) {
        if (!own.free && !other.free) continue;
        ++all;
        met += std::ranges::any_of(detectors, [&](const DetectorTraits& traits) {
          return (traits.dimension == 0 || traits.dimension == dimension) && fits(traits, *own.shape, *other.shape);
        });
      }
    }
  }
  if (!driven.empty()) return not_applicable("meets other shapes", "integrators with the face " + driven + " move it");
  return judged("meets other shapes", met > 0, fmt::format("a loaded detector takes {} of {} pairs", met, all));
}

/// Checks the facets that the schema lists, which messages and pages use.
Row offers(const Registry& registry, const std::string& name, const std::vector<Figure>& made) {
  const Json schema = schema_of(registry, "shape", name);
  for (const std::string facet : schema.value("x-scree-facets", Json::array())) {
    const bool some = std::ranges::any_of(made, [&](const Figure& f) { return f.shape->facet(facet) != nullptr; });
    if (!some)
      return failed("offers the facets of its schema", facet + " is listed in x-scree-facets, and not offered.");
  }
  if (!schema.contains("x-scree-facets"))
    return failed("offers the facets of its schema", "x-scree-facets is missing: messages suggest shapes by it.");
  return passed("offers the facets of its schema", schema["x-scree-facets"].dump());
}

}  // namespace

Rows check_shape(const Registry& registry, const std::string& name) {
  Tests tests;
  std::vector<Figure> made;
  for (const int dimension : {2, 3})
    for (const Figure& figure : figures(registry, dimension, name)) {
      made.push_back(figure);
      const std::string text = fmt::format("{} in {}D", figure.options.dump(), dimension);
      const Surface surface = figure.shape->surface();
      const bool one_piece = moments_of(surface, dimension).has_value();
      check_mass(*figure.shape, figure.free, surface, text, tests);
      check_bound(*figure.shape, surface, text, tests);
      check_distance(*figure.shape, one_piece, surface, text, tests);
      check_exact(*figure.shape, text, tests);
      check_facets(*figure.shape, surface, text, tests);
    }
  if (made.empty()) return {failed("is made from its examples", "its factory refuses all of them in 2D and 3D.")};
  Rows rows = {passed("is made from its examples", fmt::format("{} shapes", made.size())), offers(registry, name, made),
               meets(registry, name)};
  for (const Tested* test : {&tests.density, &tests.mass, &tests.moments, &tests.centre, &tests.axes, &tests.outward,
                             &tests.bound, &tests.on_surface, &tests.sign, &tests.unit, &tests.gradient, &tests.exact,
                             &tests.outside, &tests.spheres, &tests.reach, &tests.reference})
    rows.push_back(test->row());
  return rows;
}

}  // namespace scree::conformance
