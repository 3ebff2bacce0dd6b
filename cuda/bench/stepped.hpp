#pragma once
/// \file What is measured: bodies that are stepped on a device.

#include <cstdint>
#include <optional>
#include <vector>

#include "bench/sectors.hpp"

namespace scree::device {

/// Since the start, but for contacts, which are those of the last step.
struct StepCounts {
  std::uint64_t bodies, pairs, contacts;  ///< pairs: listed, or 0 where there are no lists
  std::uint64_t lists;                    ///< how often they were made
  double listing;                         ///< what that took [s]
};

class Stepped {
 public:
  virtual ~Stepped() = default;
  /// Waits until they are done.
  virtual void advance(std::uint32_t steps) = 0;
  virtual StepCounts counts() const = 0;
  /// x, y, z of all bodies [m]; of planar ones their turn may stand for z [rad]. Waits.
  virtual std::vector<double> places() const = 0;
  /// Where contacts are kept. Waits.
  virtual std::optional<BytesPerNumber> bytes_per_number() const { return {}; }
};

}  // namespace scree::device
