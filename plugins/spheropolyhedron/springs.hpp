#pragma once
/// \file The features of contacts between polyhedra, as the 64 bits stored with their history, and which contact
/// continues which. Host and device.

#include <cstdint>

#include "scree/detect/contact_match.hpp"

namespace scree::spheropolyhedron {

/// Vertices of a shape, and faces, that a payload has room for.
inline constexpr std::uint32_t kMostVertices = 1u << 15, kMostFaces = 1u << 16;

/// The two features that touch. A vertex is an edge whose ends are one.
struct Features {
  enum Kind : std::uint32_t {
    kVertexOfA = 1,  ///< on a face of b: `b` is the face
    kVertexOfB = 2,  ///< on a face of a: `a` is the face
    kEdges = 3,      ///< edges or vertices of both
    kTakenBack = 4,  ///< edges or vertices of both, with negative weight: elastic force alone, no spring
  };
  Kind kind;
  std::uint32_t a[2], b[2];  ///< ends, ascending; a face is its number's lower and upper half

  SCREE_HD std::uint64_t packed() const {
    return std::uint64_t{kind} | std::uint64_t{a[0]} << 4 | std::uint64_t{a[1]} << 19 | std::uint64_t{b[0]} << 34 |
           std::uint64_t{b[1]} << 49;
  }
  SCREE_HD static Features unpacked(std::uint64_t payload) {
    const auto field = [&](int shift) { return static_cast<std::uint32_t>(payload >> shift) & (kMostVertices - 1); };
    return {static_cast<Kind>(payload & 15), {field(4), field(19)}, {field(34), field(49)}};
  }
  bool operator==(const Features&) const = default;
};

/// Functions that match_features() is made of.
namespace springs {

using Ends = const std::uint32_t (&)[2];

SCREE_HD inline bool shares(Ends p, Ends q) { return p[0] == q[0] || p[0] == q[1] || p[1] == q[0] || p[1] == q[1]; }

/// Tells whether `end` is the edge, or an end of it.
SCREE_HD inline bool holds(Ends edge, Ends end) {
  return (end[0] == edge[0] || end[0] == edge[1]) && (end[1] == edge[0] || end[1] == edge[1]);
}

inline constexpr int kSamePlace = 0, kNext = 1, kShared = 2, kNotRelated = 3;

/// Returns the relation of two contacts between edges and vertices: related where a foot has reached the end of an
/// edge, or gone on to the next edge.
SCREE_HD inline int relation_of_edges(const Features& p, const Features& q) {
  const bool a = holds(p.a, q.a) || holds(q.a, p.a), b = holds(p.b, q.b) || holds(q.b, p.b);
  if (a && b) return kSamePlace;
  return shares(p.a, q.a) && shares(p.b, q.b) ? kNext : kNotRelated;
}

/// Returns the relation of a contact of a vertex on a face to one between edges and vertices, by the part of that
/// vertex in the latter.
SCREE_HD inline int relation_of_face(const Features& face, const Features& edges) {
  const bool of_a = face.kind == Features::kVertexOfA;
  const std::uint32_t v = of_a ? face.a[0] : face.b[0];
  Ends ends = of_a ? edges.a : edges.b;
  if (ends[0] == v && ends[1] == v) return kSamePlace;
  return ends[0] == v || ends[1] == v ? kNext : kNotRelated;
}

/// Returns how closely two contacts that are not the same are related: smaller is closer. Symmetric.
SCREE_HD inline int relation(const Features& p, const Features& q) {
  if (p.kind == Features::kTakenBack || q.kind == Features::kTakenBack) return kNotRelated;
  if (p.kind == Features::kEdges && q.kind == Features::kEdges) return relation_of_edges(p, q);
  if (p.kind == Features::kEdges) return relation_of_face(q, p);
  if (q.kind == Features::kEdges) return relation_of_face(p, q);
  if (p.kind != q.kind) return kNotRelated;  // a vertex of each, each on a face of the other
  return (p.kind == Features::kVertexOfA ? p.a[0] == q.a[0] : p.b[0] == q.b[0]) ? kNext : kNotRelated;
}

/// Returns how closely a current contact goes on from an old one that is not the same: smaller is closer.
/// \param ended  true where the old one is no more
SCREE_HD inline int distance(const Features& now, const Features& old, bool ended) {
  const int related = relation(now, old);
  if (ended) return related;
  return related == kSamePlace ? kShared : kNotRelated;
}

/// Returns how closely a current contact stands where an old one was that is no more: smaller is closer.
/// \param begun  true where the current one was not there before
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

/// Returns the index of the new contact that inherits from an old one that is no more, or -1.
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
/// of the one whose foot has gone from a face to its edge, from an edge to its end, or on to the next, and back:
/// weights change from one to the other, and with equal springs the friction force does not jump. Springs of contacts
/// that go on are copied too, for a foot that leaves a corner may leave part of the weight there. What a contact
/// carried that is no more goes to one such relative.
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

}  // namespace scree::spheropolyhedron
