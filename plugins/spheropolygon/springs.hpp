#pragma once
/// \file The features of vertex-edge contacts, as the 64 bits stored with their history, and which contact continues
/// which. Host and device.

#include <cstdint>

#include "scree/detect/contact_match.hpp"

namespace scree::spheropolygon {

/// Vertices of a shape that a feature has room for.
inline constexpr std::uint32_t kMostVertices = 1u << 20;

/// The two features that touch.
struct Features {
  enum Kind : std::uint32_t {
    kVertexOfA = 0,  ///< vertex of a, edge of b
    kVertexOfB = 1,  ///< vertex of b, edge of a
    kVertices = 2,   ///< a vertex of either
    kTakenBack = 3,  ///< two vertices with negative weight: only elastic force, no spring
  };
  Kind kind;
  std::uint32_t vertex;  ///< vertex of a if there is one of a, else of b
  std::uint32_t other;   ///< the vertex of b, or the vertex the edge begins with
  std::uint32_t end;     ///< the vertex the edge ends with

  SCREE_HD std::uint64_t packed() const {
    return std::uint64_t{kind} | std::uint64_t{1} << 2 | std::uint64_t{vertex} << 3 | std::uint64_t{other} << 23 |
           std::uint64_t{end} << 43;
  }
  SCREE_HD static Features unpacked(std::uint64_t payload) {
    const auto field = [&](int shift) { return static_cast<std::uint32_t>(payload >> shift) & (kMostVertices - 1); };
    return {static_cast<Kind>(payload & 3), field(3), field(23), field(43)};
  }
  bool operator==(const Features&) const = default;
};

/// Parts of match_features().
namespace springs {

using Kind = Features::Kind;

/// Checks whether a pair of vertices is the end of a vertex-edge contact.
SCREE_HD inline bool at_end(const Features& edge, const Features& vertices) {
  const std::uint32_t v = edge.kind == Kind::kVertexOfA ? vertices.vertex : vertices.other;
  const std::uint32_t w = edge.kind == Kind::kVertexOfA ? vertices.other : vertices.vertex;
  return edge.vertex == v && (w == edge.other || w == edge.end);
}

/// Checks whether the vertex of each is an end of the other's edge: vertices that have slid past each other along two
/// faces. If weights keep no contact of the two vertices themselves (corner weight 3), one ends as the other begins.
SCREE_HD inline bool passed(const Features& p, const Features& q) {
  return (p.vertex == q.other || p.vertex == q.end) && (q.vertex == p.other || q.vertex == p.end);
}

/// Checks whether those faces run against each other where the vertices pass. Outlines run counter-clockwise, so of two
/// faces that lie on each other one begins where the other ends. Otherwise the vertices are those of opposite ends of
/// the faces, as for boxes on boxes of the same width.
SCREE_HD inline bool face_to_face(const Features& p, const Features& q) {
  return (p.vertex == q.other && q.vertex == p.end) || (p.vertex == q.end && q.vertex == p.other);
}

/// Checks whether one vertex has moved from one edge to the next within one step, or one pair of vertices to another
/// that shares a vertex.
SCREE_HD inline bool next_to(const Features& p, const Features& q) {
  if (p.kind == Kind::kVertices) return p.vertex == q.vertex || p.other == q.other;
  return p.vertex == q.vertex && (p.end == q.other || q.end == p.other);
}

inline constexpr int kSamePlace = 0, kNext = 1, kShared = 2, kNotRelated = 3;

/// Returns how closely two different contacts are related: smaller is closer. Symmetric.
SCREE_HD inline int relation(const Features& p, const Features& q) {
  if (p.kind == Kind::kTakenBack || q.kind == Kind::kTakenBack) return kNotRelated;
  if (p.kind == q.kind) return next_to(p, q) ? kNext : kNotRelated;
  if (p.kind != Kind::kVertices && q.kind != Kind::kVertices) {
    if (!passed(p, q)) return kNotRelated;
    return face_to_face(p, q) ? kSamePlace : kNext;
  }
  return (p.kind == Kind::kVertices ? at_end(q, p) : at_end(p, q)) ? kSamePlace : kNotRelated;
}

/// Returns how closely a current contact continues a different old one: smaller is closer.
/// \param ended  true if the old one has ended
SCREE_HD inline int distance(const Features& now, const Features& old, bool ended) {
  const int related = relation(now, old);
  if (ended) return related;
  const bool corner = now.kind == Kind::kVertices || old.kind == Kind::kVertices;
  return related == kSamePlace && corner ? kShared : kNotRelated;
}

/// Returns how closely a current contact is in the place of an old one that has ended: smaller is closer.
/// \param begun  true if the current one is new
SCREE_HD inline int distance_of_heir(const Features& now, const Features& old, bool begun) {
  const int related = relation(now, old);
  if (begun) return related;
  return related == kSamePlace ? kShared : kNotRelated;
}

/// Index of a payload, or `count`.
SCREE_HD inline std::size_t place_of(std::uint64_t payload, const std::uint64_t* in, std::size_t count) {
  std::size_t k = 0;
  while (k < count && in[k] != payload) ++k;
  return k;
}
SCREE_HD inline bool present(std::uint64_t payload, const std::uint64_t* in, std::size_t count) {
  return place_of(payload, in, count) != count;
}

SCREE_HD inline std::int32_t source_of(std::uint64_t payload, const ContactMatch& m) {
  const std::size_t same = place_of(payload, m.old_payload, m.old_count);
  if (same != m.old_count) return static_cast<std::int32_t>(same);
  const Features now = Features::unpacked(payload);
  std::int32_t best = -1;
  int least = kNotRelated;
  for (std::size_t j = 0; j < m.old_count; ++j) {
    const bool ended = !present(m.old_payload[j], m.new_payload, m.new_count);
    const int d = distance(now, Features::unpacked(m.old_payload[j]), ended);
    // Not the first of equals: in a resumed run they may come in another order.
    if (d < least || (d == least && best >= 0 && m.old_feature[j] < m.old_feature[best]))
      least = d, best = static_cast<std::int32_t>(j);
  }
  return best;
}

/// Returns the successor of an old contact that has ended.
SCREE_HD inline std::int32_t heir_of(std::uint64_t payload, const ContactMatch& m) {
  const Features old = Features::unpacked(payload);
  std::int32_t best = -1;
  int least = kNotRelated;
  for (std::size_t i = 0; i < m.new_count; ++i) {
    const bool begun = !present(m.new_payload[i], m.old_payload, m.old_count);
    const int d = distance_of_heir(Features::unpacked(m.new_payload[i]), old, begun);
    if (d < least) least = d, best = static_cast<std::int32_t>(i);
  }
  return best;
}

}  // namespace springs

/// ContactDetector::match(): equal features continue. A new contact of positive weight takes over a copy of the spring
/// of the one whose foot has moved between the inside and the end of an edge, which shares a vertex with it and has
/// its other features next to its own: weights change from one to the other, and with equal springs the friction force
/// does not jump. Springs of contacts that go on are copied too, for a foot that leaves a corner may leave part of the
/// weight there. Where two vertices slide past each other along two faces, the contact of the one with the other's edge
/// goes on as that of the other with the one's. What a contact carried that is no more goes to one such relative.
/// \source specification, sec. 3, last paragraph
SCREE_HD inline void match_features(const ContactMatch& m) {
  for (std::size_t i = 0; i < m.new_count; ++i) {
    m.source[i] = springs::source_of(m.new_payload[i], m);
    const bool same = m.source[i] >= 0 && m.old_payload[m.source[i]] == m.new_payload[i];
    m.new_feature[i] = same ? m.old_feature[m.source[i]] : unused_feature(m, i);
  }
  if (!m.successor) return;
  for (std::size_t j = 0; j < m.old_count; ++j)
    if (!springs::present(m.old_payload[j], m.new_payload, m.new_count))
      m.successor[j] = springs::heir_of(m.old_payload[j], m);
}

}  // namespace scree::spheropolygon
