#include "liquid_films.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "liquid_force.hpp"
#include "scree/base/error.hpp"
#include "scree/base/exact_sum.hpp"
#include "scree/base/packed_bytes.hpp"

namespace scree::compliant {

namespace {

Column<double> film_of(World& world) { return world.column<double>("liquid_volume", "m^3"); }
Column<double> offer_of(World& world) { return world.column<double>("liquid_offer", "m^3", false); }
Column<double> turn_of(World& world) { return world.column<double>("liquid_turn", "", false); }

}  // namespace

LiquidFilms::LiquidFilms(const Options& options) : share_(options.number("share")) {
  for (const Options& film : options.objects("films")) {
    const std::size_t k = entries_.size();
    if (film.has("volume") == film.has("fraction"))
      throw OptionError(fmt::format("/films/{}", k),
                        "liquid-films: a film has either a \"volume\" [m^3] or a \"fraction\" of the body's own "
                        "volume. Give one of the two.");
    entries_.push_back({film.text("bodies"), film.number_or("volume", 0), film.number_or("fraction", 0)});
  }
  if (!(options.number_or("interval", 0) > 0))
    throw OptionError("",
                      "liquid-films: has no \"interval\", so films would be shared out once. Give the time between, "
                      "one to ten time steps [s].");
}

/// Rounds down to whole quanta.
double LiquidFilms::whole(double volume) const { return std::floor(volume / quantum_) * quantum_; }

void LiquidFilms::begin(World& world) {
  holders_.assign(world.group_names.size(), {});
  for (std::size_t k = 0; k < entries_.size(); ++k) {
    const auto at = std::ranges::find(world.group_names, entries_[k].bodies);
    if (at == world.group_names.end())
      throw OptionError(fmt::format("/films/{}/bodies", k),
                        fmt::format("liquid-films: no entry of the scene's bodies is called \"{}\". There are: {}.",
                                    entries_[k].bodies, fmt::join(world.group_names, ", ")));
    holders_[static_cast<std::size_t>(at - world.group_names.begin())] = {true, entries_[k].volume,
                                                                          entries_[k].fraction};
  }
  film_of(world), offer_of(world), turn_of(world);
  wet_new_bodies(world);
  show(world, 0);
}

/// Gives bodies that came since the last time their films.
void LiquidFilms::wet_new_bodies(World& world) {
  if (next_ == world.next_id()) return;
  auto column = film_of(world);
  const auto film = column.write();
  for (std::size_t i = 0; i < world.size(); ++i) {
    if (world.id[i] < next_ || world.group[i] >= holders_.size()) continue;
    const Holder& holder = holders_[world.group[i]];
    const double density = world.materials()[world.material[i]].density;
    const double wanted =
        holder.volume + (holder.fraction > 0 && density > 0 ? holder.fraction * world.mass[i] / density : 0);
    if (!(wanted > 0)) continue;
    if (quantum_ == 0) quantum_ = std::ldexp(1, std::ilogb(wanted) - 36);
    film[i] = whole(wanted);
  }
  next_ = world.next_id();
}

bool LiquidFilms::holds(const World& world, Id id) const {
  const auto row = world.row(id);
  return row && world.group[*row] < holders_.size() && holders_[world.group[*row]].holds;
}

/// Takes the liquid of new bridges from both films, in proportion to what they offered.
void LiquidFilms::form(World& world, PairOfIds pair, double volume) {
  const auto a = world.row(pair.first), b = world.row(pair.second);
  if (!a || !b) return;
  const auto offer = offer_of(world);
  const double of_a = offer[*a], of_b = offer[*b], sum = of_a + of_b;
  const double part = volume == sum ? of_a : sum > 0 ? whole(volume * (of_a / sum)) : whole(volume / 2);
  auto column = film_of(world);
  const auto film = column.write();
  film[*a] -= part;
  film[*b] -= volume - part;
}

/// Gives back the liquid of broken bridges: half to each body that holds a film.
void LiquidFilms::give_back(World& world, PairOfIds pair, double volume) {
  const bool a = holds(world, pair.first), b = holds(world, pair.second);
  if (!a && !b) return;
  const double half = a && b ? whole(volume / 2) : a ? volume : 0;
  auto column = film_of(world);
  const auto film = column.write();
  if (a) film[*world.row(pair.first)] += half;
  if (b) film[*world.row(pair.second)] += volume - half;
}

/// Compares the bridges of now with those last seen.
void LiquidFilms::settle(World& world, const std::map<PairOfIds, double>& now) {
  auto before = bridges_.begin();
  const auto lost = [&] { give_back(world, before->first, before->second), ++before; };
  for (const auto& [pair, volume] : now) {
    while (before != bridges_.end() && before->first < pair) lost();
    double had = 0;
    if (before != bridges_.end() && before->first == pair) had = before->second, ++before;
    if (volume > had) form(world, pair, volume - had);
    if (volume < had) give_back(world, pair, had - volume);
  }
  while (before != bridges_.end()) lost();
}

void LiquidFilms::apply(World& world, const ContactView*, HistoryStore& history) {
  std::map<PairOfIds, double> now;
  std::vector<double> waiting(world.size(), 0.0);
  for (const HistoryRecord& r : history.extract()) {
    if (r.values.size() < 2 || r.values.back() != kLiquidMark) continue;
    const double volume = r.values[r.values.size() - 2];
    if (volume > 0) now[{r.a, r.b}] += volume;
    if (volume < 0)
      for (const Id id : {r.a, r.b})
        if (const auto row = world.row(id)) ++waiting[*row];
  }
  settle(world, now);
  bridges_ = std::move(now);
  wet_new_bodies(world);
  ++turn_;
  auto films = film_of(world), offers = offer_of(world), turns = turn_of(world);
  const auto film = films.read();
  const auto offer = offers.write(), turn = turns.write();
  for (std::size_t i = 0; i < world.size(); ++i) {
    turn[i] = turn_;
    offer[i] = film[i] > 0 ? whole(film[i] * std::min(share_, 1 / std::max(1.0, waiting[i]))) : 0;
  }
  show(world, bridges_.size());
}

/// Shows how much liquid there is, and how much of it in bridges.
void LiquidFilms::show(World& world, std::size_t bridges) const {
  ExactSum all, bound;
  const auto film = film_of(world).read();
  for (std::size_t i = 0; i < world.size(); ++i) all.add(film[i]);
  for (const auto& [pair, volume] : bridges_) all.add(volume), bound.add(volume);
  world.metric("liquid_m3") = all.value();
  world.metric("liquid_in_bridges_m3") = bound.value();
  world.metric("wet_pairs") = static_cast<double>(bridges);
}

std::vector<std::byte> LiquidFilms::save() const {
  ByteWriter to;
  to.put(quantum_), to.put(turn_), to.put(next_);
  to.put(static_cast<std::uint64_t>(bridges_.size()));
  for (const auto& [pair, volume] : bridges_) to.put(pair.first), to.put(pair.second), to.put(volume);
  return {to.bytes().begin(), to.bytes().end()};
}

void LiquidFilms::load(const std::vector<std::byte>& state) {
  const auto refuse = [](const char* what) {
    throw InputError(
        fmt::format("liquid-films: its state in the checkpoint {}. The checkpoint is damaged, or was not "
                    "written by this scene's run.",
                    what));
  };
  constexpr std::size_t kHead = 4 * 8, kBridge = 3 * 8;
  if (state.size() < kHead || (state.size() - kHead) % kBridge != 0) refuse("has another size");
  ByteReader from(state);
  quantum_ = from.take<double>(), turn_ = from.take<double>(), next_ = from.take<Id>();
  if (from.take<std::uint64_t>() != (state.size() - kHead) / kBridge) refuse("has another number of bridges");
  if (!(quantum_ >= 0 && std::isfinite(quantum_) && turn_ >= 0 && std::isfinite(turn_)))
    refuse("holds what is no number");
  bridges_.clear();
  while (!from.empty()) {
    const Id a = from.take<Id>(), b = from.take<Id>();
    const double volume = from.take<double>();
    if (!(volume > 0 && std::isfinite(volume))) refuse("holds a bridge without liquid");
    bridges_[{a, b}] = volume;
  }
}

}  // namespace scree::compliant
