#pragma once
/// \file The cases of the benchmark, by name.

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "bench/stepped.hpp"
#include "engine/device.hpp"

namespace scree::device {

/// Files of settled beds that others are copies of.
struct Beds {
  std::string stars, tetrapods;
};

struct Case {
  const char *name, *title;
  std::uint32_t warm_up;  ///< steps before times are taken
  bool ordered;           ///< whether sums have one order, so that results have the same bits each time
  double most;            ///< bodies that are stepped unless more are asked for
  /// \param count  of bodies, roughly
  std::unique_ptr<Stepped> (*make)(Device& device, std::uint32_t count, const Beds& beds);
};

std::span<const Case> cases();

}  // namespace scree::device
