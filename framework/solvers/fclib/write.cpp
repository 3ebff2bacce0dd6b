#include "solvers/fclib/write.hpp"

#include <fmt/format.h>

#include <limits>

#include "solvers/fclib/output_file.hpp"

namespace scree::fclib {
namespace {

using coulomb::DelassusProblem;
using coulomb::Vec;

/// W in compressed rows.
struct Rows {
  std::vector<int> p = {0}, i;
  std::vector<double> x;
};

template <int D>
Rows rows_of(const DelassusProblem<D>& problem) {
  Rows rows;
  for (std::size_t contact = 0; contact < problem.size(); ++contact)
    for (int k = 0; k < D; ++k) {
      for (std::size_t b = problem.row_start[contact]; b < problem.row_start[contact + 1]; ++b)
        for (int l = 0; l < D; ++l) {
          rows.i.push_back(D * static_cast<int>(problem.column[b]) + l);
          rows.x.push_back(problem.block[b](k, l));
        }
      rows.p.push_back(static_cast<int>(rows.i.size()));
    }
  return rows;
}

template <int D>
std::vector<double> numbers_of(const std::vector<Vec<D>>& vectors) {
  std::vector<double> numbers;
  for (const Vec<D>& v : vectors) numbers.insert(numbers.end(), v.begin(), v.end());
  return numbers;
}

void write_rows(OutputFile& file, const std::string& group, const Rows& rows) {
  const int lines = static_cast<int>(rows.p.size()) - 1;
  file.integer(group + "/nzmax", static_cast<int>(rows.x.size()));
  file.integer(group + "/m", lines);
  file.integer(group + "/n", lines);
  file.integer(group + "/nz", -2);
  file.integers(group + "/p", rows.p);
  file.integers(group + "/i", rows.i);
  file.reals(group + "/x", rows.x);
}

void write_iterate(OutputFile& file, const std::string& group, const Iterate& iterate) {
  const auto part = [&](const char* name, const std::vector<double>& numbers) {
    if (!numbers.empty()) file.reals(group + name, numbers);
  };
  part("/r", iterate.r);
  part("/u", iterate.u);
  part("/v", iterate.v);
  part("/l", iterate.l);
}

template <int D>
void write_problem(const std::filesystem::path& path, const Problem<D>& problem) {
  const std::size_t entries = problem.contacts.block.size() * D * D;
  if (entries > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw Error(path, "fclib_local/W",
                fmt::format("would have {} entries; at most {} can be indexed in such files.", entries,
                            std::numeric_limits<int>::max()));
  OutputFile file(path);
  file.integer("fclib_local/spacedim", D);
  write_rows(file, "fclib_local/W", rows_of(problem.contacts));
  file.reals("fclib_local/vectors/q", numbers_of(problem.contacts.q));
  file.reals("fclib_local/vectors/mu", problem.contacts.friction);
  file.text("fclib_local/info/title", problem.info.title);
  file.text("fclib_local/info/description", problem.info.description);
  file.text("fclib_local/info/math_info", problem.info.math_info);
  if (problem.solution) write_iterate(file, "solution", *problem.solution);
  if (!problem.guesses.empty()) file.integer("guesses/number_of_guesses", static_cast<int>(problem.guesses.size()));
  for (std::size_t k = 0; k < problem.guesses.size(); ++k)
    write_iterate(file, fmt::format("guesses/{}", k + 1), problem.guesses[k]);
  file.commit();
}

}  // namespace

void write(const std::filesystem::path& file, const Problem<2>& problem) { write_problem(file, problem); }
void write(const std::filesystem::path& file, const Problem<3>& problem) { write_problem(file, problem); }

}  // namespace scree::fclib
