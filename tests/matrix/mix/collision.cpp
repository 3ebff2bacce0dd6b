#include "mix/collision.hpp"

#include <algorithm>
#include <cmath>

#include "mechanics_of.hpp"
#include "scree/shape/facets.hpp"

namespace scree::test::matrix {

namespace {

/// Distance of a place to the surface of b and the direction out of it; b stands at the origin, unturned.
std::pair<double, Vec3> surface_distance(const Shape& b, const Vec3& at) {
  const auto* exact = facet<ExactDistance>(b);
  const SignedDistance* field = exact ? exact : facet<SignedDistance>(b);
  if (!field) {
    const double r = at.norm();
    return {r - b.bounding_radius(), r > 0 ? Vec3(at / r) : Vec3::UnitX()};
  }
  double distance;
  Vec3 gradient;
  field->distance({&at, 1}, {&distance, 1}, {&gradient, 1});
  return {distance, gradient};
}

/// A place at which a body of this radius just does not touch b, and the way out from b there.
std::pair<Vec3, Vec3> place_beside(const Shape& b, double radius, int dimension) {
  // Rays from near the origin, a little askew, so that collisions are oblique and nothing lies on a symmetry.
  for (const double slope : {0.11, 0.53})
    for (int axis = 0; axis < dimension; ++axis)
      for (const double sign : {1.0, -1.0}) {
        Vec3 ray = Vec3::Constant(slope);
        if (dimension == 2) ray.z() = 0;
        ray[axis] = sign;
        ray.normalize();
        double previous = surface_distance(b, Vec3::Zero()).first;
        for (double s = 0; s < 1; s += radius / 50) {
          const auto [distance, out] = surface_distance(b, s * ray);
          const double target = 1.02 * radius;
          if ((previous - target) * (distance - target) <= 0 && s > 0 && out.allFinite()) return {s * ray, out};
          previous = distance;
        }
      }
  throw Error("found no place beside the shape");
}

/// In place of the duration of a contact [s], where a law gives impulses: any will do.
constexpr double kRigid = 0.1;

}  // namespace

Outcome collide(const Mix& mix) {
  Made made(mix);
  // The time step follows from the law, which is only made with a scene.
  double duration = 1e300, smallest = 1e300;
  {
    const World& world = *made.prepared.world;
    const double m0 = world.mass.read()[0], m1 = world.mass.read()[1];
    const double mass = mix.b_fixed ? m0 : 1 / (1 / m0 + 1 / m1);
    for (const double r : world.radius.read()) smallest = std::min(smallest, r);
    for (const Interaction& i : made.prepared.methods.interactions)
      duration = std::min(duration, i.force ? i.force->contact_duration(mass, smallest / 2) : kRigid);
  }
  const double dt = duration / 100, speed = 0.02 * smallest / duration;
  World& world = *made.prepared.world;
  const std::size_t a = *world.row(0), b = *world.row(1);
  const Shape& shape_b = *world.shapes()[world.shape.read()[b]].shape;
  world.position.write()[b] = Vec3::Zero();
  const double radius_a = world.radius.read()[a];
  const auto [place, out] = std::isfinite(world.radius.read()[b]) && !mix.b_fixed
                                ? std::pair(Vec3((radius_a + world.radius.read()[b]) * 1.01 * Vec3(0.98, 0.199, 0)),
                                            Vec3(Vec3(0.98, 0.199, 0)))
                                : place_beside(shape_b, radius_a, mix.dimension);
  world.position.write()[a] = place;
  world.velocity.write()[a] = -speed * out;

  mechanics_of(made.prepared).refresh();
  mechanics_of(made.prepared).pipeline().compute_energy(true);
  const Totals before = totals(world, Vec3::Zero());
  const Vec3 first[2] = {world.velocity.read()[a], world.velocity.read()[b]};
  Outcome o;
  std::size_t apart = 0;
  for (int s = 0; s < 60000 && apart < 20; ++s) {
    made.prepared.methods.integrator->step(mechanics_of(made.prepared), dt);
    world.time = dt * static_cast<double>(++world.step);
    const ContactTotals& counts = mechanics_of(made.prepared).pipeline().counts();
    if (!o.touched && counts.contacts > 0)
      o.touch = (world.position.read()[*world.row(0)] - world.position.read()[*world.row(1)]).norm();
    o.touched = o.touched || counts.contacts > 0;
    apart = o.touched && counts.contacts == 0 ? apart + 1 : 0;
    o.overlap_ratio = std::max(o.overlap_ratio, counts.max_overlap / smallest);
  }
  o.parted = apart > 0;
  const Totals after = totals(world, Vec3::Zero());
  const double scale = world.mass.read()[*world.row(0)] * speed;
  o.momentum_error = mix.b_fixed ? 0 : (after.momentum - before.momentum).norm() / scale;
  o.attracts = std::ranges::any_of(made.prepared.methods.interactions,
                                   [](const Interaction& i) { return i.law && i.law->range() > 0; });
  o.has_potential = made.prepared.methods.detectors[0]->traits().gradient_consistent;
  o.energy_ratio =
      (after.kinetic() + mechanics_of(made.prepared).pipeline().counts().elastic_energy) / before.kinetic();
  for (const Id id : {0, 1})
    o.speed_change = std::max(o.speed_change, (world.velocity.read()[*world.row(id)] - first[id]).norm() / speed);
  o.hash = state_hash(world);
  return o;
}

}  // namespace scree::test::matrix
