#pragma once
/// \file Scene -> World and Methods: everything is made and checked here, before the first step.

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scree/contacts/methods.hpp"
#include "scree/engine/engine.hpp"
#include "scree/hooks/hook.hpp"
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
  bool at_end = false;  ///< called after the run's last step too, whatever the schedule says
  std::unique_ptr<Observer> observer;

  /// That a run of this duration, with steps of dt, has at most [s].
  std::uint64_t frames_until(double duration, double dt) const {
    return schedule.times_until(duration, dt) + (at_end ? 1 : 0);
  }
};

/// How long a time step may be for one entry of the scene's `interactions`.
struct StepLimit {
  std::uint32_t entry = 0;
  std::string name;                ///< "grain-wall"
  double contact = 0;              ///< duration of the shortest contact of bodies of the start, or made by hooks [s]
  std::size_t at_once = 1;         ///< contacts that one pair of these may have together
  double together = 0;             ///< the shortest duration of that many [s]
  double stable = 0;               ///< longest stable step, dashpots across the normal aside [s]
  double resolved = 0;             ///< the step that "auto" takes [s]
  std::optional<double> rayleigh;  ///< Rayleigh time, for laws from elasticity [s]
};

/// A line for the user: what a step of dt [s] is of the limit.
SCREE_API std::string text_of(const StepLimit& limit, double dt);

/// All a run needs, made from a scene. Stays where it is made: its parts refer to each other.
struct Prepared {
  Prepared() = default;
  Prepared(const Prepared&) = delete;
  Prepared& operator=(const Prepared&) = delete;

  std::unique_ptr<World> world;
  Methods methods;
  std::unique_ptr<Engine> engine;
  std::vector<ScheduledModifier> modifiers;
  std::vector<ScheduledObserver> observers;
  std::vector<MadeKind> made_kinds;  ///< what modifiers may make in the course of the run
  std::vector<std::string> warnings;
  UsedPlugins plugins;
  /// Bounding radius of the smallest dynamic body of the start [m]; where none moves then, of the smallest shape.
  double smallest_radius = 0;
  StepClock clock;  ///< with the step that this run takes
  /// By entry of the scene's `interactions`, law and detector but for their numbers: what history means.
  std::vector<std::string> laws;
  /// How long contacts last, by interaction; none where the integrator needs no time for a contact.
  std::vector<StepLimit> limits;
};

/// What the history of interaction `number` means: contacts may keep theirs where two scenes say the same.
SCREE_API std::string meaning_of_history(const Prepared& prepared, std::size_t number);

/// \param device  name of the engine; "cpu" is that of this machine's processors
/// \throws InputError with place, value and remedy when the scene's parts do not fit together, or the step is too long
SCREE_API std::unique_ptr<Prepared> prepare(const Scene& scene, const Registry& registry,
                                            const std::string& device = "cpu");

/// Makes integrator and engine again: nothing is left in them of what was computed.
/// \pre the World's rows are replaced next, by those of a snapshot
SCREE_API void start_anew(const Scene& scene, const Registry& registry, const std::string& device, Prepared& prepared);

/// What an observer has against the scene it says in begin(), which a run calls when its folder is there. So that this
/// comes to light before anything of an earlier result is touched, others like them begin in a folder that is removed.
/// \param duration  of the run, at most [s]  \return how many bytes their files may take, as far as they can say
/// \param states    of a checkpoint, by observer, for a run that is resumed: each is handed its own; nullptr: it has
///                  none
/// \throws InputError, IoError
SCREE_API double rehearse_observers(const Scene& scene, const Registry& registry, const Prepared& prepared,
                                    double duration, std::span<const std::vector<std::byte>* const> states = {});

/// Lets bonds whose laws offer "bond-balance/1" carry the weight of what hangs on them, where bodies lie. Not part of
/// prepare(): a resumed run and a later stage keep what bonds remember.
/// \throws InputError where statics does not tell it, or a law cannot bear it
SCREE_API void balance_bonds(const Scene& scene, Prepared& prepared);

/// Looks at the initial state, and for bodies that overlap by more than the scene allows. Not part of prepare(): a
/// resumed run starts elsewhere.
/// \throws InputError naming the worst pair
SCREE_API void check_initial_overlaps(const Scene& scene, Prepared& prepared, Wanted wanted = {});

}  // namespace scree
