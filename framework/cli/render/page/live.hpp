#pragma once
/// \file Page that follows a run: a server for the browsers of this machine.

#include "page/write_page.hpp"

namespace scree::render {

/// Serves the page and its news until the program is ended, and prints the address.
/// \param port  0: any that is free
[[noreturn]] void follow(const PageRequest& request, int port);

}  // namespace scree::render
