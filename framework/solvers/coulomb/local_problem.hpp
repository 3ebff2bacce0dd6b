#pragma once
/// \file One contact: u = W x + b with Coulomb's law, in relative units: x = s r with s = trace(W_ii) / D, so that W
/// has trace D, x is a velocity, and every tolerance is a pure number.

#include <Eigen/LU>
#include <cmath>
#include <limits>

#include "solvers/coulomb/problem.hpp"

namespace scree::coulomb {

/// What is known of a contact before its velocities are: computed once per solve.
template <int D>
struct LocalProblem {
  Mat<D> W;        ///< W_ii / scale [-]
  Mat<D> inverse;  ///< of W; by singular values where not regular, the pseudo-inverse where W is singular
  double friction;
  double scale;  ///< trace(W_ii) / D [1/kg]
  bool regular;  ///< the inverse is good to ten digits without refinement
};

/// trace(W_ii) / D, or 1 for a contact between things that nothing moves.
template <int D>
inline double scale_of(const Mat<D>& W) {
  const double scale = W.trace() / D;
  return scale > 0 ? scale : 1;
}

template <int D>
LocalProblem<D> make_local_problem(const Mat<D>& W, double friction);

/// The solver's way to say where an impulse came from.
enum class Branch : unsigned char { take_off, stick, slide, newton, quartic, unsolved };
inline constexpr int kBranches = 6;

template <int D>
struct LocalSolution {
  Vec<D> x;
  Branch branch;
};

/// Accepted as solved: relative residual of one contact.
inline constexpr double kLocalTolerance = 1e-11;

/// \return the nearest point of the cone |z_T| <= mu z_N; of a joint, whose impulses have no bound, z
template <int D>
inline Vec<D> project_on_cone(const Vec<D>& z, double friction) {
  if (friction == kJoint) return z;
  const double tangential = z.template tail<D - 1>().norm();
  if (friction * tangential <= -z[0]) return Vec<D>::Zero();
  if (tangential <= friction * z[0]) return z;
  const double normal = (z[0] + friction * tangential) / (1 + friction * friction);
  Vec<D> p = z * (friction * normal / tangential);
  p[0] = normal;
  return p;
}

/// u^ = u + mu |u_T| e_N: with it Coulomb's law is K_(1/mu) containing u^, perpendicular to r in K_mu. Of a joint u.
/// \source G. De Saxce, Z.-Q. Feng, Mathematical and Computer Modelling 28 (1998) 225
template <int D>
inline Vec<D> de_saxce(const Vec<D>& u, double friction) {
  if (friction == kJoint) return u;
  Vec<D> changed = u;
  changed[0] += friction * u.template tail<D - 1>().norm();
  return changed;
}

}  // namespace scree::coulomb
