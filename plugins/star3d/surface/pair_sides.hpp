#pragma once
/// \file A pair of bodies, seen from both sides: the nodes of each in the fields of the other.

#include <optional>
#include <span>
#include <vector>

#include "scree/detect/contact_buffer.hpp"
#include "scree/detect/pair.hpp"
#include "surface/deep_nodes.hpp"
#include "surface/pair_memory.hpp"
#include "surface/payload.hpp"
#include "surface/regions.hpp"
#include "surface/surface_shape.hpp"

namespace scree::star3d {

/// Working memory of one thread.
struct Workspace {
  DeepNodes nodes;
  std::vector<Term> terms[2];  ///< by side
  std::vector<TermKey> last;   ///< contacts of the pair in the last step
};

/// One side of a pair: a body's nodes, and the body whose fields they meet.
struct Side {
  const SurfaceShape &own, &other;
  const BodyRow &at_own, &at_other;
  double own_size, other_size;
  std::uint32_t pair;
  int number;    ///< 0: the nodes are body a's
  double share;  ///< share of the pair's energy
  /// Placements of the nodes' body and of the other one in the latter's axes, where lengths are those of the world.
  Placement nodes, of_field;

  double spacing() const { return own_size * own.mesh.spacing; }
  /// Returns how deep below the top of a region its nearest node may be [m].
  double reach(const Field& field) const;
  /// Checks whether the depth in a field has one top along the own surface: where both bodies are convex.
  bool one_top(const Field& field) const { return own.fields[0].convex && field.convex; }
};

/// Finds the contacts of one pair.
///
/// A pair of convex bodies has one top per side. Where it touched in the last step, Newton's method follows that top
/// and no node is looked at. Elsewhere the near nodes lead to tops, unless the bodies have hardly moved since there
/// were none: see PairMemory. Which way is taken depends on the last contacts, which are state, and else only decides
/// how soon it is known that there is no contact.
class PairSides {
 public:
  PairSides(const BodyView& bodies, const Pair& pair, std::uint32_t index, std::span<const SurfaceShape> shapes);

  /// Appends the contacts with an overlap above -margin.
  void add(double margin, PairMemory& memory, Workspace& w, ContactBuffer& out) const;

 private:
  class Search;
  /// Pose of one body in the frame of the other, and the reach that KnownPose::moved() asks for.
  RelativePose pose() const;
  double moving_reach() const;
  const Side& first() const { return sides_[0] ? *sides_[0] : *sides_[1]; }

  std::optional<Side> sides_[2];
};

}  // namespace scree::star3d
