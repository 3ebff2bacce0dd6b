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

/// Requirements of a detector on the two shapes of a pair, and its promises about contacts. Plain data, read at set-up.
struct DetectorTraits {
  std::vector<std::string_view> facets_a;  ///< versioned names that one side must offer
  std::vector<std::string_view>
      facets_b;         ///< versioned names that the other side must offer; the two sides may come in either order
  int dimension = 0;    ///< 2, 3, or 0 for both
  int specificity = 0;  ///< "auto" picks the highest that fits; generic: 0; by name only: < 0
  bool gradient_consistent = false;  ///< normal = gradient of overlap: needed by the potential face
  bool curvature = false;            ///< detect() calls ContactBuffer::set_radius() for every contact
  bool weighted = false;             ///< detect() calls ContactBuffer::set_weights() for every contact
  std::size_t cache_row = 0;         ///< bytes of PairCache::row per pair that follow the pair through rebuilds
  bool scales = false;               ///< uses BodyView::scale; otherwise it never gets bodies of a scale other than 1
};

class SCREE_API ContactDetector {
 public:
  virtual ~ContactDetector();

  virtual DetectorTraits traits() const = 0;

  /// Returns a further face by its versioned name, as laws do, for a device or a later core. Default: none.
  /// \return pointer converted from a pointer to exactly the face's type, or nullptr
  virtual const void* face(std::string_view name) const noexcept;
  /// Names of the quantities that detect() reports of each contact beyond overlap, normal and point, with units: "area
  /// [m^2]". The k-th goes to ContactBuffer::set_quantity(), or to ContactBuffer::Rows::quantity[k]. At most
  /// ContactBuffer::kMostQuantities. Default: none.
  virtual std::span<const std::string_view> quantities() const noexcept;
  /// Resolves facets and builds tables per shape, before the first step, and again between steps after a hook made a
  /// shape. Earlier shapes then come first, and the caches of pairs stay. The index in the span is BodyView::shape.
  /// Shapes without the facets are in the list too and are to be skipped.
  virtual void bind(std::span<const Shape* const> shapes) = 0;

  /// Checks whether detect() reads orientations; called after bind(). If not, they are not kept up to date.
  virtual bool sees_orientation() const noexcept;

  /// Checks whether all contacts lie between the centres of mass of their two bodies, on the line that joins them;
  /// called after bind(). If so, detect() writes their arms (ContactBuffer::Rows), which saves computing them. Default:
  /// no.
  virtual bool central() const noexcept;

  /// Prepares the cache after the pair list was rebuilt. \p cache holds the rows of pairs that were listed before, and
  /// zeros for new ones. Default: nothing to prepare.
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

  /// Decides which contact of the last step each current contact continues, and gives it the same feature. Called for a
  /// pair with at least one old and one new contact. It is not called if both are equal in number and payloads
  /// (features, where a payload is 0): they continue in order. Default: equal features.
  virtual void match(const ContactMatch& contacts) const;
};

}  // namespace scree
