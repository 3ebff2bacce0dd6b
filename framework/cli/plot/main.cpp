/// \file Program scree-plot: charts of runs' results. `scree plot` starts it.

#include <fmt/format.h>

#include <cstdio>
#include <optional>
#include <sstream>

#include "chart.hpp"
#include "cli/command_line.hpp"
#include "cli/helper_program.hpp"
#include "cli/render/display.hpp"
#include "curves.hpp"
#include "scree/base/error.hpp"
#include "scree/base/text_lines.hpp"
#include "scree/output/atomic_file.hpp"

namespace scree::plot {

namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

struct Request {
  std::vector<std::string> runs, columns;
  RowChoice rows;
  std::optional<double> mean;
  fs::path out;
  ChartSettings settings;
};

std::vector<std::string> names_in(const std::string& text) {
  std::vector<std::string> names;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) {
    if (word.empty()) throw InputError(fmt::format("scree plot: --columns {}: a name is empty.", text));
    names.push_back(word);
  }
  return names;
}

RowChoice choice_in(const std::string& text) {
  const std::size_t equals = text.find('=');
  RowChoice choice;
  std::istringstream words(equals == std::string::npos ? "" : text.substr(equals + 1));
  for (std::string word; std::getline(words, word, ',');) {
    if (word != "last" && !parse_number<double>(word))
      throw InputError(
          fmt::format("scree plot: --where {}: \"{}\" is no number. Give numbers, or \"last\".", text, word));
    choice.values.push_back(word);
  }
  if (equals == std::string::npos || equals == 0 || choice.values.empty())
    throw InputError(fmt::format("scree plot: --where {}: give a column and values, as time_s=0.5,1.", text));
  choice.column = text.substr(0, equals);
  return choice;
}

fs::path default_out(const std::string& run) {
  const fs::path path(run);
  return (fs::is_directory(path) ? path : path.parent_path()) / "plot.png";
}

/// Returns the request, or nothing if only help was requested.
std::optional<Request> parse(const cli::Arguments& arguments) {
  cli::CommandLine line(
      "scree plot RUN... --columns A,B [options]",
      "Draws columns of metrics.csv of one run or several, a curve each, as PNG or SVG, or writes them\n"
      "as one table.",
      "RUN...");
  auto add = line.options();
  add("columns", po::value<std::string>()->value_name("A,B"),
      "columns of metrics.csv, or FILE/COLUMN of another .csv file of the run, as bed/coordination of a meter");
  add("x", po::value<std::string>()->default_value("time_s")->value_name("COLUMN"), "what they are drawn over");
  add("where", po::value<std::string>()->value_name("COLUMN=A,B"),
      "only rows whose COLUMN is nearest to A, and a curve more for B: time_s=0.5 or time_s=last of a profile, id=7");
  add("mean", po::value<double>()->value_name("WIDTH"), "means over the rows of the last WIDTH of --x, such as 0.1 s");
  add("out", po::value<std::string>()->value_name("FILE"),
      "a file .png, .svg or .csv (default: plot.png in the first run's folder)");
  add("log", "a logarithmic vertical axis, without values of 0 and below");
  add("title", po::value<std::string>()->value_name("TEXT"), "above the chart");
  add("width", po::value<int>()->default_value(1000)->value_name("N"), "width of the picture in pixels");
  if (!line.parse(arguments)) return std::nullopt;
  Request request;
  request.runs = line.all_required();
  request.columns = names_in(line.text("columns"));
  if (line.has("where")) request.rows = choice_in(line.text("where"));
  if (line.has("mean")) request.mean = line.value<double>("mean");
  request.out = line.has("out") ? fs::path(line.text("out")) : default_out(request.runs.front());
  request.settings = {
      .x = line.text("x"), .title = line.text("title"), .log_y = line.has("log"), .width = line.value<int>("width")};
  return request;
}

void check(const Request& request) {
  constexpr int narrowest = 200, widest = 4000;  // [pixels]: the window is twice as wide
  if (request.columns.empty())
    throw InputError("scree plot: --columns is missing. Name columns of metrics.csv, e.g. --columns kinetic_energy_J.");
  if (request.mean && !(*request.mean > 0))
    throw InputError(fmt::format("scree plot: --mean is {}; it must be above 0.", *request.mean));
  const std::string type = request.out.extension().string();
  if (type != ".png" && type != ".svg" && type != ".csv")
    throw InputError(
        fmt::format("scree plot: --out is {}; its name must end with .png, .svg or .csv.", request.out.string()));
  if (request.settings.width < narrowest || request.settings.width > widest)
    throw InputError(fmt::format("scree plot: --width is {}; {} to {} pixels are possible.", request.settings.width,
                                 narrowest, widest));
}

void check_log(const std::vector<Curve>& curves) {
  for (const Curve& curve : curves) {
    bool any = false;
    for (const double y : curve.y) any = any || y > 0;
    if (!any)
      throw InputError(fmt::format("scree plot: --log: {} of {} has no value above 0.", curve.column, curve.run));
  }
}

int run(int argc, char** argv) {
  const auto request = parse({argv + 1, argv + argc});
  if (!request) return 0;
  check(*request);
  // Faults of the runs are reported before a display is searched.
  std::vector<Curve> curves = read_curves(request->runs, request->columns, request->settings.x, request->rows);
  if (request->mean)
    for (Curve& curve : curves) average_over(curve, *request->mean);
  if (request->settings.log_y) check_log(curves);
  const std::string type = request->out.extension().string();
  if (type == ".png") render::ensure_display(argv, "scree plot");
  if (request->out.has_parent_path()) prepare_folder(request->out.parent_path());
  write_atomically(request->out, type == ".csv"   ? csv_of(curves, request->settings.x)
                                 : type == ".svg" ? draw_svg(curves, request->settings)
                                                  : draw_png(curves, request->settings));
  fmt::print("{}\n", request->out.string());
  return 0;
}

}  // namespace

}  // namespace scree::plot

int main(int argc, char** argv) {
  return scree::cli::helper_program([&] { return scree::plot::run(argc, argv); });
}
