#include <algorithm>
#include <cmath>
#include <numbers>
#include <span>

#include "catch.hpp"
#include "random_cases.hpp"
#include "scree/base/error.hpp"
#include "test_pairs.hpp"
#include "verify.hpp"

namespace scree::star3d {
namespace {

using scree::test::verify;
using test::Draw;
using test::Encounter;
using test::energy;
using test::loads;
using test::Loads;
using test::Place;

TEST_CASE("surface: balls give the contacts of sphere-sphere, whatever their nodes") {
  const double ra = 1, rb = 0.6;
  for (const int nodes : {162, 642, 2562}) {
    const Encounter pair(test::ellipsoid(Vec3::Constant(ra), test::unit_scale(nodes)),
                         test::ellipsoid(Vec3::Constant(rb), test::unit_scale(nodes)));
    Draw draw(1);
    double depth = 0, force = 0, radius = 0, point = 0;
    for (int i = 0; i < 50; ++i) {
      const double d = std::pow(10, draw.between(-5, -1.5));  // 1e-16/1e-5 is rounding
      const Place a{draw.direction(), draw.turn()};
      const Vec3 n = draw.direction();
      const Place b{a.position + (ra + rb - d) * n, draw.turn()};
      const ContactBuffer c = pair.contacts(a, b);
      REQUIRE(c.size() == 2);
      for (std::size_t k = 0; k < 2; ++k) {
        depth = std::max(depth, std::abs(c.overlap()[k] - d));
        radius = std::max(radius, std::abs(c.radius()[k] * (ra + rb) / (ra * rb) - 1));
        point = std::max(point, (c.point_at(k) - a.position - (ra - d / 2) * n).norm());
        CHECK(c.energy_weight()[k] == 0.5);
      }
      force = std::max(force, (loads(c, a, b).force[1] / d - n).norm());
    }
    verify("depth less that of spheres", 0, depth, 1e-12);
    verify("force less that of spheres, relative", 0, force, 1e-10);
    verify("radius of curvature less that of spheres, relative", 0, radius, 1e-10);
    verify("point less that of spheres", 0, point, 1e-10);
  }
}

struct TouchRow {
  Quat turn;
  Vec3 direction;
  double distance;
  Vec3 point, normal;
  double radius;
};

const TouchRow kTouchRows[] = {{Quat(1, 0, 0, 0),
                                Vec3(1, 2, 2) / 3,
                                2.443839239887670,
                                {0.407306536947, 0.814613073893, 0.814613073893},
                                {0.113488462418, 0.403514533041, 0.907907699341},
                                1.207565284178},
                               {Quat(1, 2, 3, 4),
                                Vec3(1, 2, 2) / 3,
                                2.708713815452176,
                                {1.115415160109, 0.964889281604, 0.524575465134},
                                {0.380586322555, 0.585290653687, 0.715953142176},
                                0.818184900073},
                               {Quat(1, 2, 3, 4),
                                Vec3(0, 0, 1),
                                2.544297547406086,
                                {0.217674041564, -0.076271444795, 0.992758272901},
                                {0.054701516924, -0.034074710554, 0.997921168302},
                                0.842524262089}};

TEST_CASE("surface: ellipsoids touch where Perram and Wertheim say") {
  for (const int table : {0, 64}) {
    const auto shape = test::ellipsoid({2, 1.5, 1}, test::unit_scale(642, table));
    const Encounter pair(shape, shape);
    for (const TouchRow& row : kTouchRows) {
      const auto at = [&](double delta) {
        return pair.contacts({}, {(row.distance - delta) * row.direction, row.turn.normalized()}, 0.01);
      };
      const double exact = table == 0 ? 1 : 1000;  // what the table is off by
      const ContactBuffer touch = at(0), deeper = at(1e-3);
      REQUIRE(touch.size() == 2);
      for (std::size_t k = 0; k < 2; ++k) {
        verify("overlap at touch", 0, touch.overlap()[k], 1e-9 * exact);
        verify("point at touch, off by", 0, (touch.point_at(k) - row.point).norm(), 1e-7 * exact);
        verify("normal at touch, off by", 0, (touch.normal_at(k) - row.normal).norm(), 1e-7 * exact);
        verify("overlap over delta, of 1e-3", 1, deeper.overlap()[k] / (1e-3 * row.direction.dot(row.normal)), 1e-3);
        verify("equivalent radius", row.radius, deeper.radius()[k], 1e-3);
      }
    }
  }
  const auto shape = test::ellipsoid({2, 1.5, 1}, test::unit_scale(642, 0));
  const Encounter pair(shape, shape);
  const TouchRow& row = kTouchRows[1];
  const double depths[3][3] = {
      {1e-2, 9.95505e-3, 9.95460e-3}, {1e-3, 9.94472e-4, 9.94467e-4}, {1e-4, 9.943693e-5, 9.943689e-5}};
  for (const auto& [delta, one, other] : depths) {
    const ContactBuffer c = pair.contacts({}, {(row.distance - delta) * row.direction, row.turn.normalized()});
    REQUIRE(c.size() == 2);
    verify("larger depth", one, std::max(c.overlap()[0], c.overlap()[1]), 1e-6);
    verify("smaller depth", other, std::min(c.overlap()[0], c.overlap()[1]), 1e-6);
  }
}

/// Largest error of the force against differences of the energy, over the force, in random poses that touch.
struct GradientErrors {
  double worst = 0;
  int poses = 0, refused = 0;
};
GradientErrors gradient_errors(const Encounter& pair, int poses, unsigned seed, double deepest) {
  Draw draw(seed);
  GradientErrors errors;
  const double reach = pair.shape[0]->bounding_radius() + pair.shape[1]->bounding_radius();
  while (errors.poses < poses) {
    const Place a{Vec3::Zero(), draw.turn(), 1};
    const Vec3 u = draw.direction();
    Place b{reach * draw.between(0.4, 1) * u, draw.turn(), 1};
    try {
      ContactBuffer c = pair.contacts(a, b);
      for (int k = 0; k < 60 && c.size() > 0; ++k) {  // apart until they are less deep than wanted
        if (*std::max_element(c.overlap(), c.overlap() + c.size()) < deepest) break;
        b.position += 0.3 * deepest * u;
        c = pair.contacts(a, b);
      }
      if (c.size() == 0 || *std::max_element(c.overlap(), c.overlap() + c.size()) >= deepest) continue;
      const Vec3 shift = draw.direction(), turn = draw.direction();
      const Loads f = loads(c, a, b);
      const double along = f.force[1].dot(shift) + f.torque[1].dot(turn);
      const auto energy_at = [&](double h) {
        const Place moved{b.position + h * shift, (Quat(Eigen::AngleAxisd(h, turn)) * b.orientation).normalized(), 1};
        return energy(pair.contacts(a, moved));
      };
      double error = 1e9;
      for (const double h : {1e-5, 1e-6, 1e-7})
        error = std::min(error, std::abs((energy_at(-h) - energy_at(h)) / (2 * h) - along));
      errors.worst = std::max(errors.worst, error / std::max(f.force[1].norm(), 1e-3));
      ++errors.poses;
    } catch (const NumericalError&) {
      ++errors.refused;
    }
  }
  return errors;
}

TEST_CASE("surface: forces are the gradient of the energy in random poses") {
  const auto settings = test::unit_scale();
  const auto box = std::make_shared<SuperquadricShape>(Superquadric{{1.2, 1, 0.8}, 0.6, 0.7}, settings);
  const auto oval = test::ellipsoid({1.5, 1.1, 0.8}), small = test::ellipsoid({0.6, 0.5, 0.4});
  const int poses = scree::test::random_cases(300);
  const std::pair<std::shared_ptr<const Shape>, std::shared_ptr<const Shape>> pairs[] = {{oval, oval},
                                                                                         {oval, small},
                                                                                         {box, oval},
                                                                                         {box, box},
                                                                                         {test::bumpy(), test::bumpy()},
                                                                                         {test::bumpy(), box},
                                                                                         {test::jack(), test::jack()},
                                                                                         {test::jack(), test::bumpy()}};
  for (unsigned k = 0; k < std::size(pairs); ++k) {
    const Encounter pair(pairs[k].first, pairs[k].second);
    const GradientErrors e = gradient_errors(pair, poses, k + 1, 0.05);
    INFO("pair " << k << ", refused " << e.refused);
    verify("force less gradient of the energy, over the force", 0, e.worst, 1e-6);
  }
}

/// Difference of the work along a path and the change of the energy, over the greatest energy; and a count of saddles
/// at which regions hung together on the way.
struct PathErrors {
  double mean = 0, worst = 0;
  int merged = 0;
};

/// Two like bodies of mean radius 1 that pass each other, turning, as near as overlaps of about 0.15 allow.
PathErrors path_errors(const std::shared_ptr<const Shape>& shape, int paths) {
  constexpr int kSteps = 300;
  const Encounter pair(shape, shape);
  Draw draw(7);
  PathErrors errors;
  for (int i = 0; i < paths; ++i) {
    const Place a{Vec3::Zero(), draw.turn(), 1};
    const Vec3 u = draw.direction(), way = u.cross(draw.direction()).normalized(), axis = draw.direction();
    const Quat turn = draw.turn();
    double distance = 2 * shape->bounding_radius();
    const auto at = [&](double s) {  // s from -1 to 1
      return Place{distance * u + s * way, (Quat(Eigen::AngleAxisd(0.6 * s, axis)) * turn).normalized(), 1};
    };
    const auto deepest = [&] {
      double depth = 0;
      for (double s = -1; s <= 1; s += 0.05) {
        const ContactBuffer c = pair.contacts(a, at(s));
        for (std::size_t j = 0; j < c.size(); ++j) depth = std::max(depth, c.overlap()[j]);
      }
      return depth;
    };
    while (deepest() < 0.15) distance -= 0.02;
    double work = 0, last = 0, greatest = 1e-6, first = 0, before = 0;
    for (int k = 0; k <= kSteps; ++k) {
      const double s = 2.0 * k / kSteps - 1;
      const Place b = at(s);
      const ContactBuffer c = pair.contacts(a, b);
      const Loads f = loads(c, a, b);
      const double along = f.force[1].dot(way) + 0.6 * f.torque[1].dot(axis), now = energy(c);
      if (k == 0) first = now;
      if (k > 0) work += (along + last) / kSteps;
      last = along;
      greatest = std::max(greatest, now);
      for (std::size_t j = 0; j < c.size(); ++j) errors.merged += c.energy_weight()[j] < 0 && c.overlap()[j] > 0;
      before = now;
    }
    const double error = std::abs(before - first + work) / greatest;
    errors.mean += error / paths;
    errors.worst = std::max(errors.worst, error);
  }
  return errors;
}

TEST_CASE("surface: the work along a path is the change of the energy, where tops merge and part too") {
  for (const auto& shape : {test::jack(), test::bumpy()}) {
    const PathErrors errors = path_errors(shape, std::max(20, scree::test::random_cases(20)));  // some of them merge
    INFO("merged " << errors.merged);
    CHECK(errors.merged > 0);
    verify("change of the energy and work, over the greatest energy: mean", 0, errors.mean, 2e-4);
    verify("largest", 0, errors.worst, 1e-3);
  }
}

TEST_CASE("surface: swapping the bodies mirrors forces and energies") {
  const auto bumpy = test::bumpy(), jack = test::jack();
  const Encounter pair(bumpy, jack), swapped(jack, bumpy);
  Draw draw(4);
  double worst = 0;
  int touching = 0;
  for (int i = 0; i < 300; ++i) {
    const Place a{Vec3::Zero(), draw.turn(), 1}, b{draw.between(1.6, 2.4) * draw.direction(), draw.turn(), 0.8};
    try {
      const ContactBuffer c = pair.contacts(a, b), d = swapped.contacts(b, a);
      touching += c.size() > 0;
      worst =
          std::max({worst, std::abs(energy(c) - energy(d)), (loads(c, a, b).force[0] - loads(d, b, a).force[1]).norm(),
                    (loads(c, a, b).torque[0] - loads(d, b, a).torque[1]).norm()});
    } catch (const NumericalError&) {
    }
  }
  CHECK(touching > 50);
  verify("force less that of the mirrored pair", 0, worst, 1e-11);
}

TEST_CASE("surface: gaps up to the margin are told") {
  const auto oval = test::ellipsoid({2, 1.5, 1});
  const Encounter pair(oval, oval);
  const Place b{{0, 0, 2.02}, Quat::Identity()};
  CHECK(pair.contacts({}, b, 0.015).size() == 0);
  const ContactBuffer c = pair.contacts({}, b, 0.03);
  REQUIRE(c.size() == 2);
  CHECK(c.overlap()[0] == Approx(-0.02).epsilon(1e-4));
}

TEST_CASE("surface: bodies that have run into each other stop the run and are named") {
  const auto oval = test::ellipsoid({2, 1.5, 1});
  const Encounter pair(oval, oval);
  CHECK_THROWS_WITH(pair.contacts({}, {{0, 0, 1}, Quat::Identity()}),
                    Catch::Matchers::ContainsSubstring("bodies 0 and 1 overlap by"));
}

/// Two free bodies under a law with the energy k overlap^2/2, moved by velocity Verlet.
class Hit {
 public:
  Hit(const Encounter& pair, std::span<const MassProperties, 2> mass, double stiffness)
      : pair_(pair), mass_{mass[0], mass[1]}, stiffness_(stiffness) {}

