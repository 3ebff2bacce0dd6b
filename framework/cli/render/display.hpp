#pragma once
/// \file X display, through which VTK draws, also off-screen; without one it aborts.

#include <string>

namespace scree::render {

/// Returns if there is a display. Otherwise restarts this program under xvfb-run and does not return.
/// \param command  "scree render", for messages
/// \throws InputError if xvfb-run is not installed either
void ensure_display(char** argv, const std::string& command);

/// Checks whether a program is found in PATH.
bool on_path(const std::string& program);

}  // namespace scree::render
