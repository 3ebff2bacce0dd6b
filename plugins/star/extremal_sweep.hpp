#pragma once
/// \file The fast path for many pairs of outlines at once: the same contacts as plain_extrema(), bit by bit.
///
/// Per pair the core keeps, between steps, which segment of either outline may have an extremum inside the other while
/// the relative pose stays close to a reference (DepthWindows). Per step:
///   1. pairs that have moved too far find their segments anew;
///   2. the nodes of all segments, moved into the other body's frame, get their depth in single precision, all in one
///      column, and nodes that may carry an extremum are marked: errors are bounded, so none is missed;
///   3. the five nodes of each are evaluated in double precision, extremum by extremum in columns, and decided.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "depth_kernels.hpp"
#include "extremal_shapes.hpp"

namespace scree::star {

/// Nodes first .. first + count - 1, not past the last one.
struct NodeWindow {
  std::uint16_t first, count;
};

/// A pair's row of the cache. Zero means: nothing known.
struct DepthWindows {
  static constexpr std::uint32_t kMost = 3;
  FloatPose reference;      ///< of a's outline in b's frame, when the windows were made
  float reach2;             ///< [m^2] they hold while |shift|^2 + lever2 |change of (c, s)|^2 is less
  float lever2;             ///< [m^2]
  std::uint8_t windows[2];  ///< how many, side a and b
  std::uint8_t fine, steps;
  NodeWindow window[2][kMost];  ///< the nodes that may carry an extremum, ascending
};

/// Works on one chunk at a time, in blocks of pairs. Large: make one per thread.
class ExtremalSweep {
 public:
  /// Appends all contacts of the pairs, in their order; those with a wall go through wall_extrema().
  void detect(const ExtremalShapes& shapes, const BodyView& bodies, std::span<const Pair> pairs, DepthWindows* cache,
              ContactBuffer& out);

 private:
  static constexpr std::uint32_t kItems = 2048;  ///< nodes of a block, about
  static constexpr std::uint32_t kFront = 4;
  static constexpr std::uint32_t kDirect = 1;
  static constexpr std::uint32_t kExtrema = kMostNodes;  ///< evaluated together
  /// No multiple of a power of two, or rows of all columns would share one cache set.
  static constexpr std::uint32_t kStride = kExtrema + 8;

  /// Consecutive nodes of one side of a pair that are looked at.
  struct Segment {
    const ExtremalOutline *own, *other;
    std::uint32_t pair, side;
    std::uint32_t body[2];      ///< rows of the nodes' body and of the field's
    std::uint32_t item, first;  ///< its first item that may carry an extremum, and the node that it is
    std::int32_t field;         ///< where the other's table begins
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
    double sign[kStride];                        ///< see DepthTerm
    double nearest2[kStride], middle2[kStride];  ///< of the nodes, all and the three in the middle, to the centre [m^2]
  };
  struct Extremum {
    std::uint32_t segment, node;
  };

  void place_bodies();
  void gather_pair(std::uint32_t index, std::uint32_t shape_a, std::uint32_t shape_b);
  void refresh(const ExtremalOutline& a, const ExtremalOutline& b, const MutualPose& mutual, bool fine,
               DepthWindows& row);
  float find_windows(const ExtremalOutline& own, const ExtremalOutline& other, const FloatPose& pose, float reach,
                     std::uint8_t& count, NodeWindow* windows);
  void append(const FloatPose& pose, const Segment& segment, std::uint32_t nodes);
  void finish_block();
  void find_extrema();
  void finish_extrema();
  void place_stencils();
  void evaluate_nodes();
  void evaluate_terms();
  bool is_contact(std::size_t i) const;
  bool is_crushed(std::size_t i) const;
  void keep_contacts();
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
  std::vector<std::int32_t> table_, segment_, listed_;
  std::vector<Segment> segments_;
  std::uint32_t items_ = 0;
  std::vector<Extremum> extrema_;
  Stencils at_;
  Results result_;
  WallScratch wall_;
};

}  // namespace scree::star