  Place place[2];
  Vec3 velocity[2] = {Vec3::Zero(), Vec3::Zero()}, momentum[2] = {Vec3::Zero(), Vec3::Zero()};  ///< angular, world axes

  double total_energy() const {
    double sum = stiffness_ * energy(pair_.contacts(place[0], place[1]));
    for (int k = 0; k < 2; ++k)
      sum += mass_[k].mass * velocity[k].squaredNorm() / 2 + momentum[k].dot(spin(k, place[k].orientation)) / 2;
    return sum;
  }
  Vec3 linear() const { return mass_[0].mass * velocity[0] + mass_[1].mass * velocity[1]; }
  Vec3 angular() const {
    Vec3 sum = momentum[0] + momentum[1];
    for (int k = 0; k < 2; ++k) sum += mass_[k].mass * place[k].position.cross(velocity[k]);
    return sum;
  }
  bool step(double dt) {
    kick(dt / 2);
    for (int k = 0; k < 2; ++k) {
      place[k].position += dt * velocity[k];
      // Spin at half the step by a fixed point: the midpoint rule keeps the order.
      Quat half = place[k].orientation;
      for (int i = 0; i < 3; ++i) half = turned(place[k].orientation, dt / 2 * spin(k, half));
      place[k].orientation = turned(place[k].orientation, dt * spin(k, half));
    }
    return kick(dt / 2);
  }

