#pragma once
/// \file One term of the incremental potential: inertia, bonds, contacts, loads.

#include "incremental/configuration.hpp"

namespace scree::bonded {

using BodyPair = std::pair<std::uint32_t, std::uint32_t>;

/// What to do with directions of negative curvature.
enum class Curvature {
  exact,   ///< the Hessian as it is: Newton's method converges quadratically
  clamped  ///< negative eigenvalues of each bond or contact are 0: always a direction of descent
};

/// Where the Hessian is summed, and which rows belong to whom.
struct HessianSink {
  const Unknowns& unknowns;
  BlockMatrix& matrix;
};

/// A sum of energies of single items, each a function of one or two bodies. All methods are called with configurations
/// of the same bodies; results have the same bits for any number of threads.
class EnergyTerm {
 public:
  virtual ~EnergyTerm();

  virtual std::size_t items() const = 0;
  /// Of each item [J]. \param out  (items)
  virtual void energies(const Configuration& x, std::span<double> out) const = 0;
  /// Adds dV/dp [N] as force and dV/dth [N m] as torque: the negatives of what acts on the bodies.
  /// \param out  (bodies)
  virtual void add_gradient(const Configuration& x, std::span<Wrench> out) const = 0;
  /// Adds the second derivatives along q <- exp(th) q, for unknowns alone.
  virtual void add_hessian(const Configuration& x, Curvature curvature, const HessianSink& out) const = 0;
  /// Appends the pairs of bodies whose coordinates couple.
  virtual void list_pairs(std::vector<BodyPair>&) const {}
};

}  // namespace scree::bonded
