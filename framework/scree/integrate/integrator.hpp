#pragma once
/// \file Advances the World by one step, driving a Mechanics.

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/base/grid_image.hpp"
#include "scree/integrate/mechanics.hpp"

namespace scree {

/// The state that the last Mechanics::forces() of a step sees. Forces and contacts of the step are of this state.
enum class LastForces {
  start,      ///< state at the beginning of the step; springs of friction have yet to grow by the step
  predicted,  ///< state near that at the end
  end         ///< state at the end
};

/// Weights of the forces that a step applies: what it takes to account for their work. The velocities of free bodies
/// change in a step of length dt by
///
///   v(t + dt) - v(t) = dt/m (carried F_last + sum_k weight[k] F_k)
///
/// F_k is what the k-th evaluation of the step gave, or what a solver of impulses was answered, per time. F_last is
/// what the last evaluation of the previous step gave. The same holds for torques. With these forces F, dt F (v(t) +
/// v(t + dt))/2 is exactly what they add to the kinetic energy of translation.
struct MeanForce {
  double carried = 0;              ///< [-]; where it is not 0, an evaluation with dt = 0 replaces F_last
  std::array<double, 4> weight{};  ///< [-], by number of the evaluation; further ones do not count
};

/// A step that is a drift between kicks, with one evaluation of forces, for devices that do both themselves:
///
///   forces first:  forces at t, from velocities of t - dt/2; kick by dt; drift by dt
///   forces last:   kick by dt/2; drift by dt; forces at t + dt, from velocities of t + dt/2; kick by dt/2
///
/// Prescribed bodies have the velocities of the same moments as free ones while forces are evaluated.
struct KickDriftScheme {
  bool forces_first;
};

/// A warning about a scene that can be run, but may not be meant so.
struct SceneWarning {
  std::string pointer;  ///< option of the integrator, such as "/tolerance"; "": none
  std::string text;     ///< whole sentences: what, how much, what is allowed, and what helps
};

/// Needs of an integrator: from laws, detectors and bodies. Plain data, read at set-up.
struct IntegratorTraits {
  std::string_view face = "force/1";  ///< face every law must offer
  /// Face every bond law must offer; empty: one that goes with `face`: "bond-force/1" with "force/1", "energy/1" with
  /// "potential/1", "bond-force/1" or "joint/1" with "cone/1". With "energy/1", bonds act by EnergyTerm alone
  /// (EnergyProblem::bonds()).
  std::string_view bond_face = {};
  /// "cone/1": bonds whose law offers "energy/1" do not act by forces. The integrator takes care of their energies:
  /// ImpulseProblem::bond_terms().
  bool implicit_bonds = false;
  bool needs_gradient_consistency = false;  ///< overlap must be a potential's argument
  bool isotropic_inertia_only = false;      ///< 3D bodies must have equal principal moments
  /// step() calls Mechanics::forces() with dt > 0 once, after which it does not go back. History is then kept once: not
  /// beside that of a trial.
  bool evaluates_once = false;
  /// "force/1": where it is not the end, contacts are evaluated once more when the state after a step is observed.
  LastForces last_forces = LastForces::predicted;
  double margin = 0;         ///< [m] gaps up to this size are to be reported as contacts
  double margin_ratio = 0;   ///< or up to this fraction of the smallest moving body's bounding radius
  bool looks_ahead = false;  ///< "cone/1": or those that may close within the step
  /// step() advances the rows of Mechanics::owned_rows() and looks at no others: only then are rows divided among
  /// processes.
  bool owned_rows_only = false;
  std::optional<MeanForce> mean_force = {};        ///< empty: the scene cannot ask for an energy ledger
  std::optional<KickDriftScheme> kick_drift = {};  ///< empty: devices cannot do this integrator's step
  /// Longest time between two looks whether bonds break, of integrators that take bonds implicitly and divide their
  /// steps; 0: dt [s].
  double fracture_dt = 0;
  std::string_view fracture_option = {};  ///< option that sets fracture_dt: "/integrator/..."
};

class SCREE_API Integrator {
 public:
  virtual ~Integrator();
  virtual IntegratorTraits traits() const = 0;
  /// Warns of a scene, beside the core's own warnings, in `scree check` and in runs. Asked once per stage, after
  /// columns() and before its first step. Default: nothing.
  /// \param gravity  at the start [m/s^2]   \param dt  time step [s]
  virtual std::vector<SceneWarning> warnings(const World& world, const Vec3& gravity, double dt) const;
  /// Fields on grids, for files and pictures, as of the last step; none before the first one of a run, or of a resumed
  /// run. Asked only when somebody looks, between steps. Default: none.
  virtual std::vector<GridImage> grid_images() const;
  /// Further faces by versioned name, as those of laws: what ShapeTraits::driven_by, a device or a later core asks for.
  /// Default: none.
  /// \return converted from a pointer to exactly the face's type, or nullptr
  virtual const void* face(std::string_view name) const noexcept;
  /// Registers the columns the integrator keeps per body. Called once, before the first step and before a resume.
  virtual void columns(World& world);
  /// Returns state that is not in columns, for checkpoints; empty = nothing. A resumed run has the same bits as one
  /// that was not stopped.
  virtual std::vector<std::byte> save() const;
  /// Restores what save() gave. Called when columns are as they were then.
  /// \param state  bytes that save() gave
  virtual void load(const std::vector<std::byte>& state);
  /// Bodies that came, went or were moved since the last step. Default: nothing to do.
  virtual void edited(World& world, const EditLog& edits);
  /// Advances by dt [s]: positions, orientations, velocities; calls commit() exactly once and last.
  /// The time during the step runs from world.time to world.time + dt; the caller advances world.time after it.
  virtual void step(Mechanics& mechanics, double dt) = 0;
};

template <class F>
const F* face(const Integrator& integrator) noexcept {
  return static_cast<const F*>(integrator.face(F::kName));
}

}  // namespace scree
