#pragma once
/// \file Which ids are taken: a bit each, where a set of nodes would take as much memory as a body's position and pose.

#include <set>
#include <vector>

#include "scree/base/types.hpp"

namespace scree::detail {

class IdSet {
 public:
  /// \return whether it was not there
  bool insert(Id id) {
    if (id >= kBits) return large_.insert(id).second;
    if (id >= bits_.size()) bits_.resize(id + 1);
    if (bits_[id]) return false;
    bits_[id] = true;
    return true;
  }

 private:
  static constexpr Id kBits = Id{1} << 28;  ///< 32 MiB at most, however far apart ids are
  std::vector<bool> bits_;
  std::set<Id> large_;
};

}  // namespace scree::detail
