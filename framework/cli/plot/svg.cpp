#include <fmt/format.h>

#include <algorithm>

#include "chart.hpp"
#include "layout.hpp"
#include "scree/base/printable.hpp"

namespace scree::plot {

namespace {

constexpr double kLeft = 90, kRight = 30, kBottom = 50, kTop = 30;  ///< about the axes [pixels]
constexpr double kCharacter = 0.6;                                  ///< width of a letter over its size

/// Escapes text of an element, of characters that XML knows.
std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      default:
        safe += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
    }
  }
  return safe;
}

/// Chart as SVG elements. VTK 9.1 has a writer of its own, which clips curves by a rectangle in other units.
class SvgChart {
 public:
  SvgChart(const ChartLayout& layout, const ChartSettings& settings)
      : layout_(layout), right_(layout.width - kRight), bottom_(layout.height - kBottom) {
    text_ = fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
        "font-family=\"Helvetica, Arial, sans-serif\">\n<rect width=\"{0}\" height=\"{1}\" fill=\"white\"/>\n",
        layout.width, layout.height);
    axes(settings);
    for (std::size_t k = 0; k < layout.curves.size(); ++k) curve(k);
    if (layout.curves.size() > 1) legend();
    text_ += "</svg>\n";
  }
  const std::string& text() const { return text_; }

 private:
  double x_of(double value) const {
    return kLeft + (value - layout_.x.lower) / (layout_.x.upper - layout_.x.lower) * (right_ - kLeft);
  }
  double y_of(double value) const {
    return bottom_ - (value - layout_.y.lower) / (layout_.y.upper - layout_.y.lower) * (bottom_ - kTop);
  }
  void line(double x1, double y1, double x2, double y2, const char* colour) {
    text_ += fmt::format("<path d=\"M{:.2f} {:.2f}L{:.2f} {:.2f}\" stroke=\"{}\"/>\n", x1, y1, x2, y2, colour);
  }
  void words(const std::string& what, double x, double y, int size, const char* anchor, const char* more = "") {
    text_ += fmt::format("<text x=\"{:.2f}\" y=\"{:.2f}\" font-size=\"{}\" text-anchor=\"{}\"{}>{}</text>\n", x, y,
                         size, anchor, more, escaped(what));
  }

  void axes(const ChartSettings& settings) {
    for (std::size_t i = 0; i < layout_.x.places.size(); ++i) {
      const double x = x_of(layout_.x.places[i]);
      line(x, kTop, x, bottom_, "#e1e1e1");
      words(layout_.x.labels[i], x, bottom_ + 16, ChartLayout::kLabelSize, "middle");
    }
    for (std::size_t i = 0; i < layout_.y.places.size(); ++i) {
      const double y = y_of(layout_.y.places[i]);
      line(kLeft, y, right_, y, "#e1e1e1");
      words(layout_.y.labels[i], kLeft - 6, y + 4, ChartLayout::kLabelSize, "end");
    }
    line(kLeft, bottom_, right_, bottom_, "black");
    line(kLeft, kTop, kLeft, bottom_, "black");
    words(settings.x, (kLeft + right_) / 2, layout_.height - 12., ChartLayout::kNameSize, "middle");
    words(settings.title, (kLeft + right_) / 2, 20, ChartLayout::kTitleSize, "middle");
    const double middle = (kTop + bottom_) / 2;
    words(layout_.y_title, 18, middle, ChartLayout::kNameSize, "middle",
          fmt::format(" transform=\"rotate(-90 18 {:.2f})\"", middle).c_str());
  }

  std::string stroke(std::size_t k) const {
    constexpr const char* kPatterns[kDashes] = {"", " stroke-dasharray=\"8 4\"", " stroke-dasharray=\"2 3\"",
                                                " stroke-dasharray=\"8 3 2 3\""};
    const Colour& c = colour_of(k);
    return fmt::format("stroke=\"#{:02x}{:02x}{:02x}\" stroke-width=\"2\" stroke-linecap=\"round\"{}", c[0], c[1], c[2],
                       kPatterns[dash_of(k)]);
  }

  /// Adds a curve. One of a single point is a dot: a line of no length with round ends.
  void curve(std::size_t k) {
    const Curve& curve = layout_.curves[k];
    text_ += fmt::format("<path fill=\"none\" {} d=\"", stroke(k));
    for (std::size_t i = 0; i < curve.x.size(); ++i)
      text_ += fmt::format("{}{:.2f} {:.2f}", i ? "L" : "M", x_of(curve.x[i]), y_of(curve.y[i]));
    text_ += curve.x.size() == 1 ? "h0\"/>\n" : "\"/>\n";
  }

  void legend() {
    std::size_t longest = 0;
    for (const Curve& curve : layout_.curves) longest = std::max(longest, label_of(curve, layout_.curves).size());
    const double left =
        std::max(kLeft + 40, right_ - kCharacter * ChartLayout::kLabelSize * static_cast<double>(longest));
    for (std::size_t k = 0; k < layout_.curves.size(); ++k) {
      const double y = kTop + ChartLayout::kLegendRow * (static_cast<double>(k) + 0.7);
      text_ += fmt::format("<path {} d=\"M{:.2f} {:.2f}h22\"/>\n", stroke(k), left - 28, y - 4);
      words(label_of(layout_.curves[k], layout_.curves), left, y, ChartLayout::kLabelSize, "start");
    }
  }

  const ChartLayout& layout_;
  double right_, bottom_;
  std::string text_;
};

}  // namespace

std::string draw_svg(const std::vector<Curve>& curves, const ChartSettings& settings) {
  const ChartLayout layout(curves, settings);
  return SvgChart(layout, settings).text();
}

}  // namespace scree::plot
