#include "engine/device_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "engine/device_errors.hpp"
#include "kernels/step_kernels.hpp"
#include "scree/base/clock.hpp"
#include "scree/base/error.hpp"
#include "scree/host/report_unsound.hpp"

namespace scree::device {

namespace {

/// Adds the time until it ends to a figure.
class Stopwatch {
 public:
  explicit Stopwatch(double& to) : to_(to), begin_(clock_seconds()) {}
  ~Stopwatch() { to_ += clock_seconds() - begin_; }
  Stopwatch(const Stopwatch&) = delete;
  Stopwatch& operator=(const Stopwatch&) = delete;

 private:
  double& to_;
  double begin_;
};

}  // namespace

struct DeviceEngine::Run {
  Run(DeviceEngine& engine)
      : plan({engine.world_, engine.methods_, engine.dt_}),
        lists(*engine.device_, plan, engine.world_.cell, engine.methods_.skin),
        contacts(*engine.device_, plan, engine.methods_.environment, lists),
        bodies(*engine.device_, engine.world_, plan),
        poses(*engine.device_),
        kept_force(*engine.device_),
        kept_torque(*engine.device_) {}
  DevicePlan plan;
  PairLists lists;
  ContactForces contacts;
  BodyState bodies;  ///< gives the World its columns back first, with forces on obstacles
  Buffer<PrescribedPose> poses;
  Buffer<Vector3d> kept_force, kept_torque;
  std::vector<Pose> reference;  ///< of obstacles, when pairs were listed
  double farthest_site = 0;     ///< from an obstacle then, at most [m]
  bool listed = false;
};

DeviceEngine::DeviceEngine(const EnginePlan& plan, std::unique_ptr<Device> device)
    : world_(plan.world), methods_(plan.methods), dt_(plan.dt), origin_(plan.origin), device_(std::move(device)) {
  make_run();
}

DeviceEngine::~DeviceEngine() = default;

void DeviceEngine::make_run() {
  run_.reset();
  run_ = std::make_unique<Run>(*this);
  run_->bodies.wall_wrenches = [this, run = run_.get()] {
    if (!run->listed) return std::vector<std::pair<std::uint32_t, Wrench>>{};
    return ContactRecords(*device_, run->plan, run->lists, false).wall_wrenches(walls_at(run->plan, wall_time_));
  };
  wall_time_ = world_.time;
}

/// Rows that others have changed between steps.
void DeviceEngine::take_changes() {
  if (!run_->bodies.upload_changes()) return;
  for (WallMethods& wall : run_->plan.walls) {
    const std::uint32_t row = run_->plan.row_of_rank[wall.body];
    wall.pose = {world_.position[row], world_.orientation[row]};
  }
}

std::vector<Pose> DeviceEngine::walls_at(const DevicePlan& plan, double time) const {
  std::vector<Pose> walls;
  for (const WallMethods& wall : plan.walls) {
    const auto found = world_.prescribed().find(plan.id_of_rank[wall.body]);
    walls.push_back(found == world_.prescribed().end() ? wall.pose
                                                       : pose_at(found->second.motions, found->second.initial, time));
  }
  return walls;
}

/// Whether a pair may have come within reach that is not listed. \param way  of the farthest site [m]
bool DeviceEngine::stale(double way) const {
  const double skin = methods_.skin;
  if (!run_->listed || 2 * way > skin) return true;
  const std::vector<Pose> now = walls_at(run_->plan, wall_time_);
  double most = 0;
  for (std::size_t g = 0; g < now.size(); ++g) {
    const WallMethods& wall = run_->plan.walls[g];
    const double angle = now[g].orientation.angularDistance(run_->reference[g].orientation);
    // What an endless surface does beyond the farthest body is of no account.
    const double reach = wall.endless ? std::min(wall.rotation_reach, run_->farthest_site + way) : wall.rotation_reach;
    const double turn = angle == 0 || reach == 0 ? 0 : angle * reach;
    most = std::max(most, (now[g].position - run_->reference[g].position).norm() + turn);
  }
  return way + most > skin;
}

/// \param wrapped  how bodies were put back into the cell since pairs were listed last, or null
void DeviceEngine::rebuild(const std::uint8_t* wrapped) {
  const Stopwatch watch(seconds_.grid);
  Run& r = *run_;
  r.lists.restore_memory();
  r.listed = false;  // should the memory end half-way
  r.reference = walls_at(r.plan, wall_time_);
  r.lists.rebuild({r.bodies.x0(), r.bodies.q0(), r.bodies.view().inverse_mass}, r.reference, wrapped);
  r.listed = true;
  ++rebuilds_;
  r.farthest_site = 0;
  bool turns = false;
  for (const WallMethods& wall : r.plan.walls)
    turns = turns || world_.prescribed().contains(r.plan.id_of_rank[wall.body]);
  if (turns) {
    const auto x = world_.find_column("reference_position")->as<Vec3>();
    for (const Pose& wall : r.reference)
      for (const Vec3& at : x) r.farthest_site = std::max(r.farthest_site, (at - wall.position).norm());
    double within_body = 0;
    for (const SiteDefinition& site : r.plan.sites) within_body = std::max(within_body, length(site.local));
    r.farthest_site += within_body + r.plan.largest_radius;
  }
  if (pending_.empty()) return;
  ContactRecords(*device_, r.plan, r.lists, true).insert(pending_, r.lists);
  pending_.clear();
}

/// Makes lists anew where sites have outrun them.
void DeviceEngine::renew_lists() {
  Run& r = *run_;
  if (r.listed && !stale(r.contacts.place_sites(r.bodies.view()))) return;
  r.bodies.take_reference();
  r.bodies.mark_newer();
  world_.reference_cell = world_.cell;
  rebuild(r.bodies.wrapped());
}

/// Evaluates contacts and forces of the state on the device, which commits history.
void DeviceEngine::forces(double time, double dt, double lag) {
  Run& r = *run_;
  r.contacts.begin();
  renew_lists();
  r.lists.restore_memory();
  const Stopwatch watch(seconds_.law);
  r.contacts.evaluate(r.bodies.view(), time, dt, lag);
  energy_.reset();
}

void DeviceEngine::forces_without_trace(double time, double dt, double lag) {
  Run& r = *run_;
  r.contacts.begin();
  renew_lists();
  r.lists.restore_memory();
  r.lists.save_memory();
  const Stopwatch watch(seconds_.law);
  r.contacts.evaluate(r.bodies.view(), time, dt, lag);
  energy_.reset();
  count(r.contacts.read_control());
}

/// Poses and rates of prescribed bodies at a time; rates alone where they stay in place.
void DeviceEngine::prescribe(double time, bool place) {
  if (world_.prescribed().empty()) return;
  Run& r = *run_;
  std::vector<PrescribedPose> poses;
  const std::vector<Id>& ids = r.plan.id_of_rank;  // ascending
  for (const auto& [id, entry] : world_.prescribed()) {
    const auto found = std::ranges::lower_bound(ids, id);
    if (found == ids.end() || *found != id) continue;
    const Pose pose = pose_at(entry.motions, entry.initial, time);
    const Twist twist = twist_at(entry.motions, entry.initial, time);
    poses.push_back({static_cast<std::uint32_t>(found - ids.begin()), plain(pose.position), plain(pose.orientation),
                     plain(twist.velocity), plain(twist.angular_velocity)});
  }
  r.poses.upload(poses);
  device_->run(static_cast<std::uint32_t>(poses.size()), Prescribe{r.bodies.view(), r.poses.data(), place, true});
  if (place) wall_time_ = time;
}

void DeviceEngine::kick_and_drift(double kick, double drift, bool check) {
  const Stopwatch watch(seconds_.integrate);
  const Domain& domain = methods_.domain;
  KickDrift body{
      run_->bodies.view(),     kick, drift, world_.dimension() == 2, check, plain(domain.lower), plain(domain.upper),
      run_->contacts.control()};
  device_->run(body.bodies.count, body);
}

void DeviceEngine::step() {
  const double t = world_.time;
  if (run_->plan.scheme.forces_first) {
    prescribe(t, true);
    prescribe(t - dt_ / 2, false);  // of the last drift, as those of free bodies
    forces(t, dt_, dt_ / 2);
    kick_and_drift(dt_, dt_, true);
    prescribe(t + dt_, true);
  } else {
    if (forces_are_stale_) {
      prescribe(t, true);
      forces_without_trace(t, 0, 0);
      run_->lists.restore_memory();
    }
    kick_and_drift(dt_ / 2, dt_, false);
    prescribe(t + dt_, true);
    prescribe(t + dt_ / 2, false);
    forces(t + dt_, dt_, dt_ / 2);
    prescribe(t + dt_, false);
    kick_and_drift(dt_ / 2, 0, true);
  }
  forces_are_stale_ = false;
  const Control control = run_->contacts.read_control();
  look_for_faults(control);
  ++world_.step;
  world_.time = origin_.time_at(world_.step, dt_);
  count(control);
  counts_.candidate_pairs += static_cast<double>(totals_.candidate_pairs);
  counts_.touching_pairs += static_cast<double>(totals_.touching_pairs);
  counts_.contacts += static_cast<double>(totals_.contacts);
  counts_.history_hits += static_cast<double>(totals_.history_hits);
  counts_.bodies += static_cast<double>(world_.owned());
  if (totals_.max_overlap <= counts_.max_overlap) return;
  counts_.max_overlap = totals_.max_overlap;
  counts_.max_overlap_time = world_.time;
}

void DeviceEngine::look_for_faults(const Control& control) const {
  if (control.coincident != kNone)
    throw NumericalError(
        fmt::format("body {}: the centre of one of its spheres coincides with that of another body's, so the contact "
                    "has no normal, in step {}. Use a smaller dt or a stiffer law.",
                    run_->plan.id_of_rank[control.coincident], world_.step + 1));
  if (control.trouble != kNoTrouble) throw NumericalError(trouble_text(control.trouble));
  if (control.fault == kNone) return;
  run_->bodies.mark_newer();
  report_unsound(world_, methods_.domain, run_->plan.row_of_rank[control.fault], dt_);
}

/// What a detector could not work out, in its words.
std::string DeviceEngine::trouble_text(unsigned long long trouble) const {
  const int code = static_cast<int>(trouble & 0xff);
  const auto named = [&](std::uint64_t rank) {
    const auto r = static_cast<std::size_t>(rank & kSiteMask);
    return NamedBody{run_->plan.id_of_rank[r], world_.shape[run_->plan.row_of_rank[r]]};
  };
  const NamedBody a = named(trouble >> (8 + kSiteBits)), b = named(trouble >> 8);
  const std::string when = fmt::format(" In step {}.", world_.step + 1);
  if (code == kTooManyContacts)
    return fmt::format(
               "bodies {} and {} touch in more places at once than this device has room for. Use a smaller dt, fewer "
               "nodes, "
               "or --device cpu.",
               a.id, b.id) +
           when;
  const auto material = [&](const NamedBody& body) { return world_.material[*world_.row(body.id)]; };
  const std::int32_t channel = methods_.channel(a.shape, material(a), b.shape, material(b));
  const ContactDetector& detector = *methods_.channels[static_cast<std::size_t>(channel)].detector;
  if (const auto* const shapes = static_cast<const DeviceShapePairs*>(detector.face(DeviceShapePairs::kName)))
    return shapes->trouble(code, a, b) + when;
  const auto* const outlines = static_cast<const DeviceOutlines*>(detector.face(DeviceOutlines::kName));
  return outlines->trouble(code, a, b) + when;
}

void DeviceEngine::count(const Control& control) {
  totals_ = {};
  totals_.candidate_pairs = run_->lists.candidates();
  totals_.touching_pairs = control.touching;
  totals_.contacts = control.contacts;
  totals_.history_hits = control.hits;
  totals_.max_overlap = std::bit_cast<double>(control.deepest);
}

void DeviceEngine::advance(std::uint64_t count, const Wanted& last, const std::function<bool()>& pause) {
  take_changes();
  energy_wanted_ = last.energies;
  for (std::uint64_t s = 1; s <= count; ++s) {
    step();
    if (pause && pause()) break;
  }
  run_->bodies.mark_newer();
}

/// All is made anew for the bodies that there are now.
void DeviceEngine::edited(const EditLog& edits) {
  if (edits.empty()) return;
  for (HistoryRecord& record : history().records()) pending_.push_back(std::move(record));
  try {
    if (methods_.newcomers) methods_.newcomers->settle();
    make_run();
  } catch (const InputError& e) {
    throw NumericalError(fmt::format("a body came during the run and cannot take part: {}", e.what()));
  }
  forces_are_stale_ = true;
}

void DeviceEngine::find_contacts(const Wanted& wanted) {
  take_changes();
  energy_wanted_ = wanted.energies;
  try {
    forces_without_trace(wall_time_, dt_, 0);
  } catch (const DeviceFailure& e) {  // before the first step
    throw InputError(e.what());
  }
}

/// While it lives, the forces of the step are kept aside.
class DeviceEngine::Look final : public Observation {
 public:
  explicit Look(DeviceEngine& engine) : engine_(engine) {
    Run& r = *engine_.run_;
    const Bodies b = r.bodies.view();
    for (auto* kept : {&r.kept_force, &r.kept_torque}) kept->resize(b.count);
    engine_.device_->copy(r.kept_force.data(), b.force, r.kept_force.bytes());
    engine_.device_->copy(r.kept_torque.data(), b.torque, r.kept_torque.bytes());
  }
  ~Look() override {
    try {
      Run& r = *engine_.run_;
      const Bodies b = r.bodies.view();
      engine_.device_->copy(b.force, r.kept_force.data(), r.kept_force.bytes());
      engine_.device_->copy(b.torque, r.kept_torque.data(), r.kept_torque.bytes());
      r.lists.restore_memory();
      r.bodies.mark_newer();
    } catch (...) {  // the device is lost: whoever asks it next is told
    }
  }

