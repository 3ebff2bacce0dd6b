#pragma once
/// \file The fast path for many pairs of outlines at once: the same contacts as plain_extrema(), bit by bit.
///
/// Per pair the core keeps, between steps, which segment of either outline may have an extremum inside the other while
/// the relative pose stays close to a reference (DepthWindows). Per step:
///   1. pairs that have moved too far find their segments anew; those that hardly move find them for a shorter reach,
///      where most segments are single nodes;
///   2. the nodes of all segments, moved into the other body's frame, get their depth in single precision, all in one
///      column, and nodes that may carry an extremum are listed: errors are bounded, so none is missed; single nodes
///      are listed without a look;
///   3. the five nodes of each are evaluated in double precision, extremum by extremum in columns, and decided.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "depth_kernels.hpp"
#include "extremal_shapes.hpp"

namespace scree::star {

/// Nodes first .. first + count - 1 of a side, not past the last one.
struct NodeWindow {
  std::uint16_t first;
  std::uint16_t count : 15, side : 1;
};

/// A pair's row of the cache. Zero means: nothing known.
struct DepthWindows {
  static constexpr std::uint32_t kMost = 3;  ///< of either side
  FloatPose reference;                       ///< of a's outline in b's frame, when the windows were made
  float reach2;                              ///< [m^2] they hold while (|shift| + lever |change of (c, s)|)^2 is less
  float lever2;                              ///< [m^2]
  std::uint16_t windows;                     ///< how many
  std::uint8_t steps;                        ///< for which they have held, up to kPatience
  std::uint8_t level;                        ///< of the reach they were made for
  NodeWindow window[2 * kMost];              ///< the nodes that may carry an extremum, side a's, then b's, ascending
};

/// Works on one chunk at a time, in blocks of pairs. Large: make one per thread.
class ExtremalSweep {
 public:
  /// Appends all contacts of the pairs, in their order; those with a wall go through wall_extrema().
  void detect(const ExtremalShapes& shapes, const BodyView& bodies, std::span<const Pair> pairs, DepthWindows* cache,
              ContactBuffer& out);

 private:
  static constexpr std::uint32_t kItems = 2048;  ///< nodes of a block, about
  static constexpr std::uint32_t kFront =
      4;  ///< entries of u_ and segment_ before the first item: stencils begin there
  static constexpr std::uint32_t kExtrema = kMostNodes;  ///< evaluated together
  /// No multiple of a power of two, or rows of all columns would share one cache set.
  static constexpr std::uint32_t kStride = kExtrema + 8;

  /// A pair with windows; index 0 is body a, 1 is body b.
  struct Active {
    const ExtremalOutline* outline[2];
    std::uint32_t pair, body[2];
    std::int32_t field[2];  ///< where the outline's table begins
  };
  /// A window of an active pair.
  struct Segment {
    std::uint32_t active, side;
    std::uint32_t item, first;  ///< its first item that may carry an extremum, and the node that it is
  };
  /// Extrema in columns, by place in the stencil; written in groups of four.
  struct alignas(64) Stencils {
    double x[kStencil][kStride], y[kStencil][kStride];  ///< about the own centre, then in the other's frame [m]
    double u[kStencil][kStride], gx[kStencil][kStride], gy[kStencil][kStride];
    double rho[kStencil][kStride];  ///< from the other's centre [m]
    double pose_x[kStride], pose_y[kStride], pose_c[kStride], pose_s[kStride];
    double frame_x[kStride], frame_y[kStride], frame_c[kStride], frame_s[kStride];  ///< the other's
    double direction[kStride];                                                      ///< see contact_of()
    double reach[kStride];                                                          ///< see node_reach() [m]
    double core[kStride];                                                           ///< see NodeDepths [m]
    std::int32_t table[kStride];
  };
  /// What comes of them: columns of contacts, and those that decide which are none.
  struct alignas(64) Results {
    double overlap[kStride], nx[kStride], ny[kStride], px[kStride], py[kStride], energy[kStride], force[kStride];
    double sign[kStride];  ///< see DepthTerm
    double nearest2[kStride],
        middle2[kStride];     ///< to the other's centre, of all nodes and of the three in the middle [m^2]
    double contact[kStride];  ///< 1: it is one, 0: it is none
    double crushed[kStride];  ///< 1: a contact one of whose nodes is in the other's core
  };
  struct Extremum {
    std::uint32_t segment, node;
  };

  void place_bodies();
  void gather_pair(std::uint32_t index, std::uint32_t shape_a, std::uint32_t shape_b);
  void refresh(const ExtremalOutline& a, const ExtremalOutline& b, const MutualPose& mutual, DepthWindows& row);
  float find_windows(const ExtremalOutline& own, const ExtremalOutline& other, const FloatPose& pose,
                     std::uint16_t side, DepthWindows& row);
  void append(const NodeWindow& window, const FloatPose& pose);
  void make_room(std::uint32_t items);
  void start_block();
  void finish_block();
  void find_extrema();
  void finish_extrema();
  void place_stencils();
  void evaluate_nodes();
  void evaluate_terms();
  void emit();
  [[noreturn]] void throw_crushed_at(const Extremum& extremum) const;

  // The chunk.
  const ExtremalShapes* shapes_ = nullptr;
  const BodyView* bodies_ = nullptr;
  std::span<const Pair> pairs_;
  DepthWindows* cache_ = nullptr;
  ContactBuffer* out_ = nullptr;
  std::vector<PlanarPose> pose_;  ///< by row
  std::uint32_t last_pair_ = 0, feature_ = 0;

  // The block.
  std::vector<float> x_, y_, u_;
  std::vector<std::int32_t> table_;
  std::vector<std::int32_t> segment_;  ///< of an item, from kFront on; the complement where it is to be listed anyway
  std::vector<std::int32_t> listed_;   ///< items that may carry an extremum
  std::vector<Active> actives_;
  std::vector<Segment> segments_;
  std::uint32_t items_ = 0;
  std::vector<Extremum> extrema_;
  Stencils at_;
  Results result_;
  WallScratch wall_;
};

}  // namespace scree::star
