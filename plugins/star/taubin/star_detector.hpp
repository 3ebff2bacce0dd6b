#pragma once
/// \file Contacts between star-shaped outlines: nodes of one inside the other, one contact per overlapping region.

#include <memory>
#include <string_view>
#include <vector>

#include "outline/outline.hpp"
#include "scree/detect/contact_detector.hpp"

namespace scree::star {

struct Outlines;
class StarPairsOnDevice;

enum class Scheme {
  symmetric,   ///< nodes of both sides; the result does not depend on the order of the bodies
  s1_then_s2,  ///< regions of a's nodes, deepest node of either side
  s1_only,     ///< a's nodes only
  all_nodes,   ///< every inside node of either side is a contact
};

Scheme scheme_of(std::string_view name);

struct TaubinOptions {
  Scheme scheme = Scheme::symmetric;
  bool radial = false;  ///< depth along the radius instead of Taubin's distance
};

/// Counts of a call of detect().
struct DetectCounts {
  std::size_t refreshed = 0;   ///< pairs whose candidate nodes were found anew
  std::size_t candidates = 0;  ///< nodes tested exactly
  std::size_t doubtful = 0;    ///< number of these decided in double precision
  std::size_t deep = 0;        ///< nodes evaluated in double precision because they may be the deepest
  std::size_t reference = 0;   ///< pairs handled by the plain path
};

class TaubinDetector final : public ContactDetector {
 public:
  explicit TaubinDetector(const TaubinOptions& options = {});
  ~TaubinDetector() override;

  DetectorTraits traits() const override;
  void bind(std::span<const Shape* const> shapes) override;
  void detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache& cache, double margin,
              ContactBuffer& out) const override;
  void match(const ContactMatch& contacts) const override;
  /// Offers DeviceShapePairs, of the symmetric scheme with Taubin's distance.
  const void* face(std::string_view name) const noexcept override;

  /// Finds the same contacts, bit by bit, in double precision without tables of candidates: the oracle of the fast
  /// path. It is used where that does not apply (a margin, other schemes, very many nodes).
  void detect_plain(const BodyView& bodies, std::span<const Pair> pairs, double margin, ContactBuffer& out) const;

  /// Figures of the calling thread's last detect().
  static DetectCounts last_counts();

  const Outline& outline(std::uint32_t shape) const;

 private:
  TaubinOptions options_;
  std::unique_ptr<Outlines> outlines_;
  std::unique_ptr<StarPairsOnDevice> on_device_;
};

}  // namespace scree::star