 private:
  DeviceEngine& engine_;
};

std::unique_ptr<Engine::Observation> DeviceEngine::observe(const Wanted& wanted, bool anew) {
  const bool start = run_->plan.scheme.forces_first;
  if (!wanted.any() || !(anew || start)) return nullptr;
  take_changes();
  energy_wanted_ = wanted.energies;
  auto look = std::make_unique<Look>(*this);
  forces_without_trace(world_.time, start ? dt_ : 0, start ? dt_ / 2 : 0);
  run_->bodies.mark_newer();
  return look;
}

ContactView DeviceEngine::contacts() const {
  if (!run_->listed) return {};
  return ContactRecords(*device_, run_->plan, run_->lists, false).view();
}

ContactTotals DeviceEngine::totals() const {
  ContactTotals totals = totals_;
  if (energy_wanted_ && run_->listed) {
    if (!energy_) energy_ = ContactRecords(*device_, run_->plan, run_->lists, false).elastic_energy();
    totals.elastic_energy = *energy_;
  }
  return totals;
}

double DeviceEngine::stable_time_step() { return std::numeric_limits<double>::infinity(); }

StepCounts DeviceEngine::take_counts() { return std::exchange(counts_, {}); }

void DeviceEngine::insert(std::span<const HistoryRecord> records) {
  pending_.insert(pending_.end(), records.begin(), records.end());
  run_->listed = false;
}

HistoryTable DeviceEngine::history() const {
  if (!run_->listed) return {};
  return ContactRecords(*device_, run_->plan, run_->lists, true).history();
}

void DeviceEngine::restore(const HistoryTable& history) {
  make_run();
  pending_ = history.records();
  forces_are_stale_ = world_.step == 0;
  rebuild(nullptr);
}

}  // namespace scree::device
