#pragma once
/// \file What runs between steps: modifiers edit the World, observers only read it.

#include <functional>
#include <string>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/base/grid_image.hpp"
#include "scree/hooks/bond_values.hpp"
#include "scree/hooks/contact_view.hpp"
#include "scree/hooks/history_store.hpp"
#include "scree/world/world.hpp"

namespace scree {

/// When a hook runs: at `start`, then every `interval` seconds, until `stop`. Modifiers turn these times into whole
/// numbers of steps once, so that no rounding ever moves an event; observers run after the step nearest to each time.
struct Schedule {
  double start = 0;     ///< [s]
  double interval = 0;  ///< [s]; 0 = once, at start
  double stop = 1e300;  ///< [s]

  /// Whether the hook runs after `step` steps of size dt (step 0 = before the first).
  SCREE_API bool due(std::uint64_t step, double dt) const;
  /// After how many steps of size dt an observer runs, in a run that ends then [s].
  SCREE_API std::uint64_t times_until(double end, double dt) const;
};

/// A kind of body that a modifier makes.
struct MadeKind {
  std::uint32_t shape = 0, material = 0;  ///< numbers of the World
  double smallest = 1, largest = 1;       ///< sizes relative to the shape; a rare body may be smaller
};

/// A modifier, called before a step. May add, remove and move bodies through the World's interface.
class SCREE_API Modifier {
 public:
  virtual ~Modifier();
  /// Whether apply() needs the contacts of the last step; they are kept only then.
  virtual bool wants_contacts() const noexcept;
  /// Called once, before the first step and before load(): columns, figures and shapes of its own are made here, and
  /// names that the scene lacks are refused. Bodies of the start are there; further ones come in apply().
  /// \throws InputError, OptionError
  virtual void begin(World& world);
  /// After begin(): the kinds of bodies that apply() may add. Detectors for such bodies are found, and the time step is
  /// judged by them, before the first step; others are met when they come. Default: none.
  virtual std::vector<MadeKind> makes() const;
  virtual void apply(World& world, const ContactView* contacts, HistoryStore& history) = 0;
  /// State for checkpoints (a random generator's ordinal, a ledger); empty = stateless.
  virtual std::vector<std::byte> save() const;
  virtual void load(const std::vector<std::byte>& state);
  /// Bodies that came, went or were changed since the last step, its own changes too: after all modifiers that were
  /// due, before the step. What happened to rows of a further table is in its own log, Table::edits(), until all have
  /// heard. Not called when nothing happened to any.
  virtual void edited(const World& world, const EditLog& edits);
};

/// What an observer gets of the moment.
struct Frame {
  std::uint64_t index = 0;  ///< number of this call, 0 = initial state
  std::uint64_t step = 0;
  double time = 0;  ///< [s]
  /// Computes what laws tell of bonds now; may be empty, where there are none.
  std::function<BondValues()> bond_values = {};
  BondValues bonds() const { return bond_values ? bond_values() : BondValues{}; }
  /// Computes what the integrator tells of its grids now; may be empty, where it has none.
  std::function<std::vector<GridImage>()> grid_images = {};
  std::vector<GridImage> grids() const { return grid_images ? grid_images() : std::vector<GridImage>{}; }
};

/// An observer, called after a step: writers, probes.
class SCREE_API Observer {
 public:
  virtual ~Observer();
  virtual bool wants_contacts() const noexcept;
  /// \param directory  the run's output folder: exists, writable
  virtual void begin(const World& world, const std::string& directory);
  /// After begin(), before the first frame.
  /// \param world   of the start, or of the checkpoint
  /// \param frames  that the run has at most, in all of its stages and before a resume
  /// \return how many bytes all frames may take, where it can say; 0 by default
  virtual double plan(const World& world, std::uint64_t frames);
  /// After a resume: drop whatever was written for frames from `first_frame` on. Called after begin(). The folder may
  /// be another one than before, with none of the earlier files: begin() writes the heading of a file that is not
  /// there.
  virtual void resume(std::uint64_t first_frame);
  /// What it keeps from frame to frame, for checkpoints (running means); empty = nothing.
  virtual std::vector<std::byte> save() const;
  /// After resume(): \param state  what save() gave. Not called where the checkpoint has none of this observer.
  virtual void load(const std::vector<std::byte>& state);
  /// \throws IoError
  virtual void observe(const World& world, const ContactView* contacts, const Frame& frame) = 0;
  /// Returns when all that was observed is written: before states are kept, at the end of a stage and of the run. For
  /// observers that write while steps go on. \throws IoError also for what failed since observe()
  virtual void flush();
  /// Names in the output folder of all that it writes there: files, and folders that it fills. A scene whose observers
  /// have a name in common is refused, and so is a run into a folder where such a name is somebody else's. Default:
  /// none.
  virtual std::vector<std::string> files() const;
  /// As Modifier::edited(), after those.
  virtual void edited(const World& world, const EditLog& edits);
};

}  // namespace scree
