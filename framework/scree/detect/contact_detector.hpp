#pragma once
/// \file Narrow phase: candidate pairs in, contacts out. One virtual call per chunk of pairs.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/detect/contact_buffer.hpp"
#include "scree/detect/contact_match.hpp"
#include "scree/detect/pair.hpp"
#include "scree/shape/shape.hpp"
#include "scree/world/body_view.hpp"

namespace scree {

/// What a detector asks of the two shapes of a pair, and what it promises about its contacts. Plain data, read at
/// set-up.
struct DetectorTraits {
  std::vector<std::string_view> facets_a;  ///< versioned names one side must offer
  std::vector<std::string_view> facets_b;  ///< and the other; the two sides may come in either order
  int dimension = 0;                       ///< 2, 3, or 0 for both
  int specificity = 0;                     ///< "auto" picks the highest that fits; generic: 0; by name only: < 0
  bool gradient_consistent = false;        ///< normal = gradient of overlap: needed by the potential face
  bool curvature = false;                  ///< detect() calls ContactBuffer::set_radius() for every contact
  bool weighted = false;                   ///< detect() calls ContactBuffer::set_weights() for every contact
  std::size_t cache_row = 0;               ///< bytes of PairCache::row per pair that follow the pair through rebuilds
  bool scales = false;  ///< takes BodyView::scale into account; else it never gets bodies of a scale other than 1
};

class SCREE_API ContactDetector {
 public:
  virtual ~ContactDetector();

  virtual DetectorTraits traits() const = 0;

  /// Further faces by versioned name, as those of laws: what a device or a later core asks for. Default: none.
  /// \return converted from a pointer to exactly the face's type, or nullptr
  virtual const void* face(std::string_view name) const noexcept;
  /// Resolves facets and builds per-shape tables, before the first step, and again between steps when a hook has made
  /// a shape: earlier shapes then come first, and what pairs keep stays. Index in the span = BodyView::shape. Shapes
  /// without the facets are in the list too and are to be skipped.
  virtual void bind(std::span<const Shape* const> shapes) = 0;

  /// Whether detect() reads orientations, once bind() was called. Where not, they are not brought up to date.
  virtual bool sees_orientation() const noexcept;

  /// Whether all contacts lie between the centres of mass of their two bodies, on the line that joins them. Asked after
  /// bind(). detect() then writes their arms (ContactBuffer::Rows), which saves computing them. Default: no.
  virtual bool central() const noexcept;

  /// Called when the pair list is rebuilt. \p cache holds the rows of pairs that were listed before, zeros for new
  /// ones. Default: nothing to prepare.
  /// \param skin, margin  [m] until the next call the centres of two bodies do not come closer by more than the skin;
  ///                      detect() will ask for gaps up to the margin. Bodies may turn any way.
  virtual void prepare(const BodyView& bodies, std::span<const Pair> pairs, double skin, double margin,
                       PairCache& cache) const;

  /// Appends every contact with overlap > -margin. Serial, reentrant.
  /// \param pairs   oriented a to b; every pair offers traits() one way round or the other
  /// \param margin  [m] >= 0: gaps up to this size are reported too (negative overlap)
  /// \throws NumericalError when geometry degenerates; names both body ids
  virtual void detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache& cache, double margin,
                      ContactBuffer& out) const = 0;

  /// Decides which contact of the last step each current contact continues, and gives it that one's feature. Called for
  /// one pair with at least one old and one new contact, unless there are as many as before with equal payloads (equal
  /// features, where a payload is 0): those continue in order. Default: equal features.
  virtual void match(const ContactMatch& contacts) const;
};

}  // namespace scree
