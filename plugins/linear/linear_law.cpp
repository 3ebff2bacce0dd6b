#include "linear_law.hpp"

namespace scree::linear {

namespace {

/// Columns of three components.
struct In {
  const double *x, *y, *z;
  explicit In(const double* const* columns) : x(columns[0]), y(columns[1]), z(columns[2]) {}
  Triple<double> operator[](std::size_t i) const { return {x[i], y[i], z[i]}; }
};

struct Out {
  double *x, *y, *z;
  explicit Out(double* const* columns) : x(columns[0]), y(columns[1]), z(columns[2]) {}
  Triple<double> operator[](std::size_t i) const { return {x[i], y[i], z[i]}; }
  void store(std::size_t i, Triple<double> v) const {
    x[i] = v.x;
    y[i] = v.y;
    z[i] = v.z;
  }
};

/// Calls contact(i) for all contacts, several at a time. The body must be a function: GCC 12 keeps class-type locals of
/// a simd loop's own body in memory, and then does not vectorise it.
template <class Contact>
void for_all(std::size_t size, const Contact& contact) {
#pragma omp simd
  for (std::size_t i = 0; i < size; ++i) contact(i);
}

void frictionless(Parameters<double> p, const ContactColumns& c, Out force) {
  const In normal(c.normal), velocity(c.velocity);
  for_all(c.size, [=, overlap = c.overlap](std::size_t i) {
    const Triple<double> n = normal[i];
    force.store(i, normal_force(p, overlap[i], dot(n, velocity[i])) * n);
  });
}

void with_viscous_friction(Parameters<double> p, const ContactColumns& c, Out force) {
  const In normal(c.normal), velocity(c.velocity);
  for_all(c.size, [=, overlap = c.overlap, dt = c.dt](std::size_t i) {
    const Triple<double> n = normal[i], u = velocity[i];
    const double f = normal_force(p, overlap[i], dot(n, u));
    force.store(i, f * n + viscous_friction(p, f, tangential(u, n), dt));
  });
}

void with_spring_friction(Parameters<double> p, const ContactColumns& c, Out spring, Out force) {
  const In normal(c.normal), velocity(c.velocity);
  for_all(c.size, [=, overlap = c.overlap, dt = c.dt](std::size_t i) {
    const Triple<double> n = normal[i], u = velocity[i];
    const double f = normal_force(p, overlap[i], dot(n, u));
    const SpringFriction<double> t = spring_friction(p, f, tangential(u, n), turned_into_plane(spring[i], n), dt);
    force.store(i, f * n + t.force);
    spring.store(i, t.spring);
  });
}

}  // namespace

LinearLaw::LinearLaw(const Parameters<double>& parameters, Friction friction)
    : parameters_(parameters), friction_(friction) {}

const void* LinearLaw::face(std::string_view name) const noexcept {
  return name == ForceFace::kName ? static_cast<const ForceFace*>(this) : nullptr;
}

int LinearLaw::history_size() const noexcept { return friction_ == Friction::spring ? 3 : 0; }

void LinearLaw::force(const ContactColumns& contacts, double* const* history, ForceColumns out) const {
  switch (friction_) {
    case Friction::none:
      return frictionless(parameters_, contacts, Out(out.force));
    case Friction::viscous:
      return with_viscous_friction(parameters_, contacts, Out(out.force));
    case Friction::spring:
      return with_spring_friction(parameters_, contacts, Out(history), Out(out.force));
  }
}

void LinearLaw::energy(const ContactColumns& contacts, const double* const* history, double* energy) const {
  const auto store = [=, p = parameters_, overlap = contacts.overlap](std::size_t i, Triple<double> spring) {
    energy[i] = elastic_energy(p, overlap[i], spring);
  };
  if (history_size() == 0) return for_all(contacts.size, [=](std::size_t i) { store(i, {0, 0, 0}); });
  for_all(contacts.size, [=, spring = In(history)](std::size_t i) { store(i, spring[i]); });
}

double LinearLaw::contact_duration(double reduced_mass, double) const noexcept {
  return linear::contact_duration(parameters_, reduced_mass);
}

}  // namespace scree::linear
