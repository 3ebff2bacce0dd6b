#include "solvers/fclib/read.hpp"

#include <fstream>

#include "solvers/fclib/test_files.hpp"

namespace scree::fclib {

using scree::test::message_of;
using scree::test::TemporaryFolder;
using test::complaint;
using test::Datasets;
using test::dense;
using test::planar;
using test::put;
using test::read_back;
using test::two_masses;

namespace {

Eigen::Matrix4d planar_w() {
  Eigen::Matrix4d w;
  w << 2, 1, 0, 3, 0, 4, 0, 0, 0, 0, 5, 0, 0, 6, 0, 7;
  return w;
}

Problem<2> read_planar(const Datasets& data) { return std::get<Problem<2>>(read_back(data)); }

}  // namespace

TEST_CASE("local form: W by blocks, q and friction of each contact, title") {
  const Problem<2> problem = read_planar(planar());
  CHECK(dense(problem.contacts) == planar_w());
  CHECK(problem.contacts.q[1] == coulomb::Vec<2>(-3, 4));
  CHECK(problem.contacts.friction == std::vector{0.5, 0.25});
  CHECK(problem.info.title == "two contacts");
  CHECK(!problem.solution);
  CHECK(problem.guesses.empty());
  CHECK(!problem.global);
}

TEST_CASE("compressed rows, compressed columns and triplets are the same matrix") {
  Datasets data = planar();
  put(data, "fclib_local/W", 4, 4, -1, {0, 1, 4, 5, 7}, {0, 0, 1, 3, 2, 0, 3}, {2, 1, 4, 6, 5, 3, 7});
  CHECK(dense(read_planar(data).contacts) == planar_w());
  // Triplets in any order; one entry in two parts; more room than is used.
  put(data, "fclib_local/W", 4, 4, 8, {3, 0, 1, 1, 2, 1, 3, 3, 9}, {3, 0, 0, 1, 2, 3, 0, 0, 9},
      {7, 2, 1, 4, 5, 6, 1, 2, 9});
  CHECK(dense(read_planar(data).contacts) == planar_w());
}

TEST_CASE("columns of a row of blocks ascend, and the diagonal is there even where it is empty") {
  Datasets data = planar();
  put(data, "fclib_local/W", 4, 4, 2, {3, 0}, {0, 3}, {1, 2});
  const Problem<2> problem = read_planar(data);
  CHECK(problem.contacts.row_start == std::vector<std::size_t>{0, 2, 4});
  CHECK(problem.contacts.column == std::vector<std::uint32_t>{0, 1, 0, 1});
  CHECK(problem.contacts.block[0].isZero(0));
  CHECK(problem.contacts.block[1](0, 1) == 1);
}

TEST_CASE("global form: two masses approach with the inverse of their reduced mass") {
  const auto problem = std::get<Problem<3>>(read_back(two_masses()));
  // 1/2 + 1/4; u = v_2 - v_1 + w with v = M^-1 f
  CHECK(dense(problem.contacts).isApprox(0.75 * Eigen::Matrix3d::Identity(), 1e-15));
  CHECK(problem.contacts.q[0].isApprox(coulomb::Vec<3>(-1.5, 1, 0), 1e-15));
  REQUIRE(problem.global);
  CHECK(problem.global->f[3] == -8);
  CHECK(problem.global->directions.rows() == 6);
}

TEST_CASE("one triangle of the mass matrix stands for the whole") {
  Datasets data = two_masses();
  // Mass 1 and 2 coupled along x: m_03 = m_30 = 1.
  const std::vector<double> diagonal = {2, 2, 2, 4, 4, 4};
  const auto with = [&](std::vector<int> p, std::vector<int> i) {
    std::vector<int> columns = {0, 1, 2, 3, 4, 5}, rows = columns;
    std::vector<double> x = diagonal;
    x.resize(diagonal.size() + p.size(), 1);
    columns.insert(columns.end(), p.begin(), p.end());
    rows.insert(rows.end(), i.begin(), i.end());
    put(data, "fclib_global/M", 6, 6, static_cast<int>(x.size()), columns, rows, x);
    return std::get<Problem<3>>(read_back(data));
  };
  const auto whole = with({0, 3}, {3, 0}), upper = with({3}, {0}), lower = with({0}, {3});
  // (-1, 1) [2 1; 1 4]^-1 (-1, 1)^T = (4 + 2 + 1 + 1) / 7
  CHECK(dense(whole.contacts)(0, 0) == Approx(8. / 7).epsilon(1e-14));
  CHECK(dense(upper.contacts) == dense(whole.contacts));
  CHECK(dense(lower.contacts) == dense(whole.contacts));
  CHECK(upper.global->mass.isApprox(whole.global->mass));
}

TEST_CASE("guesses and solutions come along") {
  Datasets data = planar();
  data.integers["guesses/number_of_guesses"] = {2};
  data.reals["guesses/1/r"] = {1, 2, 3, 4};
  data.reals["guesses/2/u"] = {5, 6, 7, 8};
  data.reals["solution/r"] = {0, 0, 1, 0.125};
  const Problem<2> problem = read_planar(data);
  REQUIRE(problem.guesses.size() == 2);
  CHECK(problem.guesses[0].r == std::vector<double>{1, 2, 3, 4});
  CHECK(problem.guesses[1].r.empty());
  CHECK(problem.guesses[1].u == std::vector<double>{5, 6, 7, 8});
  CHECK(by_contact<2>(problem.solution->r)[1] == coulomb::Vec<2>(1, 0.125));
}

TEST_CASE("a file that is not there, no HDF5, or cut off") {
  const TemporaryFolder folder;
  const auto path = folder / "problem.hdf5";
  const auto message = [&] { return message_of<Error>([&] { read(path); }); };
  CHECK(message() == path.string() + ": cannot be read. Is it there, and may you read it?");
  std::ofstream(path) << "W = 1\n";
  CHECK(message() == path.string() + ": is no HDF5 file, or a truncated one. FCLib files are HDF5.");
  planar().write(path);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  CHECK(message() == path.string() + ": is no HDF5 file, or a truncated one. FCLib files are HDF5.");
}

TEST_CASE("an HDF5 file of something else") {
  Datasets data;
  data.reals["temperature"] = {1};
  CHECK(complaint(data) ==
        "holds neither \"fclib_local\" nor \"fclib_global\": it is an HDF5 file, but no FCLib problem.");
}

TEST_CASE("missing datasets are named") {
  for (const char* name : {"fclib_local/spacedim", "fclib_local/W/p", "fclib_local/W/x", "fclib_local/W/nz",
                           "fclib_local/vectors/q", "fclib_local/vectors/mu"}) {
    Datasets data = planar();
    data.erase(name);
    CHECK(complaint(data) == std::string(name) + ": is missing; this form of problem needs it.");
  }
  Datasets data = two_masses();
  for (const char* part : {"m", "n", "nz", "nzmax", "p", "i", "x"}) data.erase(std::string("fclib_global/H/") + part);
  CHECK(complaint(data) == "fclib_global/H: is missing; this form of problem needs it.");
}

TEST_CASE("sizes that do not fit together") {
  Datasets data = planar();
  data.reals["fclib_local/vectors/q"].pop_back();
  CHECK(complaint(data) == "fclib_local/vectors/q: has 3 numbers, expected 4: one for each row of W.");
  data = planar();
  data.reals["fclib_local/vectors/mu"].push_back(1);
  CHECK(complaint(data) == "fclib_local/vectors/mu: has 3 numbers, expected 2: one for each contact.");
  data = planar();
  data.integers["fclib_local/W/p"].pop_back();
  CHECK(complaint(data) == "fclib_local/W/p: has 4 numbers; 4 compressed rows need 5. Is nz = -2 right?");
  data = planar();
  data.reals["fclib_local/W/x"].pop_back();
  CHECK(complaint(data) ==
        "fclib_local/W/x: has 6 numbers, but 7 entries are stored. The file is incomplete; write it anew.");
  data = planar();
  data.integers["fclib_local/W/n"] = {6};
  CHECK(complaint(data) == "fclib_local/W: has 4 rows and 6 columns; it must be square.");
  data = planar();
  data.integers["fclib_local/spacedim"] = {3};
  CHECK(complaint(data) == "fclib_local: has 4 contact components, which is no multiple of spacedim = 3.");
  data = planar();
  data.reals["solution/r"] = {1};
  CHECK(complaint(data) == "solution/r: has 1 numbers, expected 4: 2 for each contact.");
  data = two_masses();
  data.reals["fclib_global/vectors/f"].push_back(0);
  CHECK(complaint(data) == "fclib_global/vectors/f: has 7 numbers, expected 6: one for each row of M.");
  data = two_masses();
  data.integers["fclib_global/H/m"] = {7};
  CHECK(complaint(data) == "fclib_global/H: has 7 rows, but M has 6; they must be as many.");
}

TEST_CASE("numbers that cannot be") {
  Datasets data = planar();
  data.reals["fclib_local/vectors/q"][2] = std::numeric_limits<double>::quiet_NaN();
  CHECK(complaint(data) ==
        "fclib_local/vectors/q: number 2 is nan; all must be finite. The program that wrote the problem had failed.");
  data = planar();
  data.reals["fclib_local/W/x"][0] = std::numeric_limits<double>::infinity();
  CHECK(complaint(data) ==
        "fclib_local/W/x: number 0 is inf; all must be finite. The program that wrote the problem had failed.");
  data = planar();
  data.reals["fclib_local/vectors/mu"][1] = -0.25;
  CHECK(complaint(data) == "fclib_local/vectors/mu: friction of contact 1 is -0.25; it must be 0 or above.");
  data = planar();
  data.integers["fclib_local/W/i"][3] = 4;
  CHECK(complaint(data) == "fclib_local/W/i: number 3 is 4; indices begin at 0 and must be below 4.");
  data = planar();
  data.integers["fclib_local/W/p"][2] = 2;
  CHECK(complaint(data) == "fclib_local/W/p: number 2 is 2, below 3 before it; where lines begin cannot descend.");
  data = planar();
  data.integers["fclib_local/W/nz"] = {-3};
  CHECK(complaint(data) ==
        "fclib_local/W/nz: is -3; allowed: -2 compressed rows, -1 compressed columns, 0 or more: the number of "
        "triplets.");
  data = planar();
  data.integers["fclib_local/W/m"] = {-1};
  CHECK(complaint(data) == "fclib_local/W/m: is -1; a matrix has 0 to 2147483647 rows and columns.");
  data = planar();
  data.integers["fclib_local/spacedim"] = {4};
  CHECK(complaint(data) == "fclib_local/spacedim: is 4; allowed: 2 and 3.");
}

TEST_CASE("a mass matrix that is none") {
  Datasets data = two_masses();
  data.reals["fclib_global/M/x"][4] = 0;
  CHECK(complaint(data) ==
        "fclib_global/M: is not positive definite; a mass matrix must be. Does a degree of freedom have no mass?");
  data = two_masses();
  put(data, "fclib_global/M", 2, 2, 4, {0, 1, 0, 1}, {0, 0, 1, 1}, {2, 1, 0.5, 2});
  CHECK(complaint(data) ==
        "fclib_global/M: is not symmetric: entries differ from their mirror images by 0.25 of the largest; allowed: "
        "1e-08. A mass matrix is symmetric; store it whole or one triangle of it.");
}

TEST_CASE("joints and rolling friction are refused, empty joints are not") {
  Datasets data = planar();
  put(data, "fclib_local/V", 4, 1, 1, {0}, {0}, {1});
  CHECK(complaint(data) ==
        "fclib_local/V: is a matrix of equality constraints (joints), which are not supported. Eliminate them from "
        "the problem: only contacts may be left.");
  data = planar();
  put(data, "fclib_local/V", 4, 0, 0, {}, {}, {});
  CHECK(read_planar(data).contacts.size() == 2);
  data = planar();
  data.integers["fclib_local/spacedim"] = {5};
  const std::string rolling =
      ": is a problem with rolling friction (five unknowns per contact); only sliding friction is supported.";
  CHECK(complaint(data) == "fclib_local" + rolling);
  data = {};
  data.integers["fclib_global_rolling/spacedim"] = {5};
  CHECK(complaint(data) == "fclib_global_rolling" + rolling);
}

TEST_CASE("a problem without contacts is one") {
  Datasets data = planar();
  put(data, "fclib_local/W", 0, 0, -2, {0}, {}, {});
  data.reals["fclib_local/vectors/q"] = {};
  data.reals["fclib_local/vectors/mu"] = {};
  CHECK(read_planar(data).contacts.size() == 0);
}

}  // namespace scree::fclib
