#include "rigid_bodies.hpp"

#include "solvers/rigid_rows.hpp"

namespace scree::continuum {

template <int D>
void RigidBodies<D>::take(std::span<const Wall> walls, double dt) {
  bodies_.clear();
  of_wall_.assign(walls.size(), kImmovable);
  for (std::size_t w = 0; w < walls.size(); ++w) {
    const Wall& wall = walls[w];
    if (!wall.free()) continue;
    of_wall_[w] = static_cast<std::uint32_t>(bodies_.size());
    bodies_.push_back(coulomb::free_body<D>({wall.velocity, wall.angular_velocity, wall.orientation,
                                               wall.freedom.inverse_mass, wall.freedom.inverse_moments},
                                              wall.freedom.external, dt));
  }
  motion_.clear();
  for (const coulomb::RigidBody<D>& body : bodies_) motion_.push_back({body.velocity, body.spin});
}

template <int D>
void RigidBodies<D>::push(std::uint32_t body, const Vec<D>& impulse, const Vec<D>& arm) {
  coulomb::RigidBody<D>& b = bodies_[body];
  const coulomb::Motion<D> change = mobility_of(body).response(impulse, arm);
  b.velocity += change.velocity;
  b.spin += change.spin;
  motion_[body].velocity += change.velocity;
  motion_[body].spin += change.spin;
}

template <int D>
std::uint32_t RigidBodies<D>::row_of(std::uint32_t wall, std::size_t nodes) const {
  if (wall == WallContact::kNobody || of_wall_[wall] == kImmovable) return kImmovable;
  return static_cast<std::uint32_t>(nodes) + of_wall_[wall];
}

template <int D>
coulomb::RigidContact<D> RigidBodies<D>::row_of(const WallContact& contact, std::size_t nodes) const {
  coulomb::RigidContact<D> row;
  row.a = row_of(contact.a, nodes);
  row.b = row_of(contact.b, nodes);
  row.frame = coulomb::contact_frame<D>(contact.normal);
  row.arm_a = contact.arm_a.template head<D>();
  row.arm_b = contact.arm_b.template head<D>();
  row.w = row.frame * contact.imposed.template head<D>();
  row.w[0] -= contact.least;
  row.friction = contact.friction;
  return row;
}

template <int D>
void RigidBodies<D>::move(std::span<Wall> walls, double dt) const {
  for (std::size_t w = 0; w < walls.size(); ++w) {
    if (of_wall_[w] == kImmovable) continue;
    const coulomb::Motion<D>& end = motion_[of_wall_[w]];
    Wall& wall = walls[w];
    wall.velocity = in_space<D>(end.velocity);
    wall.centre = drifted<double>(wall.centre, wall.velocity, dt);
    if constexpr (D == 2) {
      wall.angular_velocity = Vec3(0, 0, end.spin[0]);
      wall.orientation = turned_about_z<double>(wall.orientation, end.spin[0], dt);
    } else {
      const Rotation<double> now = rotated_freely<double>({wall.orientation, Vec3(end.spin)}, wall.freedom.moments,
                                                          wall.freedom.inverse_moments, dt);
      wall.angular_velocity = now.omega;
      wall.orientation = now.q;
    }
  }
}

template class RigidBodies<2>;
template class RigidBodies<3>;

}  // namespace scree::continuum
