#include "frame_list.hpp"

#include <fmt/format.h>

#include <regex>
#include <utility>

#include "scree/output/atomic_file.hpp"

namespace scree::vtk {

namespace fs = std::filesystem;

FrameList::FrameList(fs::path folder, std::string name, std::string ending)
    : folder_(std::move(folder)), name_(std::move(name)), ending_(std::move(ending)) {
  prepare_folder(folder_ / name_);
}

std::string FrameList::frame_file(std::uint64_t frame) const {
  return fmt::format("{}/{}_{:06}.{}", name_, name_, frame, ending_);
}

void FrameList::start_anew() {
  entries_.clear();
  write_list();
  delete_frames_from(0);
}

void FrameList::resume(std::uint64_t first_frame) {
  entries_ = read_list();
  std::erase_if(entries_, [&](const Entry& e) { return e.frame >= first_frame; });
  write_list();
  delete_frames_from(first_frame);
}

void FrameList::list(std::uint64_t frame, double time) {
  entries_.push_back({frame, fmt::format("{}", time)});
  write_list();
}

std::vector<FrameList::Entry> FrameList::read_list() const {
  const fs::path file = folder_ / (name_ + ".pvd");
  if (!fs::exists(file)) return {};
  const std::string text = read_file(file);
  const std::regex line("timestep=\"([^\"]*)\"[^>]*file=\"" + name_ + "/" + name_ + "_([0-9]+)\\." + ending_ + "\"");
  std::vector<Entry> entries;
  for (std::sregex_iterator it(text.begin(), text.end(), line), end; it != end; ++it)
    entries.push_back({std::stoull((*it)[2]), (*it)[1]});
  return entries;
}

void FrameList::write_list() const {
  std::string text =
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n"
      "  <Collection>\n";
  for (const Entry& e : entries_)
    text += fmt::format("    <DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", e.time, frame_file(e.frame));
  text += "  </Collection>\n</VTKFile>\n";
  write_atomically(folder_ / (name_ + ".pvd"), text);
}

void FrameList::delete_frames_from(std::uint64_t first_frame) const {
  const std::regex pattern(name_ + "_([0-9]+)\\." + ending_);
  std::vector<fs::path> gone;
  for (const auto& entry : fs::directory_iterator(folder_ / name_)) {
    std::smatch match;
    const std::string file = entry.path().filename().string();
    if (std::regex_match(file, match, pattern) && std::stoull(match[1]) >= first_frame) gone.push_back(entry.path());
  }
  std::error_code ignored;  // a frame that is not listed does no harm
  for (const fs::path& file : gone) fs::remove(file, ignored);
}

}  // namespace scree::vtk
