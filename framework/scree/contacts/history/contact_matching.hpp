#pragma once
/// \file Which contact of the committed step each current contact continues. Both are in pair order, and most contacts
/// of most steps are as before: what stayed the same is found in long ranges, and pairs whose contacts have changed are
/// left to their detector.

#include <cstdint>
#include <optional>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/contacts/history/chunk_history.hpp"
#include "scree/detect/contact_detector.hpp"

namespace scree::detail {

/// Of the contacts of one chunk at a time: keeps its memory from chunk to chunk.
class SCREE_API ContactMatching {
 public:
  /// Finds the predecessor among `old` of each contact of `now`, and gives it that one's feature.
  /// \param detector  of pairs whose contacts have changed
  /// \param features  wanted even where unchanged(), when `old` has them anyway
  /// \param once      each old contact passes what it carried to one current contact, and sums are inherited, as
  ///                  impulses are; else several may continue one, as springs do
  /// \return how many contacts continue an old one
  std::size_t match(const ContactKeys& old, ContactBuffer& now, const ContactDetector& detector, bool features,
                    bool once);

  /// Whether contacts are the same as before, one by one. Of the last match(), as all that follows.
  bool unchanged() const { return unchanged_; }

  /// Where the predecessors of contacts [begin, end) begin, if they follow each other as these do and nothing is added
  /// to what they inherit. \pre not empty; begin not below that of the call before
  std::optional<std::size_t> together(std::size_t begin, std::size_t end);

  /// Copies what contacts [begin, end) inherit of a committed column; what is new gets 0. \pre together() was asked
  void copy(const double* committed, std::size_t begin, std::size_t end, double* to) const;

 private:
  /// Consecutive current contacts that continue as many consecutive ones of the committed step, or are all new.
  struct Range {
    static constexpr std::uint32_t kNew = ~std::uint32_t{0};
    std::uint32_t begin, end;  ///< current contacts
    std::uint32_t from;        ///< the first one's predecessor, or kNew
  };
  /// What a contact that ended carried, and passes to a current one in addition to what that has by its range.
  struct Transfer {
    std::uint32_t to, from;  ///< current contact, and that of the committed step
  };
  void add(std::size_t begin, std::size_t end, std::size_t from);
  std::size_t match_pair(const ContactKeys& old, std::size_t from, std::size_t from_end, ContactBuffer& now,
                         std::size_t begin, std::size_t end, const ContactDetector& detector, bool once);
  void pass_on_once(std::size_t from, const std::uint32_t* feature, std::size_t begin, std::size_t end);

  std::vector<Range> ranges_;        ///< of all contacts, in order
  std::vector<Transfer> transfers_;  ///< to all contacts, in order
  /// The range that holds the contact together() was asked about and the first transfer to it, or earlier ones.
  std::size_t first_ = 0, first_transfer_ = 0;
  bool unchanged_ = false;
  // Of one pair, for its detector: see ContactMatch.
  std::vector<std::int32_t> source_, successor_;
  std::vector<std::uint32_t> old_feature_;
  std::vector<std::uint64_t> old_payload_;
};

}  // namespace scree::detail
