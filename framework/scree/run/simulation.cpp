#include "scree/run/simulation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "scree/base/error.hpp"
#include "scree/base/internal_error.hpp"
#include "scree/run/detail/before_first_step.hpp"
#include "scree/run/recorder.hpp"

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
  bool restored = false;  ///< true if the state is not that of begin() or an advance

  std::unique_ptr<Recorder> recorder;  ///< while files are written
  bool recorded = false;               ///< true if the first moment was
  bool failed = false;                 ///< true if the last advance threw, perhaps within a step

  State(std::unique_ptr<Registry> with, Scene of, const SimulationOptions& options)
      : registry(std::move(with)),
        scene(std::move(of)),
        threads(options.threads),
        sequence(scene, *registry, options.device),
        metrics(sequence.stepper().prepared(), sequence.metrics()) {
    const bool writes = !options.out.empty();
    std::vector<DryRunStage> stages;
    if (sequence.staged() || writes) stages = dry_run_stages(scene, *registry, options.device, stepper().prepared());
    if (!writes) {
      stepper().begin(kAll);
      return;
    }
    restored = true;  // contacts and energies are computed when asked for
    recorder = std::make_unique<Recorder>(scene, sequence, std::move(stages), options.out, options.device);
    before_first_step([&] { recorder->start({}); });
    for (const std::string& warning : stepper().prepared().warnings) recorder->warn(warning);
  }
  ~State() {
    try {
      close();
    } catch (const std::exception&) {  // nobody is left to be told
    }
  }

  /// Ends the files.
  void close() {
    if (!recorder) return;
    const ThreadCount scope(threads);
    const auto ended = std::move(recorder);
    if (!recorded) ended->go_on(true);
    if (!ended->finished()) {
      ended->renew_last_good();
      ended->write_last_good();
    }
    ended->flush();
    ended->summarise(ended->finished() ? "completed" : "interrupted");
  }

  Stepper& stepper() { return sequence.stepper(); }

  void advance(std::uint64_t count) {
    const ThreadCount scope(threads);
    while (count > 0) count -= advance_whole(count);
    restored = false;
  }

  void advance_some(std::uint64_t most) {
    const ThreadCount scope(threads);
    advance_whole(most);
    restored = false;
  }

  /// Advances like advance_in_stage(), unless that failed before. \throws InputError
  std::uint64_t advance_whole(std::uint64_t most) {
    if (failed)
      throw InputError(
          "the last step failed half-way, so that time cannot go on from here. Restore a snapshot of before, or begin "
          "anew.");
    failed = true;
    const std::uint64_t steps = advance_in_stage(most);
    failed = false;
    return steps;
  }

  /// Advances at most to the next step at which the stage may end. After the end of the last one, its scene continues.
  /// \return number of steps
  std::uint64_t advance_in_stage(std::uint64_t most) {
    if (recorder) return advance_recorded(most);
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

  /// Advances like advance_in_stage(), and writes what is due.
  std::uint64_t advance_recorded(std::uint64_t most) {
    const std::uint64_t step = stepper().world().step;
    const auto record = [&] {
      if (!recorded) recorder->go_on(true);
      recorded = true;
      if (!recorder->finished()) recorder->advance(step + most, kAll);
      if (recorder->finished()) close();
    };
    const auto reason = [&](const char* what) {
      const auto ended = std::move(recorder);
      return ended ? ended->fail(what) : what;
    };
    try {
      record();
    } catch (const NumericalError& e) {
      throw NumericalError(reason(e.what()));
    } catch (const IoError& e) {
      throw IoError(reason(e.what()));
    } catch (const std::exception& e) {
      throw InternalError(reason(e.what()));
    }
    return stepper().world().step - step;
  }

  /// Throws if time may not go back. \throws InputError
  void require_no_files() const {
    if (recorder)
      throw InputError(
          "a simulation that writes files goes on in time only. Restore a snapshot in one without an output folder.");
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
  if (options.methods) options.methods(*registry);
  return registry;
}

SceneInputs inputs_of(const SimulationOptions& options) {
  SceneInputs inputs;
  inputs.sets = options.sets;
  inputs.allow_paths = options.allow_paths;
  inputs.allow_code = options.allow_code;
  inputs.out = options.out;
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
  return Simulation(std::make_unique<State>(std::move(registry), std::move(scene), options));
}

Simulation Simulation::from_text(std::string_view json, const SimulationOptions& options, const std::string& name) {
  const ThreadCount scope(options.threads);
  auto registry = loaded(options);
  Scene scene = parse_scene(name, json, inputs_of(options), *registry);
  return Simulation(std::make_unique<State>(std::move(registry), std::move(scene), options));
}

const std::vector<std::string>& Simulation::warnings() const { return state_->stepper().prepared().warnings; }
const std::vector<std::string>& Simulation::notes() const { return state_->stepper().prepared().notes; }
double Simulation::time() const { return world().time; }
double Simulation::dt() const { return state_->stepper().prepared().clock.dt; }
std::string Simulation::stage() const { return state_->sequence.name(); }
double Simulation::duration() const { return state_->scene.duration; }
std::uint64_t Simulation::steps() const { return world().step; }

void Simulation::close() { state_->close(); }

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

void Simulation::check_added() {
  const ThreadCount scope(state_->threads);
  if (auto& resolver = state_->stepper().prepared().methods.species_resolver) resolver->update();
}

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
  state_->require_no_files();
  if (snapshot.fingerprint != state_->scene.fingerprint)
    throw InputError("the snapshot is of another scene than this simulation.");
  const ThreadCount scope(state_->threads);
  state_->sequence.go_back(snapshot.state);
  state_->restored = true;
  state_->failed = false;
}

void Simulation::save(const std::string& file) const {
  write_checkpoint(file, state_->stepper().snapshot(), state_->sequence.identity());
}

void Simulation::load(const std::string& file) {
  state_->require_no_files();
  const ThreadCount scope(state_->threads);
  state_->sequence.resume(file, true);
  state_->restored = true;
  state_->failed = false;
}

}  // namespace scree
