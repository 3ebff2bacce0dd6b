#include "emitter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <numbers>

#include "metrics.hpp"
#include "scree/base/error.hpp"
#include "scree/base/exact_sum.hpp"
#include "scree/base/tell.hpp"
#include "scree/hooks/stored_bodies.hpp"

namespace scree::insertion {

namespace {

constexpr double kNoLimit = std::numeric_limits<double>::infinity();

/// Numbers of bodies are whole as doubles up to here.
constexpr std::uint64_t kMostBodies = std::uint64_t{1} << 53;

/// Draws of one body. Places use those of the attempt from kPlace on, all else those of attempt 0.
enum Draw : std::uint32_t { kKind = 0, kOrientation = 1, kDirection = 3, kPlace = 5 };

Quat about_z(double angle) { return Quat(std::cos(angle / 2), 0, 0, std::sin(angle / 2)); }

}  // namespace

Emitter::Emitter(Options options)
    : options_(std::move(options)),
      name_(options_.text("name")),
      random_(static_cast<std::uint64_t>(options_.integer("seed")), "emitter " + name_),
      number_(options_.number_or("number", kNoLimit)),
      mass_(options_.number_or("mass", kNoLimit)),
      number_rate_(options_.number_or("number_rate", 0)),
      mass_rate_(options_.number_or("mass_rate", 0)),
      attempts_(static_cast<std::uint32_t>(options_.integer("attempts"))),
      max_wait_(options_.number_or("max_wait", kNoLimit)),
      keep_(options_.boolean("keep")) {}

void Emitter::begin(World& world) {
  dimension_ = world.dimension();
  mixture_.emplace(options_, world);
  read_amounts();
  read_places(world);
  if (options_.has("velocity")) velocity_ = options_.vector("velocity");
  if (options_.has("angular_velocity"))
    spin_ = dimension_ == 2 ? Vec3(0, 0, options_.number("angular_velocity")) : options_.vector("angular_velocity");
  if (options_.has("orientation")) {
    const Options value = options_.object("orientation");
    random_orientation_ = value.is_string();
    if (value.is_number()) orientation_ = about_z(value.as_number());
    if (!value.is_string() && !value.is_number()) {
      const std::vector<double> q = value.as_numbers();
      orientation_ = Quat(q[0], q[1], q[2], q[3]).normalized();
    }
  }
  claim_name(name_, world);
  const auto group = std::ranges::find(world.group_names, name_);
  group_ = static_cast<std::uint32_t>(group - world.group_names.begin());
  if (group == world.group_names.end()) world.group_names.push_back(name_);
  count_ = &world.metric(name_ + "_count");
  made_mass_ = &world.metric(name_ + "_mass_kg");
  owed_ = &world.metric(name_ + (mass_rate_ > 0 ? "_owed_kg" : "_owed"));
}

void Emitter::read_amounts() const {
  if (number_rate_ > 0 && mass_rate_ > 0)
    throw OptionError("/mass_rate", "there is a number_rate too. Give one of the two.");
  const bool rate = number_rate_ > 0 || mass_rate_ > 0;
  if (options_.has("keep_region") && !keep_)
    throw OptionError("/keep_region", "counts nothing without \"keep\": true. Add that, or drop it.");
  if (keep_) {
    if (rate)
      throw OptionError("/keep", "what comes is what the region lacks, and no rate. Drop the rate, or \"keep\".");
    if (!options_.has("region"))
      throw OptionError("/keep", "needs a \"region\", in which bodies are counted. Give one in place of points.");
    if (!(options_.number_or("interval", 0) > 0))
      throw OptionError("/interval", "\"keep\" needs calls again and again. Give the time between them [s].");
  }
  if (!rate && number_ == kNoLimit && mass_ == kNoLimit)
    throw OptionError("",
                      "nothing says how much is to come. Give a \"number\", \"mass\", \"number_rate\" or "
                      "\"mass_rate\".");
  if (rate && !(options_.number_or("interval", 0) > 0))
    throw OptionError("/interval",
                      "a rate needs calls again and again. Give the time between them [s], a few per body "
                      "that comes.");
}

void Emitter::read_places(const World& world) {
  if (options_.has("region") == options_.has("points"))
    throw OptionError("", "bodies come in a \"region\" or at \"points\". Give one of the two.");
  if (options_.has("region")) {
    region_ = read_region(options_, "region", dimension_);
    if (!region_->bounded())
      throw OptionError("/region",
                        "has no end, so that no place in it can be drawn. Give a box or another form with an "
                        "end, without \"outside\".");
    counted_ = options_.has("keep_region") ? read_region(options_, "keep_region", dimension_) : *region_;
    return;
  }
  for (const Options& point : options_.objects("points")) {
    const std::vector<double> x = point.as_numbers();
    if (x.size() != static_cast<std::size_t>(world.dimension()))
      throw OptionError(fmt::format("/points/{}", points_.size()),
                        fmt::format("has {} numbers; the scene has dimension {}.", x.size(), world.dimension()));
    points_.emplace_back(x[0], x[1], x.size() > 2 ? x[2] : 0);
  }
}

/// Since the first call [s].
double Emitter::time(const World& world) const { return world.time - options_.number_or("start", 0); }

/// Bodies that move freely and whose centre of mass is in the counted region, of any entry. None without `keep`.
Emitter::Held Emitter::held(const World& world) const {
  Held held;
  if (!keep_) return held;
  const auto x = world.position.read();
  const auto mass = world.mass.read(), free = world.inverse_mass.read();
  ExactSum sum;
  for (std::size_t i = 0; i < world.size(); ++i)
    if (free[i] > 0 && counted_->contains(x[i])) held.bodies += 1, sum.add(mass[i]);
  held.mass = sum.value();
  return held;
}

/// With `keep`: what the region lacks, by mass to half a body. By number: what the rate has made due since the start,
/// in whole bodies. By mass: as soon as what is owed is half of the next body, so that the mass is never off by more
/// than half of a body, and sizes come as they are drawn.
bool Emitter::is_due(const Mixture::Body& next, double time, const Held& held) const {
  if (keep_) return held.bodies < number_ && mass_ - held.mass >= next.mass / 2;
  if (!(static_cast<double>(state_.bodies) < number_) || mass_ - state_.mass < next.mass / 2) return false;
  if (number_rate_ > 0) return static_cast<double>(state_.bodies) + 1 <= number_rate_ * time + 1e-9;  // rounding
  return !(mass_rate_ > 0) || mass_rate_ * time - state_.mass >= next.mass / 2;
}

/// Returns what is overdue: bodies, or kg if a rate of mass is given or only the mass is limited.
double Emitter::owed(double time, const Held& held) const {
  if (keep_) return number_ == kNoLimit ? 0 : std::max(0.0, number_ - held.bodies);
  if (mass_rate_ > 0) return std::max(0.0, std::min(mass_, mass_rate_ * time) - state_.mass);
  const double due = number_rate_ > 0 ? std::floor(number_rate_ * time + 1e-9) : number_;
  return due == kNoLimit ? 0 : std::max(0.0, std::min(due, number_) - static_cast<double>(state_.bodies));
}

/// Returns the place of the next body; empty if a draw misses the region.
std::optional<Vec3> Emitter::place(std::uint32_t attempt) const {
  if (region_) return region_->at(random_.triple(state_.bodies, attempt, kPlace));
  return points_[(state_.bodies + attempt) % points_.size()];
}

std::optional<Vec3> Emitter::place_of(const Mixture::Body& body, const FreeSpaceQuery& room) {
  for (std::uint32_t k = 0; k < attempts_; ++k) {
    const std::optional<Vec3> free = place(state_.attempt++);
    if (free && room.is_free(*free, body.radius)) return free;
  }
  return std::nullopt;
}

/// Returns the bodies that took most of the places tried in this call.
std::string Emitter::in_the_way(const World& world, const Mixture::Body& body, const FreeSpaceQuery& room) const {
  std::map<std::string, int> taken;
  for (std::uint32_t k = 1; k <= attempts_; ++k) {
    const std::optional<Vec3> tried = place(state_.attempt - k);
    if (!tried) continue;
    if (const auto id = room.body_at(*tried, body.radius))
      ++taken[world.group_names[world.group.read()[*world.row(*id)]]];
  }
  if (taken.empty()) return "by bodies that have just come";
  return fmt::format("most by \"{}\"",
                     std::ranges::max_element(taken, {}, [](const auto& t) { return t.second; })->first);
}

BodySpec Emitter::spec_of(const Mixture::Body& body, const Vec3& place) const {
  const std::uint64_t n = state_.bodies;
  BodySpec spec;
  spec.shape = body.shape;
  spec.material = mixture_->material();
  spec.group = group_;
  spec.scale = body.scale;
  spec.position = place;
  spec.orientation = orientation_;
  if (random_orientation_) {
    const Vec3 u = random_.triple(n, 0, kOrientation);
    spec.orientation = dimension_ == 2 ? about_z(2 * std::numbers::pi * u[0]) : uniform_rotation(u);
  }
  spec.velocity = velocity_;
  spec.angular_velocity = spin_;
  if (const double speed = options_.number("random_speed"); speed > 0) {
    const Vec3 u = random_.triple(n, 0, kDirection);
    const Quat turn = dimension_ == 2 ? about_z(2 * std::numbers::pi * u[0]) : uniform_rotation(u);
    spec.velocity += speed * (turn * Vec3::UnitX());
  }
  return spec;
}

/// Stored bodies are in the way too, with their bounding spheres: they come back where they are.
FreeSpaceQuery Emitter::room_in(const World& world) const {
  double largest = mixture_->largest_radius();
  const auto radius = [&](const BodyState& state) {
    return state.scale * world.shapes()[state.shape].shape->bounding_radius();
  };
  const auto stored = stored_bodies(world);
  for (const StoredBodies* const s : stored)
    s->each(world, [&](const BodyState& state) { largest = std::max(largest, radius(state)); });
  FreeSpaceQuery room(world, largest);
  for (const StoredBodies* const s : stored)
    s->each(world, [&](const BodyState& state) { room.place(state.rigid.frame.position, radius(state)); });
  return room;
}

void Emitter::apply(World& world, const ContactView*, HistoryStore&) {
  const double t = time(world);
  Held there = held(world);
  std::optional<FreeSpaceQuery> room;
  std::vector<BodySpec> bodies;
  for (;;) {
    const Mixture::Body next = mixture_->at(random_.pair(state_.bodies, 0, kKind));
    if (!is_due(next, t, there)) break;
    if (!room) room.emplace(room_in(world));
    const std::optional<Vec3> place = place_of(next, *room);
    if (!place) {
      wait(world, next, *room);
      break;
    }
    room->place(*place, next.radius);
    bodies.push_back(spec_of(next, *place));
    there.bodies += 1, there.mass += next.mass;
    state_ = {state_.bodies + 1, 0, state_.told, state_.mass + next.mass, -1};
  }
  if (!bodies.empty()) world.add(bodies);
  *count_ = static_cast<double>(state_.bodies);
  *made_mass_ = state_.mass;
  *owed_ = owed(t, there);
}

/// Says so, once, and goes on trying; for `max_wait` at most.
void Emitter::wait(const World& world, const Mixture::Body& body, const FreeSpaceQuery& room) {
  if (state_.waiting_since < 0) state_.waiting_since = world.time;
  const bool too_long = world.time - state_.waiting_since >= max_wait_;
  if (state_.told != 0 && !too_long) return;
  const std::string full = fmt::format(
      "emitter \"{}\": no room for body {} at t = {:.6g} s: {} of {} places tried in its region were taken, {}", name_,
      state_.bodies, world.time, state_.attempt, state_.attempt, in_the_way(world, body, room));
  if (too_long)
    throw NumericalError(
        fmt::format("{}, for {:.6g} s. It has made {}, {:.6g} kg. Enlarge the region, lower the "
                    "rate or raise \"max_wait\".",
                    full, world.time - state_.waiting_since, state_.bodies, state_.mass));
  tell(stderr, fmt::format("{}. It has made {} so far, {:.6g} kg, keeps what it owes and goes on trying; this is said "
                           "once.\n",
                           full, state_.bodies, state_.mass));
  state_.told = 1;
}

std::vector<std::byte> Emitter::save() const {
  std::vector<std::byte> bytes(sizeof(State));
  std::memcpy(bytes.data(), &state_, sizeof(State));
  return bytes;
}

void Emitter::load(const std::vector<std::byte>& state) {
  if (state.size() != sizeof(State))
    throw InputError(
        fmt::format("emitter \"{}\": the checkpoint has {} bytes of it; {} are expected. It is damaged, or of "
                    "another version.",
                    name_, state.size(), sizeof(State)));
  State saved;
  std::memcpy(&saved, state.data(), sizeof(State));
  const bool sound = std::isfinite(saved.mass) && saved.mass >= 0 && std::isfinite(saved.waiting_since) &&
                     saved.bodies <= kMostBodies && saved.told <= 1;
  if (!sound)
    throw InputError(fmt::format(
        "emitter \"{}\": the checkpoint says that it has made {} bodies, {} kg, and waits since {} s. It is "
        "damaged, or was not written by this scene's run.",
        name_, saved.bodies, saved.mass, saved.waiting_since));
  state_ = saved;
}

}  // namespace scree::insertion
