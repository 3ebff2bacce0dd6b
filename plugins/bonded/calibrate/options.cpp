#include "calibrate/options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "scree/base/error.hpp"
#include "solvers/blocks/solver.hpp"
#include "use_solvers.hpp"

namespace scree::bonded {
namespace {

namespace po = boost::program_options;

constexpr const char* kAbout =
    "Stretches and twists a bar of bonded elements and prints what it is like as a continuum: Young's modulus, "
    "Poisson's\n"
    "ratio and shear modulus for given moduli of the bonds. With --wanted-young and --wanted-poisson it finds the "
    "bonds'\n"
    "moduli that give these. Small strains, ends clamped, slopes over the middle 40 %.\n\n"
    "Exit codes: 0 done, 2 bad input or a Poisson's ratio out of reach, 3 no static solution found.";

void describe(CalibrateOptions& options, cli::CommandLine& line) {
  auto add = line.options();
  add("kind", po::value(&options.kind)->default_value("bcc")->value_name("NAME"),
      "of the packing: bcc (jittered tetrahedra), kuhn (cubes cut into six tetrahedra) or cubic (cells)");
  add("cells", po::value<std::vector<int>>()->multitoken()->value_name("NX NY NZ"),
      "cells along each axis; the bar lies along x, at least twice as long as wide (default: 24 6 6)");
  add("jitter", po::value(&options.box.jitter)->value_name("J"),
      "how far vertices move, in cells, from 0 to 0.5 (default: 0.18 for bcc, otherwise 0)");
  add("seed", po::value(&options.box.seed)->default_value(1)->value_name("N"), "of the jitter");
  add("mesh", po::value<std::string>()->value_name("FILE"), "a bar along x from a .msh or .vtu file instead");
  add("unit", po::value<double>()->default_value(1)->value_name("U"), "metres per unit of the file, above 0");
  add("min-quality", po::value<double>()->default_value(0.05, "0.05")->value_name("Q"),
      "least mean ratio of the file's tetrahedra, from 0 to 1");
  add("area", po::value<std::string>()->default_value("face")->value_name("NAME"),
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
}

void check_name(const char* option, const std::string& name, const std::vector<std::string>& allowed) {
  if (std::find(allowed.begin(), allowed.end(), name) == allowed.end())
    throw InputError(fmt::format("--{} {}: allowed are {}.", option, name, fmt::join(allowed, ", ")));
}

void check_positive(const char* option, double value) {
  if (!(value > 0) || !std::isfinite(value)) throw InputError(fmt::format("--{} {}: must be above 0.", option, value));
}

void check_cells(const std::vector<int>& cells) {
  if (cells.size() != 3) throw InputError(fmt::format("--cells: has {} numbers; give three.", cells.size()));
  if (*std::min_element(cells.begin(), cells.end()) < 1 || cells[0] < 2 * std::max(cells[1], cells[2]))
    throw InputError(
        fmt::format("--cells {}: give numbers from 1 on, the first at least twice the others.", fmt::join(cells, " ")));
}

MeshSource read_mesh_source(const cli::CommandLine& line) {
  const double quality = line.value<double>("min-quality");
  if (!(quality >= 0 && quality <= 1)) throw InputError(fmt::format("--min-quality {}: allowed is 0 to 1.", quality));
  check_positive("unit", line.value<double>("unit"));
  return {line.text("mesh"), line.value<double>("unit"), {quality, false}};
}

void settle_box(CalibrateOptions& options, const cli::CommandLine& line) {
  const std::vector<int> cells = line.has("cells") ? line.value<std::vector<int>>("cells") : std::vector<int>{24, 6, 6};
  check_cells(cells);
  std::copy(cells.begin(), cells.end(), options.box.cells.begin());
  options.box.size = Vec3(cells[0], cells[1], cells[2]);
  if (!line.has("jitter")) options.box.jitter = options.kind == "bcc" ? 0.18 : 0;
  if (!(options.box.jitter >= 0 && options.box.jitter <= 0.5))
    throw InputError(fmt::format("--jitter {}: allowed is 0 to 0.5.", options.box.jitter));
}

void settle_wanted(CalibrateOptions& options, const cli::CommandLine& line) {
  if (line.has("wanted-young") != line.has("wanted-poisson"))
    throw InputError("--wanted-young and --wanted-poisson: give both, or neither.");
  if (!line.has("wanted-young")) return;
  options.wanted_young = line.value<double>("wanted-young");
  options.wanted_poisson = line.value<double>("wanted-poisson");
  check_positive("wanted-young", *options.wanted_young);
  if (!(*options.wanted_poisson > -1 && *options.wanted_poisson < 0.5))
    throw InputError(fmt::format("--wanted-poisson {}: allowed is between -1 and 0.5.", *options.wanted_poisson));
}

}  // namespace

std::optional<CalibrateOptions> parse_calibrate_options(const cli::Arguments& arguments) {
  CalibrateOptions options;
  cli::CommandLine line("bonded_calibrate [options]", kAbout);
  describe(options, line);
  if (!line.parse(arguments)) return std::nullopt;
  check_name("kind", options.kind, {"bcc", "kuhn", "cubic"});
  check_name("area", line.text("area"), {"face", "projected"});
  check_name("solver", options.solver, solvers::solver_names());
  options.area = line.text("area") == "face" ? FaceArea::whole : FaceArea::projected;
  settle_box(options, line);
  const MeshSource mesh = read_mesh_source(line);
  if (line.has("mesh")) options.mesh = mesh;
  if (options.ratios.empty()) options.ratios = {0.2, 0.4, 0.5, 0.8};
  for (const double ratio : options.ratios) check_positive("ratio", ratio);
  check_positive("young", options.young);
  if (options.threads < 1)
    throw InputError(fmt::format("--threads {}: allowed are whole numbers from 1 on.", options.threads));
  options.json = line.has("json");
  settle_wanted(options, line);
  return options;
}

}  // namespace scree::bonded
