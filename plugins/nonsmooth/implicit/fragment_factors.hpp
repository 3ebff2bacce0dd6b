#pragma once
/// \file Factors of the systems of all fragments. Those that are eliminated alike, as rods of one length are, go four
/// at a time.

#include "implicit/block_cholesky.hpp"
#include "implicit/fragments.hpp"

namespace scree::nonsmooth {

class FragmentFactors {
 public:
  /// \param row  row of the system, by body
  FragmentFactors(const solvers::BlockPattern& pattern, std::span<const Fragment> fragments,
                  std::span<const std::uint32_t> row);

  /// \param wanted  (fragments) in: nonzero where factors are asked for, else those that are there stay as they are;
  /// out: nonzero where the matrix is not positive definite, and there are none
  /// \param added   to the diagonal blocks, by row of the system, or empty
  void factor(const solvers::BlockMatrix& a, std::span<const solvers::Block> added, std::span<std::uint8_t> wanted);
  /// In: right sides; out: the solutions.
  void solve(solvers::BlockVector& x) const;
  /// Diagonal blocks of the inverses, by row of the system.
  void diagonal_of_inverse(std::span<solvers::Block> out) const;
  /// Blocks of the inverse of one. \param places  of bodies in Fragment::bodies  \param out  (places^2), row by row
  void inverse(std::size_t fragment, std::span<const std::uint32_t> places, std::span<solvers::Block> out) const;

 private:
  template <class Real>
  struct Group {
    BlockCholesky<Real> factors;
    std::array<std::uint32_t, BlockCholesky<Real>::kLanes> fragment;  ///< the last one again where there are fewer
  };
  struct Place {
    std::uint32_t group, lane;  ///< groups of four first, then those of one
  };
  /// \param f  f(group), for all groups, on any thread
  template <class Self, class F>
  static void for_groups(Self& self, const F& f);

  std::vector<Group<Wide>> fours_;
  std::vector<Group<double>> ones_;
  std::vector<Place> place_;  ///< by fragment
};

}  // namespace scree::nonsmooth
