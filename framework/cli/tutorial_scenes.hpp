#pragma once
/// \file The scenes of the tutorial, as they stand on its pages (framework/docs/tutorial), which are part of the
/// program.

#include <string>
#include <string_view>
#include <vector>

namespace scree::cli {

struct TutorialScene {
  std::string file;  ///< what the page calls it: "pile.json"
  std::string text;
};

/// Number of parts.
int tutorial_parts();
/// Heading of a part. \param part  from 1
std::string tutorial_title(int part);
/// Scenes that a part runs: its own, and those of earlier parts that it names. \param part  from 1
std::vector<TutorialScene> tutorial_scenes(int part);

/// Blocks of a page that begin with ```json title="FILE".
std::vector<TutorialScene> titled_scenes(std::string_view page);

}  // namespace scree::cli
