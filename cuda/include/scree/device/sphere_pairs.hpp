#pragma once
/// \file Pairs of spheres. Their contacts are so simple that laws can be worked out where they are found, in the same
/// kernel: what a law asks of a contact then takes no memory.

#include <cstddef>
#include <type_traits>

#include "scree/detect/sphere_contact.hpp"
#include "scree/device/law.hpp"
#include "scree/device/pairs.hpp"

namespace scree::device {

SCREE_HD inline Contact contact_of(const SphereContact<double>& c, double arm_a, double arm_b) {
  return {c.overlap, {c.nx, c.ny, c.nz}, {c.px, c.py, c.pz}, c.effective_radius, arm_a, arm_b};
}

/// Geometry of Pairs.
struct TwoSpheres {
  SCREE_HD bool find(const PairOfSites& p, double margin, Contact& contact) const {
    if (!(dot(p.d, p.d) < squared_reach(p.radius_a, p.radius_b, margin))) return false;
    const SphereContact<double> c = sphere_sphere(p.x.x, p.x.y, p.x.z, p.radius_a, p.d.x, p.d.y, p.d.z, p.radius_b);
    contact = contact_of(c, lever_arm(p.radius_a, c.overlap), lever_arm(p.radius_b, c.overlap));
    return true;
  }
};

/// Arguments of the stage DeviceLaw::of_spheres.
struct SphereLawArguments {
  PairArguments pairs;
  LawArguments law;
};

/// A contact that has just been found: its numbers, and where it stands in the columns of history and forces. There are
/// no columns to read them from. A body for both kinds of index asks `requires { i.velocity; }`.
template <bool flat>
struct ContactAtHand : ContactIndex<flat> {
  double overlap, mass, radius;
  Vector3d normal, velocity, turn, spin;
};

/// Pairs of spheres, and what a law answers. \tparam Law  the body of its loop
template <class Law, bool flat>
struct AnsweredSpheres : Pairs<TwoSpheres> {
  using Space = std::conditional_t<flat, InPlane, InSpace>;
  Law law;

  SCREE_HD double answer(const NarrowArguments& n, const Found& found, std::uint32_t place, std::uint32_t slot,
                         bool known) const {
    const Contact& c = found.contact;
    if (!known) forget(n, slot);
    const auto m = motion_of_pair<Space>(n, c, found.site_a, found.b_and_image, shift);
    law(ContactAtHand<flat>{{place, std::size_t{slot} * n.slots.stride},
                            c.overlap,
                            m.mass,
                            m.radius,
                            spatial(Space::within(c.normal)),
                            spatial(m.velocity),
                            spatial(m.turn),
                            spatial(m.spin)});
    store(n, place, c);
    m.store_scalars(n, place);
    return c.overlap;
  }
};

/// The loop of a law's stage of_spheres: as DeviceLoop, where body(ContactAtHand<flat>) is called.
struct SphereLoop {
  const Execution& execution;
  const SphereLawArguments& arguments;
  int& error;
  template <class Body>
  void operator()(const ContactColumns&, const Body& body) const {
    const PairArguments& a = arguments.pairs;
    if (error != 0) return;
    error = by_flatness<Body>(arguments.law.flat, [&](auto flat) {
      const NarrowPhase<AnsweredSpheres<Body, flat.value>> pairs{{a.narrow}, {{a.a, a.b, a.first, a.shift, {}}, body}};
      return for_tiles(execution, pairs);
    });
  }
};

}  // namespace scree::device
