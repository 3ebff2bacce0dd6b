#include "solvers/fclib/read.hpp"

#include <fmt/format.h>

#include "solvers/fclib/blocks.hpp"
#include "solvers/fclib/input_file.hpp"
#include "solvers/fclib/matrix.hpp"
#include "solvers/fclib/reduce.hpp"

namespace scree::fclib {
namespace {

constexpr const char* kLocal = "fclib_local";
constexpr const char* kGlobal = "fclib_global";

void refuse_rolling(const InputFile& file, const std::string& place) {
  file.fail(place,
            "is a problem with rolling friction (five unknowns per contact); only sliding friction is supported.");
}

/// The group that holds the problem.
std::string form_of(const InputFile& file) {
  for (const std::string& name : file.children("/"))
    if (name.find("rolling") != std::string::npos) refuse_rolling(file, name);
  if (file.has(kLocal)) return kLocal;
  if (file.has(kGlobal)) return kGlobal;
  file.fail("",
            fmt::format("holds neither \"{}\" nor \"{}\": it is an HDF5 file, but no FCLib problem.", kLocal, kGlobal));
}

int dimension(const InputFile& file, const std::string& form) {
  const std::int64_t d = file.integer(form + "/spacedim");
  if (d == 5 || file.has(form + "/vectors/mu_r")) refuse_rolling(file, form);
  if (d != 2 && d != 3) file.fail(form + "/spacedim", fmt::format("is {}; allowed: 2 and 3.", d));
  return static_cast<int>(d);
}

/// An empty matrix is as good as none: some programs always write one.
void refuse_equalities(const InputFile& file, const std::string& form) {
  for (const char* name : {"/V", "/R", "/G"}) {
    const std::string group = form + name;
    if (file.has(group) && file.integer(group + "/m") > 0 && file.integer(group + "/n") > 0)
      file.fail(group,
                "is a matrix of equality constraints (joints), which are not supported. Eliminate them from the "
                "problem: only contacts may be left.");
  }
}

std::vector<double> vector(const InputFile& file, const std::string& name, int size, std::string_view reason) {
  std::vector<double> values = file.reals(name);
  if (values.size() != static_cast<std::size_t>(size))
    file.fail(name, fmt::format("has {} numbers, expected {}: {}.", values.size(), size, reason));
  return values;
}

/// \param numbers  D for each contact
std::vector<double> frictions(const InputFile& file, const std::string& form, int numbers, int d) {
  if (numbers % d != 0)
    file.fail(form, fmt::format("has {} contact components, which is no multiple of spacedim = {}.", numbers, d));
  const std::string name = form + "/vectors/mu";
  std::vector<double> mu = vector(file, name, numbers / d, "one for each contact");
  for (std::size_t i = 0; i < mu.size(); ++i)
    if (mu[i] < 0) file.fail(name, fmt::format("friction of contact {} is {}; it must be 0 or above.", i, mu[i]));
  return mu;
}

template <int D>
void read_local(const InputFile& file, Problem<D>& problem) {
  const std::string form = kLocal;
  const SparseMatrix w = read_matrix(file, form + "/W");
  if (w.rows() != w.cols())
    file.fail(form + "/W", fmt::format("has {} rows and {} columns; it must be square.", w.rows(), w.cols()));
  const int n = static_cast<int>(w.rows());
  std::vector<double> mu = frictions(file, form, n, D);
  problem.contacts = in_blocks<D>(w, vector(file, form + "/vectors/q", n, "one for each row of W"), std::move(mu));
}

SparseMatrix read_mass(const InputFile& file, const std::string& group) {
  constexpr double rounding = 1e-8;  // what programs leave that sum element matrices in two orders
  SparseMatrix mass = read_matrix(file, group);
  if (mass.rows() != mass.cols())
    file.fail(group, fmt::format("has {} rows and {} columns; it must be square.", mass.rows(), mass.cols()));
  if (is_triangular(mass)) return mirrored(mass);
  if (const double off = asymmetry(mass); off > rounding)
    file.fail(group, fmt::format("is not symmetric: entries differ from their mirror images by {:.2g} of the largest; "
                                 "allowed: {}. A mass matrix is symmetric; store it whole or one triangle of it.",
                                 off, rounding));
  return mass;
}

Eigen::VectorXd eigen(const std::vector<double>& numbers) {
  return Eigen::Map<const Eigen::VectorXd>(numbers.data(), static_cast<Eigen::Index>(numbers.size()));
}

GlobalForm read_global_form(const InputFile& file, const std::string& form) {
  GlobalForm global;
  global.mass = read_mass(file, form + "/M");
  global.directions = read_matrix(file, form + "/H");
  const int dofs = static_cast<int>(global.mass.rows());
  if (global.directions.rows() != dofs)
    file.fail(form + "/H",
              fmt::format("has {} rows, but M has {}; they must be as many.", global.directions.rows(), dofs));
  global.f = eigen(vector(file, form + "/vectors/f", dofs, "one for each row of M"));
  const int columns = static_cast<int>(global.directions.cols());
  global.w = eigen(vector(file, form + "/vectors/w", columns, "one for each column of H"));
  return global;
}

template <int D>
void read_global(const InputFile& file, Problem<D>& problem) {
  const std::string form = kGlobal;
  problem.global = read_global_form(file, form);
  std::vector<double> mu = frictions(file, form, static_cast<int>(problem.global->directions.cols()), D);
  const std::optional<LocalForm> local = reduced(*problem.global);
  if (!local)
    file.fail(form + "/M", "is not positive definite; a mass matrix must be. Does a degree of freedom have no mass?");
  problem.contacts = in_blocks<D>(local->w, local->q, std::move(mu));
}

Iterate read_iterate(const InputFile& file, const std::string& group) {
  const auto part = [&](const char* name) {
    return file.has(group + name) ? file.reals(group + name) : std::vector<double>{};
  };
  return {part("/r"), part("/u"), part("/v"), part("/l")};
}

template <int D>
void check(const InputFile& file, const std::string& group, const Iterate& iterate, std::size_t contacts) {
  const auto whole = [&](const char* name, const std::vector<double>& numbers) {
    if (!numbers.empty() && numbers.size() != D * contacts)
      file.fail(group + name,
                fmt::format("has {} numbers, expected {}: {} for each contact.", numbers.size(), D * contacts, D));
  };
  whole("/r", iterate.r);
  whole("/u", iterate.u);
}

template <int D>
void read_iterates(const InputFile& file, Problem<D>& problem) {
  if (file.has("solution")) {
    problem.solution = read_iterate(file, "solution");
    check<D>(file, "solution", *problem.solution, problem.contacts.size());
  }
  if (!file.has("guesses/number_of_guesses")) return;
  const std::int64_t guesses = file.integer("guesses/number_of_guesses");
  for (std::int64_t k = 1; k <= guesses; ++k) {
    const std::string group = fmt::format("guesses/{}", k);
    if (!file.has(group)) file.fail(group, fmt::format("is missing; guesses/number_of_guesses says {}.", guesses));
    problem.guesses.push_back(read_iterate(file, group));
    check<D>(file, group, problem.guesses.back(), problem.contacts.size());
  }
}

template <int D>
Problem<D> read_problem(const InputFile& file, const std::string& form) {
  refuse_equalities(file, form);
  Problem<D> problem;
  if (form == kLocal)
    read_local(file, problem);
  else
    read_global(file, problem);
  problem.info = {file.text(form + "/info/title"), file.text(form + "/info/description"),
                  file.text(form + "/info/math_info")};
  read_iterates(file, problem);
  return problem;
}

}  // namespace

AnyProblem read(const std::filesystem::path& path) {
  const InputFile file(path);
  const std::string form = form_of(file);
  if (dimension(file, form) == 2) return read_problem<2>(file, form);
  return read_problem<3>(file, form);
}

}  // namespace scree::fclib
