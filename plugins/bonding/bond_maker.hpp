#pragma once
/// \file The modifier "bond-maker": bodies that touch are joined by bonds during the run.

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "scree/hooks/hook.hpp"
#include "scree/plugin/chosen_groups.hpp"
#include "scree/scene/region.hpp"

namespace scree::bonding {

class BondMaker final : public Modifier {
 public:
  explicit BondMaker(Options options);
  bool wants_contacts() const noexcept override { return by_contact_; }
  void begin(World& world) override;
  void apply(World& world, const ContactView* contacts, HistoryStore& history) override;

 private:
  using IdPair = std::pair<Id, Id>;

  std::uint32_t find_entry(const Bonds& bonds) const;
  bool chosen(const World& world, std::size_t row) const;
  bool joins(const World& world, std::size_t i, std::size_t j) const;
  std::set<IdPair> joined_pairs(const Bonds& bonds) const;
  std::vector<Bonds::Spec> of_touch(const World& world) const;
  std::vector<Bonds::Spec> of_contacts(const World& world, const ContactView& contacts) const;

  Options options_;
  bool by_contact_;
  std::uint32_t entry_ = 0;  ///< index into the scene's `bonds`
  double gap_ = 0;           ///< [m]
  ChosenGroups groups_;
  std::optional<Region> region_;
  double* count_ = nullptr;  ///< metric: bonds made
};

}  // namespace scree::bonding
