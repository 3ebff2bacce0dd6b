#pragma once
/// \file The fast path for many pairs of outlines at once: the same contacts as plain_extrema(), bit by bit.
///
/// Per pair the core keeps, between steps, which segment of either outline may have an extremum inside the other while
/// the relative pose stays close to a reference (DepthWindows). Per step:
///   1. segments of many pairs are gathered; of pairs that have moved too far, all that are near;
///   2. single nodes may carry an extremum; of the others those are listed that may, by depths in single precision
///      whose errors are bounded, so that none is missed. The same depths say which segments of a pair that has moved
///      will do for a while; of pairs that hardly move it is asked for a shorter reach, where most are single nodes;
///   3. the five nodes of each extremum are evaluated in double precision, eight extrema at a time, and decided.
///
/// Each stage is a short loop over all pairs, since one chain of operations is longer than a processor looks ahead.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "extremal/depth_kernels.hpp"
#include "extremal/extremal_shapes.hpp"

namespace scree::star {

/// A pair's row of the cache. Zero means: nothing known.
struct DepthWindows {
  static constexpr std::uint32_t kMost = 4;  ///< largest number on either side
  FloatPose reference;                       ///< pose of a's outline in b's frame when the windows were made
  float reach2;                              ///< [m^2] they hold while (|shift| + lever |change of (c, s)|)^2 is less
  float lever2;                              ///< [m^2]
  std::uint16_t windows;                     ///< number of windows
  std::uint8_t steps;                        ///< for which they have held, up to kPatience
  std::uint8_t level;                        ///< level of the reach they were made for
  NodeWindow window[2 * kMost];              ///< the nodes that may carry an extremum, side a's, then b's, ascending
};

/// Works on one chunk at a time. Large: make one per thread.
class ExtremalSweep {
 public:
  /// Appends all contacts of the pairs, in their order; those with a wall go through wall_extrema().
  void detect(const ExtremalShapes& shapes, const BodyView& bodies, std::span<const Pair> pairs, DepthWindows* cache,
              ContactBuffer& out);

 private:
  static constexpr std::uint32_t kOctet = 8;
  static constexpr std::uint32_t kGroups = 16;   ///< evaluated together
  static constexpr std::uint32_t kWindows = 96;  ///< looked at together, about

  /// Data of a body for the stages.
  struct alignas(64) Body {
    PlanarPose pose;
    const ExtremalOutline* outline;  ///< null: none
    const double *x, *y;             ///< its nodes
    std::int32_t field;              ///< begin of its table
    float radius2;                   ///< a little more than the square of its largest radius [m^2]
  };
  /// Nodes that may carry an extremum.
  struct Extremum {
    std::uint32_t pair;
    NodeWindow nodes;
  };
  /// A pair whose windows are to be found anew. Until they are, blocks of nodes stand for them.
  struct Renewal {
    std::uint32_t pair;
    std::uint32_t begin[3];  ///< in windows_: of side a's blocks, of side b's, and their end
    FloatPose in_b;          ///< a's outline in b's frame
  };
  /// Eight extrema of one node each, by place in the stencil.
  struct alignas(64) Group {
    double x[kStencil][kOctet], y[kStencil][kOctet];  ///< about the own centre, then in the other's frame [m]
    double u[kStencil][kOctet], gx[kStencil][kOctet], gy[kStencil][kOctet];
    double rho[kStencil][kOctet];  ///< from the other's centre [m]
    Octet pose[4], frame[4];       ///< relative_pose(own, other), and the other's; x, y, c, s
    double direction[kOctet];      ///< see contact_of()
    double reach[kOctet];          ///< see node_reach() [m]
    double core[kOctet];           ///< see NodeDepths [m]
    Octet place, sign;             ///< see place_of(), sign_of()
    DepthForce<Octet> force;
    alignas(32) std::int32_t knot[kStencil][kOctet];  ///< the first of three
    alignas(32) std::int32_t table[kOctet];
    std::uint16_t ring[kOctet];           ///< ExtremumKey::place
    std::uint32_t present, kept, minima;  ///< bits of lanes: with an extremum, with a contact, with a minimum
    std::uint32_t row;                    ///< first row of the contacts
  };

  void place_bodies();
  void gather_pair(std::uint32_t index);
  void begin_renewal(std::uint32_t index, const Body& a, const Body& b, const MutualPose& mutual, DepthWindows& row);
  void list_blocks(std::uint32_t index, const Body& own, const Body& other, const FloatPose& pose, std::uint16_t side);
  void finish_windows();
  void look();
  void renew(const Renewal& renewal);
  float find_windows(const Renewal& renewal, std::uint16_t side, DepthWindows& row);
  void list_extrema();
  void finish_extrema(std::uint32_t count);
  void place_stencils(std::uint32_t group, std::uint32_t extrema);
  static void place_nodes(Group& group);
  static void find_knots(Group& group);
  void evaluate_nodes(Group& group) const;
  static std::uint32_t decide(Group& group, std::uint32_t row, double* overlap);
  static void sum_forces(Group& group);
  static void emit_columns(const Group& group, const ContactBuffer::Rows& rows);
  void emit_names(std::uint32_t group, const ContactBuffer::Rows& rows);
  [[noreturn]] void throw_crushed_at(const Extremum& extremum) const;

  // The chunk.
  const ExtremalShapes* shapes_ = nullptr;
  const BodyView* bodies_ = nullptr;
  std::span<const Pair> pairs_;
  DepthWindows* cache_ = nullptr;
  ContactBuffer* out_ = nullptr;
  std::vector<Body> body_;  ///< by row
  std::uint32_t last_pair_ = 0, feature_ = 0;

  std::vector<Extremum> windows_;     ///< the first `gathered_` are to be looked at
  std::vector<std::uint32_t> found_;  ///< bit by node of a window: which may carry an extremum
  std::vector<std::uint32_t> wide_;   ///< windows of several nodes
  std::vector<std::uint32_t> slot_;   ///< slot of a window: of its nodes
  std::vector<CoarseNodes> nodes_;    ///< nodes of the wide windows
  std::vector<Renewal> renewals_;
  std::uint32_t gathered_ = 0;
  std::vector<Extremum> extrema_;  ///< extrema of one node each; the first `listed_` are to be evaluated
  std::uint32_t listed_ = 0;
  std::vector<std::uint64_t> marks_;  ///< bit by node
  Group group_[kGroups];
  WallScratch wall_;
};

}  // namespace scree::star
