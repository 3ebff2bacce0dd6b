#include "taubin/pair_contacts.hpp"

#include <fmt/format.h>

#include "scree/base/error.hpp"

namespace scree::star {

namespace {

/// Hits of side `o`'s nodes on the other side's outline: depth > -margin, in order of nodes.
void collect(const StarPair& pair, int o, bool radial, double margin, std::vector<NodeHit>& hits) {
  hits.clear();
  const Outline &own = *pair.outline[o], &other = *pair.outline[1 - o];
  const RelativePose pose = relative_pose(pair.pose[o], pair.pose[1 - o]);
  const Sizes size = pair.sizes(o);
  for (int i = 0; i < own.nodes; ++i) {
    const PlanarPoint<double> p = transform(pose, size, own.points[i].x, own.points[i].y);
    // Beyond the largest radius Taubin's distance may still be small where the outline is steep; only a margin of 0
    // allows a rejection by radius.
    if (margin == 0 && p.x * p.x + p.y * p.y > other.r_max * other.r_max * (1 + 1e-9)) continue;
    const RadialSample<double> sample = other.sample(p.x, p.y);
    PointHit hit = point_hit(p.x, p.y, sample);
    if (radial) hit.depth = sample.r - hit.rho;
    hit.depth *= size.other;
    if (!(hit.depth > -margin)) continue;
    hits.push_back({static_cast<std::uint32_t>(i), p.x, p.y, hit});
  }
}

DeepNode deep_node_of(const StarPair& pair, int side, const NodeHit& hit) {
  const PlanarPoint<double>& node = pair.outline[side]->points[hit.node];
  const double scale = pair.scale[side];
  return deep_node(pair.pose[side], pair.pose[1 - side], scale * node.x, scale * node.y, side, hit.hit);
}

/// Deepest node of a region on one side, or nullptr. Ties: smallest node.
const NodeHit* deepest_hit(const PairHits& pair, int side, std::uint32_t region) {
  const NodeHit* best = nullptr;
  for (const HitRun& run : pair.runs[side]) {
    if (run.region != region) continue;
    const NodeHit& hit = pair.hits[side][run.deepest];
    const bool better = best == nullptr || hit.hit.depth > best->hit.depth ||
                        (hit.hit.depth == best->hit.depth && hit.node < best->node);
    if (better) best = &hit;
  }
  return best;
}

RingInterval region_interval(const PairHits& pair, int side, std::uint32_t region, std::uint32_t nodes) {
  NodeRun runs[16];
  std::uint32_t count = 0;
  for (const HitRun& run : pair.runs[side])
    if (run.region == region && count < std::size(runs)) runs[count++] = run.nodes;
  return ring_interval(hull(runs, count, nodes), nodes);
}

void push(const StarPair& pair, const DeepNode& node, std::uint32_t feature, std::uint64_t payload,
          ContactBuffer& out) {
  out.push(pair.index, node.depth, {node.nx, node.ny, 0}, {node.px, node.py, 0}, feature, payload);
}

void push_every_node(const StarPair& pair, const PairHits& hits, ContactBuffer& out) {
  for (int side = 0; side < 2; ++side)
    for (const NodeHit& hit : hits.hits[side])
      push(pair, deep_node_of(pair, side, hit), 2 * hit.node + static_cast<std::uint32_t>(side), 0, out);
}

}  // namespace

void throw_crushed(const StarPair& pair, int inner) {
  const Outline& outline = *pair.outline[inner];
  const double scale = pair.scale[inner];
  throw_crushed(pair.id[0], pair.id[1], inner == 0, scale * outline.r_min, scale * outline.r_max);
}

void check_centres(const StarPair& pair) {
  for (int side = 0; side < 2; ++side) {
    const Outline& other = *pair.outline[1 - side];
    const PlanarPoint<double> centre =
        transform(relative_pose(pair.pose[side], pair.pose[1 - side]), pair.sizes(side), 0, 0);
    const double distance = std::sqrt(centre.x * centre.x + centre.y * centre.y);
    if (distance >= other.r_max) continue;
    if (distance < other.sample(centre.x, centre.y).r) throw_crushed(pair, side);
  }
}

void plain_contacts(const StarPair& pair, const TaubinOptions& options, double margin, PairHits& scratch,
                    ContactBuffer& out) {
  check_centres(pair);
  const bool both = options.scheme != Scheme::s1_only;
  collect(pair, 0, options.radial, margin, scratch.hits[0]);
  if (both) collect(pair, 1, options.radial, margin, scratch.hits[1]);
  if (!both) scratch.hits[1].clear();
  if (options.scheme == Scheme::all_nodes) return push_every_node(pair, scratch, out);
  const Outline &a = *pair.outline[0], &b = *pair.outline[1];
  find_runs(scratch.hits[0], static_cast<std::uint32_t>(a.nodes), scratch.runs[0]);
  find_runs(scratch.hits[1], static_cast<std::uint32_t>(b.nodes), scratch.runs[1]);
  const std::uint32_t regions = join_runs(scratch, pair, margin);
  std::uint32_t feature = 0;
  for (std::uint32_t region = 0; region < regions; ++region) {
    const NodeHit *on_a = deepest_hit(scratch, 0, region), *on_b = deepest_hit(scratch, 1, region);
    if (on_a == nullptr && options.scheme == Scheme::s1_then_s2) continue;
    const std::uint64_t payload =
        pack_intervals(region_interval(scratch, 0, region, static_cast<std::uint32_t>(a.nodes)),
                       region_interval(scratch, 1, region, static_cast<std::uint32_t>(b.nodes)));
    const DeepNode node = on_b == nullptr   ? deep_node_of(pair, 0, *on_a)
                          : on_a == nullptr ? deep_node_of(pair, 1, *on_b)
                                            : deeper(deep_node_of(pair, 0, *on_a), deep_node_of(pair, 1, *on_b));
    if (is_crushed(node, *pair.outline[1 - node.side])) throw_crushed(pair, 1 - node.side);
    push(pair, node, feature++, payload, out);
  }
}

}  // namespace scree::star
