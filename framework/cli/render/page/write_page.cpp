#include "page/write_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vtkCellData.h>
#include <vtkInformation.h>
#include <vtkInformationStringKey.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string_view>

#include "page/glyphs.hpp"
#include "page/packed.hpp"
#include "page_parts.hpp"
#include "result.hpp"
#include "scree/base/error.hpp"
#include "scree/base/printable.hpp"
#include "scree/output/atomic_file.hpp"
#include "shown_data.hpp"

namespace scree::render {

namespace {

/// Returns at most `most` frames, including the first and the last.
std::vector<FrameFile> spread(const std::vector<FrameFile>& all, std::size_t most) {
  if (all.size() <= most) return all;
  std::vector<FrameFile> chosen;
  for (std::size_t k = 0; k < most; ++k)
    chosen.push_back(all[k * (all.size() - 1) / std::max<std::size_t>(most - 1, 1)]);
  return chosen;
}

/// Content of one frame; all except the bodies may be null.
struct Shown {
  vtkSmartPointer<vtkPolyData> bodies, walls, rods;
  bool points = false;  ///< true for one point per body, instead of surfaces
};

class Frames {
 public:
  explicit Frames(const std::filesystem::path& out)
      : walls_(read_series(out, "walls")), rods_(read_series(out, "rods")) {
    if (std::filesystem::exists(out / "shapes")) points_ = read_series(out, "points");
  }

  Shown read(const FrameFile& frame) const {
    const auto rods = read_same_frame(rods_, frame.frame);
    const std::set<double> of_rods = rods ? bodies_of(*rods) : std::set<double>();
    const auto points = read_same_frame(points_, frame.frame);
    Shown shown{without_bodies(points ? points : read_data(frame.file), of_rods),
                without_bodies(read_same_frame(walls_, frame.frame), of_rods), rods ? tubes(*rods) : nullptr};
    shown.points = shown.bodies->GetNumberOfVerts() > 0;
    return shown;
  }

 private:
  std::vector<FrameFile> walls_, rods_;
  std::vector<FrameFile> points_;  ///< smaller than surfaces, if the outlines of shapes exist too
};

/// Returns columns for colours, of bodies or else of rods.
vtkDataSetAttributes& columns_in(const Shown& shown) {
  if (shown.points) return *shown.bodies->GetPointData();
  if (shown.bodies->GetNumberOfCells() > 0 || !shown.rods) return *shown.bodies->GetCellData();
  return *shown.rods->GetPointData();
}

/// Extent and range of colours over all frames.
struct Extent {
  vtkBoundingBox bodies, walls;
  ColourRange range;
  std::string unit;

  void include(const Shown& shown, Outlines& outlines) {
    const auto add = [](vtkBoundingBox& box, vtkPolyData* data) {
      if (data == nullptr || data->GetNumberOfCells() == 0) return;
      double bounds[6];
      data->GetCellsBounds(bounds);
      box.AddBounds(bounds);
    };
    if (shown.points)
      bodies.AddBox(outlines.box_of(*shown.bodies));
    else
      add(bodies, shown.bodies);
    add(bodies, shown.rods);
    add(walls, shown.walls);
    take_range(columns_in(shown).GetArray(range.column.c_str()));
    if (shown.rods) take_range(shown.rods->GetPointData()->GetArray(range.column.c_str()));
  }

 private:
  void take_range(vtkDataArray* values) {
    if (values == nullptr || values->GetNumberOfTuples() == 0) return;
    if (values->GetInformation()->Has(vtkDataArray::UNITS_LABEL()))
      unit = values->GetInformation()->Get(vtkDataArray::UNITS_LABEL());
    double ends[2];
    values->GetFiniteRange(ends, 0);
    if (range.column == "speed") ends[0] = 0, ends[1] = quantile(values, kNearlyAll);
    if (ends[0] > ends[1]) return;
    range.lowest = any_ ? std::min(range.lowest, ends[0]) : ends[0];
    range.highest = any_ ? std::max(range.highest, ends[1]) : ends[1];
    any_ = true;
  }
  bool any_ = false;
};

nlohmann::json to_json(const vtkBoundingBox& box) {
  nlohmann::json sides = nlohmann::json::array();
  for (int k = 0; k < 6; ++k) sides.push_back(box.IsValid() ? box.GetBound(k) : 0);
  return sides;
}

/// Returns text that the page reads and does not show.
std::string script(const std::string& id, const std::string& text) {
  return fmt::format("<script type=\"text/plain\" id=\"{}\">{}</script>\n", id, text);
}

/// One kind of surface in all frames: triangles are written again only if they change.
class Layer {
 public:
  Layer(std::string name, vtkBoundingBox box, ColourRange range, bool flat)
      : name_(std::move(name)), box_(box), range_(std::move(range)), flat_(flat) {}

