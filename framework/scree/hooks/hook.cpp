#include "scree/hooks/hook.hpp"

#include <algorithm>
#include <cmath>

namespace scree {

HistoryStore::~HistoryStore() = default;

std::vector<HistoryRecord> HistoryStore::extract(std::span<const Id> ids) const {
  std::vector<Id> wanted(ids.begin(), ids.end());
  std::sort(wanted.begin(), wanted.end());
  const auto has = [&](Id id) { return std::binary_search(wanted.begin(), wanted.end(), id); };
  std::vector<HistoryRecord> records = extract();
  std::erase_if(records, [&](const HistoryRecord& r) { return !has(r.a) && !has(r.b); });
  return records;
}

bool Schedule::due(std::uint64_t step, double dt) const {
  const auto steps = [dt](double t) { return static_cast<std::uint64_t>(std::llround(std::min(t / dt, 9e18))); };
  const std::uint64_t first = steps(start);
  if (step < first || step > steps(stop)) return false;
  if (interval <= 0) return step == first;
  const std::uint64_t period = std::max<std::uint64_t>(1, steps(interval));
  return (step - first) % period == 0;
}

std::uint64_t Schedule::times_until(double end, double dt) const {
  const double last = std::min(end, stop);
  if (last < start) return 0;
  constexpr double kRounding = 1e-9;  // tolerance within which a time counts as a whole number of intervals
  if (interval <= 0) return 1;
  return 1 + static_cast<std::uint64_t>(std::min((last - start) / std::max(interval, dt) + kRounding, 1e18));
}

Modifier::~Modifier() = default;
void Modifier::begin(World&) {}
std::vector<MadeKind> Modifier::makes() const { return {}; }
bool Modifier::wants_contacts() const noexcept { return false; }
std::vector<std::byte> Modifier::save() const { return {}; }
void Modifier::load(const std::vector<std::byte>&) {}
void Modifier::edited(const World&, const EditLog&) {}

Observer::~Observer() = default;
bool Observer::wants_contacts() const noexcept { return false; }
void Observer::begin(const World&) {}
double Observer::plan(const World&, std::uint64_t) { return 0; }
std::vector<std::byte> Observer::save() const { return {}; }
void Observer::load(const std::vector<std::byte>&) {}
void Observer::open(const std::string&) {}
void Observer::resume(std::uint64_t) {}
void Observer::flush() {}
std::vector<std::string> Observer::files() const { return {}; }
void Observer::edited(const World&, const EditLog&) {}

}  // namespace scree
