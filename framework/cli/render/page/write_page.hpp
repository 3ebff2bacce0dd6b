#pragma once
/// \file Page of a result: one HTML file with a time slider for any browser, without a network.

#include <filesystem>
#include <string>
#include <vector>

namespace scree::render {

struct PageRequest {
  std::filesystem::path out;     ///< output folder of the run
  std::filesystem::path file;    ///< file of the page
  std::string column = "speed";  ///< column that sets the colours
  std::size_t frames = 60;       ///< largest number of frames
};

/// Writes the page.
/// \return bytes of the page
/// \throws IoError, InputError  if there is nothing to show
std::size_t write_page(const PageRequest& request);

}  // namespace scree::render
