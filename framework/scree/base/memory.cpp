#include "scree/base/memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <string>

namespace scree {

namespace {

/// Returns the limit of the control group (version 2) of the process; infinity if there is none.
double group_limit() {
  double limit = HUGE_VAL;
  std::ifstream list("/proc/self/cgroup");
  for (std::string line; std::getline(list, line);) {
    if (!line.starts_with("0::")) continue;
    for (const std::string& folder : {"/sys/fs/cgroup" + line.substr(3), std::string("/sys/fs/cgroup")}) {
      double bytes = 0;
      if (std::ifstream(folder + "/memory.max") >> bytes) limit = std::min(limit, bytes);  // "max" is no number
    }
  }
  return limit;
}

}  // namespace

double usable_memory() {
  double bytes = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    bytes = std::min(bytes, static_cast<double>(limit.rlim_cur));
  return std::min(bytes, group_limit());
}

std::string memory_fault(double bodies) {
  constexpr double kBytesPerBody = 800, kGiB = 1024.0 * 1024 * 1024;
  const double needed = kBytesPerBody * bodies, usable = usable_memory();
  if (needed <= usable) return "";
  return fmt::format("{:.3g} bodies take about {:.3g} GiB of memory, and {:.3g} GiB can be had", bodies, needed / kGiB,
                     usable / kGiB);
}

}  // namespace scree
