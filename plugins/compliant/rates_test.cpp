// What laws say of their stiffness for the longest step, against the forces they give.

#include <numbers>

#include "batch_test.hpp"
#include "catch.hpp"
#include "elastic_law.hpp"
#include "hertz_mindlin_law.hpp"
#include "restitution.hpp"

namespace scree::compliant {

namespace {

/// dF/dd and -dF/du_n of a law at this overlap, by differences.
ContactRates measured(const ForceFace& law, double mass, double radius, double overlap) {
  const auto force = [&](double d, double speed) {
    test::Batch batch(1, law.history_size());
    batch.mass[0] = mass, batch.radius[0] = radius, batch.overlap[0] = d, batch.dt = 1e-12;
    batch.set(batch.velocity, 0, {speed, 0, 0});
    batch.evaluate(law);
    return batch.force[0][0];
  };
  const double h = 1e-4 * overlap, v = 1e-3;
  return {.stiffness = (force(overlap + h, 0) - force(overlap - h, 0)) / (2 * h),
          .damping = (force(overlap, -v) - force(overlap, v)) / (2 * v)};
}

}  // namespace

TEST_CASE("a law's rates are the slopes of its force where a typical impact turns back") {
  const double mass = 2e-3, radius = 3e-3;
  HertzMindlinParameters p{{1e7, 4e6}, 0.3, 0.5, 1.0, 0.7};
  const HertzMindlinLaw hertz(p, 3);
  const double depth = hertz_depth(1e7, mass, radius, 0.7);
  const ContactRates r = hertz.rates(mass, radius), m = measured(hertz, mass, radius, depth);
  CHECK(r.stiffness == Approx(m.stiffness).epsilon(1e-6));
  CHECK(r.damping == Approx(m.damping).epsilon(1e-6));
  CHECK(r.tangential_stiffness == Approx(4 * 0.4 * r.stiffness));
  CHECK(r.tangential_damping == Approx(std::sqrt(1.6) * r.damping));
  // The depth holds the impact's energy, and the contact takes 4.03 sqrt(m/k).
  CHECK(hertz_energy(1e7, radius, depth) == Approx(mass * 0.7 * 0.7 / 2).epsilon(1e-12));
  CHECK(hertz.contact_duration(mass, radius) * std::sqrt(r.stiffness / mass) == Approx(4.03).margin(0.005));

  LinearSpring spring{1e4, 0, clipped_damping_ratio(0.5)};
  const LinearLaw linear(spring, {TangentialParameters::Model::spring, 4e3, 0.2, 0.5}, 3);
  const ContactRates l = linear.rates(mass, radius), n = measured(linear, mass, radius, 1e-5);
  CHECK(l.stiffness == Approx(n.stiffness).epsilon(1e-9));
  CHECK(l.damping == Approx(n.damping).epsilon(1e-9));
  CHECK(l.tangential_stiffness == 4e3);
  CHECK(l.tangential_damping == 0.2);

  const PowerLaw power({1e6, 2.5, 0.3, 0.7}, {}, 2);
  const ContactRates q = power.rates(mass, radius), o = measured(power, mass, radius, power_depth(1e6, 2.5, mass, 0.7));
  CHECK(q.stiffness == Approx(o.stiffness).epsilon(1e-6));
  CHECK(q.damping == Approx(o.damping).epsilon(1e-6));
}

TEST_CASE("how contacts of a pair compare is told by their forces") {
  const HertzMindlinLaw hertz({{1e7, 4e6}, 0.3}, 3);
  const double overlap[] = {1e-5, 3e-5, -1e-5}, radius[] = {1e-3, 2e-3, 1e-3};
  ContactColumns c;
  c.size = 3, c.overlap = overlap, c.radius = radius;
  double force[3], stiffness[3];
  hertz.elastic(c, force, stiffness);
  CHECK(force[2] == 0);
  const ContactRates first = measured(hertz, 1, 1e-3, 1e-5), second = measured(hertz, 1, 2e-3, 3e-5);
  CHECK(stiffness[1] / stiffness[0] == Approx(second.stiffness / first.stiffness).epsilon(1e-6));
  CHECK(force[1] / stiffness[1] == Approx(3e-5 / 1.5).epsilon(1e-12));
  const LinearLaw linear(LinearSpring{1e4}, {}, 3);
  linear.elastic(c, force, stiffness);
  CHECK((force[0] == 1e-5 && force[2] == 0 && stiffness[1] == 1));
}

}  // namespace scree::compliant