  /// Adds a frame. \return its data for the page
  nlohmann::json add(vtkPolyData* data, std::size_t frame, std::string& parts) {
    if (data == nullptr || data->GetNumberOfPoints() == 0) return nullptr;
    Packed packed = pack(*data, box_, range_, flat_);
    const bool changed = triangles_ != packed.triangles || edges_ != packed.edges;
    if (changed) topology_ = frame;
    parts +=
        fmt::format("<script type=\"text/plain\" id=\"{}{}\">{}</script>\n", name_, frame, as_text(packed, changed));
    nlohmann::json told{{"points", packed.corners.size() / 3},
                        {"coloured", !packed.colours.empty()},
                        {"triangles", packed.triangles.size()},
                        {"edges", packed.edges.size()},
                        {"topology", topology_}};
    triangles_ = std::move(packed.triangles);
    edges_ = std::move(packed.edges);
    return told;
  }
  nlohmann::json box() const { return to_json(box_); }

 private:
  std::string name_;
  vtkBoundingBox box_;
  ColourRange range_;
  bool flat_;
  std::vector<std::uint32_t> triangles_, edges_;
  std::size_t topology_ = 0;  ///< number of the frame that has them
};

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

/// Returns data for the page, as JSON in an element `script`: no text in it can end that element.
std::string as_script(const nlohmann::json& told) {
  std::string out;
  for (const char c : told.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace))
    out += c == '<' ? "\\u003c" : std::string(1, c);
  return out;
}

/// Escapes text between tags.
std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : printable(text)) out += c == '<' ? "&lt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

void check_column(const Shown& shown, const std::string& column) {
  const auto allowed = columns_of(columns_in(shown));
  const auto of_rods = shown.rods ? columns_of(*shown.rods->GetPointData()) : std::vector<std::string>();
  if (std::ranges::find(allowed, column) != allowed.end() || std::ranges::find(of_rods, column) != of_rods.end())
    return;
  throw InputError(fmt::format(
      "scree view: --colour is \"{}\"; allowed here: {}. More are written by \"columns\" of the writer \"vtk\".",
      column, fmt::join(allowed, ", ")));
}

}  // namespace

std::size_t write_page(const PageRequest& request) {
  const std::vector<FrameFile> all = read_series(request.out, "particles");
  if (all.empty())
    throw IoError(request.out.string() +
                  ": has no frames to show: particles.pvd is missing or empty. Give the output folder of a run whose "
                  "scene has the writer \"vtk\".");
  const std::vector<FrameFile> chosen = spread(all, request.frames);
  const Frames frames(request.out);
  Outlines outlines(request.out);
  Extent extent;
  extent.range.column = request.column;
  for (const FrameFile& frame : chosen) {
    const Shown shown = frames.read(frame);
    check_column(shown, request.column);
    extent.include(shown, outlines);
  }
  const bool flat = !(extent.bodies.GetLength(2) > 0);
  Layer bodies("bodies", extent.bodies, extent.range, flat), rods("rods", extent.bodies, extent.range, flat),
      walls("walls", extent.walls, {}, flat);
  std::string parts;
  nlohmann::json list = nlohmann::json::array();
  for (std::size_t k = 0; k < chosen.size(); ++k) {
    const Shown shown = frames.read(chosen[k]);
    nlohmann::json frame{{"time", chosen[k].time},
                         {"rods", rods.add(shown.rods, k, parts)},
                         {"walls", walls.add(shown.walls, k, parts)}};
    if (shown.points) {
      parts += script(fmt::format("points{}", k), outlines.pack(*shown.bodies, extent.bodies, extent.range));
      frame["points"] = {{"count", shown.bodies->GetNumberOfPoints()}};
    } else {
      frame["bodies"] = bodies.add(shown.bodies, k, parts);
    }
    list.push_back(std::move(frame));
  }
  const nlohmann::json told{{"flat", flat},
                            {"column", request.column},
                            {"unit", request.column == "speed" ? "m/s" : extent.unit},
                            {"range", {extent.range.lowest, extent.range.highest}},
                            {"boxes", {{"bodies", bodies.box()}, {"rods", rods.box()}, {"walls", walls.box()}}},
                            {"outlines", outlines.told(flat)},
                            {"frames", list}};
  std::filesystem::path name = std::filesystem::weakly_canonical(request.out);
  const std::string page = filled(kPage, {{"TITLE", escaped(name.filename().string())},
                                          {"THREE", kThree},
                                          {"CONTROLS", kControls},
                                          {"TOLD", as_script(told)},
                                          {"PARTS", parts},
                                          {"VIEWER", kViewer}});
  if (request.file.has_parent_path()) prepare_folder(request.file.parent_path());
  write_atomically(request.file, page);
  return page.size();
}

}  // namespace scree::render
