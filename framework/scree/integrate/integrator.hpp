#pragma once
/// \file Advances the World by one step, driving a Mechanics.

#include <span>
#include <string_view>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/integrate/mechanics.hpp"

namespace scree {

/// Which state the last Mechanics::forces() of a step saw, of which the forces and contacts of the step are.
enum class LastForces {
  start,      ///< that at the beginning of the step; springs of friction have yet to grow by the step
  predicted,  ///< one near that at the end
  end         ///< that at the end
};

/// What an integrator needs of laws, detectors and bodies. Plain data, read at set-up.
struct IntegratorTraits {
  std::string_view face = "force/1";  ///< face every law must offer
  /// Face every bond law must offer; empty: one that goes with `face`: "bond-force/1" with "force/1", "energy/1" with
  /// "potential/1", "bond-force/1" or "joint/1" with "cone/1". With "energy/1", bonds act by EnergyTerm alone
  /// (Potential::bonds()).
  std::string_view bond_face = {};
  /// "cone/1": bonds whose law offers "energy/1" do not act by forces. The integrator takes care of their energies:
  /// ImplicitBonds (implicit_bonds.hpp).
  bool implicit_bonds = false;
  bool needs_gradient_consistency = false;  ///< overlap must be a potential's argument
  bool isotropic_inertia_only = false;      ///< 3D bodies must have equal principal moments
  /// step() calls Mechanics::forces() with dt > 0 once, after which it does not go back. History is then kept once: not
  /// beside that of a trial.
  bool evaluates_once = false;
  /// "force/1": where it is not the end, contacts are evaluated once more for who looks at the state after a step.
  LastForces last_forces = LastForces::predicted;
  double margin = 0;         ///< [m] gaps up to this size are to be reported as contacts
  double margin_ratio = 0;   ///< or up to this fraction of the smallest moving body's bounding radius
  bool looks_ahead = false;  ///< "cone/1": or those that may close within the step
};

class SCREE_API Integrator {
 public:
  virtual ~Integrator();
  virtual IntegratorTraits traits() const = 0;
  /// Further faces by versioned name, as those of laws: what a device or a later core asks for. Default: none.
  /// \return converted from a pointer to exactly the face's type, or nullptr
  virtual const void* face(std::string_view name) const noexcept;
  /// Registers the columns the integrator keeps per body. Called once, before the first step and before a resume.
  virtual void columns(World& world);
  /// What it keeps beyond columns, for checkpoints; empty = nothing. A resumed run has the same bits as one that was
  /// not stopped.
  virtual std::vector<std::byte> save() const;
  /// \param state  what save() gave; called when columns are as they were then
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
