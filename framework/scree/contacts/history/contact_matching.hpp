#pragma once
/// \file Matching of current contacts with those of the committed step. Both are in pair order, and most contacts of
/// most steps are unchanged. Unchanged contacts are found in long ranges; pairs whose contacts have changed are left to
/// their detector.

#include <cstdint>
#include <optional>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/contacts/history/chunk_history.hpp"
#include "scree/detect/contact_detector.hpp"

namespace scree::detail {

/// Matches the contacts of one chunk at a time, and keeps its memory from chunk to chunk.
class SCREE_API ContactMatching {
 public:
  /// Finds the predecessor among `old` of each contact of `now`, and gives it the predecessor's feature.
  /// \param detector  detector of pairs whose contacts have changed
  /// \param features  true to set features even if unchanged(), when `old` has them anyway
  /// \param once      true if each old contact passes its value to one current contact, and values are summed
  ///              (impulses); otherwise several may continue one (springs)
  /// \return number of contacts that continue an old one
  std::size_t match(const ContactKeys& old, ContactBuffer& now, const ContactDetector& detector, bool features,
                    bool once);

  /// Checks whether the contacts of the last match() are the same as before, one by one.
  bool unchanged() const { return unchanged_; }

  /// Returns the first predecessor of contacts [begin, end) of the last match(), if their predecessors are consecutive
  /// and nothing is added to the inherited values. \pre not empty; begin not below that of the previous call
  std::optional<std::size_t> together(std::size_t begin, std::size_t end);

  /// Copies the values of a committed column that contacts [begin, end) inherit; new contacts get 0. \pre together()
  /// was called for them
  void copy(const double* committed, std::size_t begin, std::size_t end, double* to) const;

 private:
  /// Consecutive current contacts that continue consecutive contacts of the committed step, or are all new.
  struct Range {
    static constexpr std::uint32_t kNew = ~std::uint32_t{0};
    std::uint32_t begin, end;  ///< current contacts
    std::uint32_t from;        ///< predecessor of the first one, or kNew
  };
  /// Value of an ended contact that passes to a current one, in addition to the value it has by its range.
  struct Transfer {
    std::uint32_t to, from;  ///< current contact, and contact of the committed step
  };
  void add(std::size_t begin, std::size_t end, std::size_t from);
  std::size_t match_pair(const ContactKeys& old, std::size_t from, std::size_t from_end, ContactBuffer& now,
                         std::size_t begin, std::size_t end, const ContactDetector& detector, bool once);
  void pass_on_once(std::size_t from, const std::uint32_t* feature, std::size_t begin, std::size_t end);

  std::vector<Range> ranges_;        ///< ranges of all contacts, in order
  std::vector<Transfer> transfers_;  ///< transfers to all contacts, in order
  /// Range that holds the contact of the last together() and the first transfer to it, or earlier ones.
  std::size_t first_ = 0, first_transfer_ = 0;
  bool unchanged_ = false;
  // Arrays of one pair for its detector: see ContactMatch.
  std::vector<std::int32_t> source_, successor_;
  std::vector<std::uint32_t> old_feature_;
  std::vector<std::uint64_t> old_payload_;
};

}  // namespace scree::detail
