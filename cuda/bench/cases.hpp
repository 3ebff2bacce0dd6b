#pragma once
/// \file The cases of the benchmark, by name.

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "bench/stepped.hpp"
#include "engine/device.hpp"

namespace scree::device {

struct Case {
  const char *name, *title;
  std::uint32_t warm_up;  ///< steps before times are taken
  /// \param count  of bodies, roughly \param pile  file of the settled pile that stars are copies of
  std::unique_ptr<Stepped> (*make)(Device& device, std::uint32_t count, const std::string& pile);
};

std::span<const Case> cases();

}  // namespace scree::device
