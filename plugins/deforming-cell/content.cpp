#include "content.hpp"

#include <cmath>

#include "motion.hpp"
#include "scree/base/exact_sum.hpp"
#include "scree/hooks/body_volume.hpp"
#include "scree/hooks/contact_branch.hpp"

namespace scree::deforming_cell {

namespace {

/// Reduced mass of two bodies [kg]; one that does not move freely is infinitely heavy.
double reduced_mass(const World& world, std::size_t a, std::size_t b) {
  const double inverse = world.inverse_mass[a] + world.inverse_mass[b];
  return inverse > 0 ? 1 / inverse : 0;
}

}  // namespace

Content content_of(const World& world, const ContactView& contacts, const Mat3& gradient) {
  Content all;
  for (const ContactRecord& c : contacts) {  // in the order of ids
    const auto a = world.row(c.a), b = world.row(c.b);
    if (!a || !b || c.force.isZero(0)) continue;
    const Vec3 branch = branch_of(world, c, *a, *b).way;
    all.virial += c.force * branch.transpose();
    const double normal = c.force.dot(c.normal);
    if (!(c.overlap > 0) || !(normal > 0)) continue;
    const double k = 1.5 * normal / c.overlap, l2 = branch.squaredNorm();
    all.stiffness += k * l2;
    all.damping += 2 * std::sqrt(k * reduced_mass(world, *a, *b)) * l2;
  }
  const double d = world.dimension();
  all.stiffness /= d * d;
  all.damping /= d * d;

  const Vec3 centre = centre_of(world.cell);
  ExactSum kinetic[6];  // the order of rows is not that of ids
  for_each_free_body(world, [&](const BodyState& body) {
    const Vec3 v = body.rigid.twist.velocity - gradient * (body.rigid.frame.position - centre);
    for (int k = 0; k < 3; ++k) {
      kinetic[k].add(body.rigid.mass * v[k] * v[k]);
      kinetic[3 + k].add(body.rigid.mass * v[k] * v[(k + 1) % 3]);
    }
  });
  for (int k = 0; k < 3; ++k) {
    all.virial(k, k) += kinetic[k].value();
    const int next = (k + 1) % 3;
    all.virial(k, next) += kinetic[3 + k].value();
    all.virial(next, k) += kinetic[3 + k].value();
  }
  return all;
}

Grains grains_of(const World& world) {
  ExactSum diameters, mass, volume;
  std::size_t count = 0;
  for_each_free_body(world, [&](const BodyState& body) {
    diameters.add(2 * body.scale * world.shapes()[body.shape].shape->bounding_radius());
    mass.add(body.rigid.mass);
    volume.add(volume_of(world, body));
    ++count;
  });
  if (count == 0 || volume.value() <= 0) return {};
  return {diameters.value() / static_cast<double>(count), mass.value() / volume.value(), volume.value()};
}

}  // namespace scree::deforming_cell
