#include "body_meter.hpp"

#include "scree/base/error.hpp"
#include "scree/base/exact_vector.hpp"

namespace scree::meters {

namespace {

const std::vector<std::string> kLoadColumns = {"force_x_N",    "force_y_N",    "force_z_N", "torque_x_N_m",
                                               "torque_y_N_m", "torque_z_N_m", "power_W"};

std::vector<std::string> axes(const std::string& before, const std::string& behind) {
  return {before + "_x" + behind, before + "_y" + behind, before + "_z" + behind};
}

/// Forces of contacts and bonds on bodies; none before the first evaluation.
class Loads {
 public:
  explicit Loads(const World& world) : world_(world) {
    const ColumnStorage *const force = world.find_column("force"), *const torque = world.find_column("torque");
    if (force && torque) force_ = force->as<Vec3>(), torque_ = torque->as<Vec3>();
  }
  Vec3 force(std::size_t row) const { return force_.empty() ? Vec3(Vec3::Zero()) : Vec3(force_[row]); }
  /// About a point [N m].
  Vec3 torque(std::size_t row, const Vec3& point) const {
    if (torque_.empty()) return Vec3::Zero();
    return torque_[row] + (world_.position[row] - point).cross(force(row));
  }
  double power(std::size_t row) const {
    return force(row).dot(world_.velocity[row]) + torque(row, world_.position[row]).dot(world_.angular_velocity[row]);
  }

 private:
  const World& world_;
  std::span<const Vec3> force_, torque_;
};

void put(std::vector<double>& row, const Vec3& v) { row.insert(row.end(), {v[0], v[1], v[2]}); }

}  // namespace

BodyMeter::BodyMeter(const Options& options)
    : bodies_(options, "body-meter"),
      series_(options.text("name")),
      average_(options),
      together_(options.boolean("together")) {
  if (options.has("point")) point_ = options.vector("point");
  if (average_.wanted() && !together_)
    throw OptionError("/average",
                      "is over one row per moment, but here each body has its own. Add \"together\": true, or remove "
                      "this.");
}

void BodyMeter::observe(const World& world, const ContactView*, const Frame& frame) {
  together_ ? write_together(world, frame) : write_each(world, frame);
}

void BodyMeter::write_each(const World& world, const Frame& frame) {
  std::vector<std::string> columns = {"id"};
  append(columns, axes("position", "_m"));
  append(columns, {"quaternion_w", "quaternion_x", "quaternion_y", "quaternion_z"});
  append(columns, axes("velocity", "_m_per_s")), append(columns, axes("angular_velocity", "_rad_per_s"));
  append(columns, kLoadColumns);
  const Loads loads(world);
  std::vector<double> values;
  for (const std::size_t i : bodies_.rows(world)) {
    values.push_back(static_cast<double>(world.id[i]));
    put(values, world.position[i]);
    const Quat& q = world.orientation[i];
    values.insert(values.end(), {q.w(), q.x(), q.y(), q.z()});
    put(values, world.velocity[i]), put(values, world.angular_velocity[i]);
    put(values, loads.force(i)), put(values, loads.torque(i, point_.value_or(world.position[i])));
    values.push_back(loads.power(i));
  }
  series_.add(frame, columns, values);
}

/// Places and velocities are by mass, or the mean of all where none has a mass.
void BodyMeter::write_together(const World& world, const Frame& frame) {
  const std::vector<std::size_t> all = bodies_.rows(world);
  ExactSum mass, power;
  for (const std::size_t i : all) mass.add(world.mass[i]);
  const double whole = mass.value(), n = static_cast<double>(all.size());
  ExactVector place, velocity, force, torque;
  for (const std::size_t i : all) {
    const double weight = whole > 0 ? world.mass[i] : 1;
    place.add(weight * world.position[i]), velocity.add(weight * world.velocity[i]);
  }
  const double share = whole > 0 ? 1 / whole : n > 0 ? 1 / n : 0;
  const Vec3 centre = share * place.value();
  const Loads loads(world);
  for (const std::size_t i : all) {
    force.add(loads.force(i)), torque.add(loads.torque(i, point_.value_or(centre)));
    power.add(loads.power(i));
  }
  std::vector<std::string> columns = {"count", "mass_kg"};
  append(columns, axes("centre", "_m")), append(columns, axes("velocity", "_m_per_s")), append(columns, kLoadColumns);
  std::vector<double> row = {n, whole};
  put(row, centre), put(row, share * velocity.value()), put(row, force.value()), put(row, torque.value());
  row.push_back(power.value());
  average_.extend(frame.time, columns, row);
  series_.add(frame, columns, row);
}

}  // namespace scree::meters
