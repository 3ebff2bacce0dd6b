#include "bench/spheres.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>

#include "plugins/compliant/law_models.hpp"

namespace scree::compliant {
const device::StageTable* host_stages();
}
namespace scree::spheres {
const device::StageTable* host_stages();
}

namespace scree::device {

namespace {

constexpr double kRadius = 1e-3, kMass = 2500 * 4.18879e-9, kMoment = 0.4 * kMass * kRadius * kRadius;
constexpr double kSkin = 0.3 * kRadius, kDt = 1e-6, kOverlap = 1e-4;  ///< overlap relative to the radius
constexpr double kSpeed = 0.01;                                       ///< [m/s]

const compliant::HertzMindlinModel& law() {
  static const compliant::HertzMindlinModel model = [] {
    compliant::HertzMindlinModel m;
    m.planar = false;
    m.p.elasticity = compliant::elasticity(5e7, 0.25, 5e7, 0.25);
    m.p.damping_ratio = 0.2;
    m.p.friction = 0.5;
    return m;
  }();
  return model;
}

std::uint32_t side_of(std::uint32_t count) {
  return static_cast<std::uint32_t>(std::lround(std::cbrt(static_cast<double>(count) / 2)));
}

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

const char kNothing = 0;

}  // namespace

/// A body-centred lattice: eight contacts each.
SphereBench::Plan::Plan(std::uint32_t side)
    : stage{{"spheres", "sphere-sphere", &kNothing, spheres::host_stages()}, 1},
      law_stage{{"compliant", "hertz-mindlin", &law(), compliant::host_stages()}} {
  const std::uint32_t count = 2 * side * side * side;
  for (std::uint32_t i = 0; i <= count; ++i) first_site.push_back(i);
  for (std::uint32_t i = 0; i < count; ++i) row_of_rank.push_back(i), sites.push_back({i, 0, kRadius, {0, 0, 0}});
  species = 1;
  channel_of = {0};
  largest_radius = kRadius;
  interaction.history = history = law().rolling_column();
  pairs.push_back({{&channel, &interaction, &law_stage, true}, stage, 1, nullptr, {}});
  shape_of_species = {0};
}

SphereBench::SphereBench(Device& device, std::uint32_t count)
    : device_(device),
      side_(side_of(count)),
      pitch_(2 * kRadius * (1 - kOverlap) * 2 / std::sqrt(3.0)),
      plan_(side_),
      cell_(Vec3::Zero(), Vec3::Constant(side_ * pitch_)),
      lists_(device, plan_, cell_, kSkin),
      contacts_(device, plan_, environment_, lists_) {
  const auto n = static_cast<std::uint32_t>(plan_.sites.size());
  std::mt19937 random(1);
  std::normal_distribution<double> speed(0, kSpeed);
  std::vector<Vector3d> x, v;
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t cell = i / 2;
    const double half = i % 2 ? 0.5 : 0;
    x.push_back({pitch_ * (cell % side_ + half), pitch_ * (cell / side_ % side_ + half),
                 pitch_ * (cell / side_ / side_ + half)});
    v.push_back({speed(random), speed(random), speed(random)});
  }
  x_ = Buffer<Vector3d>(device, x);
  v_ = Buffer<Vector3d>(device, v);
  const std::vector<Vector3d> zero(n, Vector3d{0, 0, 0});
  for (auto* buffer : {&w_, &force_, &torque_, &crossings_}) *buffer = Buffer<Vector3d>(device, zero);
  moments_ = Buffer<Vector3d>(device, std::vector<Vector3d>(n, Vector3d{kMoment, kMoment, kMoment}));
  inverse_moments_ =
      Buffer<Vector3d>(device, std::vector<Vector3d>(n, Vector3d{1 / kMoment, 1 / kMoment, 1 / kMoment}));
  q_ = Buffer<Quaterniond>(device, std::vector<Quaterniond>(n, Quaterniond{0, 0, 0, 1}));
  mass_ = Buffer<double>(device, std::vector<double>(n, kMass));
  inverse_mass_ = Buffer<double>(device, std::vector<double>(n, 1 / kMass));
  radius_ = Buffer<double>(device, std::vector<double>(n, kRadius));
  first_site_ = Buffer<std::uint32_t>(device, plan_.first_site);
  wrapped_ = Buffer<std::uint8_t>(device, std::vector<std::uint8_t>(n, 0));
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

void SphereBench::rebuild() {
  const double begin = seconds();
  const double length = side_ * pitch_;
  recording_.reset();
  device_.run(view_.count, WrapBodies{view_, {0, 0, 0}, {length, length, length}, crossings_.data(), wrapped_.data()});
  lists_.rebuild({view_.x, view_.q, view_.inverse_mass}, {}, wrapped_.data());
  listed_ = true;
  steps_with_lists_ = 0;
  ++rebuilds_;
  (void)contacts_.read_batch();  // waits
  rebuild_seconds_ += seconds() - begin;
}

void SphereBench::advance(std::uint32_t steps) {
  for (std::uint32_t left = steps; left > 0;) left -= advance_batch(left);
}

/// As the engine: batches grow with the life of the lists. \return whole steps
std::uint32_t SphereBench::advance_batch(std::uint32_t most) {
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
  steps_with_lists_ += batch.step;
  in_step_ = batch.halted == kListsAreStale;
  if (in_step_) {
    contacts_.begin();
    rebuild();
  }
  return batch.step;
}

/// Symplectic Euler.
void SphereBench::enqueue_step() {
  contacts_.place_sites(view_);
  device_.run(1, CheckLists{contacts_.batch(), kSkin, nullptr, 0, 0});
  evaluate_and_move();
}

/// Forces, kick and drift.
void SphereBench::evaluate_and_move() {
  contacts_.evaluate(view_, 0, kDt, kDt / 2);
  constexpr double kFar = 1e30;
  device_.run(view_.count,
              KickDrift{view_, kDt, kDt, false, true, {-kFar, -kFar, -kFar}, {kFar, kFar, kFar}, contacts_.control()});
  contacts_.end_step();
}

}  // namespace scree::device
