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

/// Whether one vertex has gone from one edge to the next, or one pair of vertices to another that shares a vertex,
/// within one step.
bool next_to(const Features& p, const Features& q) {
  if (p.kind == Kind::kVertices) return p.vertex == q.vertex || p.other == q.other;
  return p.vertex == q.vertex && (p.end == q.other || q.end == p.other);
}

constexpr int kNotRelated = 3;

/// How closely a contact of now goes on from an old one that is not the same: smaller is closer.
/// \param ended  whether the old one is no more
int distance(const Features& now, const Features& old, bool ended) {
  if (now.kind == Kind::kTakenBack || old.kind == Kind::kTakenBack) return kNotRelated;
  if (now.kind == old.kind) return ended && next_to(now, old) ? 1 : kNotRelated;
  if (now.kind != Kind::kVertices && old.kind != Kind::kVertices) return ended && passed(now, old) ? 0 : kNotRelated;
  const bool related = now.kind == Kind::kVertices ? at_end(old, now) : at_end(now, old);
  return related ? (ended ? 0 : 2) : kNotRelated;
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
    if (d < least) least = d, best = static_cast<std::int32_t>(j);
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
}

}  // namespace scree::spheropolygon
