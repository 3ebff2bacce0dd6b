#include "page/write_page.hpp"

#include <fmt/format.h>
#include <vtkPolyData.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <vector>

#include "colour_maps.hpp"
#include "page/content.hpp"
#include "page/metrics_part.hpp"
#include "page_parts.hpp"
#include "result.hpp"
#include "scree/base/error.hpp"
#include "scree/base/printable.hpp"
#include "scree/output/atomic_file.hpp"

namespace scree::render {

namespace {

constexpr std::size_t kMostCurvePoints = 1000;

/// Returns at most `most` frames, including the first and the last.
std::vector<FrameFile> spread(const std::vector<FrameFile>& all, std::size_t most) {
  if (all.size() <= most) return all;
  std::vector<FrameFile> chosen;
  for (std::size_t k = 0; k < most; ++k)
    chosen.push_back(all[k * (all.size() - 1) / std::max<std::size_t>(most - 1, 1)]);
  return chosen;
}

/// Returns how many bodies a frame has, or cells of their surfaces.
std::size_t bodies_in(const std::filesystem::path& out, const FrameFile& frame) {
  const auto points = read_same_frame(read_series(out, "points"), frame.frame);
  const auto data = points ? points : read_data(frame.file);
  return static_cast<std::size_t>(std::max(data->GetNumberOfVerts(), data->GetNumberOfCells()));
}

/// Returns how many frames keep a page so small that it can be sent: some 20 MB.
std::size_t frames_for(std::size_t bodies) {
  constexpr std::size_t places = 2'000'000, least = 20, most = 200;
  return std::clamp(places / std::max<std::size_t>(bodies, 1), least, most);
}

/// Returns the steps of values: exact to five digits in small pages, to three in others.
double steps_for(std::size_t bodies, std::size_t frames) {
  constexpr std::size_t few = 100'000;
  return bodies * frames <= few ? 65534 : 1023;
}

std::string hex(const Colour& colour) {
  std::string text;
  for (const double part : colour) text += fmt::format("{:02x}", std::lround(255 * std::clamp(part, 0.0, 1.0)));
  return text;
}

/// Returns colour maps, and colours of kinds and of pebbles, as RRGGBB.
nlohmann::json colours_told() {
  constexpr std::size_t stops = 65, kinds = 64;
  nlohmann::json maps = nlohmann::json::object(), of_kinds = nlohmann::json::array(), pebbles = of_kinds,
                 fragments = of_kinds, order = map_names();
  for (const std::string& name : map_names())
    for (std::size_t k = 0; k < stops; ++k) maps[name].push_back(hex(colour_in_map(name, k / (stops - 1.0))));
  for (std::size_t k = 0; k < kinds; ++k) {
    of_kinds.push_back(hex(category_colour(k)));
    pebbles.push_back(hex(pebble_colour(k)));
    fragments.push_back(hex(fragment_colour(k)));
  }
  return {{"maps", maps}, {"order", order}, {"kinds", of_kinds}, {"pebbles", pebbles}, {"fragments", fragments}};
}

/// Returns the page with texts in place of its marks "@NAME@", which are searched in the page only.
std::string filled(std::string_view page, const std::map<std::string, std::string>& texts) {
  std::string out;
  for (std::size_t at; (at = page.find('@')) != std::string_view::npos;) {
    const std::size_t end = page.find('@', at + 1);
    if (end == std::string_view::npos) break;
    const auto text = texts.find(std::string(page.substr(at + 1, end - at - 1)));
    const bool found = text != texts.end();
    out += page.substr(0, found ? at : end);
    if (found) out += text->second;
    page.remove_prefix(found ? end + 1 : end);
  }
  return out += page;
}

std::string as_text(const nlohmann::json& told) {
  return told.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// Returns data for the page, as JSON in an element `script`: no text in it can end that element.
std::string as_script(const nlohmann::json& told) {
  std::string out;
  for (const char c : as_text(told)) out += c == '<' ? "\\u003c" : std::string(1, c);
  return out;
}

/// Escapes text between tags.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : printable(text)) out += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

std::string title_of(const PageRequest& request) {
  return std::filesystem::weakly_canonical(request.out).filename().string();
}

std::string page_of(const PageRequest& request, nlohmann::json told, const Parts& parts) {
  told["title"] = printable(title_of(request));
  told["colours"] = colours_told();
  std::string texts;
  for (const auto& [name, text] : parts.all())
    texts += fmt::format("<script type=\"text/plain\" id=\"{}\">{}</script>\n", name, text);
  return filled(kPage, {{"TITLE", escaped(title_of(request))},
                        {"STYLE", kStyle},
                        {"TOLD", as_script(told)},
                        {"PARTS", texts},
                        {"PROGRAM", kProgram}});
}

Content content_of(const PageRequest& request, const std::vector<FrameFile>& all) {
  const std::size_t bodies = bodies_in(request.out, all.back());
  const std::vector<FrameFile> chosen = spread(all, request.frames.value_or(frames_for(bodies)));
  Content content(request.out, steps_for(bodies, chosen.size()));
  for (const FrameFile& frame : chosen) content.add(frame);
  return content;
}

}  // namespace

std::size_t write_page(const PageRequest& request) {
  const std::vector<FrameFile> all = read_series(request.out, "particles");
  if (all.empty())
    throw IoError(request.out.string() +
                  ": has no frames to show: particles.pvd is missing or empty. Give the output folder of a run whose "
                  "scene has the writer \"vtk\".");
  Content content = content_of(request, all);
  nlohmann::json told = content.told(request.colour);
  told["metrics"] = metrics_told(request.out, kMostCurvePoints, content.parts());
  const std::string page = page_of(request, std::move(told), content.parts());
  if (request.file.has_parent_path()) prepare_folder(request.file.parent_path());
  write_atomically(request.file, page);
  return page.size();
}

std::string live_page(const PageRequest& request) { return page_of(request, {{"live", true}}, {}); }

nlohmann::json news(const PageRequest& request, std::optional<std::uint64_t> after) {
  std::vector<FrameFile> fresh = read_series(request.out, "particles");
  std::erase_if(fresh, [&](const FrameFile& frame) { return after && frame.frame <= *after; });
  if (fresh.empty()) return nlohmann::json::object();
  Content content = content_of(request, fresh);
  nlohmann::json told = content.told(request.colour);
  told["metrics"] = metrics_told(request.out, kMostCurvePoints, content.parts());
  nlohmann::json parts = nlohmann::json::object();
  for (const auto& [name, text] : content.parts().all()) parts[name] = text;
  return {{"told", told}, {"parts", parts}};
}

}  // namespace scree::render
