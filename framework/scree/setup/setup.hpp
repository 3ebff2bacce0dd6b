#pragma once
/// \file Setup of a run: Scene -> World and Methods. Everything is made and checked here, before the first step.

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scree/engine/engine.hpp"
#include "scree/hooks/hook.hpp"
#include "scree/model/methods.hpp"
#include "scree/plugin/registry.hpp"
#include "scree/scene/scene.hpp"
#include "scree/setup/provenance.hpp"
#include "scree/world/world.hpp"

namespace scree {

struct ScheduledModifier {
  std::string name;
  Schedule schedule;
  std::unique_ptr<Modifier> modifier;
};

struct ScheduledObserver {
  std::string name;
  Schedule schedule;
  bool at_end = false;  ///< true to call it after the run's last step too, whatever the schedule says
  std::unique_ptr<Observer> observer;

  /// Returns the largest number of frames in a run of this duration [s], with steps of dt [s].
  std::uint64_t frames_until(double duration, double dt) const {
    return schedule.times_until(duration, dt) + (at_end ? 1 : 0);
  }
};

/// Limits of the time step for one entry of the scene's `interactions`.
struct StepLimit {
  std::uint32_t entry = 0;
  std::string name;                ///< "grain-wall"
  double contact = 0;              ///< duration of the shortest contact of bodies of the start, or made by hooks [s]
  std::size_t at_once = 1;         ///< number of contacts that one pair of these may have at once
  double together = 0;             ///< shortest duration of that many contacts [s]
  double stable = 0;               ///< longest stable step, not counting dashpots across the normal [s]
  double resolved = 0;             ///< step chosen by "auto" [s]
  std::optional<double> rayleigh;  ///< Rayleigh time, for laws from elasticity [s]
};

/// Returns a line for the user that compares a step of dt [s] with the limit.
SCREE_API std::string text_of(const StepLimit& limit, double dt);

/// Everything that a run needs, made from a scene. It must not move: its parts refer to each other.
struct Prepared {
  Prepared() = default;
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;

  std::unique_ptr<World> world;
  Methods methods;
  std::unique_ptr<Engine> engine;
  std::vector<ScheduledModifier> modifiers;
  std::vector<ScheduledObserver> observers;
  std::vector<MadeKind> made_kinds;          ///< kinds of bodies that modifiers may make during the run
  std::vector<std::string> warnings, notes;  ///< doubtful values; facts about shapes
  UsedPlugins plugins;
  std::size_t bonds_of_scene = 0;  ///< number of bonds before the first step; hooks may make more
  /// Bounding radius of the smallest dynamic body of the start [m]; if none is dynamic then, of the smallest shape.
  double smallest_radius = 0;
  StepClock clock;  ///< with the time step of this run
  /// Meaning of history by entry of the scene's `interactions`: law and detector except for their numbers.
  std::vector<std::string> laws;
  /// Durations of contacts, by interaction; none if the integrator needs no time for a contact.
  std::vector<StepLimit> limits;
};

/// Returns the meaning of the history of interaction `number`. Contacts may keep theirs if two scenes give the same.
SCREE_API std::string meaning_of_history(const Prepared& prepared, std::size_t number);

/// Prepares a run of a scene.
/// \param device  name of the engine; "cpu" is the one for this machine's processors
/// \throws InputError with place, value and remedy if the scene's parts do not fit together, or the step is too long
SCREE_API std::unique_ptr<Prepared> prepare(const Scene& scene, const Registry& registry,
                                            const std::string& device = "cpu");

/// Makes integrator and engine again, without any computed state.
/// \pre the World's rows are replaced next, by those of a snapshot
SCREE_API void start_anew(const Scene& scene, const Registry& registry, const std::string& device, Prepared& prepared);

/// Tells observers how many frames a run has at most: Observer::plan().
/// \param duration  longest duration of the run [s]
/// \return number of bytes that their files may take, as far as observers report it
/// \throws InputError
SCREE_API double plan_observers(const Scene& scene, Prepared& prepared, double duration);

/// Restores observers' states in a checkpoint. \param states  by observer; nullptr: it has none
/// \throws InputError
SCREE_API void load_observers(const Scene& scene, Prepared& prepared,
                              std::span<const std::vector<std::byte>* const> states);

/// Sets bonds of laws with BondTraits::balances to carry the weight of all that hangs on them, in the present places of
/// bodies. Not part of prepare(): a resumed run and a later stage keep the memory of bonds.
/// \throws InputError if statics does not determine it, or if a law cannot bear it
SCREE_API void balance_bonds(const Scene& scene, Prepared& prepared);

/// Checks that no bodies of the initial state overlap by more than the scene allows. Not part of prepare(): a resumed
/// run starts elsewhere.
/// \throws InputError naming the worst pair
SCREE_API void check_initial_overlaps(const Scene& scene, Prepared& prepared, Wanted wanted = {});

}  // namespace scree
