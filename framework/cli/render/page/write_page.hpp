#pragma once
/// \file Page of a result: one HTML file with a time slider for any browser, without a network.

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace scree::render {

struct PageRequest {
  std::filesystem::path out;          ///< output folder of the run
  std::filesystem::path file;         ///< file of the page
  std::optional<std::string> colour;  ///< column that sets the colours at first
  std::optional<std::size_t> frames;  ///< largest number of frames
};

/// Writes the page.
/// \return bytes of the page
/// \throws IoError, InputError  if there is nothing to show
std::size_t write_page(const PageRequest& request);

/// Returns a page that has no frames, and asks the server it came from for them.
std::string live_page(const PageRequest& request);

/// Returns the news for such a page: `told` and `parts` of all frames after one, `{}` if there are none yet.
/// \param after  number of the last frame that the page has; empty: it has none
nlohmann::json news(const PageRequest& request, std::optional<std::uint64_t> after);

}  // namespace scree::render
