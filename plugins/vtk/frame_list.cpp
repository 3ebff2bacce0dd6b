#include "frame_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <regex>
#include <utility>

#include "scree/output/atomic_file.hpp"

namespace scree::vtk {

namespace fs = std::filesystem;

namespace {

std::optional<std::uint64_t> number(const std::string& digits) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc() ? std::optional(value) : std::nullopt;
}

}  // namespace

FrameList::FrameList(fs::path folder, std::string name, std::string ending)
    : folder_(std::move(folder)), name_(std::move(name)), ending_(std::move(ending)) {
  prepare_subfolder(folder_ / name_);
}

std::string FrameList::frame_file(std::uint64_t frame) const {
  return fmt::format("{}/{}_{:06}.{}", name_, name_, frame, ending_);
}

void FrameList::start_anew() { resume(0); }

void FrameList::resume(std::uint64_t first_frame) {
  entries_ = read_list();
  const auto kept =
      std::stable_partition(entries_.begin(), entries_.end(), [&](const Entry& e) { return e.frame < first_frame; });
  const std::vector<Entry> gone(kept, entries_.end());
  entries_.erase(kept, entries_.end());
  write_list();
  delete_frames(gone);
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
    if (const auto frame = number((*it)[2])) entries.push_back({*frame, (*it)[1]});
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

void FrameList::delete_frames(const std::vector<Entry>& gone) const {
  std::error_code ignored;  // a frame that is not listed does no harm
  for (const Entry& e : gone) fs::remove(folder_ / frame_file(e.frame), ignored);
}

}  // namespace scree::vtk
