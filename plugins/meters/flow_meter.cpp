#include "flow_meter.hpp"

#include <cstring>

#include "scree/base/error.hpp"
#include "scree/base/exact_sum.hpp"

namespace scree::meters {

namespace {

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
      point_(options.vector("point")),
      normal_(options.vector("normal")) {
  if (normal_.isZero(0)) throw OptionError("/normal", "has no direction. Give a vector that is not zero.");
  normal_.normalize();
}

void FlowMeter::begin(const World& world, const std::string& directory) {
  if (options_.has("region")) region_ = read_region(options_, "region", world.dimension());
  chosen_.begin(world);
  series_.begin(directory);
}

int FlowMeter::crossing(const World& world, const Vec3& from, const Vec3& to) const {
  const double a = height(from), b = height(to);
  if ((a < 0) == (b < 0)) return 0;
  // Through a side of the periodic cell a body comes back far away: it has not met the plane on the way.
  if (world.cell.any() && !world.cell.image_of(from + (to - from) * 1.5).isZero()) return 0;
  if (region_ && !region_->contains(from + a / (a - b) * (to - from))) return 0;
  return b < 0 ? -1 : 1;
}

void FlowMeter::observe(const World& world, const ContactView*, const Frame& frame) {
  ExactSum mass;
  double forward = 0, backward = 0;
  std::map<Id, Vec3> now;
  for (std::size_t i = 0; i < world.size(); ++i) {
    if (!chosen_(world, i)) continue;
    const Vec3& x = world.position[i];
    now.emplace_hint(now.end(), world.id[i], x);
    const auto last = before_.find(world.id[i]);
    const int way = last == before_.end() ? 0 : crossing(world, last->second, x);
    if (way != 0) mass.add(way * world.mass[i]);
    forward += way > 0, backward += way < 0;
  }
  before_ = std::move(now);
  const double net = mass.value(), passed = frame.time - sums_.time;
  const double per_second = frame.index > 0 && passed > 0 ? 1 / passed : 0;
  sums_.forward += forward, sums_.backward += backward, sums_.mass += net;
  sums_.time = frame.time;
  const std::vector<double> row = {sums_.forward, sums_.backward, sums_.mass, per_second * (forward - backward),
                                   per_second * net};
  series_.add(frame, {"forward", "backward", "net_mass_kg", "rate_per_s", "mass_rate_kg_per_s"}, row);
}

std::vector<std::byte> FlowMeter::save() const {
  std::vector<std::byte> bytes(sizeof sums_ + before_.size() * sizeof(SavedPlace));
  std::memcpy(bytes.data(), &sums_, sizeof sums_);
  std::byte* to = bytes.data() + sizeof sums_;
  for (const auto& [id, x] : before_) {
    const SavedPlace place{id, {x[0], x[1], x[2]}};
    std::memcpy(to, &place, sizeof place);
    to += sizeof place;
  }
  return bytes;
}

void FlowMeter::load(const std::vector<std::byte>& state) {
  if (state.size() < sizeof sums_ || (state.size() - sizeof sums_) % sizeof(SavedPlace) != 0)
    throw Error("the state of flow-meter in the checkpoint has another size");
  std::memcpy(&sums_, state.data(), sizeof sums_);
  before_.clear();
  for (std::size_t at = sizeof sums_; at < state.size(); at += sizeof(SavedPlace)) {
    SavedPlace place;
    std::memcpy(&place, state.data() + at, sizeof place);
    before_[place.id] = {place.x[0], place.x[1], place.x[2]};
  }
}

}  // namespace scree::meters
