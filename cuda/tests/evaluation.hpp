#pragma once
/// \file One evaluation of forces by a plan that a test has put together, with methods of its own.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <vector>

#include "engine/contact_forces.hpp"
#include "engine/pair_lists.hpp"

namespace scree::device {

/// The law of a third party: a spring and a dashpot along the normal. Where z has columns, it puts nonsense there.
struct PlanarPush {
  struct Parameters {
    double stiffness, damping;
  };
  Parameters p;
  ContactColumns c;
  ForceColumns out;

  template <class Index>
  SCREE_HD void operator()(const Index& i) const {
    const double speed = c.normal[0][i] * c.velocity[0][i] + c.normal[1][i] * c.velocity[1][i];
    const double force = c.overlap[i] > 0 ? p.stiffness * c.overlap[i] - p.damping * speed : 0;
    for (int k = 0; k < 2; ++k) out.force[k][i] = force * c.normal[k][i];
    if constexpr (!Index::kFlat) out.force[2][i] = std::numeric_limits<double>::quiet_NaN();
  }
  static int stage(const Execution& e, const void* parameters, const void* arguments) {
    const auto& a = *static_cast<const LawArguments*>(arguments);
    int error = 0;
    DeviceLoop{e, a.segment, a.flat, error}(a.contacts,
                                            PlanarPush{*static_cast<const Parameters*>(parameters), a.contacts, a.out});
    return error;
  }
};

/// Bodies of unit mass, one site each, in the plane unless DevicePlan::planar is taken back.
struct PlanarBodies {
  std::vector<Vector3d> x, v, w;  ///< w: or none
  std::vector<double> radius;

  /// All of one species, or of two by turns.
  void define(DevicePlan& plan, std::uint32_t species) const {
    const auto count = static_cast<std::uint32_t>(x.size());
    for (std::uint32_t i = 0; i < count; ++i) {
      plan.first_site.push_back(i);
      plan.row_of_rank.push_back(i);
      plan.sites.push_back({i, i % species, radius[i], {0, 0, 0}});
      plan.largest_radius = std::max(plan.largest_radius, radius[i]);
    }
    plan.first_site.push_back(count);
    plan.species = species;
    plan.shape_of_species.assign(species, 0);
    plan.planar = true;
  }

  /// The second of two evaluations [N]: what the first remembers is there. \param lists_made  by a skin of 0.1 m
  std::vector<Vector3d> forces(const DevicePlan& plan, Order order = Order::forward) const {
    const auto device = make_host_device({.order = order, .seed = 1}, {});
    const Environment environment;
    PairLists lists(*device, plan, {}, 0.1);
    ContactForces contacts(*device, plan, environment, lists);
    const std::size_t count = x.size();
    const std::vector<Vector3d> none(count, {0, 0, 0}), ones(count, {1, 1, 1});
    const Buffer<Vector3d> at(*device, x), speed(*device, v), spin(*device, w.empty() ? none : w),
        moments(*device, ones);
    Buffer<Vector3d> force(*device, none), torque(*device, none);
    const Buffer<Quaterniond> turn(*device, std::vector<Quaterniond>(count, {0, 0, 0, 1}));
    const Buffer<double> mass(*device, std::vector<double>(count, 1)), reach(*device, radius);
    const Buffer<std::uint32_t> first(*device, plan.first_site);
    Bodies bodies{};
    bodies.count = static_cast<std::uint32_t>(count);
    bodies.x = at.data(), bodies.v = speed.data(), bodies.w = spin.data(), bodies.q = turn.data();
    bodies.mass = bodies.inverse_mass = mass.data(), bodies.radius = reach.data();
    bodies.moments = bodies.inverse_moments = moments.data(), bodies.first_site = first.data();
    bodies.force = force.data(), bodies.torque = torque.data();
    lists.rebuild({at.data(), turn.data(), mass.data()}, {});
    for (int i = 0; i < 2; ++i) contacts.evaluate(bodies, 0, 1e-3, 0);
    if (contacts.read_batch().now.trouble != kNoTrouble) throw std::runtime_error("a pair in trouble");
    return force.download();
  }
};

}  // namespace scree::device
