#include "time_average.hpp"

#include <cmath>

#include "bytes.hpp"

namespace scree::meters {

namespace {

/// Times are whole numbers of steps, rounded: what is nearer than this to a bound is taken for it [-].
constexpr double kSameTime = 1e-9;

/// Heading of a saved state.
struct Heading {
  double start, window;  ///< [s]
  std::uint64_t rows, quantities, recent;
};

}  // namespace

TimeAverage::TimeAverage(const Options& options) : wanted_(options.has("average")) {
  if (!wanted_) return;
  const Options average = options.object("average");
  start_ = average.number("start");
  window_ = average.number_or("window", 0);
}

std::vector<std::string> TimeAverage::names(std::span<const std::string> quantities) {
  std::vector<std::string> all = {"averaged_rows"};
  for (const std::string& name : quantities) all.push_back("mean_" + name);
  return all;
}

void CompensatedSum::add(double term) {
  const double sum = sum_ + term;
  rest_ += std::abs(sum_) >= std::abs(term) ? sum_ - sum + term : term - sum + sum_;
  sum_ = sum;
}

void TimeAverage::begin_anew(std::size_t quantities) {
  rows_ = 0;
  recent_.clear();
  sums_.assign(quantities, {});
}

void TimeAverage::count(std::span<const Quantity> row) {
  for (std::size_t k = 0; k < row.size(); ++k) {
    sums_[k].amount.add(row[k].amount);
    sums_[k].weight.add(row[k].weight);
  }
  ++rows_;
}

void TimeAverage::slide(double now) {
  while (now - recent_.front().time >= window_ * (1 - kSameTime)) recent_.pop_front();
  rows_ = 0;
  sums_.assign(sums_.size(), {});
  for (const Row& row : recent_) count(row.quantities);
}

void TimeAverage::add(double from, double time, std::span<const Quantity> row) {
  if (sums_.size() != row.size()) begin_anew(row.size());
  if (from < start_ * (1 - kSameTime)) return;
  if (window_ == 0) return count(row);
  recent_.push_back({time, {row.begin(), row.end()}});
  slide(time);
}

void TimeAverage::extend(double time, std::vector<std::string>& columns, std::vector<double>& row) {
  if (!wanted_) return;
  std::vector<Quantity> quantities;
  for (const double value : row) quantities.push_back(std::isnan(value) ? Quantity{0, 0} : Quantity{value, 1});
  add(time, time, quantities);
  const std::vector<std::string> more = names(columns);
  const std::vector<double> means = values(row.size());
  columns.insert(columns.end(), more.begin(), more.end());
  row.insert(row.end(), means.begin(), means.end());
}

std::vector<double> TimeAverage::values(std::size_t quantities) const {
  std::vector<double> all = {static_cast<double>(rows_)};
  for (const Sums& sums : sums_) {
    const double weight = sums.weight.value();
    all.push_back(weight > 0 ? sums.amount.value() / weight : 0);
  }
  all.resize(1 + quantities);
  return all;
}

std::vector<std::byte> TimeAverage::save() const {
  if (!wanted_) return {};
  BytesOut out;
  out.put(Heading{start_, window_, rows_, sums_.size(), recent_.size()});
  for (const Sums& sums : sums_) out.put(sums);
  for (const Row& row : recent_) {
    out.put(row.time);
    for (const Quantity& quantity : row.quantities) out.put(quantity);
  }
  return out.take();
}

void TimeAverage::load(std::span<const std::byte> state) {
  if (!wanted_ || state.empty()) return;
  BytesIn in(state, "the averages of a meter");
  const auto heading = in.get<Heading>();
  if (heading.start != start_ || heading.window != window_) return;
  std::vector<Sums> sums;
  std::deque<Row> recent;
  for (std::uint64_t k = 0; k < heading.quantities; ++k) {
    sums.push_back(in.get<Sums>());
    if (!sums.back().amount.is_finite() || !sums.back().weight.is_finite()) in.refuse("holds what is no number");
  }
  for (std::uint64_t k = 0; k < heading.recent; ++k) {
    Row row{in.get_finite(), {}};
    for (std::uint64_t j = 0; j < heading.quantities; ++j) {
      const double amount = in.get_finite();
      row.quantities.push_back({amount, in.get_finite()});
    }
    recent.push_back(std::move(row));
  }
  if (!in.done()) in.refuse("has another size");
  rows_ = heading.rows, sums_ = std::move(sums), recent_ = std::move(recent);
}

}  // namespace scree::meters
