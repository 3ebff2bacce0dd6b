#include "engine/device_engine.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <utility>

#include "engine/device_errors.hpp"
#include "kernels/step_kernels.hpp"
#include "scree/base/clock.hpp"
#include "scree/base/error.hpp"
#include "scree/model/report_unsound.hpp"

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

constexpr std::uint64_t kFirstBatch = 8;       ///< steps in a batch after lists were made, and worth recording
constexpr std::uint64_t kMostPoses = 1 << 16;  ///< of prescribed bodies in a batch

/// SCREE_DEVICE_BATCH, for tests: how many steps a batch has at most.
std::uint64_t most_steps() {
  const char* const text = std::getenv("SCREE_DEVICE_BATCH");
  return std::clamp<std::uint64_t>(text ? std::strtoull(text, nullptr, 10) : Batch::kMostSteps, 1, Batch::kMostSteps);
}

bool is_constant(const GravityVariation& gravity) {
  return gravity.frequency == 0 && gravity.phase == 0 && gravity.table.empty();
}

}  // namespace

struct DeviceEngine::Run {
  explicit Run(DeviceEngine& engine)
      : plan({engine.world_, engine.methods_, engine.dt_}),
        lists(*engine.device_, plan, engine.world_.cell, engine.methods_.skin),
        contacts(*engine.device_, plan, engine.methods_.environment, lists),
        bodies(*engine.device_, engine.world_, plan),
        inputs(*engine.device_, engine.world_, plan),
        kept_force(*engine.device_),
        kept_torque(*engine.device_) {}
  DevicePlan plan;
  PairLists lists;
  ContactForces contacts;
  BodyState bodies;  ///< gives the World its columns back first, with forces on obstacles
  BatchInputs inputs;
  Buffer<Vector3d> kept_force, kept_torque;
  WallReference reference;
  bool listed = false;
  std::uint64_t steps_with_lists = 0;  ///< whole steps since they were made
  std::vector<StepTimes> times;        ///< of the steps of the batch
  bool in_step = false;                ///< the next batch goes on in mid-step, where forces are evaluated
  std::unique_ptr<Recording> step;     ///< a whole one, where all are the same
};

DeviceEngine::DeviceEngine(const EnginePlan& plan, std::unique_ptr<Device> device)
    : world_(plan.world),
      methods_(plan.methods),
      dt_(plan.dt),
      origin_(plan.origin),
      device_(std::move(device)),
      most_steps_(most_steps()) {
  make_run();
}

DeviceEngine::~DeviceEngine() = default;

void DeviceEngine::make_run() {
  run_.reset();
  run_ = std::make_unique<Run>(*this);
  run_->bodies.wall_wrenches = [this, run = run_.get()] {
    if (!run->listed) return std::vector<std::pair<std::uint32_t, Wrench>>{};
    return ContactRecords(*device_, run->plan, run->lists, false)
        .wall_wrenches(walls_at(world_, run->plan, wall_time_));
  };
  wall_time_ = world_.time;
  tell_errors();
}

/// A figure for each shape that is there by a table: how far that is off.
void DeviceEngine::tell_errors() {
  for (const auto& detector : methods_.detectors) {
    const auto* const pairs = static_cast<const DeviceShapePairs*>(detector->face(DeviceShapePairs::kName));
    if (!pairs) continue;
    for (const ShapeError& e : pairs->errors())
      world_.metric("table_error_" + world_.shapes()[e.shape].name) = e.largest;
  }
}

/// Rows that others have changed between steps.
void DeviceEngine::take_changes() {
  if (run_->bodies.lacks_external_wrenches()) renew_run();
  if (!run_->bodies.upload_changes()) return;
  for (WallMethods& wall : run_->plan.walls) {
    const std::uint32_t row = run_->plan.row_of_rank[wall.body];
    wall.pose = {world_.position[row], world_.orientation[row]};
  }
}

/// Bodies are put back into the cell, and all that is close is listed anew.
void DeviceEngine::renew_lists() {
  Run& r = *run_;
  r.bodies.take_reference();
  r.bodies.mark_newer();
  world_.reference_cell = world_.cell;
  rebuild(r.bodies.wrapped());
}

/// \param wrapped  how bodies were put back into the cell since pairs were listed last, or null
void DeviceEngine::rebuild(const std::uint8_t* wrapped) {
  const Stopwatch watch(seconds_.grid);
  Run& r = *run_;
  r.step.reset();
  r.lists.restore_memory();
  r.listed = false;  // should the memory end half-way
  r.reference.poses = walls_at(world_, r.plan, wall_time_);
  r.lists.rebuild({r.bodies.x0(), r.bodies.q0(), r.bodies.view().inverse_mass}, r.reference.poses, wrapped);
  r.listed = true;
  r.steps_with_lists = 0;
  ++rebuilds_;
  find_farthest_site();
  if (pending_.empty()) return;
  ContactRecords(*device_, r.plan, r.lists, true).insert(pending_, r.lists);
  pending_.clear();
}

