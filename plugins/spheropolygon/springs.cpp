#include "springs.hpp"

#include <algorithm>

namespace scree::spheropolygon {

namespace {

using Kind = Features::Kind;

/// Whether a pair of vertices is the end of a vertex-edge contact.
bool at_end(const Features& edge, const Features& vertices) {
  const std::uint32_t v = edge.kind == Kind::kVertexOfA ? vertices.vertex : vertices.other;
  const std::uint32_t w = edge.kind == Kind::kVertexOfA ? vertices.other : vertices.vertex;
  return edge.vertex == v && (w == edge.other || w == edge.end);
}

/// Whether the vertex of each is an end of the other's edge: vertices that have slid past each other along two faces.
/// Where weights keep no contact of the two vertices themselves (corner weight 3), one ends as the other begins.
bool passed(const Features& p, const Features& q) {
  return (p.vertex == q.other || p.vertex == q.end) && (q.vertex == p.other || q.vertex == p.end);
}

/// Whether those faces run against each other where the vertices pass. Outlines run counter-clockwise, so of two faces
/// that lie on each other one begins where the other ends: else the vertices are those of opposite ends of the faces,
/// as boxes on boxes of the same width have them.
bool face_to_face(const Features& p, const Features& q) {
  return (p.vertex == q.other && q.vertex == p.end) || (p.vertex == q.end && q.vertex == p.other);
}

/// Whether one vertex has gone from one edge to the next, or one pair of vertices to another that shares a vertex,
/// within one step.
bool next_to(const Features& p, const Features& q) {
  if (p.kind == Kind::kVertices) return p.vertex == q.vertex || p.other == q.other;
  return p.vertex == q.vertex && (p.end == q.other || q.end == p.other);
}

constexpr int kSamePlace = 0, kNext = 1, kShared = 2, kNotRelated = 3;

/// How closely two contacts that are not the same are related: smaller is closer. Symmetric.
int relation(const Features& p, const Features& q) {
  if (p.kind == Kind::kTakenBack || q.kind == Kind::kTakenBack) return kNotRelated;
  if (p.kind == q.kind) return next_to(p, q) ? kNext : kNotRelated;
  if (p.kind != Kind::kVertices && q.kind != Kind::kVertices) {
    if (!passed(p, q)) return kNotRelated;
    return face_to_face(p, q) ? kSamePlace : kNext;
  }
  return (p.kind == Kind::kVertices ? at_end(q, p) : at_end(p, q)) ? kSamePlace : kNotRelated;
}

/// How closely a contact of now goes on from an old one that is not the same: smaller is closer.
/// \param ended  whether the old one is no more
int distance(const Features& now, const Features& old, bool ended) {
  const int related = relation(now, old);
  if (ended) return related;
  const bool corner = now.kind == Kind::kVertices || old.kind == Kind::kVertices;
  return related == kSamePlace && corner ? kShared : kNotRelated;
}

/// How closely a contact of now stands where an old one was that is no more: smaller is closer.
/// \param begun  whether the one of now was not there before
int distance_of_heir(const Features& now, const Features& old, bool begun) {
  const int related = relation(now, old);
  if (begun) return related;
  return related == kSamePlace ? kShared : kNotRelated;
}

bool present(std::uint64_t payload, const std::uint64_t* in, std::size_t count) {
  return std::find(in, in + count, payload) != in + count;
}

std::int32_t source_of(std::uint64_t payload, const ContactMatch& m) {
  const std::uint64_t* const same = std::find(m.old_payload, m.old_payload + m.old_count, payload);
  if (same != m.old_payload + m.old_count) return static_cast<std::int32_t>(same - m.old_payload);
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

/// Of an old contact that is no more.
std::int32_t heir_of(std::uint64_t payload, const ContactMatch& m) {
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

}  // namespace

void match_features(const ContactMatch& m) {
  for (std::size_t i = 0; i < m.new_count; ++i) {
    m.source[i] = source_of(m.new_payload[i], m);
    const bool same = m.source[i] >= 0 && m.old_payload[m.source[i]] == m.new_payload[i];
    m.new_feature[i] = same ? m.old_feature[m.source[i]] : unused_feature(m, i);
  }
  if (!m.successor) return;
  for (std::size_t j = 0; j < m.old_count; ++j)
    if (!present(m.old_payload[j], m.new_payload, m.new_count)) m.successor[j] = heir_of(m.old_payload[j], m);
}

}  // namespace scree::spheropolygon
