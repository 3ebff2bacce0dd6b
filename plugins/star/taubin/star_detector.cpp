#include "taubin/star_detector.hpp"

#include <algorithm>
#include <cassert>

#include "taubin/on_device.hpp"
#include "taubin/pair_contacts.hpp"
#include "taubin/sweep.hpp"

namespace scree::star {

Scheme scheme_of(std::string_view name) {
  if (name == "s1-then-s2") return Scheme::s1_then_s2;
  if (name == "s1-only") return Scheme::s1_only;
  if (name == "all-nodes") return Scheme::all_nodes;
  assert(name == "symmetric");
  return Scheme::symmetric;
}

TaubinDetector::TaubinDetector(const TaubinOptions& options) : options_(options) {}
TaubinDetector::~TaubinDetector() = default;

DetectorTraits TaubinDetector::traits() const {
  DetectorTraits traits;
  traits.facets_a = {RadialFunction::kName};
  traits.facets_b = {RadialFunction::kName};
  traits.dimension = 2;
  traits.specificity = 10;
  traits.cache_row = sizeof(Candidates);
  traits.scales = true;
  return traits;
}

const void* TaubinDetector::face(std::string_view name) const noexcept {
  const bool offered = options_.scheme == Scheme::symmetric && !options_.radial;
  if (!offered || name != device::DeviceShapePairs::kName) return nullptr;
  return static_cast<const device::DeviceShapePairs*>(on_device_.get());
}

const Outline& TaubinDetector::outline(std::uint32_t shape) const { return (*outlines_)[shape]; }

void TaubinDetector::bind(std::span<const Shape* const> shapes) {
  outlines_ = std::make_unique<Outlines>();
  on_device_ = std::make_unique<StarPairsOnDevice>(*outlines_);
  for (const Shape* shape : shapes) {
    const auto* function = shape == nullptr ? nullptr : facet<RadialFunction>(*shape);
    outlines_->of_shape.push_back(function == nullptr ? nullptr : std::make_unique<const Outline>(*function));
    const Outline* outline = outlines_->of_shape.back().get();
    outlines_->centre.push_back(outline == nullptr ? Vec2::Zero() : outline->centre);
    outlines_->first_cell.push_back(static_cast<std::int32_t>(outlines_->cells.size()));
    if (outline == nullptr) continue;
    ++outlines_->count;
    outlines_->cells.insert(outlines_->cells.end(), outline->float_table.begin(), outline->float_table.end());
    outlines_->sign_error = std::max(outlines_->sign_error, outline->sign_error);
    outlines_->depth_error = std::max(outlines_->depth_error, outline->depth_error);
    outlines_->centre_reach2 = std::max(outlines_->centre_reach2, outline->centre_reach2);
    outlines_->largest_r_min = std::max(outlines_->largest_r_min, outline->r_min);
    outlines_->tables_missing |= outline->table.empty();
  }
}

namespace {

Sweep& sweep_of_this_thread() {
  static thread_local const auto sweep = std::make_unique<Sweep>();
  return *sweep;
}

}  // namespace

void TaubinDetector::detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache& cache, double margin,
                            ContactBuffer& out) const {
  const bool swept = options_.scheme == Scheme::symmetric || options_.scheme == Scheme::s1_only;
  if (margin > 0 || options_.radial || !swept) return detect_plain(bodies, pairs, margin, out);
  sweep_of_this_thread().detect(*outlines_, options_, bodies, pairs, cache.rows<Candidates>(pairs.size()), out);
}

DetectCounts TaubinDetector::last_counts() { return sweep_of_this_thread().counts(); }

void TaubinDetector::detect_plain(const BodyView& bodies, std::span<const Pair> pairs, double margin,
                                  ContactBuffer& out) const {
  static thread_local PairHits scratch;
  const auto outline_of = [this](std::uint32_t shape) { return outlines_->of_shape[shape].get(); };
  for (std::uint32_t i = 0; i < pairs.size(); ++i) {
    const StarPair pair = outline_pair<Outline>(outline_of, bodies, pairs[i], i);
    const double dx = pair.pose[1].x - pair.pose[0].x, dy = pair.pose[1].y - pair.pose[0].y;
    const double reach = pair.scale[0] * pair.outline[0]->r_max + pair.scale[1] * pair.outline[1]->r_max;
    if (margin == 0 && dx * dx + dy * dy > reach * reach) continue;
    plain_contacts(pair, options_, margin, scratch, out);
  }
}

void TaubinDetector::match(const ContactMatch& contacts) const {
  if (options_.scheme == Scheme::all_nodes) return ContactDetector::match(contacts);
  match_runs(contacts);
}

}  // namespace scree::star
