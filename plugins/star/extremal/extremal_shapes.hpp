#pragma once
/// \file The shapes of a scene as the extremal depth law sees them, and a star against one that is no star.

#include <memory>
#include <vector>

#include "extremal/extremal_outline.hpp"
#include "extremal/extremal_pair.hpp"
#include "scree/shape/shape.hpp"

namespace scree::star {

/// By index of the shape.
struct ExtremalShapes {
  struct Entry {
    std::unique_ptr<const ExtremalOutline> outline;  ///< empty: no RadialFunction
    const SignedDistance* distance = nullptr;        ///< null: none
    bool exact = false;                              ///< the distance is an ExactDistance
  };
  std::vector<Entry> of_shape;
  std::vector<FieldKnot> fields;  ///< tables of all, one after the other
  DepthError error{0, 0};  ///< error of any outline's nodes in any other's field, with places in single precision

  explicit ExtremalShapes(std::span<const Shape* const> shapes);
  const ExtremalOutline* outline(std::uint32_t shape) const { return of_shape[shape].outline.get(); }
  static std::int32_t field_of(std::uint32_t shape) { return static_cast<std::int32_t>(shape) * kFieldKnots; }
  ExtremalPair pair(const BodyView& bodies, const Pair& pair, std::uint32_t index) const;

 private:
  void bound_error();
};

/// Working memory of wall_extrema().
struct WallScratch {
  NodeDepths depths;
  std::vector<Vec3> points, gradients;
  std::vector<double> distances;
  std::vector<std::uint32_t> wanted;  ///< nodes whose distance is asked for
  std::vector<std::uint64_t> looked;  ///< see push_terms()
};

/// Appends the contacts of a star with a body that has a distance: u = -distance, whole weight.
/// \throws NumericalError where the distance has no gradient
void wall_extrema(const ExtremalShapes& shapes, const BodyView& bodies, const Pair& pair, std::uint32_t index,
                  double margin, WallScratch& scratch, ContactBuffer& out);

}  // namespace scree::star
