#include "chart.hpp"

#include <vtkAxis.h>
#include <vtkChartLegend.h>
#include <vtkChartXY.h>
#include <vtkContextScene.h>
#include <vtkContextView.h>
#include <vtkDoubleArray.h>
#include <vtkNew.h>
#include <vtkPen.h>
#include <vtkPlot.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>
#include <vtkSmartPointer.h>
#include <vtkStringArray.h>
#include <vtkTable.h>
#include <vtkTextProperty.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "cli/render/picture.hpp"
#include "layout.hpp"

namespace scree::plot {

namespace {

constexpr std::array<int, kDashes> kLines = {vtkPen::SOLID_LINE, vtkPen::DASH_LINE, vtkPen::DOT_LINE,
                                             vtkPen::DASH_DOT_LINE};

vtkSmartPointer<vtkDoubleArray> array_of(const std::vector<double>& values, const std::string& name) {
  vtkNew<vtkDoubleArray> array;
  array->SetName(name.c_str());
  for (const double value : values) array->InsertNextValue(value);
  return array;
}

/// Chart in a hidden window.
class Chart {
 public:
  /// \param scale  pixels per unit of length of the picture
  Chart(const std::vector<Curve>& curves, const ChartSettings& settings, int scale) : scale_(scale) {
    const ChartLayout layout(curves, settings);
    view_->GetRenderer()->SetBackground(1, 1, 1);
    window().SetOffScreenRendering(1);
    window().SetMultiSamples(0);
    window().SetSize(layout.width * scale, layout.height * scale);
    view_->GetScene()->AddItem(chart_);
    if (!settings.title.empty()) chart_->SetTitle(settings.title);
    set_text(*chart_->GetTitleProperties(), ChartLayout::kTitleSize);
    chart_->SetHiddenAxisBorder(30 * scale);  // half of the last number of an axis lies in it
    set_axis(vtkAxis::BOTTOM, settings.x, layout.x);
    set_axis(vtkAxis::LEFT, layout.y_title, layout.y);
    chart_->SetShowLegend(curves.size() > 1);
    chart_->GetLegend()->SetHorizontalAlignment(vtkChartLegend::RIGHT);
    set_text(*chart_->GetLegend()->GetLabelProperties(), ChartLayout::kLabelSize);
    for (std::size_t k = 0; k < curves.size(); ++k) add(layout, k);
  }

  vtkRenderWindow& window() { return *view_->GetRenderWindow(); }
  void render() { view_->Render(); }

 private:
  void set_text(vtkTextProperty& text, int size) const {
    text.SetFontSize(size * scale_);
    text.SetFontFamilyToArial();
    text.SetBold(0);
  }
  void set_axis(int which, const std::string& title, const Ticks& ticks) {
    vtkAxis& axis = *chart_->GetAxis(which);
    axis.SetTitle(title);
    set_text(*axis.GetTitleProperties(), ChartLayout::kNameSize);
    set_text(*axis.GetLabelProperties(), ChartLayout::kLabelSize);
    axis.SetBehavior(vtkAxis::FIXED);
    axis.SetRange(ticks.lower, ticks.upper);
    vtkNew<vtkStringArray> labels;
    for (const std::string& label : ticks.labels) labels->InsertNextValue(label);
    axis.SetCustomTickPositions(array_of(ticks.places, "places"), labels);
    axis.GetPen()->SetWidth(static_cast<float>(scale_));
    axis.GetGridPen()->SetColor(225, 225, 225);
    axis.GetGridPen()->SetWidth(static_cast<float>(scale_));
  }
  void add(const ChartLayout& layout, std::size_t k) {
    const Curve& curve = layout.curves[k];
    vtkNew<vtkTable> table;
    table->AddColumn(array_of(curve.x, "x"));
    table->AddColumn(array_of(curve.y, label_of(curve, layout.curves)));
    const bool is_line = curve.x.size() > 1;
    const auto& colour = colour_of(k);
    vtkPlot& line = *chart_->AddPlot(is_line ? vtkChart::LINE : vtkChart::POINTS);
    line.SetInputData(table, 0, 1);
    line.SetColor(colour[0], colour[1], colour[2], 255);
    line.SetWidth((is_line ? 2.F : 6.F) * static_cast<float>(scale_));
    line.GetPen()->SetLineType(kLines[dash_of(k)]);
  }

  vtkNew<vtkContextView> view_;
  vtkNew<vtkChartXY> chart_;
  int scale_;
};

constexpr int kSupersampling = 2;

}  // namespace

std::string draw_png(const std::vector<Curve>& curves, const ChartSettings& settings) {
  Chart chart(curves, settings, kSupersampling);
  chart.render();
  return render::png_of(chart.window(), kSupersampling);
}

}  // namespace scree::plot
