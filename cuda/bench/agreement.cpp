#include "bench/agreement.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

namespace scree::device {

Agreement compare(Device& device, const Case& c, std::uint32_t count, const Beds& beds, std::uint32_t steps) {
  const auto host = make_host_device();
  const auto run = [&](Device& on) {
    const auto bench = c.make(on, count, beds);
    bench->advance(steps);
    return bench->places();
  };
  const std::vector<double> expected = run(*host), found = run(device), again = run(device);
  double difference = 0, largest = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const double apart = std::abs(found[i] - expected[i]);
    difference = apart <= difference ? difference : apart;  // keeps what is not a number
    largest = std::max(largest, std::abs(expected[i]));
  }
  if (found.size() != expected.size()) difference = std::numeric_limits<double>::infinity();
  return {expected.size() / 3, difference / largest, found == again};
}

}  // namespace scree::device
