#include "flow_meter.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "bytes.hpp"
#include "scree/base/error.hpp"
#include "scree/base/exact_sum.hpp"

namespace scree::meters {

namespace {

const std::vector<std::string> kRates = {"rate_per_s", "mass_rate_kg_per_s"};

/// A body and where it was, as bytes of a checkpoint.
struct SavedPlace {
  Id id;
  double x[3];
};

}  // namespace

FlowMeter::FlowMeter(const Options& options)
    : options_(options),
      series_(options.text("name")),
      chosen_(options),
      average_(options),
      point_(options.vector("point")),
      normal_(options.vector("normal")) {
  if (normal_.isZero(0)) throw OptionError("/normal", "has no direction. Give a vector that is not zero.");
  normal_.normalize();
}

void FlowMeter::begin(const World& world) {
  if (options_.has("region")) region_ = read_region(options_, "region", world.dimension());
  chosen_.begin(world);
}

/// Planes across a periodic direction have an image in each cell: a body may pass a side, which is one of them or not.
int FlowMeter::crossing(const World& world, const Vec3& from, const Vec3& to) const {
  const Vec3 way = world.cell.shortest(to - from);
  const double a = height(from), b = a + way.dot(normal_);
  const double spacing = image_spacing(world.cell);
  const auto planes_below = [&](double h) { return spacing > 0 ? std::floor(h / spacing) : h < 0 ? -1.0 : 0.0; };
  const double passed = planes_below(b) - planes_below(a);
  if (passed == 0) return 0;
  const double at = spacing * std::max(planes_below(a), planes_below(b));  // height of the plane
  if (region_ && !region_->contains(world.cell.inside(from + (a - at) / (a - b) * way))) return 0;
  return passed < 0 ? -1 : 1;
}

/// From a plane to its next image [m]; 0 where it has none.
double FlowMeter::image_spacing(const PeriodicCell& cell) const {
  for (int k = 0; k < 3; ++k)
    if (std::abs(normal_[k]) == 1) return cell.length(k);
  return 0;
}

void FlowMeter::observe(const World& world, const ContactView*, const Frame& frame) {
  ExactSum mass;
  double forward = 0, backward = 0;
  std::map<Id, Vec3> now;
  chosen_.for_each(world, [&](const BodyState& state) {
    const Vec3& x = state.rigid.frame.position;
    now.emplace_hint(now.end(), state.id, x);
    const auto last = before_.find(state.id);
    const int way = last == before_.end() ? 0 : crossing(world, last->second, x);
    if (way != 0) mass.add(way * state.rigid.mass);
    forward += way > 0, backward += way < 0;
  });
  before_ = std::move(now);
  const double net = mass.value(), passed = frame.time - sums_.time;
  const double per_second = frame.index > 0 && passed > 0 ? 1 / passed : 0;
  sums_.forward += forward, sums_.backward += backward, sums_.mass += net;
  sums_.time = frame.time;
  std::vector<double> row = {sums_.forward, sums_.backward, sums_.mass, per_second * (forward - backward),
                             per_second * net};
  std::vector<std::string> columns = {"forward", "backward", "net_mass_kg"};
  append(columns, kRates);
  if (average_.wanted()) {
    if (per_second > 0)
      average_.add(frame.time - passed, frame.time,
                   std::array<Quantity, 2>{{{forward - backward, passed}, {net, passed}}});
    append(columns, TimeAverage::names(kRates)), append(row, average_.values(kRates.size()));
  }
  series_.add(frame, columns, row);
}

std::vector<std::byte> FlowMeter::save() const {
  BytesOut out;
  out.put(sums_);
  out.put(std::uint64_t{before_.size()});
  for (const auto& [id, x] : before_) out.put(SavedPlace{id, {x[0], x[1], x[2]}});
  out.put(average_.save());
  return out.take();
}

void FlowMeter::load(const std::vector<std::byte>& state) {
  BytesIn in(state, "flow-meter");
  Sums sums;
  for (double* const sum : {&sums.time, &sums.forward, &sums.backward, &sums.mass}) *sum = in.get_finite();
  std::map<Id, Vec3> before;
  for (auto places = in.get<std::uint64_t>(); places > 0; --places) {
    Vec3& place = before[in.get<Id>()];
    for (int k = 0; k < 3; ++k) place[k] = in.get_finite();
  }
  average_.load(in.rest());
  sums_ = sums, before_ = std::move(before);
}

}  // namespace scree::meters