void DeviceEngine::find_farthest_site() {
  Run& r = *run_;
  double& farthest = r.reference.farthest_site;
  farthest = 0;
  if (!some_wall_moves(world_, r.plan)) return;
  const auto x = world_.find_column("reference_position")->as<Vec3>();
  for (const Pose& wall : r.reference.poses)
    for (const Vec3& at : x) farthest = std::max(farthest, (at - wall.position).norm());
  double within_body = 0;
  for (const SiteDefinition& site : r.plan.sites) within_body = std::max(within_body, length(site.local));
  farthest += within_body + r.plan.largest_radius;
}

/// Evaluates contacts and forces of the state on the device, and waits. What contacts remember stays what it was.
void DeviceEngine::forces_without_trace(double time, double dt, double lag) {
  Run& r = *run_;
  r.contacts.begin();
  if (!r.listed || lists_are_stale()) renew_lists();
  r.lists.restore_memory();
  r.lists.save_memory();
  const Stopwatch watch(seconds_.law);
  r.contacts.evaluate(r.bodies.view(), time, dt, lag);
  energy_.reset();
  count(r.contacts.read_batch().now);
}

bool DeviceEngine::lists_are_stale() {
  Run& r = *run_;
  r.inputs.upload_walls({&wall_time_, 1}, r.reference);
  r.contacts.place_sites(r.bodies.view());
  check_lists();
  const bool stale = r.contacts.read_batch().halted != kGoesOn;
  if (stale) r.contacts.begin();
  return stale;
}

void DeviceEngine::check_lists() { device_->run(1, run_->inputs.check(run_->contacts.batch(), methods_.skin)); }

/// Gives prescribed bodies rates, and poses too where they are to be placed. \param k  of the uploaded times
void DeviceEngine::prescribe(std::size_t k, bool place) {
  if (const BatchInputs& inputs = run_->inputs; inputs.prescribed() > 0)
    device_->run(inputs.prescribed(), Prescribe{run_->bodies.view(), inputs.poses(k), place, true});
}

Motion DeviceEngine::motion(double kick, double drift, bool check) const {
  const DomainBox& domain = methods_.domain;
  return {run_->bodies.view(), kick, drift, check, plain(domain.lower), plain(domain.upper), run_->contacts.control()};
}

/// The first forces of a scheme that begins its steps with those of the last.
void DeviceEngine::renew_forces() {
  if (forces_are_stale_ && !run_->plan.scheme.forces_first) {
    run_->inputs.upload_poses({&world_.time, 1});
    prescribe(0, true);
    set_wall_time(world_.time);
    forces_without_trace(world_.time, 0, 0);
  }
  forces_are_stale_ = false;
}

void DeviceEngine::set_wall_time(double time) {
  if (!world_.prescribed().empty()) wall_time_ = time;
}

/// Of the i-th step from now.
StepTimes DeviceEngine::times_of(std::uint64_t i) const {
  const double t = i == 0 ? world_.time : origin_.time_at(world_.step + i, dt_), half = dt_ / 2;
  // Rates within a step are those of the drift, as those of free bodies.
  if (run_->plan.scheme.forces_first) return {t + dt_, t, {t, t - half, t + dt_}};
  return {t + dt_, t + dt_, {t + dt_, t + half, t + dt_}};
}

/// What a step does before forces. \param i  which one of the batch
void DeviceEngine::begin_step(std::size_t i) {
  if (!run_->plan.scheme.forces_first) {
    const Stopwatch watch(seconds_.integrate);
    run_->contacts.move(motion(dt_ / 2, dt_, false));
  }
  prescribe(i * StepTimes::kPoses, true);
  prescribe(i * StepTimes::kPoses + 1, false);
}

/// From the evaluation of forces on.
void DeviceEngine::end_step(std::size_t i) {
  Run& r = *run_;
  const bool first = r.plan.scheme.forces_first;
  {
    const Stopwatch watch(seconds_.law);
    r.contacts.evaluate_and_move(first ? motion(dt_, dt_, true) : motion(dt_ / 2, 0, true), r.times[i].forces, dt_,
                                 dt_ / 2);
  }
  prescribe(i * StepTimes::kPoses + 2, first);
  r.contacts.end_step();
}

void DeviceEngine::enqueue_step(std::size_t i) {
  begin_step(i);
  run_->contacts.place_sites(run_->bodies.view());
  check_lists();
  end_step(i);
}

/// Batches grow with the life of the lists, so that few steps are enqueued that lists do not last for.
std::uint64_t DeviceEngine::batch_size(std::uint64_t most) const {
  const std::uint64_t poses = StepTimes::kPoses * std::max<std::uint64_t>(1, world_.prescribed().size());
  return std::min({most, most_steps_, std::max(kFirstBatch, run_->steps_with_lists),
                   std::max<std::uint64_t>(1, kMostPoses / poses)});
}

