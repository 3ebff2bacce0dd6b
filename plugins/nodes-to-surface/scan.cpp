#include "scan.hpp"

#include <cmath>

namespace scree::nodes_to_surface {

namespace {

void make_room(const Outline& nodes, Scratch& s) {
  const std::size_t n = nodes.nodes.size();
  if (s.points.size() >= n) return;
  s.points.resize(n);
  s.gradients.resize(n);
  s.distances.resize(n);
  s.node.resize(n);
  s.place.resize(n);
  s.mask.resize(mask_words(static_cast<std::uint32_t>(n)));
}

void evaluate(const Outline& field, std::size_t count, Scratch& s) {
  field.field->distance({s.points.data(), count}, {s.distances.data(), count}, {s.gradients.data(), count});
}

/// Lower bounds of the distance of each block's centre: the field's own where it is exact, else from the bounding
/// circle.
void bound_blocks(const Outline& nodes, const Placement2& to_field, const Outline& field, Scratch& s) {
  const std::size_t count = nodes.blocks.size();
  for (std::size_t k = 0; k < count; ++k) s.points[k] = to_field.point(nodes.blocks[k].centre);
  if (field.exact) return evaluate(field, count, s);
  for (std::size_t k = 0; k < count; ++k) s.distances[k] = s.points[k].norm() - field.radius;
}

/// Collects the nodes of all blocks that may touch, in the frame of the field's shape. \return their number
std::size_t gather_near(const Outline& nodes, const Placement2& to_field, const Outline& field, double margin,
                        Scratch& s) {
  bound_blocks(nodes, to_field, field, s);
  std::uint32_t count = 0;
  for (std::size_t k = 0; k < nodes.blocks.size(); ++k) {
    const Block& block = nodes.blocks[k];
    if (s.distances[k] > to_field.size * block.radius + margin) continue;
    for (std::uint32_t i = block.first; i < block.first + block.count; ++i, ++count) {
      s.points[count] = to_field.point(nodes.nodes[i]);
      s.node[count] = i;
    }
  }
  return count;
}

/// Marks the nodes with overlap > -margin, and those without a distance: they must not pass in silence.
/// \return true if there are any
bool mark_touching(std::size_t count, std::uint32_t nodes, double margin, Scratch& s) {
  std::fill_n(s.mask.begin(), mask_words(nodes), 0);
  bool any = false;
  for (std::size_t k = 0; k < count; ++k) {
    if (s.distances[k] >= margin) continue;
    const std::uint32_t i = s.node[k];
    s.mask[i / 64] |= std::uint64_t{1} << (i % 64);
    s.place[i] = static_cast<std::uint32_t>(k);
    any = true;
  }
  return any;
}

/// The deepest node of a run, or the first without a distance.
std::uint32_t deepest_node(NodeRun run, std::uint32_t nodes, const Scratch& s) {
  std::uint32_t best = run.first;
  for (std::uint32_t k = 1; k < run.count; ++k) {
    const std::uint32_t i = (run.first + k) % nodes;
    if (!(s.distances[s.place[i]] >= s.distances[s.place[best]])) best = i;
    if (std::isnan(s.distances[s.place[best]])) break;
  }
  return best;
}

}  // namespace

bool out_of_reach(const Outline& field, const Vec3& centre, double radius, double margin) {
  if (!field.exact) return centre.norm() > field.radius + radius + margin;
  double distance = 0;
  Vec3 gradient;
  field.field->distance({&centre, 1}, {&distance, 1}, {&gradient, 1});
  return distance > radius + margin;
}

void scan(const Outline& nodes, const Placement2& n, const Outline& field, const Placement2& f, double margin,
          Scratch& s, TouchingRuns& out) {
  out.runs.clear();
  out.gradient.clear();
  const auto count = static_cast<std::uint32_t>(nodes.nodes.size());
  make_room(nodes, s);
  const double reach = margin / f.size;
  const std::size_t near = gather_near(nodes, relative(n, f), field, reach, s);
  if (near == 0) return;
  evaluate(field, near, s);
  if (!mark_touching(near, count, reach, s)) return;
  for_each_run(s.mask, count, [&](NodeRun run) {
    const std::uint32_t deepest = deepest_node(run, count, s);
    const std::uint32_t last = (run.first + run.count - 1) % count;
    out.runs.push_back({run, deepest, -f.size * s.distances[s.place[deepest]], n.point(nodes.nodes[run.first]),
                        n.point(nodes.nodes[last]), 0});
    out.gradient.push_back(f.direction(s.gradients[s.place[deepest]]));
  });
}

}  // namespace scree::nodes_to_surface
