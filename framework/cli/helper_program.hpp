#pragma once
/// \file Frame of the programs that `scree` continues as: scree-render, scree-plot.

#include <functional>

namespace scree::cli {

/// Calls `work` and reports the error that ended it.
/// \return result of `work`, 4 if files could not be read or written, 2 for all other exceptions
int helper_program(const std::function<int()>& work);

}  // namespace scree::cli