void DeviceEngine::upload_poses() {
  std::vector<double> times;
  for (const StepTimes& step : run_->times) times.insert(times.end(), std::begin(step.poses), std::end(step.poses));
  run_->inputs.upload_poses(times);
}

void DeviceEngine::upload_walls() {
  std::vector<double> times;
  for (const StepTimes& step : run_->times) times.push_back(step.forces);
  run_->inputs.upload_walls(times, run_->reference);
}

/// Steps that are all the same are recorded once; kernels have run before, so that they are loaded.
void DeviceEngine::record_step() {
  Run& r = *run_;
  const bool same = world_.prescribed().empty() && is_constant(methods_.environment.variation);
  if (r.step || !same || r.times.size() < kFirstBatch || r.steps_with_lists < kFirstBatch) return;
  r.step = device_->record([&] { enqueue_step(0); });
}

/// Makes up to `most` steps and looks at the device once, at their end. Stops in mid-step where lists are stale.
/// \return whole steps
std::uint64_t DeviceEngine::advance_batch(std::uint64_t most) {
  Run& r = *run_;
  if (!r.in_step) renew_forces();
  r.times.clear();
  for (std::uint64_t i = 0, steps = batch_size(most); i < steps; ++i) r.times.push_back(times_of(i));
  upload_poses();
  r.contacts.begin();
  if (!r.listed) {
    begin_step(0);
    set_wall_time(r.times[0].forces);
    renew_lists();
    r.in_step = true;
  }
  upload_walls();
  r.lists.restore_memory();
  record_step();
  for (std::size_t i = 0; i < r.times.size(); ++i) {
    if (i == 0 && r.in_step)
      end_step(0);
    else if (r.step)
      launch_step();
    else
      enqueue_step(i);
  }
  energy_.reset();
  return account(wait());
}

void DeviceEngine::launch_step() {
  const Stopwatch watch(seconds_.law);
  run_->step->launch();
}

Batch DeviceEngine::wait() {
  const Stopwatch watch(seconds_.law);
  return run_->contacts.read_batch(run_->times.size());
}

/// Goes by what a batch has found. \return whole steps
std::uint64_t DeviceEngine::account(const Batch& batch) {
  Run& r = *run_;
  const bool fault = batch.halted == kFaultFound;
  const std::uint32_t done = batch.step - (fault ? 1 : 0);
  for (std::uint32_t i = 0; i < done; ++i) finish_step(batch.of_step[i]);
  r.steps_with_lists += done;
  r.in_step = batch.halted == kListsAreStale;
  if (batch.halted != kGoesOn) r.contacts.begin();
  set_wall_time(r.in_step ? r.times[done].forces : r.times[batch.step - 1].end);
  if (fault) look_for_faults(batch.of_step[done]);
  if (r.in_step) renew_lists();
  return done;
}

void DeviceEngine::finish_step(const Control& control) {
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
    const std::uint32_t row = run_->plan.row_of_rank[r];
    return NamedBody{run_->plan.id_of_rank[r], world_.shape[row], world_.scale[row]};
  };
  const NamedBody a = named(trouble >> (8 + kSiteBits)), b = named(trouble >> 8);
  if (code == kTooManyContacts)
    return fmt::format(
        "bodies {} and {} touch in more places at once than this device has room for, in step {}. Use a smaller dt, "
        "fewer nodes, or --device cpu.",
        a.id, b.id, world_.step + 1);
  const std::string when = fmt::format(" In step {}.", world_.step + 1);
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

/// Refuses what a hook began after the plan was made.
void DeviceEngine::refuse_new_deformation() const {
  if (world_.cell.deforms())
    throw NumericalError("this device does not run periodic cells that deform. Use --device cpu.");
}

void DeviceEngine::advance(std::uint64_t count, const Wanted& last, const std::function<bool()>& pause) {
  refuse_new_deformation();
  take_changes();
  run_->step.reset();  // others may have changed what it was recorded with, gravity for one
  energy_wanted_ = last.energies;
  bool paused = false;
  for (std::uint64_t left = count; left > 0 && (!paused || run_->in_step);) {
    left -= advance_batch(paused ? 1 : left);
    paused = (pause && pause()) || paused;
  }
  run_->bodies.mark_newer();
}

/// Makes all anew for the bodies and columns that there are now. Contacts keep their history.
void DeviceEngine::renew_run() {
  for (HistoryRecord& record : history().records()) pending_.push_back(std::move(record));
  make_run();
}

void DeviceEngine::edited(const EditLog& edits) {
  if (edits.empty()) return;
  refuse_new_deformation();
  try {
    if (methods_.species_resolver) methods_.species_resolver->update();
    renew_run();
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
      r.lists.restore_memory_after_look();
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
