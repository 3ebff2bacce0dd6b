#include "ledger/stored_granules.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

namespace scree::culling {

namespace {

constexpr int kPlaceBytes = 6, kPlaceBits = 8 * kPlaceBytes - 1;
constexpr int kTurnBits = 41;
constexpr double kTurnSteps = static_cast<double>((std::int64_t{1} << (kTurnBits - 1)) - 1);
constexpr std::uint64_t kTurnMask = (std::uint64_t{1} << kTurnBits) - 1;

/// The smallest power of two of which a number is less than 2^kPlaceBits.
double step_for(double largest) {
  return largest > 0 ? std::ldexp(1.0, std::max(std::ilogb(largest) + 1 - kPlaceBits, -1000)) : 1;
}

void put_place(ByteWriter& to, const Vec3& x, double step) {
  constexpr std::int64_t most = (std::int64_t{1} << kPlaceBits) - 1;
  for (int k = 0; k < 3; ++k) {
    const auto n = static_cast<std::uint64_t>(std::clamp<std::int64_t>(std::llround(x[k] / step), -most, most));
    for (int b = 0; b < kPlaceBytes; ++b) to.put(static_cast<std::uint8_t>(n >> (8 * b)));
  }
}

Vec3 get_place(ByteReader& from, double step) {
  Vec3 x;
  for (int k = 0; k < 3; ++k) {
    std::uint64_t n = 0;
    for (int b = 0; b < kPlaceBytes; ++b) {
      std::uint8_t byte = 0;
      from.get(byte);
      n |= std::uint64_t{byte} << (8 * b);
    }
    constexpr int unused = 64 - 8 * kPlaceBytes;
    x[k] = step * static_cast<double>(static_cast<std::int64_t>(n << unused) >> unused);  // with its sign
  }
  return x;
}

/// The three smallest components, each at most sqrt(1/2), which one is missing, and its sign.
void put_turn(ByteWriter& to, const Quat& q) {
  const std::array<double, 4> c = {q.w(), q.x(), q.y(), q.z()};
  std::size_t largest = 0;
  for (std::size_t k = 1; k < 4; ++k)
    if (std::abs(c[k]) > std::abs(c[largest])) largest = k;
  std::array<std::uint64_t, 3> n{};
  for (std::size_t k = 0, at = 0; k < 4; ++k)
    if (k != largest)
      n[at++] = static_cast<std::uint64_t>(std::llround(c[k] * std::numbers::sqrt2 * kTurnSteps)) & kTurnMask;
  to.put(n[0] | n[1] << kTurnBits);
  to.put(n[1] >> (64 - kTurnBits) | n[2] << (2 * kTurnBits - 64) |
         static_cast<std::uint64_t>(largest) << (3 * kTurnBits - 64) |
         std::uint64_t{c[largest] < 0} << (3 * kTurnBits + 2 - 64));
}

Quat get_turn(ByteReader& from) {
  std::uint64_t low = 0, high = 0;
  from.get(low), from.get(high);
  const std::array<std::uint64_t, 3> n = {low & kTurnMask, (low >> kTurnBits | high << (64 - kTurnBits)) & kTurnMask,
                                          high >> (2 * kTurnBits - 64) & kTurnMask};
  const std::size_t largest = high >> (3 * kTurnBits - 64) & 3;
  const bool negative = (high >> (3 * kTurnBits + 2 - 64) & 1) != 0;
  std::array<double, 4> c{};
  double rest = 1;
  for (std::size_t k = 0, at = 0; k < 4; ++k) {
    if (k == largest) continue;
    const auto with_sign = static_cast<std::int64_t>(n[at++] << (64 - kTurnBits)) >> (64 - kTurnBits);
    c[k] = static_cast<double>(with_sign) / (std::numbers::sqrt2 * kTurnSteps);
    rest -= c[k] * c[k];
  }
  c[largest] = (negative ? -1 : 1) * std::sqrt(std::max(rest, 0.0));
  return {c[0], c[1], c[2], c[3]};
}

}  // namespace

StoredGranules::StoredGranules(std::span<const StoredGranule> granules) : size_(granules.size()) {
  double largest = 0;
  for (const StoredGranule& g : granules) {
    largest = std::max(largest, g.pose.position.cwiseAbs().maxCoeff());
    scaled_ = scaled_ || g.scale != 1;
    value_bytes_ = std::max(value_bytes_, g.values.size());
  }
  step_ = step_for(largest);
  ByteWriter to;
  Id before = 0;
  for (const StoredGranule& g : granules) put(to, g, before), before = g.id;
  packed_ = std::move(to.bytes);
  packed_.shrink_to_fit();
}

std::uint64_t StoredGranules::kind_of(const StoredGranule& g) {
  const Kind kind{g.shape, g.material, g.group};
  const auto at = std::ranges::find(kinds_, kind);
  const auto number = static_cast<std::uint64_t>(at - kinds_.begin());
  if (at == kinds_.end()) kinds_.push_back(kind);
  return number;
}

/// Columns that came after others were stored are zero for those, as for a body that is added.
void StoredGranules::put(ByteWriter& to, const StoredGranule& g, Id before) {
  to.put_number(g.id - before);
  to.put_number(kind_of(g));
  put_place(to, g.pose.position, step_);
  put_turn(to, g.pose.orientation);
  if (scaled_) to.put(g.scale);
  to.bytes.insert(to.bytes.end(), g.values.begin(), g.values.end());
  to.bytes.resize(to.bytes.size() + value_bytes_ - g.values.size());
}

void StoredGranules::get(ByteReader& from, StoredGranule& g) const {
  g.id += from.get_number();
  const std::uint64_t number = from.get_number();
  if (number >= kinds_.size()) throw InputError("the ledger of granular-culling in the checkpoint names no kind");
  g.shape = kinds_[number].shape, g.material = kinds_[number].material, g.group = kinds_[number].group;
  g.pose.position = get_place(from, step_);
  g.pose.orientation = get_turn(from);
  if (scaled_) from.get(g.scale);
  g.values.resize(value_bytes_);
  for (std::byte& b : g.values) from.get(b);
}

StoredGranules::Iterator& StoredGranules::Iterator::operator++() {
  if (at_++ < of_->size_) of_->get(rest_, now_);
  return *this;
}

std::vector<StoredGranule> StoredGranules::unpacked() const {
  std::vector<StoredGranule> all;
  all.reserve(size_);
  for (const StoredGranule& g : *this) all.push_back(g);
  return all;
}

std::vector<Id> StoredGranules::ids() const {
  std::vector<Id> all;
  all.reserve(size_);
  for (const StoredGranule& g : *this) all.push_back(g.id);
  return all;
}

void StoredGranules::save(ByteWriter& to) const {
  to.put(size_), to.put(step_), to.put(scaled_), to.put(value_bytes_);
  to.put_all(kinds_);
  to.put_all(packed_);
}

void StoredGranules::load(ByteReader& from) {
  std::uint8_t scaled = 0;  // a byte that is neither 0 nor 1 is no bool
  from.get(size_), from.get(step_), from.get(scaled), from.get(value_bytes_);
  scaled_ = scaled != 0;
  from.get_all(kinds_);
  from.get_all(packed_);
  if (size_ > packed_.size() || value_bytes_ > packed_.size())
    throw InputError("the state of granular-culling in the checkpoint is cut short");
  ByteReader all(packed_);
  StoredGranule g;
  for (std::size_t k = 0; k < size_; ++k) get(all, g);
  if (!all.rest().empty()) throw InputError("the ledger of granular-culling in the checkpoint has too many bytes");
}

}  // namespace scree::culling