 private:
  static Quat turned(const Quat& q, const Vec3& by) {
    const double angle = by.norm();
    return angle > 0 ? Quat((Quat(Eigen::AngleAxisd(angle, by / angle)) * q).normalized()) : q;
  }
  Vec3 spin(int k, const Quat& q) const { return q * (q.conjugate() * momentum[k]).cwiseQuotient(mass_[k].inertia); }
  bool kick(double dt) {
    const ContactBuffer c = pair_.contacts(place[0], place[1]);
    const Loads f = loads(c, place[0], place[1]);
    for (int k = 0; k < 2; ++k) {
      velocity[k] += dt * stiffness_ / mass_[k].mass * f.force[k];
      momentum[k] += dt * stiffness_ * f.torque[k];
    }
    return c.size() > 0;
  }

  const Encounter& pair_;
  MassProperties mass_[2];
  double stiffness_;
};

/// Mean and largest change of the energy in hits of two like bodies of mean radius 1 mm and 2500 kg/m^3 at 0.5 m/s,
/// relative to the kinetic energy; and of the momenta.
struct HitErrors {
  double mean = 0, most = 0, momentum = 0, angular = 0;
};
HitErrors hit_errors(const std::shared_ptr<const Star3D>& shape, double stiffness, double dt, int hits) {
  const Encounter pair(shape, shape);
  const MassProperties mass[2] = {shape->mass(2500), shape->mass(2500)};
  Draw draw(11);
  HitErrors errors;
  for (int i = 0; i < hits; ++i) {
    Hit hit(pair, mass, stiffness);
    const Vec3 u = draw.direction(), aside = 0.5e-3 * draw.direction().cross(u);
    for (int k = 0; k < 2; ++k) hit.place[k].orientation = draw.turn();
    hit.place[1].position = 2.02 * shape->bounding_radius() * u + aside;
    hit.velocity[0] = 0.25 * u;
    hit.velocity[1] = -0.25 * u;
    while (pair.contacts(hit.place[0], hit.place[1]).size() == 0 && hit.place[1].position.norm() > 1e-3)
      hit.place[1].position -= 2e-6 * u;  // to where they nearly touch
    hit.place[1].position += 4e-6 * u;
    const double before = hit.total_energy();
    const Vec3 linear = hit.linear(), angular = hit.angular();
    bool touched = false;
    for (int n = 0, since = 0; n < 40000 && since < 20; ++n) {
      const bool touching = hit.step(dt);
      touched = touched || touching;
      since = touched && !touching ? since + 1 : 0;
    }
    const double error = std::abs(hit.total_energy() / before - 1);
    errors.mean += error / hits;
    errors.most = std::max(errors.most, error);
    errors.momentum = std::max(errors.momentum, (hit.linear() - linear).norm() / (mass[0].mass * 0.25));
    errors.angular = std::max(errors.angular, (hit.angular() - angular).norm() / (mass[0].mass * 0.25 * 1e-3));
  }
  return errors;
}

TEST_CASE("surface: hits keep energy to second order in the step, and momenta to rounding", "[long]") {
  const int hits = scree::test::random_cases(20);
  const auto scaled = [](const std::vector<Harmonic>& terms) {
    return std::make_shared<Star3D>(terms, RadialSettings3D{.scale = 1e-3});
  };
  const std::pair<std::shared_ptr<const Star3D>, double> bodies[] = {
      {scaled(test::cubic_terms(0.5, std::sqrt(27.0) / 4)), 1e4},
      {scaled(test::cubic_terms(1.6, 0)), 2e3},
      {scaled(test::cubic_terms(1.6, 0)), 5e2}};
  for (const auto& [shape, stiffness] : bodies) {
    const HitErrors coarse = hit_errors(shape, stiffness, 1e-6, hits),
                    fine = hit_errors(shape, stiffness, 2.5e-7, hits);
    verify("1e-6 s: mean change of the energy", 0, coarse.mean, 4e-4);
    verify("1e-6 s: largest change of the energy", 0, coarse.most, 2e-3);
    verify("2.5e-7 s: mean change of the energy", 0, fine.mean, 3e-5);
    verify("2.5e-7 s: largest change of the energy", 0, fine.most, 1.5e-4);
    CHECK(fine.mean < coarse.mean / 10);  // 16 in the limit
    verify("change of the momentum", 0, fine.momentum, 1e-12);
    verify("change of the angular momentum", 0, fine.angular, 1e-9);
  }
}

}  // namespace
}  // namespace scree::star3d
