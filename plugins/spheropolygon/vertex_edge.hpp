#pragma once
/// \file The detector "vertex-edge": spheropolygons and chains with each other, with discs and with clumps.

#include <cstdint>
#include <vector>

#include "near_list.hpp"
#include "on_device.hpp"
#include "scree/detect/contact_detector.hpp"

namespace scree::spheropolygon {

struct VertexEdgeOptions {
  int corner_weight = 2;   ///< 0, 2 or 3, see corner_weight.hpp
  double delta_allow = 0;  ///< largest overlap corner weight 3 has to stand [m]; 0: kDeltaAllow of the sum of radii
  double alpha = 0;        ///< Verlet distance [m]; 0: see Reach
};

/// Part of the sum of radii.
inline constexpr double kDeltaAllow = 0.1;

/// Counts of calls of detect().
struct ListCounts {
  std::uint64_t pairs = 0;  ///< looked at, whether or not anything is listed
  std::uint64_t made = 0;   ///< lists made anew
  std::uint64_t tests = 0;  ///< number of tests of a vertex with an edge
};

/// One contact per vertex and edge whose foot is inside the edge, with weight 1, and one per pair of vertices with the
/// weight that is left: the sum of weight times energy of all contacts is E_c. Contacts of a pair come in order of the
/// vertex's body, the vertex and the edge, then the pairs of vertices.
class VertexEdge final : public ContactDetector {
 public:
  explicit VertexEdge(const VertexEdgeOptions& options = {})
      : options_(options), on_device_(options.corner_weight, parts_) {}
  VertexEdge(const VertexEdge&) = delete;
  VertexEdge& operator=(const VertexEdge&) = delete;

  DetectorTraits traits() const override;
  /// Offers DeviceShapePairs.
  const void* face(std::string_view name) const noexcept override;
  /// \throws OptionError when edges are too short for corner weight 3
  void bind(std::span<const Shape* const> shapes) override;
  void detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache& cache, double margin,
              ContactBuffer& out) const override;
  void match(const ContactMatch& contacts) const override;

  /// Returns the counts of the calling thread since it began.
  static ListCounts counts();

 private:
  VertexEdgeOptions options_;
  std::vector<Parts> parts_;  ///< by index of the shape
  VertexEdgeOnDevice on_device_;
};

}  // namespace scree::spheropolygon
