#include "calibrate/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <cmath>
#include <iostream>

#include "linear/solver.hpp"

namespace scree::bonded {
namespace {

namespace po = boost::program_options;

constexpr const char* kUsage = "bonded_calibrate [options]";
constexpr const char* kAbout =
    "Stretches and twists a bar of bonded elements and prints what it is like as a continuum: Young's modulus, "
    "Poisson's\n"
    "ratio and shear modulus for given moduli of the bonds. With --wanted-young and --wanted-poisson it finds the "
    "bonds'\n"
    "moduli that give these. Small strains, ends clamped, slopes over the middle 40 %.\n\n"
    "Exit codes: 0 done, 2 bad input or a Poisson's ratio out of reach, 3 no static solution found.";

/// Options that are checked after they were read.
struct Raw {
  std::vector<int> cells;
  std::string area, mesh;
  double unit = 1, min_quality = 0;
};

po::options_description described(CalibrateOptions& options, Raw& raw) {
  po::options_description all("Options", 100);
  auto add = all.add_options();
  add("kind", po::value(&options.kind)->default_value("bcc")->value_name("NAME"),
      "of the packing: bcc (jittered tetrahedra), kuhn (cubes cut into six tetrahedra) or cubic (cells)");
  add("cells", po::value(&raw.cells)->multitoken()->value_name("NX NY NZ"),
      "cells along each axis; the bar lies along x, at least twice as long as wide (default: 24 6 6)");
  add("jitter", po::value(&options.box.jitter)->value_name("J"),
      "how far vertices move, in cells, from 0 to 0.5 (default: 0.18 for bcc, otherwise 0)");
  add("seed", po::value(&options.box.seed)->default_value(1)->value_name("N"), "of the jitter");
  add("mesh", po::value(&raw.mesh)->value_name("FILE"), "a bar along x from a .msh or .vtu file instead");
  add("unit", po::value(&raw.unit)->default_value(1)->value_name("U"), "metres per unit of the file, above 0");
  add("min-quality", po::value(&raw.min_quality)->default_value(0.05, "0.05")->value_name("Q"),
      "least mean ratio of the file's tetrahedra, from 0 to 1");
  add("area", po::value(&raw.area)->default_value("face")->value_name("NAME"),
      "section of a bond: face, or projected along the bond");
  add("young", po::value(&options.young)->default_value(1)->value_name("E"),
      "Young's modulus of the bonds [Pa], above 0");
  add("ratio", po::value(&options.ratios)->multitoken()->value_name("R..."),
      "G/E of the bonds, one row each, above 0 (default: 0.2 0.4 0.5 0.8)");
  add("wanted-young", po::value<double>()->value_name("E"), "macroscopic Young's modulus [Pa], above 0");
  add("wanted-poisson", po::value<double>()->value_name("NU"), "macroscopic Poisson's ratio, between -1 and 0.5");
  add("solver", po::value(&options.solver)->default_value("auto")->value_name("NAME"),
      "of linear systems: auto, block-jacobi, block-ic, multigrid, direct or cholmod");
  add("threads", po::value(&options.threads)->default_value(1)->value_name("N"), "from 1 on");
  add("json", "print JSON instead of the table");
  add("help,h", "print this and stop");
  return all;
}

po::variables_map parse(int count, const char* const* arguments, const po::options_description& all) {
  const int style = po::command_line_style::default_style & ~po::command_line_style::allow_guessing;
  po::variables_map values;
  po::store(po::command_line_parser(count, arguments)
                .options(all)
                .positional(po::positional_options_description())
                .style(style)
                .run(),
            values);
  po::notify(values);
  return values;
}

void check_name(const char* option, const std::string& name, const std::vector<std::string>& allowed) {
  if (std::find(allowed.begin(), allowed.end(), name) == allowed.end())
    throw UsageError(fmt::format("--{} {}: allowed are {}.", option, name, fmt::join(allowed, ", ")));
}

void check_positive(const char* option, double value) {
  if (!(value > 0) || !std::isfinite(value)) throw UsageError(fmt::format("--{} {}: must be above 0.", option, value));
}

void check_cells(const std::vector<int>& cells) {
  if (cells.size() != 3) throw UsageError(fmt::format("--cells: has {} numbers; give three.", cells.size()));
  if (*std::min_element(cells.begin(), cells.end()) < 1 || cells[0] < 2 * std::max(cells[1], cells[2]))
    throw UsageError(
        fmt::format("--cells {}: give numbers from 1 on, the first at least twice the others.", fmt::join(cells, " ")));
}

/// \param values  which options were given
void settle(CalibrateOptions& options, const Raw& raw, const po::variables_map& values) {
  check_name("kind", options.kind, {"bcc", "kuhn", "cubic"});
  check_name("area", raw.area, {"face", "projected"});
  check_name("solver", options.solver, solver_names());
  options.area = raw.area == "face" ? FaceArea::whole : FaceArea::projected;
  const std::vector<int> cells = raw.cells.empty() ? std::vector<int>{24, 6, 6} : raw.cells;
  check_cells(cells);
  std::copy(cells.begin(), cells.end(), options.box.cells.begin());
  options.box.size = Vec3(cells[0], cells[1], cells[2]);
  if (!values.count("jitter")) options.box.jitter = options.kind == "bcc" ? 0.18 : 0;
  if (!(options.box.jitter >= 0 && options.box.jitter <= 0.5))
    throw UsageError(fmt::format("--jitter {}: allowed is 0 to 0.5.", options.box.jitter));
  check_positive("unit", raw.unit);
  if (!(raw.min_quality >= 0 && raw.min_quality <= 1))
    throw UsageError(fmt::format("--min-quality {}: allowed is 0 to 1.", raw.min_quality));
  if (values.count("mesh")) options.mesh = MeshSource{raw.mesh, raw.unit, {raw.min_quality, false}};
  if (options.ratios.empty()) options.ratios = {0.2, 0.4, 0.5, 0.8};
  for (const double ratio : options.ratios) check_positive("ratio", ratio);
  check_positive("young", options.young);
  if (options.threads < 1)
    throw UsageError(fmt::format("--threads {}: allowed are whole numbers from 1 on.", options.threads));
}

void settle_wanted(CalibrateOptions& options, const po::variables_map& values) {
  if (values.count("wanted-young") != values.count("wanted-poisson"))
    throw UsageError("--wanted-young and --wanted-poisson: give both, or neither.");
  if (!values.count("wanted-young")) return;
  options.wanted_young = values["wanted-young"].as<double>();
  options.wanted_poisson = values["wanted-poisson"].as<double>();
  check_positive("wanted-young", *options.wanted_young);
  if (!(*options.wanted_poisson > -1 && *options.wanted_poisson < 0.5))
    throw UsageError(fmt::format("--wanted-poisson {}: allowed is between -1 and 0.5.", *options.wanted_poisson));
}

}  // namespace

std::optional<CalibrateOptions> parse_calibrate_options(int count, const char* const* arguments) {
  CalibrateOptions options;
  Raw raw;
  const po::options_description visible = described(options, raw);
  po::variables_map values;
  try {
    values = parse(count, arguments, visible);
  } catch (const po::unknown_option& e) {
    std::vector<std::string> known;
    for (const auto& option : visible.options()) known.push_back("--" + option->long_name());
    throw UsageError(fmt::format("unknown option {}. Known: {}.", e.get_option_name(), fmt::join(known, ", ")));
  } catch (const po::error& e) {
    throw UsageError(fmt::format("{}. Usage: {}.", e.what(), kUsage));
  }
  if (values.count("help")) {
    std::cout << "Usage: " << kUsage << "\n\n" << kAbout << "\n\n" << visible;
    return std::nullopt;
  }
  settle(options, raw, values);
  options.json = values.count("json") > 0;
  settle_wanted(options, values);
  return options;
}

}  // namespace scree::bonded
