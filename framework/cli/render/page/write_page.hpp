#pragma once
/// \file One HTML file that shows a result with a time slider in any browser, without a network.

#include <filesystem>
#include <string>
#include <vector>

namespace scree::render {

struct PageRequest {
  std::filesystem::path out;     ///< of the run
  std::filesystem::path file;    ///< the page
  std::string column = "speed";  ///< the column that sets the colours
  std::size_t frames = 60;       ///< at most
};

/// \return bytes of the page
/// \throws IoError, InputError  where there is nothing to show
std::size_t write_page(const PageRequest& request);

}  // namespace scree::render
