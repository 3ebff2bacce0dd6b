#pragma once
/// \file The pile of stars, stepped by the paper's scheme.

#include <memory>
#include <string>

#include "bench/stepped.hpp"
#include "engine/device.hpp"

namespace scree::device {

/// \param count, file  as for pack_stars()
std::unique_ptr<Stepped> step_paper(Device& device, std::uint32_t count, const std::string& file);

}  // namespace scree::device
