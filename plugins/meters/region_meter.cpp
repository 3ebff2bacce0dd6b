#include "region_meter.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "contact_sums.hpp"
#include "scree/base/exact_vector.hpp"
#include "scree/base/tell.hpp"
#include "scree/hooks/body_volume.hpp"

namespace scree::meters {

namespace {

const std::vector<std::string> kColumns = {"count",
                                           "mass_kg",
                                           "centre_x_m",
                                           "centre_y_m",
                                           "centre_z_m",
                                           "velocity_x_m_per_s",
                                           "velocity_y_m_per_s",
                                           "velocity_z_m_per_s",
                                           "kinetic_energy_J",
                                           "coordination"};
/// Per volume of the region.
const std::vector<std::string> kDensities = {"solid_fraction", "pressure_Pa",  "stress_xx_Pa", "stress_yy_Pa",
                                             "stress_zz_Pa",   "stress_xy_Pa", "stress_yz_Pa", "stress_zx_Pa"};

/// For what contacts tell where they are not all computed.
constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

struct Content {
  ExactSum mass, volume, kinetic;
  ExactVector moment, momentum;                  ///< sum m x, sum m v
  std::vector<std::pair<double, Vec3>> motions;  ///< mass [kg] and velocity [m/s] of each body
};

double kinetic_energy(const RigidBody& body) {
  const Vec3 w = body.frame.orientation.conjugate() * body.twist.angular_velocity;
  return 0.5 * (body.mass * body.twist.velocity.squaredNorm() + w.cwiseAbs2().dot(body.inertia));
}

/// Returns the row's quantities with their weights: centre and velocity by mass, coordination by number, all others by
/// rows. Unknown values do not count.
std::vector<Quantity> quantities_of(const std::vector<double>& row) {
  constexpr std::size_t centre = 2, energy = 8, coordination = 9;
  const double count = row[0], mass = row[1];
  std::vector<Quantity> all;
  for (std::size_t k = 0; k < row.size(); ++k) {
    const double weight = k >= centre && k < energy ? mass : k == coordination ? count : 1;
    all.push_back(std::isnan(row[k]) ? Quantity{0, 0} : Quantity{weight * row[k], weight});
  }
  return all;
}

}  // namespace

RegionMeter::RegionMeter(const Options& options)
    : options_(options), series_(options.text("name")), chosen_(options), average_(options) {}

void RegionMeter::begin(const World& world) {
  region_ = read_region(options_, "region", world.dimension());
  chosen_.begin(world);
}

/// Checks whether the image of a point in the periodic cell lies in the region.
bool RegionMeter::within(const World& world, const Vec3& x) const { return region_->contains(world.cell.inside(x)); }

/// Returns which contacts are known: all of bodies in the region, and all that lie in it.
RegionMeter::Known RegionMeter::what_is_known(const World& world, double time) {
  Known known;
  const std::set<Id> frames = frames_of_stored(world);
  if (frames.empty()) return known;
  for_each_free_body(world, [&](const BodyState& state) {
    if (!frames.contains(state.owner)) return;
    const double radius = state.scale * world.shapes()[state.shape].shape->bounding_radius();
    if (known.forces && reaches(world, state.rigid.frame.position, radius)) known.forces = false;
    if (chosen_.has(state.group) && within(world, state.rigid.frame.position)) known.ends = false;
  });
  if (!told_ && !(known.ends && known.forces)) {
    tell(stderr,
         fmt::format("{}: from t = {:.6g} s on, a modifier has stored bodies in the region. Contacts among them "
                     "are not computed: where they are missing, coordination, pressure and stress are nan. "
                     "This is said once.\n",
                     series_.file(), time));
    told_ = true;
  }
  return known;
}

/// Checks whether a sphere comes into the region: its centre, or one of its points in 26 directions.
bool RegionMeter::reaches(const World& world, const Vec3& centre, double radius) const {
  for (int x = -1; x <= 1; ++x)
    for (int y = -1; y <= 1; ++y)
      for (int z = -1; z <= 1; ++z) {
        const Vec3 way(x, y, z);
        if (within(world, centre + radius * (way.isZero(0) ? way : way.normalized()))) return true;
      }
  return false;
}

void RegionMeter::observe(const World& world, const ContactView* contacts, const Frame& frame) {
  Content in;
  chosen_.for_each(world, [&](const BodyState& state) {
    const RigidBody& body = state.rigid;
    if (!within(world, body.frame.position)) return;
    in.mass.add(body.mass), in.volume.add(volume_of(world, state)), in.kinetic.add(kinetic_energy(body));
    in.moment.add(body.mass * world.cell.inside(body.frame.position)), in.momentum.add(body.mass * body.twist.velocity);
    in.motions.emplace_back(body.mass, body.twist.velocity);
  });
  const double mass = in.mass.value(), share = mass > 0 ? 1 / mass : 0;
  const Vec3 velocity = share * in.momentum.value(), centre = share * in.moment.value();

  ExactTensor stress;  // of contacts, and of motion against the mean
  for (const auto& [m, of_body] : in.motions) {
    const Vec3 v = of_body - velocity;
    stress.add(m * v, v);
  }
  std::size_t ends = 0;
  for (const ContactRecord& c : contacts ? *contacts : ContactView{}) {
    const auto a = world.row(c.a), b = world.row(c.b);
    if (!a || !b || !acts(c)) continue;
    for (const std::size_t row : {*a, *b})
      if (chosen_(world, row) && within(world, world.position[row])) ++ends;
    if (lies_in(c, [&](const Vec3& x) { return within(world, x); }))
      stress.add(c.force, branch_of(world, c, *a, *b).way);
  }

  const double n = static_cast<double>(in.motions.size());
  const Known known = what_is_known(world, frame.time);
  std::vector<std::string> columns = kColumns;
  std::vector<double> row = {
      n,           mass,        centre[0],   centre[1],          centre[2],
      velocity[0], velocity[1], velocity[2], in.kinetic.value(), n > 0 ? static_cast<double>(ends) / n : 0};
  if (!known.ends) row.back() = kUnknown;
  const double thick = world.dimension() == 2 ? options_.number("thickness") : 1;
  if (const double volume = thick * region_->measure(); std::isfinite(volume) && volume > 0) {
    append(columns, kDensities);
    double s[6];
    for (int k = 0; k < 6; ++k) s[k] = known.forces ? stress.part[k].value() / volume : kUnknown;
    const double pressure = world.dimension() == 2 ? (s[0] + s[1]) / 2 : (s[0] + s[1] + s[2]) / 3;
    append(row, {in.volume.value() / volume, pressure, s[0], s[1], s[2], s[3], s[4], s[5]});
  }
  if (average_.wanted()) {
    average_.add(frame.time, frame.time, quantities_of(row));
    append(columns, TimeAverage::names(columns)), append(row, average_.values(row.size()));
  }
  series_.add(frame, columns, row);
}

}  // namespace scree::meters
