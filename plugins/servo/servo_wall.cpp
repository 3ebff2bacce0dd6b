#include "servo_wall.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "scree/base/error.hpp"
#include "scree/base/exact_sum.hpp"

namespace scree::servo {

namespace {

std::uint32_t group_of(const World& world, const std::string& name, const std::string& option) {
  const auto at = std::ranges::find(world.group_names, name);
  if (at == world.group_names.end())
    throw OptionError(option, fmt::format("servo-wall: no entry of the scene's bodies is called \"{}\". There are: {}.",
                                          name, fmt::join(world.group_names, ", ")));
  return static_cast<std::uint32_t>(at - world.group_names.begin());
}

/// Place of the first body of a group, by id.
Vec3 place_of(const World& world, std::uint32_t group) {
  std::size_t first = world.size();
  for (std::size_t i = 0; i < world.size(); ++i)
    if (world.group[i] == group && (first == world.size() || world.id[i] < world.id[first])) first = i;
  if (first == world.size())
    throw NumericalError(fmt::format("servo-wall: \"{}\" has no body any more, so the area between walls is not known.",
                                     world.group_names[group]));
  return world.position[first];
}

/// Solvers of impulses tell by this figure that no impulses kept bodies apart.
void refuse_rigid_contact(const World& world) {
  if (world.metrics().contains("solver_infeasible"))
    throw OptionError("",
                      "servo-wall: contacts of this integrator have no stiffness. A wall of a given speed presses on "
                      "them with no force or with any. Press with the weight of a body that moves freely, or take "
                      "contacts with springs and an integrator such as velocity-verlet.");
}

}  // namespace

void ServoWall::begin(World& world) {
  refuse_rigid_contact(world);
  const std::uint32_t group = group_of(world, set_.bodies, "/bodies");
  for (std::size_t i = 0; i < world.size(); ++i) {
    if (world.group[i] != group) continue;
    const auto driven = world.prescribed().find(world.id[i]);
    if (driven == world.prescribed().end())
      throw OptionError("/bodies",
                        fmt::format("servo-wall: body {} of \"{}\" has no motion that could be set. Give the "
                                    "entry \"motion\": {{}} in place of \"fixed\": a motion that the servo's "
                                    "is added to.",
                                    world.id[i], set_.bodies));
    walls_.insert(world.id[i]);
  }
  if (walls_.empty()) throw OptionError("/bodies", fmt::format("servo-wall: \"{}\" has no bodies.", set_.bodies));
  for (std::size_t k = 0; k < set_.spans.size(); ++k)
    spans_.push_back({group_of(world, set_.spans[k][0], fmt::format("/spans/{}/between/0", k)),
                      group_of(world, set_.spans[k][1], fmt::format("/spans/{}/between/1", k))});
  show(world, 0, set_.target * area(world) * load_at(set_, world.time));
}

/// Returns the force that presses on the wall against its direction [N].
double ServoWall::reaction(const World& world) const {
  ExactSum sum;
  const auto force = world.find_column("force")->as<Vec3>();
  for (const Id id : walls_)
    if (const auto row = world.row(id)) sum.add(-force[*row].dot(set_.direction));
  return sum.value();
}

/// Returns the factor that makes a force of the target [m^2], or 1.
double ServoWall::area(const World& world) const {
  double product = set_.area.value_or(1);
  for (const auto& [a, b] : spans_) {
    const Vec3 across = place_of(world, b) - place_of(world, a);
    product *= (across - across.dot(set_.direction) * set_.direction).norm();
  }
  return product;
}

/// Only overlaps are taken from the contacts.
WallContacts ServoWall::touching(const World& world, const ContactView& contacts, double force) {
  double overlaps = 0;
  std::vector<double> masses;
  for (const ContactRecord& c : contacts) {
    const bool a = walls_.contains(c.a), b = walls_.contains(c.b);
    const auto other = world.row(a ? c.b : c.a);
    if (a == b || !(c.overlap > 0) || !other || world.mass[*other] == 0) continue;
    overlaps += c.overlap;
    masses.push_back(world.mass[*other]);
  }
  if (masses.empty()) state_.contact_stiffness = 0;
  if (!masses.empty() && force > 0) state_.contact_stiffness = contact_stiffness(force, overlaps);
  WallContacts sum;
  if (state_.contact_stiffness > 0)
    for (const double mass : masses) sum.add(state_.contact_stiffness, mass);
  return sum;
}

/// Returns the speed. The missing force is integrated only after the force has been near its target for a while, with
/// the speed below its limit. It is not integrated while a bed is closed: that would have to be undone later.
double ServoWall::speed(const World& world, const ContactView* contacts, double target, double force) {
  const double missing = target - force;
  const auto limited = [&](double v) { return std::clamp(v, -set_.max_speed, set_.max_speed); };
  if (set_.gain) return limited(*set_.gain * missing);
  const WallContacts wall = touching(world, *contacts, force);
  if (!std::exchange(state_.touching, wall.stiffness > 0)) state_.steady_speed = 0, state_.mean_missing = missing;
  if (!state_.touching) return missing < 0 ? -set_.max_speed : set_.max_speed;
  const auto [gain, share] = stable_answer(wall, set_.interval);
  const double part = std::min(1.0, set_.interval / integral_time(wall, gain));
  const double wanted = gain * missing + state_.steady_speed;
  constexpr double kNear = 0.2;  // of the target
  state_.mean_missing += part * (missing - state_.mean_missing);
  if (std::abs(wanted) < set_.max_speed && std::abs(state_.mean_missing) <= kNear * std::abs(target))
    state_.steady_speed += part * gain * missing;
  return limited(state_.speed + share * (wanted - state_.speed));
}

/// The speed by which the wall does not leave its stroke before it is called again.
double ServoWall::within_stroke(double speed) const {
  const double x = state_.displacement;
  return std::clamp(speed, (set_.shortest - x) / set_.interval, (set_.longest - x) / set_.interval);
}

void ServoWall::apply(World& world, const ContactView* contacts, HistoryStore&) {
  const bool goes_on = std::ranges::all_of(walls_, [&](Id id) { return drives(world, id); });
  state_.displacement += state_.speed * std::min(world.time - state_.since, set_.interval);
  if (!goes_on) state_.origin = state_.displacement;
  const double target = set_.target * area(world) * load_at(set_, world.time), force = reaction(world);
  const double speed_now = within_stroke(speed(world, contacts, target, force));
  for (const Id id : walls_) move(world, id, goes_on, speed_now);
  state_.speed = speed_now;
  state_.since = world.time;
  show(world, force, target);
}

/// Checks whether the last of a body's motions was set at the last correction. It was not at the first one, nor if a
/// stage has set another motion since, which begins from the wall's place.
bool ServoWall::drives(const World& world, Id id) const {
  const auto driven = world.prescribed().find(id);
  if (driven == world.prescribed().end()) return true;  // gone, or fixed by now
  const std::vector<Motion>& motions = driven->second.motions;
  return !motions.empty() && motions.back().start == state_.since &&
         motions.back().stop == state_.since + set_.interval;
}

/// \param replace  true if the last motion is that of the last correction
void ServoWall::move(World& world, Id id, bool replace, double speed) const {
  const auto driven = world.prescribed().find(id);
  if (driven == world.prescribed().end()) return;
  World::Prescribed now = driven->second;
  if (replace) now.motions.pop_back();
  Motion servo;
  servo.velocity = speed * set_.direction;
  servo.displacements = {{0, (state_.displacement - state_.origin) * set_.direction}};
  servo.start = world.time;
  servo.stop = world.time + set_.interval;
  now.motions.push_back(servo);
  world.set_prescribed(id, now);
}

void ServoWall::show(World& world, double force, double target) const {
  const auto set = [&](const char* what, double value) {
    world.metric(fmt::format("{}_servo_{}", set_.bodies, what)) = value;
  };
  set("force_N", force);
  set("target_N", target);
  set("displacement_m", state_.displacement);
  set("speed_m_per_s", state_.speed);
}

std::vector<std::byte> ServoWall::save() const {
  std::vector<std::byte> bytes(sizeof state_);
  std::memcpy(bytes.data(), &state_, sizeof state_);
  return bytes;
}

void ServoWall::load(const std::vector<std::byte>& state) {
  const auto refuse = [&](const char* what) {
    throw InputError(
        fmt::format("servo-wall of \"{}\": its state in the checkpoint {}. The checkpoint is damaged, or was "
                    "not written by this scene's run.",
                    set_.bodies, what));
  };
  if (state.size() != sizeof state_) refuse("has another size");
  auto saved = state_;
  const auto touching = static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&saved.touching) -
                                                 reinterpret_cast<const std::byte*>(&saved));
  if (std::to_integer<int>(state[touching]) > 1) refuse("says neither yes nor no where it tells of contact");
  std::memcpy(&saved, state.data(), sizeof saved);
  for (const double x : {saved.displacement, saved.speed, saved.since, saved.origin, saved.steady_speed,
                         saved.mean_missing, saved.contact_stiffness})
    if (!std::isfinite(x)) refuse("holds what is no number");
  if (saved.contact_stiffness < 0) refuse("has a negative stiffness of contacts");
  state_ = saved;
}

}  // namespace scree::servo
