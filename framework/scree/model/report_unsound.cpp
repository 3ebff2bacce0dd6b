#include "scree/model/report_unsound.hpp"

#include <fmt/format.h>

#include "scree/base/error.hpp"

namespace scree {

void report_unsound(const World& world, const DomainBox& domain, std::size_t row, double dt) {
  const Vec3 &low = domain.lower, &high = domain.upper;
  const Vec3 &at = world.position[row], &speed = world.velocity[row];
  const bool numbers = at.allFinite() && speed.allFinite() && world.angular_velocity[row].allFinite();
  throw NumericalError(fmt::format(
      "body {}: {} in step {} (time {:.6g} s): position ({:.6g}, {:.6g}, {:.6g}) m, velocity ({:.6g}, {:.6g}, {:.6g}) "
      "m/s. {}",
      world.id[row], numbers ? "left the world" : "became NaN or infinite", world.step + 1, world.time + dt, at[0],
      at[1], at[2], speed[0], speed[1], speed[2],
      numbers
          ? fmt::format("Allowed is ({:.6g}, {:.6g}, {:.6g}) to ({:.6g}, {:.6g}, {:.6g}) m: close the walls, lower dt, "
                        "or enlarge /domain.",
                        low[0], low[1], low[2], high[0], high[1], high[2])
          : "Lower dt or the stiffness, or look for a bad initial overlap."));
}

}  // namespace scree
