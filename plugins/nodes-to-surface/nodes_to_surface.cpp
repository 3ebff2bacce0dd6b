#include "nodes_to_surface.hpp"

#include "scan.hpp"
#include "scree/base/error.hpp"

namespace scree::nodes_to_surface {

namespace {

struct Workspace {
  Scratch scratch;
  TouchingRuns a, b;  ///< runs of a's nodes in b's field, and the reverse
};

/// One pair: its outlines and where they stand.
struct Encounter {
  const Outline &a, &b;
  Placement2 at_a, at_b;

  bool apart(double margin) const {
    const auto origin = [](const Placement2& p) { return Vec3(p.x, p.y, 0); };
    const auto clear = [&](const Outline& f, const Placement2& at_f, const Outline& n, const Placement2& at_n) {
      const Placement2 seen = relative(at_n, at_f);
      return out_of_reach(f, origin(seen), seen.size * n.radius, margin / at_f.size);
    };
    return a.exact && !b.exact ? clear(a, at_a, b, at_b) : clear(b, at_b, a, at_a);
  }

  /// Largest distance of neighbouring nodes of both [m].
  double spacing() const { return at_a.size * a.spacing + at_b.size * b.spacing; }

  void scan_both(double margin, Workspace& w) const {
    w.a.runs.clear();
    w.b.runs.clear();
    if (!a.nodes.empty() && b.field != nullptr) scan(a, at_a, b, at_b, margin, w.scratch, w.a);
    if (!b.nodes.empty() && a.field != nullptr) scan(b, at_b, a, at_a, margin, w.scratch, w.b);
  }
};

/// The contact of one region: runs are null where a side has none.
struct Region {
  const OutlineRun *a, *b;
  const TouchingRuns &runs_a, &runs_b;
  const Encounter& pair;

  bool a_is_deeper() const { return b == nullptr || (a != nullptr && !(a->overlap < b->overlap)); }
  double overlap() const { return a_is_deeper() ? a->overlap : b->overlap; }

  Vec3 point() const {
    return a_is_deeper() ? pair.at_a.point(pair.a.nodes[a->deepest]) : pair.at_b.point(pair.b.nodes[b->deepest]);
  }

  /// From a to b: against the gradient of b's field, along that of a's.
  Vec3 normal() const {
    return a_is_deeper() ? Vec3(-runs_a.gradient[static_cast<std::size_t>(a - runs_a.runs.data())])
                         : runs_b.gradient[static_cast<std::size_t>(b - runs_b.runs.data())];
  }

  std::uint64_t payload() const {
    const auto interval = [](const OutlineRun* run, const Outline& outline) {
      return run ? ring_interval(run->nodes, static_cast<std::uint32_t>(outline.nodes.size())) : RingInterval{};
    };
    return pack_intervals(interval(a, pair.a), interval(b, pair.b));
  }
};

Placement2 placement(const BodyView& bodies, std::uint32_t row) {
  return {bodies.row[row].position, bodies.row[row].orientation, bodies.scale_of(row)};
}

[[noreturn]] void no_normal(const BodyView& bodies, const Pair& pair) {
  throw NumericalError(no_normal_text(bodies.row[pair.a].id, bodies.row[pair.b].id));
}

}  // namespace

DetectorTraits NodesToSurface::traits() const {
  DetectorTraits traits;
  traits.facets_a = {BoundaryNodes::kName};
  traits.facets_b = {SignedDistance::kName};
  traits.dimension = 2;
  traits.scales = true;
  return traits;
}

void NodesToSurface::bind(std::span<const Shape* const> shapes) {
  outlines_.clear();
  shapes_on_device_.forget();
  for (const Shape* shape : shapes) outlines_.push_back(make_outline(*shape));
}

void NodesToSurface::detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache&, double margin,
                            ContactBuffer& out) const {
  thread_local Workspace w;
  for (std::uint32_t index = 0; index < pairs.size(); ++index) {
    const Pair& pair = pairs[index];
    const Encounter encounter{outlines_[bodies.shape[pair.a]], outlines_[bodies.shape[pair.b]],
                              placement(bodies, pair.a), placement(bodies, pair.b)};
    if (encounter.apart(margin)) continue;
    encounter.scan_both(margin, w);
    join_facing_runs(w.a.runs, w.b.runs, encounter.spacing() + 2 * margin);
    const auto runs = static_cast<std::uint32_t>(w.a.runs.size() + w.b.runs.size());
    std::uint32_t feature = 0;
    for (std::uint32_t number = 0; number < runs; ++number) {
      const Region region{deepest_of(w.a.runs, number), deepest_of(w.b.runs, number), w.a, w.b, encounter};
      if (region.a == nullptr && region.b == nullptr) continue;
      const Vec3 normal = region.normal();
      if (!(normal.squaredNorm() > 0.25)) no_normal(bodies, pair);
      out.push(index, region.overlap(), normal, region.point(), feature++, region.payload());
    }
  }
}

const void* NodesToSurface::face(std::string_view name) const noexcept {
  if (name == device::DeviceShapePairs::kName) return static_cast<const device::DeviceShapePairs*>(&pairs_on_device_);
  if (name == device::DeviceOutlines::kName) return static_cast<const device::DeviceOutlines*>(&outlines_on_device_);
  return nullptr;
}

void NodesToSurface::match(const ContactMatch& contacts) const { match_runs(contacts); }

}  // namespace scree::nodes_to_surface
