#include "bench/packing.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "scree/base/error.hpp"

namespace scree::device {

namespace {

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

template <class T>
Buffer<T> equal(Device& device, std::size_t count, T value) {
  return Buffer<T>(device, std::vector<T>(count, value));
}

}  // namespace

void Packing::define(const DeviceStage& stage, std::uint32_t contacts, bool central, bool two_spheres) {
  const auto count = static_cast<std::uint32_t>(x.size());
  const auto per_body = static_cast<std::uint32_t>(members.size());
  for (std::uint32_t i = 0; i <= count; ++i) plan.first_site.push_back(i * per_body);
  for (std::uint32_t i = 0; i < count; ++i) {
    plan.row_of_rank.push_back(i);
    for (const Vector3d& centre : members) plan.sites.push_back({i, 0, radius, centre});
  }
  plan.turning_sites = per_body > 1;
  plan.species = 1;
  plan.channel_of = {0};
  plan.shape_of_species = {0};
  plan.largest_radius = radius;
  const bool payload = contacts > 1;
  plan.history = methods->interaction.history + (payload ? 1 : 0);
  plan.planar = planar;
  const Methods& m = *methods;
  const ContactMethods used{&m.channel,
                            &m.interaction,
                            &m.law,
                            central,
                            payload,
                            planar && m.law.flat_in_plane,
                            ContactMethods::can_be_together(m.law, m.interaction.needs, two_spheres)};
  plan.columns.add(used);
  plan.pairs.push_back({used, stage, contacts, nullptr, {}});
}

PackingBench::PackingBench(Device& device, Packing packing)
    : device_(device),
      packing_(std::move(packing)),
      lists_(device, packing_.plan, packing_.cell, packing_.skin),
      contacts_(device, packing_.plan, environment_, lists_) {
  const Packing& p = packing_;
  const auto n = static_cast<std::uint32_t>(p.x.size());
  environment_.gravity = p.gravity;
  x_ = Buffer<Vector3d>(device, p.x);
  v_ = Buffer<Vector3d>(device, p.v);
  w_ = Buffer<Vector3d>(device, p.w);
  q_ = Buffer<Quaterniond>(device, p.q);
  for (auto* buffer : {&force_, &torque_, &crossings_}) *buffer = equal(device, n, Vector3d{0, 0, 0});
  moments_ = equal(device, n, Vector3d{p.moment, p.moment, p.moment});
  inverse_moments_ = equal(device, n, Vector3d{1 / p.moment, 1 / p.moment, 1 / p.moment});
  mass_ = equal(device, n, p.mass);
  std::vector<double> inverse_mass(n, 1 / p.mass);
  for (std::size_t i = 0; i < p.fixed.size(); ++i)
    if (p.fixed[i]) inverse_mass[i] = 0;
  inverse_mass_ = Buffer<double>(device, inverse_mass);
  radius_ = equal(device, n, p.radius);
  first_site_ = Buffer<std::uint32_t>(device, p.plan.first_site);
  wrapped_ = equal(device, n, std::uint8_t{0});
  view_ = {n,
           x_.data(),
           v_.data(),
           w_.data(),
           q_.data(),
           mass_.data(),
           inverse_mass_.data(),
           radius_.data(),
           moments_.data(),
           inverse_moments_.data(),
           first_site_.data(),
           force_.data(),
           torque_.data()};
}

std::vector<double> PackingBench::places() const {
  std::vector<double> all;
  for (const Vector3d& x : x_.download()) all.insert(all.end(), {x.x, x.y, x.z});
  return all;
}

void PackingBench::rebuild() {
  const double begin = seconds();
  recording_.reset();
  const PeriodicCell& cell = packing_.cell;
  const bool repeats = cell.any();
  if (repeats)
    device_.run(view_.count, WrapBodies{view_,
                                        {cell.lower[0], cell.lower[1], cell.lower[2]},
                                        {cell.length(0), cell.length(1), cell.length(2)},
                                        crossings_.data(),
                                        wrapped_.data()});
  lists_.rebuild({view_.x, view_.q, view_.inverse_mass}, {}, repeats ? wrapped_.data() : nullptr);
  listed_ = true;
  steps_with_lists_ = 0;
  ++rebuilds_;
  (void)contacts_.read_batch();  // waits
  rebuild_seconds_ += seconds() - begin;
}

void PackingBench::advance(std::uint32_t steps) {
  for (std::uint32_t left = steps; left > 0;) left -= advance_batch(left);
}

/// As the engine: batches grow with the life of the lists. \return whole steps
std::uint32_t PackingBench::advance_batch(std::uint32_t most) {
  constexpr std::uint32_t kFirst = 8;
  const std::uint32_t steps = std::min({most, Batch::kMostSteps, std::max(kFirst, steps_with_lists_)});
  contacts_.begin();
  if (!listed_) {
    rebuild();
    in_step_ = true;
  }
  if (!recording_ && steps_with_lists_ >= kFirst) recording_ = device_.record([&] { enqueue_step(); });
  for (std::uint32_t i = 0; i < steps; ++i) {
    if (i == 0 && in_step_)
      evaluate_and_move();
    else if (recording_)
      recording_->launch();
    else
      enqueue_step();
  }
  const Batch batch = contacts_.read_batch(steps);
  if (batch.step > 0) control_ = batch.of_step[batch.step - 1];
  if (batch.halted == kFaultFound)
    throw NumericalError("a body of the benchmark has left space, or two are one within the other.");
  steps_with_lists_ += batch.step;
  in_step_ = batch.halted == kListsAreStale;
  if (in_step_) {
    contacts_.begin();
    rebuild();
  }
  return batch.step;
}

/// Symplectic Euler.
void PackingBench::enqueue_step() {
  contacts_.place_sites(view_);
  device_.run(1, CheckLists{contacts_.batch(), packing_.skin, nullptr, 0, 0});
  evaluate_and_move();
}

/// Forces, kick and drift.
void PackingBench::evaluate_and_move() {
  const double dt = packing_.dt;
  constexpr double kFar = 1e30;
  const Motion motion{view_, dt, dt, true, {-kFar, -kFar, -kFar}, {kFar, kFar, kFar}, contacts_.control()};
  contacts_.evaluate_and_move(motion, 0, dt, dt / 2);
  contacts_.end_step();
}

}  // namespace scree::device
