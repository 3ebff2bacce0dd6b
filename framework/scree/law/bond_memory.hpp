#pragma once
/// \file "bond-memory/1": bonds whose natural shape, or whatever else their law keeps of them, is state.
///       "bond-balance/1": bonds that carry, where bodies are placed, what hangs on them.

#include <string>

#include "scree/law/bond_law.hpp"

namespace scree {

/// A face of bond laws. What a bond remembers is a row of numbers in a column of the table of bonds: checkpoints keep
/// it, and BondView::memory tells it to BondLaw::bind(). Zeros are a bond that has just been made.
class SCREE_API BondMemory {
 public:
  static constexpr std::string_view kName = "bond-memory/1";
  virtual ~BondMemory();
  static constexpr int kMost = 64;
  /// Numbers per bond, 1 to kMost; always the same.
  virtual int numbers() const noexcept = 0;
  /// Whether steps change them.
  virtual bool changes() const noexcept = 0;
  /// Asked once at the end of every step, before overloaded bonds break. Energy that bonds lose by it is counted as
  /// dissipated. Pairs and links stay what they were. \param x  state then   \param memory  as last bound, to be
  /// changed \return whether it was changed; the law is then bound again
  virtual bool end_step(const Configuration& x, std::span<double> memory) const = 0;
};

/// A face of laws with BondMemory, asked before the first step. Bonds are in a tree whose root does not move: set-up
/// refuses others, for statics does not tell what those carry.
class SCREE_API BondBalance {
 public:
  static constexpr std::string_view kName = "bond-balance/1";
  virtual ~BondBalance();
  /// Sets memory such that bonds carry these loads as bodies lie.
  /// \param bonds   that are about to be made; rows are indices of bodies
  /// \param loads   (bonds) what acts on b's side at the joint, world axes: the weight of all beyond it, or, where the
  ///                root is beyond it, the negative of that of a's side [N], [N m]
  /// \return what is wrong, in whole sentences, or nothing
  virtual std::string balance(const BondView& bonds, std::span<const Wrench> loads, std::span<double> memory) const = 0;
};

}  // namespace scree
