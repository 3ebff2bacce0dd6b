#pragma once
/// \file Coefficient of restitution and damping ratio, for forces that never pull.
///
/// A spring with a dashpot whose force is clipped at zero ends its contact where the force vanishes, not where the
/// overlap does, and so bounces higher than the plain damped oscillator of the same damping ratio. All laws of this
/// plugin clip. Hertz's spring with Tsuji's dashpot c ~ d^(1/4) maps onto the linear oscillator by x = d^(5/4),
/// d tau = d^(1/4) dt, force zero onto force zero: the relation is the same for both, at every speed.

namespace scree::compliant {

/// e(z) of a clipped spring and dashpot with damping ratio z = c/(2 sqrt(k m)) >= 0, any z; decreasing.
/// \source Schwager and Poeschel, Granular Matter 9 (2007) 465, eqs. 12 to 14; Hertz: Antypov and Elliott, EPL 94
/// (2011) 50004
double clipped_restitution(double damping_ratio);

/// The damping ratio that gives the restitution e in (0, 1]: inverse of the above, by bisection, to 1e-14.
double clipped_damping_ratio(double restitution);

}  // namespace scree::compliant
