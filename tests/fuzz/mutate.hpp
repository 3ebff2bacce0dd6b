#pragma once
/// \file Damages files: the same number gives the same damage, on any machine.

#include <cstdint>
#include <string>
#include <vector>

namespace scree::fuzz {

/// Small and fast; quality matters little here. \source Steele, Lea, Flood: Fast splittable pseudorandom number
/// generators, OOPSLA 2014 (SplitMix64)
class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  /// 0 to n - 1; 0 for n = 0.
  std::size_t below(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(next() % n); }

 private:
  std::uint64_t state_;
};

/// One of the seeds with one to six damages: bits, bytes and ranges; in texts also numbers made extreme, values and
/// lines exchanged, and words of the format put in.
/// \param seeds  at least one
std::string damaged(const std::vector<std::string>& seeds, bool binary, std::uint64_t number);

}  // namespace scree::fuzz
