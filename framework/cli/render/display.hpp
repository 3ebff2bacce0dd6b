#pragma once
/// \file VTK draws through an X display, also off-screen, and aborts without one.

#include <string>

namespace scree::render {

/// Returns when there is a display. Otherwise restarts this program under xvfb-run and does not return.
/// \param command  "scree render", for messages
/// \throws InputError when xvfb-run is not installed either
void ensure_display(char** argv, const std::string& command);

}  // namespace scree::render
