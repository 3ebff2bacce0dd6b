#pragma once
/// \file The frame of the programs that `scree` goes on as: scree-render, scree-plot.

#include <functional>

namespace scree::cli {

/// Does `work` and tells the user what ended it.
/// \return what it returns, 4 where files could not be read or written, 2 for all else that it throws
int helper_program(const std::function<int()>& work);

}  // namespace scree::cli
