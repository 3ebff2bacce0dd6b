#pragma once
/// \file Simulation that another program steps, reads and changes: examples/embedded.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/base/types.hpp"
#include "scree/hooks/bond_values.hpp"
#include "scree/hooks/contact_view.hpp"
#include "scree/world/world.hpp"

namespace scree {

class Registry;

struct SimulationOptions {
  std::vector<std::string> sets = {};          ///< "/pointer=value": changes to the scene, like --set
  std::vector<std::string> allow_paths = {};   ///< folders besides the scene's own whose files it may name
  std::vector<std::string> allow_code = {};    ///< languages whose code the scene may run: "python"
  std::vector<std::string> plugin_paths = {};  ///< folders and libraries besides those of the installation
  std::string device = "cpu";                  ///< name of the engine
  std::string out = {};                        ///< output folder, for the files that a run writes; empty: none
  int threads = 0;  ///< number of threads of this simulation; 0: as many as OpenMP gives the caller
  /// Registers methods of the program itself beside those of plugins, by Registry::add(). Default: none.
  std::function<void(Registry&)> methods = {};
};

/// Simulation of one scene: bodies, methods and time. It writes no file unless called to, catches no signal, and prints
/// nothing. Settings of the process and of OpenMP stay as they are. A process may have several, and threads may work on
/// one each. With SimulationOptions::out it writes what a run of the scene writes (run.hpp): observers of the scene are
/// called when they are due, until the scene's duration or the end of its last stage. Time then goes on only: restore()
/// and load() are refused. Without it observers are not called.
class SCREE_API Simulation {
 public:
  /// Reads and checks a scene, loads plugins, and makes bodies and methods. Plugins are those of
  /// SimulationOptions::plugin_paths, of SCREE_PLUGIN_PATH, and those beside the library.
  /// \throws InputError that lists all faults found, IoError
  static Simulation from_file(const std::string& file, const SimulationOptions& options = {});
  /// Reads a scene from text; otherwise like from_file().
  /// \param name  name of the text, for messages; relative file names are relative to its folder
  static Simulation from_text(std::string_view json, const SimulationOptions& options = {},
                              const std::string& name = "scene.json");
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  /// Warnings of doubtful values, short contacts, and bonds that are too stiff for the step.
  const std::vector<std::string>& warnings() const;
  /// Facts about shapes from files: sizes, and what was put right.
  const std::vector<std::string>& notes() const;

  double time() const;          ///< [s]
  double dt() const;            ///< time step of the current stage [s]
  double duration() const;      ///< duration of the scene [s], 0 for one with stages; nothing ends there automatically
  std::string stage() const;    ///< name of the current stage; "" if the scene has none
  std::uint64_t steps() const;  ///< number of steps done so far

  /// Advances by this many steps. Modifiers of the scene run when they are due, and its stages follow each other. When
  /// a stage begins, earlier results of world() and contacts() are no longer valid.
  /// \throws NumericalError if a body becomes NaN, leaves the domain, or a method finds no answer; InternalError if a
  /// plugin breaks its promises. The state is then one within a step: restore a snapshot.
  void step(std::uint64_t count = 1);
  /// Advances to the step nearest to `time` [s]; does nothing if that is in the past.
  void run_until(double time);

  /// Ends the files in SimulationOptions::out: a simulation before the end of its scene saves a checkpoint, with which
  /// a run resumes. The destructor does so too, but keeps errors to itself. \throws IoError
  void close();

  /// World of bodies as columns. Between steps bodies may be added, removed and moved. After writing positions or
  /// velocities into the columns, call World::mark_moved(), for integrators that keep earlier values.
  World& world();
  const World& world() const;
  /// Checks that bodies added since the last step can take part, and finds detectors and laws for them. Without this,
  /// the next step does so. \throws InputError that names what is missing: remove these bodies then
  void check_added();

  Vec3 gravity() const;                   ///< current gravity [m/s^2]
  void set_gravity(const Vec3& gravity);  ///< sets its constant part [m/s^2]; not part of snapshots

  /// Returns the contacts after the last step() or run_until(), with their forces, ordered by (a, b, image, feature).
  /// After restore() and load(), methods that solve for impulses give contacts without forces until the next step.
  ContactView contacts();
  /// Returns the values of bonds that laws report now: tension and moments of rods, for example.
  BondValues bonds();
  /// Returns the columns of metrics.csv with their current values.
  std::vector<std::pair<std::string, double>> metrics();

  /// State that decides the future, in memory.
  class Snapshot;
  std::shared_ptr<const Snapshot> snapshot() const;
  /// Restores a snapshot of this simulation or of another one of the same scene, back or ahead in time. The run then
  /// gives the same bits as if nothing had been between. In another stage, world() is another one.
  /// \throws InputError if the snapshot is of another scene
  void restore(const Snapshot& snapshot);
  /// Saves a checkpoint, which runs can resume and simulations load. \throws IoError
  void save(const std::string& file) const;
  /// Loads a checkpoint. \throws InputError if it is of another scene or version; IoError. Nothing has changed then.
  void load(const std::string& file);

 private:
  struct State;
  explicit Simulation(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace scree
