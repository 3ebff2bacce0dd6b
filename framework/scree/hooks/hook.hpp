#pragma once
/// \file Hooks that run between steps: modifiers edit the World, observers only read it.

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

/// Times at which a hook runs: at `start`, then every `interval` seconds, until `stop`. Modifiers turn these times into
/// whole numbers of steps once, so that no rounding ever moves an event. Observers run after the step nearest to each
/// time.
struct Schedule {
  double start = 0;     ///< [s]
  double interval = 0;  ///< [s]; 0 = once, at start
  double stop = 1e300;  ///< [s]

  /// Checks whether the hook runs after `step` steps of size dt (step 0 = before the first).
  SCREE_API bool due(std::uint64_t step, double dt) const;
  /// Returns the number of times that an observer runs, in a run that ends at `end` [s] with steps of size dt.
  SCREE_API std::uint64_t times_until(double end, double dt) const;
};

/// Kind of body that a modifier makes.
struct MadeKind {
  std::uint32_t shape = 0, material = 0;  ///< indices of the World's shapes and materials
  double smallest = 1, largest = 1;       ///< sizes relative to the shape; a rare body may be smaller
};

/// Modifier, called before a step. It may add, remove and move bodies through the World's interface.
class SCREE_API Modifier {
 public:
  virtual ~Modifier();
  /// Checks whether apply() needs the contacts of the last step; they are kept only then.
  virtual bool wants_contacts() const noexcept;
  /// Prepares the modifier once, before the first step and before load(). It makes its columns, metrics and shapes
  /// here, and refuses names that the scene lacks. Bodies of the start exist; further ones come in apply().
  /// \throws InputError, OptionError
  virtual void begin(World& world);
  /// Returns the kinds of bodies that apply() may add; called after begin(). Detectors for such bodies are found, and
  /// the time step is judged by them, before the first step. Other kinds are resolved when they come. Default: none.
  virtual std::vector<MadeKind> makes() const;
  /// Edits the World.
  virtual void apply(World& world, const ContactView* contacts, HistoryStore& history) = 0;
  /// Returns the state for checkpoints (the ordinal of a random generator, a ledger); empty = stateless.
  virtual std::vector<std::byte> save() const;
  virtual void load(const std::vector<std::byte>& state);
  /// Notifies the modifier of bodies added, removed or changed since the last step, its own changes too. Called after
  /// all due modifiers, before the step; not called if nothing changed. Edits of a further table are in its own log,
  /// Table::edits(), until all were notified.
  virtual void edited(const World& world, const EditLog& edits);
};

/// Time and data of one call of an observer.
struct Frame {
  std::uint64_t index = 0;  ///< number of this call, 0 = initial state
  std::uint64_t step = 0;
  double time = 0;  ///< [s]
  /// Computes the values of bonds that laws report; may be empty if there are none.
  std::function<BondValues()> bond_values = {};
  BondValues bonds() const { return bond_values ? bond_values() : BondValues{}; }
  /// Computes the images of grids that the integrator reports; may be empty if it has none.
  std::function<std::vector<GridImage>()> grid_images = {};
  std::vector<GridImage> grids() const { return grid_images ? grid_images() : std::vector<GridImage>{}; }
};

/// Observer, called after a step: writers, probes.
///
/// The order of calls is begin(), plan(), load() on a resume, open(), resume() on a resume, then observe() for each
/// frame. Everything up to load() may refuse the run, and touches no file: results of an earlier run are safe until
/// all observers have agreed. A simulation without an output folder calls begin() only.
class SCREE_API Observer {
 public:
  virtual ~Observer();
  /// Checks whether observe() needs the contacts; they are computed only then.
  virtual bool wants_contacts() const noexcept;
  /// Prepares the observer once, at set-up: finds what it names in the World, and refuses names that the scene lacks.
  /// Bodies of the start exist; columns of modifiers and of the integrator do too.
  /// \throws InputError, OptionError
  virtual void begin(const World& world);
  /// Prepares for the whole run; called after begin(), before the first frame, perhaps more than once.
  /// \param world   World at the start, or at the checkpoint
  /// \param frames  largest number of frames of the run, in all of its stages and before a resume
  /// \return number of bytes all frames may take, if it is known; 0 by default
  virtual double plan(const World& world, std::uint64_t frames);
  /// Returns the state kept from frame to frame, for checkpoints (running means); empty = nothing.
  virtual std::vector<std::byte> save() const;
  /// Restores the state, after plan(). Not called if the checkpoint has none of this observer.
  /// \param state  result of save()
  /// \throws InputError for a state that is not of this observer
  virtual void load(const std::vector<std::byte>& state);
  /// Opens the observer's files. \param directory  the run's output folder: exists, writable
  /// \throws IoError
  virtual void open(const std::string& directory);
  /// Drops everything that was written for frames from `first_frame` on; called after open() on a resume. The folder
  /// may be another one than before, with none of the earlier files.
  virtual void resume(std::uint64_t first_frame);
  /// \throws IoError
  virtual void observe(const World& world, const ContactView* contacts, const Frame& frame) = 0;
  /// Returns when everything observed so far is written. Called before states are kept, and at the end of a stage and
  /// of the run. For observers that write while steps go on. \throws IoError also for failures since observe()
  virtual void flush();
  /// Returns the names of all files, and of folders it fills, in the output folder. A scene whose observers share a
  /// name is refused, and so is a run into a folder where such a name belongs to something else. Default: none.
  virtual std::vector<std::string> files() const;
  /// Notifies the observer of edits, after Modifier::edited() of all modifiers.
  virtual void edited(const World& world, const EditLog& edits);
};

}  // namespace scree
