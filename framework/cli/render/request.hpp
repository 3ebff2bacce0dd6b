#pragma once
/// \file Options of `scree render`.

#include <cstdint>
#include <filesystem>
#include <optional>

#include "cli/command_line.hpp"
#include "view.hpp"

namespace scree::render {

struct Request {
  std::filesystem::path out;
  std::optional<std::uint64_t> frame;  ///< unset: the last one
  bool all = false, contacts = false, solid = false, stored = false, interface = false, rods = false;
  Style style;
  int width = 1200;  ///< [pixels]
  int rate = 25;     ///< frames of a film per second
  std::optional<std::filesystem::path> output, film;
};

/// Returns the request, or nothing if only help was requested. \throws InputError
std::optional<Request> parse(const cli::Arguments& arguments);

}  // namespace scree::render
