#include "scree/run/detail/carried_history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "scree/run/detail/columns_of_copy.hpp"

namespace scree::detail {

namespace {

class Carrier {
 public:
  Carrier(const Snapshot& s, const Prepared& prepared) : s_(s), prepared_(prepared) {
    const TableCopy& bodies = s.tables.at(0);
    const auto id = values_of<Id>(bodies, "id");
    const auto shape = values_of<std::uint32_t>(bodies, "shape"),
               material = values_of<std::uint32_t>(bodies, "material");
    const World& world = *prepared.world;
    for (std::size_t i = 0; i < std::min({id.size(), shape.size(), material.size()}); ++i)
      if (shape[i] < world.shapes().size() && material[i] < world.materials().size())
        species_[id[i]] = {shape[i], material[i]};
    for (std::size_t k = 0; k < prepared.methods.interactions.size(); ++k)
      meanings_.push_back(meaning_of_history(prepared, k));
  }

  HistoryTable carried() {
    std::map<std::uint32_t, std::vector<HistoryTable::Place>> kept;  // by current interaction
    for (const HistoryTable::Place& place : s_.history.places_in_order())
      if (const auto number = number_of(place)) kept[*number].push_back(place);
    HistoryTable table;
    for (const auto& [number, places] : kept) {
      table.expect(number, s_.history.values(places.front()).size(), places.size());
      for (const HistoryTable::Place& place : places) {
        HistoryTable::Key key = s_.history.key(place);
        key.interaction = number;
        table.append(key, s_.history.values(place));
      }
    }
    return table;
  }

  std::vector<std::string> warnings() const {
    std::vector<std::string> texts;
    for (const auto& [from_to, contacts] : lost_)
      texts.push_back(
          fmt::format("the history of {} contacts is dropped, and their springs start from zero: it was {}; now it "
                      "is {}.",
                      contacts, from_to.first, from_to.second));
    return texts;
  }

 private:
  /// Returns the current interaction of a record that stays.
  std::optional<std::uint32_t> number_of(const HistoryTable::Place& place) {
    const HistoryTable::Key key = s_.history.key(place);
    const auto a = species_.find(key.a), b = species_.find(key.b);
    const std::string before = key.interaction < s_.interactions.size() ? s_.interactions[key.interaction] : "unknown";
    if (a == species_.end() || b == species_.end()) return lose(before, "of bodies that are gone");
    const std::int32_t channel =
        prepared_.methods.channel(a->second.first, a->second.second, b->second.first, b->second.second);
    if (channel == Methods::kNoChannel)
      return std::nullopt;  // one of the two is removed, or the law is "none": as requested
    const std::uint32_t number = prepared_.methods.channels[static_cast<std::size_t>(channel)].interaction;
    if (meanings_[number] != before) return lose(before, meanings_[number]);
    return number;
  }

  std::nullopt_t lose(const std::string& before, const std::string& now) {
    ++lost_[{before, now}];
    return std::nullopt;
  }

  const Snapshot& s_;
  const Prepared& prepared_;
  std::unordered_map<Id, std::pair<std::uint32_t, std::uint32_t>> species_;  ///< shape and material by body
  std::vector<std::string> meanings_;                                        ///< by current interaction
  std::map<std::pair<std::string, std::string>, std::size_t>
      lost_;  ///< number of contacts, by previous and current meaning
};

}  // namespace

void carry_history(Snapshot& s, const Prepared& prepared, TransferredState& result) {
  Carrier carrier(s, prepared);
  s.history = carrier.carried();
  std::ranges::move(carrier.warnings(), std::back_inserter(result.warnings));
}

}  // namespace scree::detail
