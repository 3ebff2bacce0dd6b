#pragma once
/// \file The modifier "outlet": bodies that come into a region are taken out, and counted.

#include <optional>
#include <string>
#include <vector>

#include "scree/hooks/hook.hpp"
#include "scree/plugin/chosen_groups.hpp"
#include "scree/scene/region.hpp"

namespace scree::insertion {

class Outlet final : public Modifier {
 public:
  explicit Outlet(Options options);
  void begin(World& world) override;
  void apply(World& world, const ContactView* contacts, HistoryStore& history) override;

 private:
  /// Bodies that go together: by bonds that hold, or as members of one owner. Mostly one.
  struct Whole {
    std::vector<std::uint32_t> rows;  ///< by ascending id
  };

  std::vector<Whole> wholes(const World& world) const;
  std::vector<Id> to_bring_back(const World& world) const;
  bool may_go(const World& world, const Whole& whole) const;
  Vec3 centre(const World& world, const Whole& whole) const;

  Options options_;
  std::string name_;
  std::optional<Region> region_;
  ChosenGroups chosen_;
  double* count_ = nullptr;  ///< figures of the World
  double* mass_ = nullptr;   ///< [kg]
};

}  // namespace scree::insertion
