#include "scree/run/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "scree/base/error.hpp"
#include "scree/run/dry_run.hpp"
#include "scree/run/stage_sequence.hpp"

namespace scree {

class Simulation::Snapshot {
 public:
  scree::Snapshot state;
  std::uint64_t fingerprint = 0;  ///< fingerprint of the scene
};

namespace {
constexpr Wanted kAll{.contacts = true, .energies = true, .forces = true};
}

struct Simulation::State {
  std::unique_ptr<Registry> registry;
  Scene scene;
  int threads;
  StageSequence sequence;
  Metrics metrics;
  bool restored = false;  ///< true if restored and not advanced since

  State(std::unique_ptr<Registry> with, Scene of, const std::string& device, int by)
      : registry(std::move(with)),
        scene(std::move(of)),
        threads(by),
        sequence(scene, *registry, device),
        metrics(sequence.stepper().prepared(), sequence.metrics()) {
    if (sequence.staged()) dry_run_stages(scene, *registry, device, stepper().prepared());
    stepper().begin(kAll);
  }
  Stepper& stepper() { return sequence.stepper(); }

  void advance(std::uint64_t count) {
    const ThreadCount scope(threads);
    while (count > 0) count -= advance_in_stage(count);
    restored = false;
  }

  void advance_some(std::uint64_t most) {
    const ThreadCount scope(threads);
    advance_in_stage(most);
    restored = false;
  }

  /// Advances at most to the next step at which the stage may end. After the end of the last one, its scene continues.
  /// \return number of steps
  std::uint64_t advance_in_stage(std::uint64_t most) {
    if (sequence.ended() && !sequence.last()) sequence.next(states_of(stepper().prepared(), false));
    const std::uint64_t step = stepper().world().step;
    const std::uint64_t next = sequence.over() || !sequence.staged() ? UINT64_MAX : sequence.next_look(step);
    const std::uint64_t steps = std::min(most, next - step);
    stepper().advance(steps, kAll);
    if (stepper().world().step == next) {
      const auto observation = stepper().observe(kAll);
      metrics.note(stepper().prepared());
      sequence.look(metrics);
    }
    return steps;
  }

  /// Calls f() while contacts and energies are those of the current state.
  template <class F>
  auto seen(const F& f) {
    const ThreadCount scope(threads);
    if (stepper().world().step == 0 && !restored) return f();  // begin() has computed them
    const auto observation = stepper().observe(kAll, restored);
    return f();
  }
};

namespace {

std::unique_ptr<Registry> loaded(const SimulationOptions& options) {
  auto registry = std::make_unique<Registry>();
  registry->load(default_plugin_search(options.plugin_paths));
  return registry;
}

SceneInputs inputs_of(const SimulationOptions& options) {
  SceneInputs inputs;
  inputs.sets = options.sets;
  inputs.allow_paths = options.allow_paths;
  return inputs;
}

}  // namespace

Simulation::Simulation(std::unique_ptr<State> state) : state_(std::move(state)) {}
Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

Simulation Simulation::from_file(const std::string& file, const SimulationOptions& options) {
  const ThreadCount scope(options.threads);
  auto registry = loaded(options);
  Scene scene = read_scene(file, inputs_of(options), *registry);
  return Simulation(std::make_unique<State>(std::move(registry), std::move(scene), options.device, options.threads));
}

Simulation Simulation::from_text(std::string_view json, const SimulationOptions& options, const std::string& name) {
  const ThreadCount scope(options.threads);
  auto registry = loaded(options);
  Scene scene = parse_scene(name, json, inputs_of(options), *registry);
  return Simulation(std::make_unique<State>(std::move(registry), std::move(scene), options.device, options.threads));
}

const std::vector<std::string>& Simulation::warnings() const { return state_->stepper().prepared().warnings; }
double Simulation::time() const { return world().time; }
double Simulation::dt() const { return state_->stepper().prepared().clock.dt; }
std::string Simulation::stage() const { return state_->sequence.name(); }
double Simulation::duration() const { return state_->scene.duration; }
std::uint64_t Simulation::steps() const { return world().step; }

void Simulation::step(std::uint64_t count) { state_->advance(count); }

void Simulation::run_until(double time) {
  if (!std::isfinite(time)) throw InputError("run_until() needs a finite time [s].");
  while (true) {  // stages may have steps of their own
    const std::int64_t left =
        state_->stepper().prepared().clock.step_at(time) - static_cast<std::int64_t>(world().step);
    if (left <= 0) return;
    state_->advance_some(static_cast<std::uint64_t>(left));
  }
}

World& Simulation::world() { return state_->stepper().world(); }
const World& Simulation::world() const { return state_->stepper().world(); }

Vec3 Simulation::gravity() const { return state_->stepper().gravity(); }
void Simulation::set_gravity(const Vec3& gravity) {
  state_->stepper().prepared().methods.environment.gravity = gravity;
}

ContactView Simulation::contacts() {
  return state_->seen([&] { return state_->stepper().engine().contacts(); });
}

BondValues Simulation::bonds() {
  return state_->seen([&] { return state_->stepper().engine().bond_values(); });
}

std::vector<std::pair<std::string, double>> Simulation::metrics() {
  return state_->seen([&] {
    Metrics& metrics = state_->metrics;
    metrics.note(state_->stepper().prepared());
    const std::vector<std::string> names = metrics.columns();
    const std::vector<double>& values = metrics.row(state_->stepper().prepared(), state_->sequence.number());
    std::vector<std::pair<std::string, double>> all;
    for (std::size_t k = 0; k < names.size(); ++k) all.emplace_back(names[k], values[k]);
    return all;
  });
}

std::shared_ptr<const Simulation::Snapshot> Simulation::snapshot() const {
  auto copy = std::make_shared<Snapshot>();
  copy->state = state_->stepper().snapshot();
  copy->fingerprint = state_->scene.fingerprint;
  return copy;
}

void Simulation::restore(const Snapshot& snapshot) {
  if (snapshot.fingerprint != state_->scene.fingerprint)
    throw InputError("the snapshot is of another scene than this simulation.");
  const ThreadCount scope(state_->threads);
  state_->sequence.go_back(snapshot.state);
  state_->restored = true;
}

void Simulation::save(const std::string& file) const {
  write_checkpoint(file, state_->stepper().snapshot(), state_->sequence.identity());
}

void Simulation::load(const std::string& file) {
  const ThreadCount scope(state_->threads);
  state_->sequence.resume(file, true);
  state_->restored = true;
}

}  // namespace scree
