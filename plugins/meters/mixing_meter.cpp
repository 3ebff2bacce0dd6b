#include "mixing_meter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include "scree/base/error.hpp"
#include "scree/base/exact_sum.hpp"

namespace scree::meters {

namespace {

/// Half the sum over kinds of share (1 - share): p (1 - p) where there are two.
double separated_variance(std::span<const double> shares) {
  ExactSum sum;
  for (const double p : shares) sum.add(0.5 * p * (1 - p));
  return sum.value();
}

std::vector<double> shares_of(std::span<const std::uint64_t> counts) {
  const auto all = static_cast<double>(std::reduce(counts.begin(), counts.end()));
  std::vector<double> shares;
  for (const std::uint64_t count : counts) shares.push_back(static_cast<double>(count) / all);
  return shares;
}

}  // namespace

Mixing mixing_of(std::span<const std::uint64_t> counts, std::size_t kinds) {
  std::vector<std::uint64_t> totals(kinds);
  for (std::size_t k = 0; k < counts.size(); ++k) totals[k % kinds] += counts[k];
  const auto bodies = static_cast<double>(std::reduce(totals.begin(), totals.end()));
  if (bodies == 0) return {};
  const std::vector<double> whole = shares_of(totals);
  ExactSum variance;
  for (auto cell = counts; !cell.empty(); cell = cell.subspan(kinds)) {
    const auto here = cell.first(kinds);
    const double weight = 0.5 * static_cast<double>(std::reduce(here.begin(), here.end())) / bodies;
    const std::vector<double> shares = shares_of(here);
    for (std::size_t k = 0; k < kinds; ++k) variance.add(weight * (shares[k] - whole[k]) * (shares[k] - whole[k]));
  }
  Mixing mixing{variance.value(), separated_variance(whole), 0, 0};
  const auto cells = static_cast<double>(counts.size() / kinds);
  mixing.random = mixing.separated * cells / bodies;
  const double range = mixing.separated - mixing.random;
  if (range > 0) mixing.index = (mixing.separated - mixing.variance) / range;
  return mixing;
}

MixingMeter::MixingMeter(const Options& options)
    : options_(options),
      series_(options.text("name")),
      average_(options),
      origin_(options.vector("origin")),
      cell_(options.number("cell_size")) {}

void MixingMeter::begin(const World& world) {
  if (options_.has("region")) region_ = read_region(options_, "region", world.dimension());
  check_cells(world.dimension());
  const std::vector<std::string> names = chosen_names(options_);
  ChosenGroups(names, world);  // refuses names that are not there
  for (const std::string& name : names) kinds_.emplace_back(std::vector{name}, world);
}

void MixingMeter::check_cells(int dimension) const {
  if (!region_) return;
  const double measure = region_->measure();
  if (measure <= 0) throw OptionError("/region", "is flat, so that no cell fits into it. Give it a height.");
  if (std::pow(cell_, dimension) <= measure) return;
  throw OptionError("/cell_size",
                    fmt::format("is {} m; a cell of this size is larger than the region, which has {:.4g} {}. "
                                "Give less than {:.4g} m, or a larger region.",
                                cell_, measure, dimension == 2 ? "m^2" : "m^3", std::pow(measure, 1.0 / dimension)));
}

std::vector<std::uint64_t> MixingMeter::count(const World& world) const {
  std::map<std::array<double, 3>, std::vector<std::uint64_t>> cells;
  for_each_free_body(world, [&](const BodyState& state) {
    const auto kind = std::ranges::find_if(kinds_, [&](const ChosenGroups& chosen) { return chosen(state.group); });
    const Vec3& x = state.rigid.frame.position;
    if (kind == kinds_.end() || (region_ && !region_->contains(x))) return;
    std::array<double, 3> place{};
    for (int axis = 0; axis < world.dimension(); ++axis)
      place[static_cast<std::size_t>(axis)] = std::floor((x[axis] - origin_[axis]) / cell_);
    std::vector<std::uint64_t>& counts = cells[place];
    counts.resize(kinds_.size());
    ++counts[static_cast<std::size_t>(kind - kinds_.begin())];
  });
  std::vector<std::uint64_t> all;
  for (const auto& [place, counts] : cells) append(all, counts);
  return all;
}

void MixingMeter::observe(const World& world, const ContactView*, const Frame& frame) {
  const std::vector<std::uint64_t> counts = count(world);
  const Mixing mixing = mixing_of(counts, kinds_.size());
  const auto bodies = static_cast<double>(std::reduce(counts.begin(), counts.end()));
  const auto cells = static_cast<double>(counts.size() / kinds_.size());
  std::vector<std::string> columns = {"mixing_index",       "count",          "cells", "bodies_per_cell", "variance",
                                      "variance_separated", "variance_random"};
  std::vector<double> row = {mixing.index,    bodies,           cells,        cells > 0 ? bodies / cells : 0,
                             mixing.variance, mixing.separated, mixing.random};
  average_.extend(frame.time, columns, row);
  series_.add(frame, columns, row);
}

}  // namespace scree::meters
