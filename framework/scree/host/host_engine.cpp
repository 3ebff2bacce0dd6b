#include "scree/host/host_engine.hpp"

#include <utility>

#include "scree/base/clock.hpp"
#include "scree/base/packed_bytes.hpp"

namespace scree {

namespace {

/// Adds counts of contacts only.
void add(const StepCounts& from, StepCounts& to) {
  to.touching_pairs += from.touching_pairs;
  to.contacts += from.contacts;
  to.history_hits += from.history_hits;
  to.hasty.keep_shorter(from.hasty);
  const auto rank = [](const StepCounts& c) { return std::pair(-c.max_overlap, c.max_overlap_time); };
  if (from.max_overlap > 0 && (to.max_overlap == 0 || rank(from) < rank(to))) {
    to.max_overlap = from.max_overlap;
    to.max_overlap_time = from.max_overlap_time;
  }
}

/// Holds the results of HostMechanics after a step.
class HostObservation final : public Engine::Observation {
 public:
  HostObservation(HostMechanics& mechanics, double dt) : observation_(mechanics, dt) {}

 private:
  HostMechanics::Observation observation_;
};

}  // namespace

std::unique_ptr<Engine> make_host_engine(const EnginePlan& plan) { return std::make_unique<HostEngine>(plan); }

HostEngine::HostEngine(const EnginePlan& plan)
    : world_(plan.world),
      integrator_(plan.methods.integrator.get()),
      dt_(plan.dt),
      origin_(plan.origin),
      mechanics_(plan.world, plan.methods) {}
HostEngine::~HostEngine() = default;

void HostEngine::keep(const Wanted& wanted) {
  mechanics_.pipeline().keep_records(wanted.contacts);
  mechanics_.pipeline().compute_energy(wanted.energies);
}

void HostEngine::advance(std::uint64_t count, const Wanted& last, const std::function<bool()>& pause) {
  // A single step is not worth gathering all bodies again.
  if (count > 1) mechanics_.divide_rows();
  for (std::uint64_t s = 1; s <= count; ++s) {
    const bool looked_at = s == count && !mechanics_.needs_observation();
    step(looked_at ? last : Wanted{});
    if (pause && pause()) break;
  }
  mechanics_.join_rows();
  if (counted_alone_) add_counts_of_others();
}

void HostEngine::step(const Wanted& wanted) {
  keep(wanted);
  const StageSeconds& s = mechanics_.pipeline().seconds;
  const double elsewhere = s.grid + s.detect + s.law;
  const double begin = clock_seconds();
  mechanics_.begin_step(dt_);
  integrator_->step(mechanics_, dt_);
  integrate_seconds_ += (clock_seconds() - begin) - (s.grid + s.detect + s.law - elsewhere);
  ++world_.step;
  world_.time = origin_.time_at(world_.step, dt_);
  count();
}

void HostEngine::count() {
  const ContactTotals& c = mechanics_.pipeline().counts();
  counts_.candidate_pairs += static_cast<double>(c.candidate_pairs);
  counts_.bodies += static_cast<double>(world_.owned());
  const bool alone = mechanics_.pipeline().evaluation().partial();
  counted_alone_ = counted_alone_ || alone;
  counts_.divided += alone ? 1 : 0;
  StepCounts found;
  found.touching_pairs = static_cast<double>(c.touching_pairs);
  found.contacts = static_cast<double>(c.contacts);
  found.history_hits = static_cast<double>(c.history_hits);
  found.max_overlap = c.max_overlap;
  found.max_overlap_time = world_.time;
  found.hasty = c.hasty;
  found.hasty.time = world_.time;
  add(found, alone ? own_counts_ : counts_);
}

/// Adds the counts of other ranks: whole numbers, and the first of the largest overlaps. So it does not matter how
/// contacts were divided.
void HostEngine::add_counts_of_others() {
  ByteWriter own;
  own.put(own_counts_);
  for (const auto& part : mechanics_.pipeline().shares().ranks().gather(CollectiveTag::evaluation, own.bytes()))
    add(ByteReader(part).take<StepCounts>(), counts_);
  own_counts_ = {};
  counted_alone_ = false;
}

void HostEngine::edited(const EditLog& edits) {
  integrator_->edited(world_, edits);
  mechanics_.edited(edits);
}

void HostEngine::find_contacts(const Wanted& wanted) {
  keep(wanted);
  mechanics_.refresh();
  mechanics_.find_contacts(dt_);
}

std::unique_ptr<Engine::Observation> HostEngine::observe(const Wanted& wanted, bool anew) {
  if (!wanted.any() || !(anew || mechanics_.needs_observation())) return nullptr;
  keep(wanted);
  if (integrator_->traits().face == ForceFace::kName) return std::make_unique<HostObservation>(mechanics_, dt_);
  mechanics_.find_contacts(dt_);
  return nullptr;
}

StepCounts HostEngine::take_counts() { return std::exchange(counts_, {}); }

StageSeconds HostEngine::seconds() const {
  StageSeconds seconds = mechanics_.pipeline().seconds;
  seconds.integrate = integrate_seconds_;
  return seconds;
}

}  // namespace scree
