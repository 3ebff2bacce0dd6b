#pragma once
/// \file Whether a device does what the host's processors do with the same kernels.

#include "bench/cases.hpp"

namespace scree::device {

struct Agreement {
  std::size_t bodies;
  double difference;  ///< largest between coordinates, over the largest of them [-]
  bool same_bits;     ///< of two runs on the device
};

/// After so many steps from the start of a case.
Agreement compare(Device& device, const Case& c, std::uint32_t count, const Beds& beds, std::uint32_t steps);

}  // namespace scree::device
