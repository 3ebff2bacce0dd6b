#include "legend.hpp"

#include <fmt/format.h>
#include <vtkActor2D.h>
#include <vtkCellArray.h>
#include <vtkNew.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper2D.h>
#include <vtkProperty2D.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>
#include <vtkTextActor.h>
#include <vtkTextProperty.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "scale.hpp"

namespace scree::render {

namespace {

constexpr Colour kLetters = {0.20, 0.21, 0.25};

class Sheet {
 public:
  explicit Sheet(const Page& page) : page_(page) {
    window_->SetOffScreenRendering(1);
    window_->SetMultiSamples(0);
    window_->SetAlphaBitPlanes(1);
    window_->SetSize(page.width, page.height);
    renderer_->SetBackground(0, 0, 0);
    renderer_->SetBackgroundAlpha(0);
    window_->AddRenderer(renderer_);
  }

  /// Adds a rectangle [pixels].
  void add_rectangle(double x, double y, double wide, double high, const Colour& colour) {
    vtkNew<vtkPoints> corners;
    for (const auto& [right, up] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 1}})
      corners->InsertNextPoint(x + right * wide, y + up * high, 0);
    vtkNew<vtkCellArray> face;
    face->InsertNextCell({0, 1, 2, 3});
    vtkNew<vtkPolyData> data;
    data->SetPoints(corners);
    data->SetPolys(face);
    vtkNew<vtkPolyDataMapper2D> mapper;
    mapper->SetInputData(data);
    vtkNew<vtkActor2D> actor;
    actor->SetMapper(mapper);
    actor->GetProperty()->SetColor(colour[0], colour[1], colour[2]);
    renderer_->AddViewProp(actor);
  }

  enum class At { left, middle, right };
  /// Adds a line of text; its middle has the height y. \param x  of the place named [pixels]
  void add_text(const std::string& text, double x, double y, At at = At::left) {
    vtkNew<vtkTextActor> label;
    label->SetInput(text.c_str());
    vtkTextProperty& style = *label->GetTextProperty();
    style.SetColor(kLetters.data());
    style.SetFontFamilyToArial();
    style.SetFontSize(page_.text);
    style.SetVerticalJustificationToCentered();
    if (at == At::middle) style.SetJustificationToCentered();
    if (at == At::right) style.SetJustificationToRight();
    label->SetDisplayPosition(static_cast<int>(x), static_cast<int>(y));
    renderer_->AddViewProp(label);
  }

  void add_scale(const Colouring& colouring, const std::string& title) {
    constexpr int steps = 96;
    const double low = page_.foot + 0.10 * (page_.height - page_.foot), high = 0.62 * (page_.height - page_.foot),
                 left = page_.scene_width + 0.6 * page_.text, wide = 0.9 * page_.text;
    for (int k = 0; k < steps; ++k)
      add_rectangle(left, low + high * k / steps, wide, high / steps + 1,
                    colour_in_map(colouring.map, (k + 0.5) / steps));
    const double largest = std::max(std::abs(colouring.lowest), std::abs(colouring.highest));
    const Unit unit = suitable_unit(colouring.unit, largest);
    for (const auto& [value, label] : round_ticks(colouring.lowest, colouring.highest, unit.factor)) {
      const double y = low + high * (value - colouring.lowest) / (colouring.highest - colouring.lowest);
      add_rectangle(left + wide, y - 1, 0.3 * page_.text, 2, kLetters);
      add_text(label, left + wide + 0.55 * page_.text, y);
    }
    double y = low + high + 1.3 * page_.text;
    if (!unit.name.empty()) add_text(fmt::format("[{}]", unit.name), left, y), y += 1.3 * page_.text;
    std::vector<std::string> lines;
    for (std::size_t from = 0; from <= title.size();) {
      const std::size_t to = std::min(title.find('_', from), title.size());
      lines.push_back(title.substr(from, to - from));
      from = to + 1;
    }
    for (auto line = lines.rbegin(); line != lines.rend(); ++line) add_text(*line, left, y), y += 1.3 * page_.text;
  }

  void add_names(const std::vector<std::pair<Colour, std::string>>& names) {
    const double step = 1.7 * page_.text, left = page_.scene_width + 0.6 * page_.text;
    double y = page_.foot + 0.5 * (page_.height - page_.foot) + 0.5 * step * static_cast<double>(names.size());
    for (const auto& [colour, name] : names) {
      add_rectangle(left, y - 0.5 * page_.text, page_.text, page_.text, colour);
      add_text(name, left + 1.5 * page_.text, y);
      y -= step;
    }
  }

  void add_foot(double time, double metres_per_pixel) {
    const double y = 0.5 * page_.foot, side = page_.text;
    add_text(fmt::format("t = {} s", time == 0 || std::abs(time) >= 1e-3 ? fmt::format("{:.3f}", time)
                                                                         : fmt::format("{:.3g}", time)),
             side, y);
    if (!(metres_per_pixel > 0)) return;
    const double length = round_down(0.25 * page_.scene_width * metres_per_pixel);
    const Unit unit = suitable_unit("m", length);
    const double wide = length / metres_per_pixel, right = page_.scene_width - side, thick = 0.16 * page_.text;
    add_rectangle(right - wide, y - thick / 2, wide, thick, kLetters);
    for (const double x : {right - wide, right - thick})
      add_rectangle(x, y - 0.3 * page_.text, thick, 0.6 * page_.text, kLetters);
    add_text(fmt::format("{:.4g} {}", length * unit.factor, unit.name), right - wide - 0.5 * page_.text, y, At::right);
  }

  Bitmap picture() { return grabbed(*window_); }

 private:
  Page page_;
  vtkNew<vtkRenderWindow> window_;
  vtkNew<vtkRenderer> renderer_;
};

}  // namespace

Bitmap legend(const Page& page, const Notes& notes) {
  Sheet sheet(page);
  const Colouring* const colouring = notes.colouring;
  if (colouring && colouring->kind == Colouring::Kind::scale) sheet.add_scale(*colouring, notes.title);
  if (colouring && colouring->kind == Colouring::Kind::names) {
    constexpr std::size_t most = 10;
    std::vector<std::pair<Colour, std::string>> names;
    for (const auto& [number, name] : colouring->names) {
      if (names.size() < most) names.emplace_back(colouring->of(static_cast<double>(number)), name);
    }
    sheet.add_names(names);
  }
  if (colouring && colouring->kind == Colouring::Kind::states) {
    std::vector<std::pair<Colour, std::string>> names = {{kExterior, "exterior"}, {kInterface, "interface"}};
    if (notes.stored) names.emplace_back(kStored, "stored");
    if (notes.mesh) names.emplace_back(Colour{0.72, 0.73, 0.76}, "mesh");
    sheet.add_names(names);
  }
  sheet.add_foot(notes.time, notes.metres_per_pixel);
  return sheet.picture();
}

}  // namespace scree::render
