#include "region_meter.hpp"

#include <cmath>

#include "scree/base/exact_vector.hpp"

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

/// A symmetric part of a sum of dyads, without rounding: xx, yy, zz, xy, yz, zx.
struct ExactTensor {
  ExactSum part[6];
  void add(const Vec3& f, const Vec3& l) {
    for (int k = 0; k < 3; ++k) {
      const int next = (k + 1) % 3;
      part[k].add(f[k] * l[k]);
      part[3 + k].add(0.5 * (f[k] * l[next] + f[next] * l[k]));
    }
  }
};

struct Content {
  std::size_t count = 0;
  ExactSum mass, volume, kinetic;
  ExactVector moment, momentum;  ///< sum m x, sum m v
  std::vector<std::size_t> rows;
};

double kinetic_energy(const World& world, std::size_t row) {
  const Vec3 w = world.orientation[row].conjugate() * world.angular_velocity[row];
  return 0.5 * (world.mass[row] * world.velocity[row].squaredNorm() + w.cwiseAbs2().dot(world.inertia[row]));
}

/// What the row's values are averaged by: centre and velocity by mass, coordination by number, all others by rows.
std::vector<Quantity> quantities_of(const std::vector<double>& row) {
  constexpr std::size_t centre = 2, energy = 8, coordination = 9;
  const double count = row[0], mass = row[1];
  std::vector<Quantity> all;
  for (std::size_t k = 0; k < row.size(); ++k) {
    const double weight = k >= centre && k < energy ? mass : k == coordination ? count : 1;
    all.push_back({weight * row[k], weight});
  }
  return all;
}

bool acts(const ContactRecord& c) { return c.overlap > 0 || !c.force.isZero(0); }

/// From the centre of a to that of b's image; ends at the point where one of the two is no free body.
Vec3 branch(const World& world, const ContactRecord& c, std::size_t a, std::size_t b) {
  const Vec3 to_b = world.position[b] + world.cell.shift(unpacked(c.image));
  const Vec3 from = world.inverse_mass[a] > 0 ? world.position[a] : c.point;
  return (world.inverse_mass[b] > 0 ? to_b : c.point) - from;
}

}  // namespace

RegionMeter::RegionMeter(const Options& options)
    : options_(options), series_(options.text("name")), chosen_(options), average_(options) {}

void RegionMeter::begin(const World& world, const std::string& directory) {
  region_ = read_region(options_, "region", world.dimension());
  chosen_.begin(world);
  series_.begin(directory);
}

/// Whether a point lies in the region, or the image of it that lies in the periodic cell.
bool RegionMeter::within(const World& world, const Vec3& x) const { return region_->contains(world.cell.inside(x)); }

void RegionMeter::observe(const World& world, const ContactView* contacts, const Frame& frame) {
  Content in;
  for (std::size_t i = 0; i < world.size(); ++i) {
    if (!chosen_(world, i) || !within(world, world.position[i])) continue;
    const double m = world.mass[i];
    in.mass.add(m), in.volume.add(volume_of(world, i)), in.kinetic.add(kinetic_energy(world, i));
    in.moment.add(m * world.cell.inside(world.position[i])), in.momentum.add(m * world.velocity[i]);
    in.rows.push_back(i);
  }
  const double mass = in.mass.value(), share = mass > 0 ? 1 / mass : 0;
  const Vec3 velocity = share * in.momentum.value(), centre = share * in.moment.value();

  ExactTensor stress;  // of contacts, and of motion against the mean
  for (const std::size_t i : in.rows) {
    const Vec3 v = world.velocity[i] - velocity;
    stress.add(world.mass[i] * v, v);
  }
  std::size_t ends = 0;
  for (const ContactRecord& c : contacts ? *contacts : ContactView{}) {
    const auto a = world.row(c.a), b = world.row(c.b);
    if (!a || !b || !acts(c)) continue;
    for (const std::size_t row : {*a, *b})
      if (chosen_(world, row) && within(world, world.position[row])) ++ends;
    if (within(world, c.point)) stress.add(c.force, branch(world, c, *a, *b));
  }

  const double n = static_cast<double>(in.rows.size());
  std::vector<std::string> columns = kColumns;
  std::vector<double> row = {
      n,           mass,        centre[0],   centre[1],          centre[2],
      velocity[0], velocity[1], velocity[2], in.kinetic.value(), n > 0 ? static_cast<double>(ends) / n : 0};
  const double thick = world.dimension() == 2 ? options_.number("thickness") : 1;
  if (const double volume = thick * region_->measure(); std::isfinite(volume) && volume > 0) {
    append(columns, kDensities);
    double s[6];
    for (int k = 0; k < 6; ++k) s[k] = stress.part[k].value() / volume;
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
