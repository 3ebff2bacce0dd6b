#include "surface_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <string_view>
#include <system_error>

#include "scree/output/atomic_file.hpp"
#include "scree/output/time_text.hpp"

namespace scree::mesh {

static_assert(std::endian::native == std::endian::little, "files say that numbers are little-endian");

namespace {

/// Returns bytes in base64 (RFC 4648, section 4).
std::string base64(std::span<const unsigned char> bytes) {
  constexpr const char* kDigits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (std::size_t k = 0; k < bytes.size(); k += 3) {
    std::uint32_t word = 0;
    for (std::size_t j = 0; j < 3; ++j) word = word << 8 | (k + j < bytes.size() ? bytes[k + j] : 0u);
    for (std::size_t j = 0; j < 4; ++j) text += k + j <= bytes.size() ? kDigits[word >> (18 - 6 * j) & 63] : '=';
  }
  return text;
}

/// Appends an array: its size in bytes and its numbers, as one piece of base64.
template <class T>
void append_array(std::string& to, const char* type, const std::string& name, int components,
                  std::span<const T> values) {
  const std::uint64_t size = values.size_bytes();
  std::vector<unsigned char> bytes(sizeof size + size);
  std::memcpy(bytes.data(), &size, sizeof size);
  if (size > 0) std::memcpy(bytes.data() + sizeof size, values.data(), size);
  to +=
      fmt::format("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"binary\">\n{}\n</DataArray>\n",
                  type, name, components, base64(bytes));
}

std::string frame_file(const std::string& name, std::uint64_t frame) {
  return fmt::format("{}/{}_{:06}.vtp", name, name, frame);
}

/// Returns the frames that a list has, of files with names of this series alone.
std::vector<std::uint64_t> frames_in(std::string_view list, const std::string& name) {
  std::vector<std::uint64_t> frames;
  const std::string before = fmt::format("file=\"{}/{}_", name, name);
  for (std::size_t at = list.find(before); at != std::string_view::npos; at = list.find(before, at + 1)) {
    const char* const from = list.data() + at + before.size();
    std::uint64_t frame = 0;
    const auto [end, error] = std::from_chars(from, list.data() + list.size(), frame);
    if (error == std::errc{} && list.substr(static_cast<std::size_t>(end - list.data())).starts_with(".vtp\""))
      frames.push_back(frame);
  }
  return frames;
}

}  // namespace

std::string surface_text(std::span<const Vec3> points, std::span<const std::uint32_t> corners,
                         std::span<const CellValues> values) {
  const std::size_t count = corners.size() / 3;
  std::string text = fmt::format(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" "
      "header_type=\"UInt64\">\n<PolyData>\n<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"0\" NumberOfLines=\"0\" "
      "NumberOfStrips=\"0\" NumberOfPolys=\"{}\">\n<Points>\n",
      points.size(), count);
  std::vector<double> places;
  for (const Vec3& p : points) places.insert(places.end(), {p[0], p[1], p[2]});
  append_array<double>(text, "Float64", "Points", 3, places);
  text += "</Points>\n<Polys>\n";
  const std::vector<std::int64_t> connectivity(corners.begin(), corners.end());
  std::vector<std::int64_t> offsets(count);
  for (std::size_t k = 0; k < count; ++k) offsets[k] = static_cast<std::int64_t>(3 * (k + 1));
  append_array<std::int64_t>(text, "Int64", "connectivity", 1, connectivity);
  append_array<std::int64_t>(text, "Int64", "offsets", 1, offsets);
  text += "</Polys>\n<CellData>\n";
  for (const CellValues& v : values) append_array<double>(text, "Float64", v.name, v.components, v.values);
  return text + "</CellData>\n</Piece>\n</PolyData>\n</VTKFile>\n";
}

void SurfaceSeries::open(const std::string& directory) {
  folder_ = directory;
  prepare_subfolder(folder_ / name_);
  const std::filesystem::path list = folder_ / (name_ + ".pvd");
  const std::string text = std::filesystem::exists(list) ? read_file(list) : std::string();
  for (const std::uint64_t frame : frames_in(text, name_))
    if (std::ranges::count(entries_, frame, &Entry::frame) == 0) remove_frame(frame);
  write_list();
}

void SurfaceSeries::remove_frame(std::uint64_t frame) const {
  std::error_code ignored;  // a frame that is not listed does no harm
  std::filesystem::remove(folder_ / frame_file(name_, frame), ignored);
}

void SurfaceSeries::add(std::uint64_t frame, double time, const std::string& text) {
  write_atomically(folder_ / frame_file(name_, frame), text);
  entries_.push_back({frame, time});
  write_list();
}

void SurfaceSeries::resume(std::uint64_t first_frame) {
  for (const Entry& e : entries_)
    if (e.frame >= first_frame) remove_frame(e.frame);
  std::erase_if(entries_, [&](const Entry& e) { return e.frame >= first_frame; });
  write_list();
}

void SurfaceSeries::write_list() const {
  std::string text =
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"1.0\" byte_order=\"LittleEndian\">\n  "
      "<Collection>\n";
  for (const Entry& e : entries_)
    text += fmt::format("    <DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", time_text(e.time),
                        frame_file(name_, e.frame));
  write_atomically(folder_ / (name_ + ".pvd"), text + "  </Collection>\n</VTKFile>\n");
}

}  // namespace scree::mesh
