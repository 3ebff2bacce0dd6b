#pragma once
/// \file Scenes of the tutorial, as on its pages (framework/docs/tutorial), which are part of the program.

#include <string>
#include <string_view>
#include <vector>

namespace scree::cli {

struct TutorialScene {
  std::string file;  ///< name on the page: "pile.json"
  std::string text;
};

/// Returns the number of parts.
int tutorial_parts();
/// Returns the heading of a part. \param part  from 1
std::string tutorial_title(int part);
/// Returns the scenes that a part runs: its own, and those of earlier parts that it names. \param part  from 1
std::vector<TutorialScene> tutorial_scenes(int part);

/// Returns the blocks of a page that begin with ```json title="FILE".
std::vector<TutorialScene> titled_scenes(std::string_view page);

}  // namespace scree::cli
