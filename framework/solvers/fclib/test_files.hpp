#pragma once
/// \file Small FCLib files for tests, sound or broken in one place.

#include <functional>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "catch.hpp"
#include "solvers/fclib/output_file.hpp"
#include "solvers/fclib/read.hpp"
#include "temporary_folder.hpp"

namespace scree::fclib::test {

/// Datasets by name; a test changes or erases some before they are written.
struct Datasets {
  std::map<std::string, std::vector<int>> integers;
  std::map<std::string, std::vector<double>> reals;
  std::map<std::string, std::string> texts;

  void erase(const std::string& name) {
    integers.erase(name);
    reals.erase(name);
  }
  void write(const std::filesystem::path& path) const {
    OutputFile file(path);
    for (const auto& [name, values] : integers) file.integers(name, values);
    for (const auto& [name, values] : reals) file.reals(name, values);
    for (const auto& [name, value] : texts) file.text(name, value);
    file.commit();
  }
};

/// The same matrix in any storage.
inline void put(Datasets& data, const std::string& group, int rows, int columns, int nz, std::vector<int> p,
                std::vector<int> i, std::vector<double> x) {
  data.integers[group + "/m"] = {rows};
  data.integers[group + "/n"] = {columns};
  data.integers[group + "/nz"] = {nz};
  data.integers[group + "/nzmax"] = {static_cast<int>(x.size())};
  data.integers[group + "/p"] = std::move(p);
  data.integers[group + "/i"] = std::move(i);
  data.reals[group + "/x"] = std::move(x);
}

/// Two contacts in the plane. W = [2 1 0 3; 0 4 0 0; 0 0 5 0; 0 6 0 7], in compressed rows.
inline Datasets planar() {
  Datasets data;
  data.integers["fclib_local/spacedim"] = {2};
  put(data, "fclib_local/W", 4, 4, -2, {0, 3, 4, 5, 7}, {0, 1, 3, 1, 2, 1, 3}, {2, 1, 3, 4, 5, 6, 7});
  data.reals["fclib_local/vectors/q"] = {-1, 2, -3, 4};
  data.reals["fclib_local/vectors/mu"] = {0.5, 0.25};
  data.texts["fclib_local/info/title"] = "two contacts";
  return data;
}

/// One contact in space of two masses of 2 kg and 4 kg: the second hits the first along x.
inline Datasets two_masses() {
  Datasets data;
  data.integers["fclib_global/spacedim"] = {3};
  put(data, "fclib_global/M", 6, 6, 6, {0, 1, 2, 3, 4, 5}, {0, 1, 2, 3, 4, 5}, {2, 2, 2, 4, 4, 4});
  put(data, "fclib_global/H", 6, 3, 6, {0, 0, 1, 1, 2, 2}, {0, 3, 1, 4, 2, 5}, {-1, 1, -1, 1, -1, 1});
  data.reals["fclib_global/vectors/f"] = {0, 0, 0, -8, 4, 0};
  data.reals["fclib_global/vectors/w"] = {0.5, 0, 0};
  data.reals["fclib_global/vectors/mu"] = {0.5};
  return data;
}

inline AnyProblem read_back(const Datasets& data) {
  const scree::test::TemporaryFolder folder;
  data.write(folder / "problem.hdf5");
  return read(folder / "problem.hdf5");
}

/// What read() says against it, after the file's name.
inline std::string complaint(const Datasets& data) {
  const scree::test::TemporaryFolder folder;
  const std::filesystem::path path = folder / "problem.hdf5";
  data.write(path);
  const std::string message = scree::test::message_of<Error>([&] { read(path); });
  REQUIRE(message.substr(0, path.string().size() + 2) == path.string() + ": ");
  return message.substr(path.string().size() + 2);
}

/// W as a dense matrix.
template <int D>
Eigen::MatrixXd dense(const coulomb::DelassusProblem<D>& problem) {
  const auto n = static_cast<Eigen::Index>(D * problem.size());
  Eigen::MatrixXd w = Eigen::MatrixXd::Zero(n, n);
  for (std::size_t i = 0; i < problem.size(); ++i)
    for (std::size_t b = problem.row_start[i]; b < problem.row_start[i + 1]; ++b)
      w.block<D, D>(static_cast<Eigen::Index>(D * i), D * static_cast<Eigen::Index>(problem.column[b])) =
          problem.block[b];
  return w;
}

}  // namespace scree::fclib::test
