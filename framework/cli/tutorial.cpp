#include <fmt/format.h>

#include <charconv>
#include <filesystem>

#include "cli/tutorial_scenes.hpp"
#include "command.hpp"
#include "scree/base/error.hpp"
#include "scree/output/atomic_file.hpp"

namespace scree::cli {

namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

int part_of(const std::string& text) {
  int part = 0;
  const auto [end, fault] = std::from_chars(text.data(), text.data() + text.size(), part);
  if (fault != std::errc() || end != text.data() + text.size() || part < 1 || part > tutorial_parts())
    throw InputError(fmt::format("tutorial {}: must be the number of a part, 1 to {}. See scree tutorial --help.", text,
                                 tutorial_parts()));
  return part;
}

std::string list_of_parts() {
  std::string list;
  for (int part = 1; part <= tutorial_parts(); ++part) {
    list += fmt::format("\n  {}", tutorial_title(part));
    std::string files;
    for (const TutorialScene& scene : tutorial_scenes(part)) files += (files.empty() ? "" : ", ") + scene.file;
    if (!files.empty()) list += fmt::format(" ({})", files);
  }
  return list;
}

}  // namespace

int tutorial(const Arguments& arguments) {
  CommandLine line("scree tutorial N [options]",
                   "Writes a folder with the scenes of one part of the tutorial, as they stand on its page.\n"
                   "The pages are framework/docs/tutorial, also in the site that ./scree docs builds. The parts:\n" +
                       list_of_parts(),
                   "N");
  line.options()("out", po::value<std::string>()->value_name("DIR"), "folder to write (default: tutorial_N)");
  if (!line.parse(arguments)) return kDone;

  const int part = part_of(line.required());
  const fs::path folder = line.has("out") ? fs::path(line.text("out")) : fs::path(fmt::format("tutorial_{}", part));
  if (fs::exists(folder))
    throw InputError(folder.string() +
                     " is there already, and nothing is overwritten. Choose another folder with --out.");
  prepare_folder(folder);
  fmt::print("{}\n", tutorial_title(part));
  for (const TutorialScene& scene : tutorial_scenes(part)) {
    write_atomically(folder / scene.file, scene.text);
    fmt::print("  {}\n", (folder / scene.file).string());
  }
  return kDone;
}

}  // namespace scree::cli
