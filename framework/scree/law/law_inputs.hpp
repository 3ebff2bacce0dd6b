#pragma once
/// \file What a law asks for beyond overlap, normal, velocity and ForceNeeds: quantities of the contact, and columns of
/// the two bodies.

#include <span>
#include <string_view>

#include "scree/base/api.hpp"

namespace scree {

/// A face of a law (ContactLaw::face), beside those that integrators ask for.
class SCREE_API LawInputs {
 public:
  static constexpr std::string_view kName = "law-inputs/1";
  /// As many of each kind as a law may name.
  static constexpr int kMost = 4;
  virtual ~LawInputs();
  /// Names as in ContactQuantities. ContactColumns::quantity[k] is the k-th one. A scene whose detector lacks one is
  /// refused. Default: none.
  virtual std::span<const std::string_view> quantities() const noexcept;
  /// Names of columns of bodies of one double each, made (0) where they are not there: temperature, charge, liquid.
  /// ContactColumns::of_a[k] and of_b[k] are the k-th one of the two bodies; of a member its own, not its owner's.
  /// Default: none.
  virtual std::span<const std::string_view> bodies() const noexcept;
};

}  // namespace scree
