#pragma once
/// \file What a detector tells of a contact beyond overlap, normal and point: its area, its volume.

#include <span>
#include <string_view>

#include "scree/base/api.hpp"

namespace scree {

/// A face of a detector (ContactDetector::face). Laws that name a quantity in LawInputs get it with each contact.
class SCREE_API ContactQuantities {
 public:
  static constexpr std::string_view kName = "contact-quantities/1";
  /// As many as a detector may name.
  static constexpr int kMost = 4;
  virtual ~ContactQuantities();
  /// Names with their units, "area [m^2]". detect() gives the k-th one of every contact to ContactBuffer::set_quantity(),
  /// or writes ContactBuffer::Rows::quantity[k].
  virtual std::span<const std::string_view> names() const noexcept = 0;
};

}  // namespace scree
