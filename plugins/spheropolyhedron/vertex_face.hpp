#pragma once
/// \file The detectors "vertex-face", spheropolyhedra with each other and with boxes, and "sphere-face",
/// spheropolyhedra with spheres, clumps and capsules.

#include <cstdint>
#include <vector>

#include "near_list.hpp"
#include "scree/detect/contact_detector.hpp"

namespace scree::spheropolyhedron {

/// Partners of spheropolyhedra.
enum class Partner {
  polyhedra,  ///< SweptPolyhedron/1, also without rounding
  round,      ///< RoundVertices/1
};

/// Counts of the work done by calls of detect().
struct ListCounts {
  std::uint64_t pairs = 0;  ///< pairs looked at, whether or not anything is listed
  std::uint64_t made = 0;   ///< lists that were made
  std::uint64_t tests = 0;  ///< tests of two features
};

/// Nearer than this part of the sum of radii, and the polyhedra are about to pass through each other.
inline constexpr double kNearest = 0.2;

/// One contact per closest pair of points of two features, with the sum of the weights of the terms whose closest
/// points it is: the sum of weight times energy of all contacts is E, README.md, eq. (4).
class VertexFace final : public ContactDetector {
 public:
  /// \param alpha  Verlet distance [m]; 0: see Reach
  explicit VertexFace(Partner partner = Partner::polyhedra, double alpha = 0) : partner_(partner), alpha_(alpha) {}

  DetectorTraits traits() const override;
  /// \throws OptionError for shapes with too many vertices, edges or faces
  void bind(std::span<const Shape* const> shapes) override;
  void detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache& cache, double margin,
              ContactBuffer& out) const override;
  void match(const ContactMatch& contacts) const override;

  /// Returns the counts of the calling thread since it began.
  static ListCounts counts();

 private:
  Partner partner_;
  double alpha_;
  std::vector<Parts> parts_;  ///< by index of the shape
};

}  // namespace scree::spheropolyhedron
