#pragma once
/// \file Energies that depend on where bodies are and how they are turned, with derivatives: what implicit integrators
/// minimise, and what bonds are made of.

#include <Eigen/Core>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/base/shortest_way.hpp"
#include "scree/base/types.hpp"

namespace scree {

/// Positions and orientations of all bodies: R^3 x S^3 each.
struct Configuration {
  std::span<const Vec3> position;     ///< (bodies) [m]
  std::span<const Quat> orientation;  ///< (bodies) body to world, unit
  /// Edges of the periodic cell [m]: see shortest_way(); null in open space. Energies of laws without
  /// BondTraits::across_sides are never asked for with one.
  const Mat3* edges = nullptr;

  std::size_t size() const { return position.size(); }
  /// Returns the vector from the centre of one body to that of another, or to the nearest of its images [m].
  Vec3 branch(std::size_t from, std::size_t to) const {
    const Vec3 way = position[to] - position[from];
    return edges ? shortest_way(*edges, way) : way;
  }
};

/// Derivatives of an energy along p += x, q <- exp(th) q: three coordinates of translation, three of rotation.
using Block6 = Eigen::Matrix<double, 6, 6>;

using BodyPair = std::pair<std::uint32_t, std::uint32_t>;

/// Treatment of directions of negative curvature.
enum class Curvature {
  exact,   ///< the Hessian as it is: Newton's method converges quadratically
  clamped  ///< negative eigenvalues of each item are 0: always a direction of descent
};

/// Receives second derivatives, block by block.
class SCREE_API HessianSink {
 public:
  virtual ~HessianSink();
  /// The block of d/da d/db; null where one of the two does not move freely. Both (a, b) and (b, a) are to be written.
  /// \pre a == b, or EnergyTerm::list_pairs() named the pair
  virtual Block6* block(std::uint32_t a, std::uint32_t b) const = 0;
};

/// A sum of energies of single items (bonds, contacts), each a function of one or two bodies. All methods are called
/// with configurations of the same bodies; results have the same bits for any number of threads.
class SCREE_API EnergyTerm {
 public:
  static constexpr std::string_view kName = "energy/1";
  virtual ~EnergyTerm();

  virtual std::size_t items() const = 0;
  /// Computes the energy of each item [J]. \param out  (items)
  virtual void energies(const Configuration& x, std::span<double> out) const = 0;
  /// Adds dV/dp [N] as force and dV/dth [N m] as torque: the negatives of what acts on the bodies.
  /// \param out  (bodies)
  virtual void add_gradient(const Configuration& x, std::span<Wrench> out) const = 0;
  /// Adds the second derivatives.
  virtual void add_hessian(const Configuration& x, Curvature curvature, const HessianSink& out) const = 0;
  /// Appends the pairs of bodies whose coordinates couple.
  virtual void list_pairs(std::vector<BodyPair>&) const {}
};

}  // namespace scree
