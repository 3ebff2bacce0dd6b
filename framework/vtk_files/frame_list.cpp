#include "vtk_files/frame_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>
#include <utility>

#include "scree/output/atomic_file.hpp"
#include "scree/output/time_text.hpp"

namespace scree::vtk {

namespace fs = std::filesystem;

namespace {

/// What stands in a line between ` key="` and the next quotation mark.
std::string_view attribute(std::string_view line, std::string_view key) {
  const std::size_t at = line.find(fmt::format(" {}=\"", key));
  if (at == std::string_view::npos) return {};
  const std::size_t from = at + key.size() + 3, to = line.find('"', from);
  return to == std::string_view::npos ? std::string_view{} : line.substr(from, to - from);
}

template <class T>
std::optional<T> number(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

}  // namespace

FrameList::FrameList(fs::path folder, std::string name, std::string ending)
    : folder_(std::move(folder)), name_(std::move(name)), ending_(std::move(ending)) {
  prepare_subfolder(folder_ / name_);
}

std::string FrameList::frame_file(std::uint64_t frame) const {
  return fmt::format("{}/{}_{:06}.{}", name_, name_, frame, ending_);
}

std::optional<std::uint64_t> FrameList::frame_of(std::string_view file) const {
  const std::string before = fmt::format("{}/{}_", name_, name_), after = "." + ending_;
  if (file.size() < before.size() + after.size() || !file.starts_with(before) || !file.ends_with(after))
    return std::nullopt;
  const auto frame = number<std::uint64_t>(file.substr(before.size(), file.size() - before.size() - after.size()));
  return frame && frame_file(*frame) == file ? frame : std::nullopt;
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
  entries_.push_back({frame, time_text(time)});
  write_list();
}

std::vector<FrameList::Entry> FrameList::read_list() const {
  const fs::path file = folder_ / (name_ + ".pvd");
  if (!fs::exists(file)) return {};
  const std::string text = read_file(file);
  std::vector<Entry> entries;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(rest.size(), line.size() + 1));
    const auto frame = frame_of(attribute(line, "file"));
    const std::string_view time = attribute(line, "timestep");
    if (frame && number<double>(time)) entries.push_back({*frame, std::string(time)});
  }
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
