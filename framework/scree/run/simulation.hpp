#pragma once
/// \file A scene that your own program steps, reads and changes: examples/embedded.

#include <cstdint>
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

struct SimulationOptions {
  std::vector<std::string> sets = {};          ///< "/pointer=value": changes to the scene, as by --set
  std::vector<std::string> allow_paths = {};   ///< folders besides the scene's own whose files it may name
  std::vector<std::string> plugin_paths = {};  ///< folders and libraries besides those of the installation
  std::string device = "cpu";                  ///< name of the engine
  int threads = 0;                             ///< of this simulation; 0: as many as OpenMP gives the caller
};

/// One run: bodies, methods and time. Writes no file unless asked to, catches no signal, prints nothing, and leaves the
/// settings of the process and of OpenMP as they are. There may be several in one process, and threads may work on one
/// each. Observers of the scene are not called: they belong to runs with an output folder (run.hpp).
class SCREE_API Simulation {
 public:
  /// Reads and checks a scene, loads plugins (SimulationOptions::plugin_paths, SCREE_PLUGIN_PATH, and those beside the
  /// library) and makes bodies and methods. \throws InputError that lists all faults found, IoError
  static Simulation from_file(const std::string& file, const SimulationOptions& options = {});
  /// \param name  of the text, for messages; its folder is what relative file names are relative to
  static Simulation from_text(std::string_view json, const SimulationOptions& options = {},
                              const std::string& name = "scene.json");
  ~Simulation();
  Simulation(Simulation&&) noexcept;
  Simulation& operator=(Simulation&&) noexcept;

  /// Sentences on doubtful values, short contacts, bonds that are too stiff for the step.
  const std::vector<std::string>& warnings() const;

  double time() const;          ///< [s]
  double dt() const;            ///< of the current stage [s]
  double duration() const;      ///< of the scene [s], 0 for one with stages; nothing ends there automatically
  std::string stage() const;    ///< name of the current stage; "" where the scene has none
  std::uint64_t steps() const;  ///< done so far

  /// Advances by this many steps. Modifiers of the scene work when they are due, and its stages follow each other: when
  /// one begins, what world() and contacts() have given before is no longer there.
  /// \throws NumericalError when a body becomes NaN, leaves the domain, or a method finds no answer; InternalError when
  /// a plugin breaks its promises. The state is then one within a step: go back to a snapshot.
  void step(std::uint64_t count = 1);
  /// Advances to the step nearest to `time` [s]; does nothing when that is over.
  void run_until(double time);

  /// Bodies as columns. Between steps they may be added, removed and moved. Whoever writes positions or velocities into
  /// the columns calls World::mark_moved(), for integrators that remember.
  World& world();
  const World& world() const;

  Vec3 gravity() const;                   ///< the current one [m/s^2]
  void set_gravity(const Vec3& gravity);  ///< its constant part [m/s^2]; not part of snapshots

  /// The contacts after the last step() or run_until(), with their forces. Ordered by (a, b, image, feature). After
  /// restore() and load(), methods that solve for impulses give contacts without forces until the next step.
  ContactView contacts();
  /// What laws report of the bonds now: tension and moments of rods, for instance.
  BondValues bonds();
  /// The columns of metrics.csv with their current values.
  std::vector<std::pair<std::string, double>> figures();

  /// All that decides the future, in memory.
  class Snapshot;
  std::shared_ptr<const Snapshot> snapshot() const;
  /// Goes back, or on, to a snapshot of this simulation or of another one of the same scene. Gives the same bits as if
  /// nothing had been between. In another stage, world() is another one.
  /// \throws InputError when the snapshot is of another scene
  void restore(const Snapshot& snapshot);
  /// As a checkpoint, which runs can resume, and simulations load. \throws IoError
  void save(const std::string& file) const;
  /// \throws InputError when the checkpoint is of another scene or version; IoError. Nothing has changed then.
  void load(const std::string& file);

 private:
  struct State;
  explicit Simulation(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace scree
