/// \file The program bonded_calibrate: moduli of a packing from those of its bonds, and the other way round.

#include <fmt/format.h>
#include <omp.h>

#include <iostream>
#include <nlohmann/json.hpp>

#include "calibrate/inverse.hpp"
#include "calibrate/options.hpp"
#include "scree/base/error.hpp"
#include "scree/base/tell.hpp"

namespace scree::bonded {
namespace {

enum ExitCode { kDone = 0, kInternalError = 1, kBadInput = 2, kNotSolved = 3 };

Bar bar_of_mesh(const CalibrateOptions& options) {
  const NamedMesh mesh = read_mesh(*options.mesh);
  for (const std::string& note : mesh.notes) scree::tell(stderr, "note: " + note + "\n");
  try {
    return bar_of(mesh.mesh, options.area);
  } catch (const std::invalid_argument& e) {
    throw InputError(mesh.file + ": " + e.what());
  }
}

Bar make_bar(const CalibrateOptions& options) {
  if (options.mesh) return bar_of_mesh(options);
  if (options.kind == "cubic") return bar_of(options.box, cubic_lattice(options.box));
  return bar_of(options.box,
                elements_of(options.kind == "bcc" ? bcc_mesh(options.box) : kuhn_mesh(options.box), options.area));
}

/// One row: moduli of the bonds, and what they give.
struct Row {
  double young, ratio;  ///< moduli of the bonds [Pa], [-]
  Macroscopic macro;
};

std::vector<Row> rows_of(const CalibrateOptions& options, const Bar& bar) {
  std::vector<Row> rows;
  if (options.wanted_young) {
    const Micro micro = micro_for(bar, *options.wanted_young, *options.wanted_poisson, options.solver);
    rows.push_back({micro.young, micro.ratio, measured(bar, micro.ratio, true, options.solver)});
    return rows;
  }
  for (const double ratio : options.ratios)
    rows.push_back({options.young, ratio, measured(bar, ratio, true, options.solver)});
  return rows;
}

void print_table(const CalibrateOptions& options, const Bar& bar, const std::vector<Row>& rows) {
  fmt::print("{}, {} elements, {} bonds\n\n", options.mesh ? options.mesh->file.string() : options.kind,
             bar.elements.size(), bar.elements.shared.size());
  fmt::print("{:>12} {:>8} | {:>12} {:>8} {:>12} {:>10} {:>8}\n", "bond E [Pa]", "G/E", "E [Pa]", "nu", "G [Pa]",
             "E/E_bond", "G/E");
  for (const Row& row : rows)
    fmt::print("{:>12.6g} {:>8.4f} | {:>12.6g} {:>8.4f} {:>12.6g} {:>10.4f} {:>8.4f}\n", row.young, row.ratio,
               row.young * row.macro.young, row.macro.poisson, row.young * row.macro.shear, row.macro.young,
               row.macro.shear / row.macro.young);
}

void print_json(const CalibrateOptions& options, const Bar& bar, const std::vector<Row>& rows) {
  nlohmann::json out;
  out["packing"] = options.mesh ? options.mesh->file.string() : options.kind;
  out["elements"] = bar.elements.size();
  out["bonds"] = bar.elements.shared.size();
  for (const Row& row : rows)
    out["rows"].push_back({{"bonds", {{"young", row.young}, {"shear", row.young * row.ratio}, {"ratio", row.ratio}}},
                           {"macroscopic",
                            {{"young", row.young * row.macro.young},
                             {"poisson", row.macro.poisson},
                             {"shear", row.young * row.macro.shear}}}});
  fmt::print("{}\n", out.dump(2));
}

int run(const cli::Arguments& arguments) {
  const auto options = parse_calibrate_options(arguments);
  if (!options) return kDone;
  omp_set_num_threads(options->threads);
  const Bar bar = make_bar(*options);
  const std::vector<Row> rows = rows_of(*options, bar);
  options->json ? print_json(*options, bar, rows) : print_table(*options, bar, rows);
  return kDone;
}

int complain(const std::exception& e, ExitCode code) {
  scree::tell(stderr, std::string("error: ") + e.what() + "\n");
  return code;
}

}  // namespace
}  // namespace scree::bonded

int main(int count, char** arguments) {
  using namespace scree::bonded;
  try {
    return run({arguments + 1, arguments + count});
  } catch (const scree::InputError& e) {
    return complain(e, kBadInput);
  } catch (const OutOfReach& e) {
    std::cerr << "error: --wanted-poisson: " << e.what() << ". Choose another packing, or a ratio in this range.\n";
    return kBadInput;
  } catch (const NotSolved& e) {
    return complain(e, kNotSolved);
  } catch (const std::exception& e) {
    return complain(e, kInternalError);
  }
}
