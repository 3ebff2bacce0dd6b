#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <stdexcept>

#include "core.hpp"
#include "scree/base/error.hpp"
#include "scree/world/world.hpp"

namespace scree::python {

namespace {

/// Time between two looks at Ctrl-C [s]. Each batch ends with contacts and energies, which cost a part of a step.
constexpr double kBatch = 0.05;

/// Snapshot of a simulation.
struct State {
  std::shared_ptr<const Simulation::Snapshot> snapshot;
  double time;  ///< [s]
  std::uint64_t steps;
  std::vector<std::string> columns;  ///< names of the columns of bodies
};

std::vector<std::string> column_names(const World& world) {
  std::vector<std::string> names;
  for (const auto& column : world.columns()) names.push_back(column->name());
  return names;
}

/// Returns the number of steps of the next batch, at most twice that of the last one.
/// \param steps, seconds  number of steps just made, and the time they took [s]
std::uint64_t next_batch(std::uint64_t batch, std::uint64_t steps, double seconds) {
  const double fit = seconds > 0 ? static_cast<double>(steps) * kBatch / seconds : 1e6;
  return static_cast<std::uint64_t>(std::clamp(fit, 1.0, 2.0 * static_cast<double>(batch)));
}

/// Advances in batches until `more` returns no further one. Between them Ctrl-C is looked for, and `tell` is called.
/// \param more  (simulation, most steps) -> function that advances, or nothing
template <class Advance>
void advance(Core& core, const py::object& tell, const Advance& advance_some) {
  for (bool more = true; more;) {
    const std::uint64_t first = core.change().steps();
    const auto begin = std::chrono::steady_clock::now();
    core.without_gil([&](Simulation& simulation) { more = advance_some(simulation, core.batch); });
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    if (const std::uint64_t steps = core.use().steps() - first; steps > 0)
      core.batch = next_batch(core.batch, steps, took.count());
    if (PyErr_CheckSignals() != 0) throw py::error_already_set();
    if (!tell.is_none()) tell();
  }
}

void step(Core& core, std::uint64_t count, const py::object& tell) {
  if (count == 0) return;
  advance(core, tell, [&](Simulation& simulation, std::uint64_t most) {
    const std::uint64_t steps = std::min(count, most);
    simulation.step(steps);
    count -= steps;
    return count > 0;
  });
}

void run_until(Core& core, double time, const py::object& tell) {
  if (!std::isfinite(time)) throw InputError("run_until() needs a finite time [s].");
  advance(core, tell, [&](Simulation& simulation, std::uint64_t most) {
    const double next = simulation.time() + static_cast<double>(most) * simulation.dt();
    const bool more = next < time - simulation.dt();
    simulation.run_until(more ? next : time);
    return more;
  });
}

/// Returns the number of steps to the one nearest to `time` [s], negative if that is in the past.
std::int64_t steps_to(Core& core, double time) {
  const Simulation& simulation = core.use();
  const auto done = static_cast<double>(simulation.steps());
  const auto rounded = [](double steps) { return std::llround(std::clamp(steps, -9e15, 9e15)); };
  // Counted from the start, where time is: so the step does not depend on the present one.
  if (done * simulation.dt() == simulation.time())
    return rounded(time / simulation.dt()) - static_cast<std::int64_t>(simulation.steps());
  return rounded((time - simulation.time()) / simulation.dt());
}

/// Returns the time step of the current stage [s]. \throws std::runtime_error in begin() of a hook
double time_step(Core& core) {
  if (!core.call()) return core.use().dt();
  const double dt = core.world().dt;
  if (dt > 0) return dt;
  throw std::runtime_error("dt is not chosen yet in begin(): take it in the function that the hook calls.");
}

/// Returns the columns of metrics.csv; in a hook those figures that methods keep.
std::vector<std::pair<std::string, double>> metrics(Core& core) {
  std::vector<std::pair<std::string, double>> all;
  if (core.call())
    for (const auto& [name, value] : core.world().metrics()) all.emplace_back(name, value);
  else
    core.compute([&](Simulation& s) { all = s.metrics(); });
  return all;
}

std::shared_ptr<Core> open(const std::string& text, bool is_file, const std::string& name,
                           const std::vector<std::string>& sets, const std::vector<std::string>& plugins,
                           const std::vector<std::string>& allow_paths, bool allow_python, const std::string& device,
                           int threads, const std::string& out, const std::map<std::string, py::object>& laws,
                           const std::string& schemas) {
  const auto raised = std::make_shared<Raised>();
  SimulationOptions options;
  options.sets = sets;
  options.plugin_paths = plugins;
  options.allow_paths = allow_paths;
  if (allow_python) options.allow_code = {"python"};
  options.device = device;
  options.threads = threads;
  options.out = out;
  if (!laws.empty()) options.methods = python_laws(laws, schemas, raised);
  require_threads(threads);
  std::shared_ptr<Core> core;
  try {
    py::gil_scoped_release free;
    core = std::make_shared<Core>(
        is_file ? Simulation::from_file(text, options) : Simulation::from_text(text, options, name), threads, raised);
  } catch (...) {
    raised->raise();
    throw;
  }
  raised->raise();
  return core;
}

}  // namespace

void require_threads(int threads) {
  static bool used = false, lost = false;
  static const int registered = pthread_atfork(nullptr, nullptr, [] { lost = used; });
  (void)registered;
  if (threads == 1) return;
  if (lost)
    throw std::runtime_error(
        "this process was forked from one that had used several threads, which it does not have. Take threads=1 in a "
        "child, or start it afresh: multiprocessing.get_context(\"spawn\").");
  used = true;
}

void Core::require_idle() const {
  if (busy_) throw std::runtime_error("the simulation is in use by another thread: wait until its call returns.");
}

void Core::require_no_rows() const {
  if (held_rows > 0)
    throw std::runtime_error(
        "rows are held in place: leave the block \"with sim.rows()\" before you step the "
        "simulation, restore it, or add and remove bodies.");
}

Simulation& Core::use() {
  require_idle();
  if (!simulation_)
    throw std::runtime_error(
        "a hook has no access to this: it works on the bodies of a run, which goes on by itself. It has time, dt, "
        "steps, stage, dimension, bodies, rows(), column(), contacts(), bonds(), walls(), metrics(), metric() and "
        "hash().");
  return *simulation_;
}

Simulation& Core::change() {
  require_no_rows();
  return use();
}

World& Core::world() {
  require_idle();
  if (simulation_) return simulation_->world();
  if (call_->world) return *call_->world;
  throw std::runtime_error("the simulation of a hook is used between the calls of its functions: take it from there.");
}

World& Core::change_world() {
  require_no_rows();
  return world();
}

void Core::check_added() {
  if (simulation_) compute([](Simulation& simulation) { simulation.check_added(); });
}

void bind_simulation(py::module_& module, py::class_<Core, std::shared_ptr<Core>>& core) {
  py::class_<State>(module, "Snapshot", "State of a simulation in memory, by Simulation.snapshot().")
      .def_readonly("time", &State::time, "Time of the state [s].")
      .def_readonly("steps", &State::steps, "Number of steps of the state.")
      .def_readonly("columns", &State::columns, "Names of the columns of bodies.");
  module.def("open", &open);
  core.def_property_readonly("time", [](Core& c) { return c.world().time; })
      .def_property_readonly("dt", &time_step)
      .def_property_readonly("duration", [](Core& c) { return c.use().duration(); })
      .def_property_readonly("steps", [](Core& c) { return c.world().step; })
      .def_property_readonly("stage", [](Core& c) { return c.call() ? c.world().stage : c.use().stage(); })
      .def_property_readonly("dimension", [](Core& c) { return c.world().dimension(); })
      .def_property_readonly("warnings", [](Core& c) { return c.use().warnings(); })
      .def_property_readonly("notes", [](Core& c) { return c.use().notes(); })
      .def_property(
          "gravity",
          [](Core& c) {
            const Vec3 g = c.use().gravity();
            return std::array{g.x(), g.y(), g.z()};
          },
          [](Core& c, const std::array<double, 3>& g) {
            c.change().set_gravity({g[0], g[1], g[2]});
          })
      .def("metrics", &metrics)
      .def("set_metric", [](Core& c, const std::string& name, double value) { c.world().metric(name) = value; })
      .def_property_readonly("in_hook", [](Core& c) { return c.call() != nullptr; })
      .def("step", &step)
      .def("run_until", &run_until)
      .def("steps_to", &steps_to)
      .def("snapshot",
           [](Core& c) {
             const Simulation& s = c.use();
             return State{s.snapshot(), s.time(), s.steps(), column_names(s.world())};
           })
      .def("restore",
           [](Core& c, const State& state) {
             c.without_gil([&](Simulation& s) { s.restore(*state.snapshot); });
             c.forget_order();
           })
      .def("close", [](Core& c) { c.without_gil([](Simulation& s) { s.close(); }); })
      .def("save", [](Core& c, const std::string& file) { c.without_gil([&](Simulation& s) { s.save(file); }); })
      .def("load",
           [](Core& c, const std::string& file) {
             c.without_gil([&](Simulation& s) { s.load(file); });
             c.forget_order();
           })
      .def("hash", [](Core& c) { return state_hash(c.world()); });
}

}  // namespace scree::python
