#pragma once
/// \file Contacts as the host knows them: records, history and energies, read from the columns of the device.

#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "engine/pair_lists.hpp"
#include "scree/base/exact_sum.hpp"
#include "scree/hooks/contact_view.hpp"
#include "scree/hooks/history_table.hpp"

namespace scree::device {

/// Reads the lists of now when it is made.
class ContactRecords {
 public:
  /// \param committed  or what the last evaluation has found
  ContactRecords(Device& device, const DevicePlan& plan, const PairLists& lists, bool committed);

  /// Ordered by (a, b, image, feature).
  ContactView view() const;
  /// Of all that is live.
  HistoryTable history() const;
  /// Puts records into the slots of their pairs; those whose pair is not listed are dropped.
  void insert(std::span<const HistoryRecord> records, PairLists& lists) const;
  /// What contacts with obstacles do to these: by rank, in the order of the bodies they touch. \param walls  as they
  /// lie
  std::vector<std::pair<std::uint32_t, Wrench>> wall_wrenches(std::span<const Pose> walls) const;
  /// Energy of all contacts, by their laws [J].
  double elastic_energy() const;

 private:
  /// A slot, and who its contact is between.
  struct Key {
    std::uint32_t slot, interaction, site;  ///< site: that of a pair's a
    Id a, b;
    std::int32_t image;
    std::uint32_t feature;
    auto order() const { return std::tie(interaction, a, b, image, feature); }
  };
  template <class Each>
  void for_slots(const Each& each) const;
  /// Where the columns of the step have the contacts of all slots; kNone: there is none that the last evaluation found.
  std::vector<std::uint32_t> places() const;
  std::uint64_t payload(const Key& key, const ContactMethods& methods) const;
  /// How much of what the laws answer counts, by place; empty: all of it.
  std::vector<double> weights(double* StepContacts::*which) const;

  Device& device_;
  const DevicePlan& plan_;
  const PairLists& lists_;
  PairLists::HostPairs pairs_;
  PairLists::HostMemory memory_;
};

}  // namespace scree::device
