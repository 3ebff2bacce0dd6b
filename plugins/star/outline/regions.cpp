#include "outline/regions.hpp"

namespace scree::star {

void find_runs(std::span<const NodeHit> hits, std::uint32_t nodes, std::vector<HitRun>& runs) {
  runs.clear();
  if (hits.empty()) return;
  const auto count = static_cast<std::uint32_t>(hits.size());
  const bool wraps = count < nodes && hits.front().node == 0 && hits.back().node == nodes - 1;
  std::uint32_t leading = 0;  // hits that belong to the run over node 0
  if (wraps)
    while (hits[leading].node == leading) ++leading;
  for (std::uint32_t i = leading; i < count + leading;) {
    HitRun run{{hits[i].node, 0}, hits[i].px, hits[i].py, 0, 0, i, 0};
    std::uint32_t k = i;
    for (; k < count + leading; ++k) {
      const std::uint32_t h = k % count;
      if (hits[h].node != (run.nodes.first + run.nodes.count) % nodes) break;
      ++run.nodes.count;
      run.end_x = hits[h].px;
      run.end_y = hits[h].py;
      const bool deeper = hits[h].hit.depth > hits[run.deepest].hit.depth;
      const bool tie = hits[h].hit.depth == hits[run.deepest].hit.depth && hits[h].node < hits[run.deepest].node;
      if (deeper || tie) run.deepest = h;
    }
    runs.push_back(run);
    i = k;
  }
}

std::uint32_t join_runs(PairHits& hits, const StarPair& pair, double margin) {
  std::vector<HitRun>&runs_a = hits.runs[0], &runs_b = hits.runs[1];
  std::uint32_t next = 0;
  for (HitRun& run : runs_a) run.region = next++;
  for (HitRun& run : runs_b) run.region = next++;
  const auto node_after = [](const NodeRun& run, std::uint32_t n) { return (run.first + run.count - 1) % n; };
  const auto node_before = [](const NodeRun& run, std::uint32_t n) { return (run.first + n - 1) % n; };
  // The end of run s (of `from`) against the begin of run t (of `to`), seen in both frames: which of them rounds to
  // "near" must not depend on the order of the bodies.
  const auto meets = [&](const HitRun& s, int side, const HitRun& t) {
    const Outline &from = *pair.outline[side], &to = *pair.outline[1 - side];
    const std::uint32_t last = node_after(s.nodes, from.nodes);
    const double behind = from.edge[last], ahead = to.edge[node_before(t.nodes, to.nodes)];
    return crossing_between(s.end_x - to.points[t.nodes.first].x, s.end_y - to.points[t.nodes.first].y,
                            crossing_reach(ahead, behind, pair.sizes(side), margin)) ||
           crossing_between(t.begin_x - from.points[last].x, t.begin_y - from.points[last].y,
                            crossing_reach(behind, ahead, pair.sizes(1 - side), margin));
  };
  const auto rename = [&](std::uint32_t from, std::uint32_t to) {
    for (auto& runs : hits.runs)
      for (HitRun& run : runs)
        if (run.region == from) run.region = to;
  };
  for (HitRun& s : runs_a)
    for (HitRun& t : runs_b)
      if (s.region != t.region && (meets(s, 0, t) || meets(t, 1, s)))
        rename(std::max(s.region, t.region), std::min(s.region, t.region));
  std::uint32_t regions = 0;
  for (auto& runs : hits.runs)
    for (HitRun& run : runs)
      if (run.region >= regions) rename(run.region, regions++);
  return regions;
}

}  // namespace scree::star
