#include "cli/tutorial_scenes.hpp"

#include <algorithm>
#include <iterator>

#include "tutorial_pages.hpp"

namespace scree::cli {

namespace {

std::string_view page_of(int part) { return kTutorialPages[static_cast<std::size_t>(part - 1)]; }

}  // namespace

int tutorial_parts() { return static_cast<int>(std::size(kTutorialPages)); }

std::string tutorial_title(int part) {
  const std::string_view page = page_of(part);
  return std::string(page.substr(2, page.find('\n') - 2));  // after "# "
}

std::vector<TutorialScene> titled_scenes(std::string_view page) {
  constexpr std::string_view kOpening = "```json title=\"", kClosing = "\n```";
  std::vector<TutorialScene> scenes;
  for (std::size_t at = 0; (at = page.find(kOpening, at)) != std::string_view::npos;) {
    const std::size_t name = at + kOpening.size(), quote = page.find('"', name), text = page.find('\n', quote) + 1;
    const std::size_t end = page.find(kClosing, text);
    scenes.push_back({std::string(page.substr(name, quote - name)), std::string(page.substr(text, end + 1 - text))});
    at = end;
  }
  return scenes;
}

std::vector<TutorialScene> tutorial_scenes(int part) {
  std::vector<TutorialScene> scenes;
  for (int earlier = 1; earlier <= part; ++earlier)
    for (TutorialScene& scene : titled_scenes(page_of(earlier)))
      if (page_of(part).find(scene.file) != std::string_view::npos) scenes.push_back(std::move(scene));
  return scenes;
}

}  // namespace scree::cli
