#include "solvers/fclib/write.hpp"

#include <cstring>
#include <fstream>
#include <random>

#include "solvers/fclib/test_files.hpp"

namespace scree::fclib {

using scree::test::message_of;
using scree::test::TemporaryFolder;

namespace {

std::string slurp(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Whether all bits agree: == would take -0 for 0.
template <class T>
bool same_bits(const std::vector<T>& a, const std::vector<T>& b) {
  return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

/// Unsymmetric, with holes, and numbers of any size; -0 among them.
template <int D>
Problem<D> random_problem(std::uint32_t contacts, unsigned seed) {
  std::mt19937 random(seed);
  const auto number = [&] {
    return std::ldexp(static_cast<double>(random()) - 2e9, static_cast<int>(random() % 80) - 60);
  };
  Problem<D> problem;
  problem.contacts.row_start = {0};
  for (std::uint32_t i = 0; i < contacts; ++i) {
    for (std::uint32_t j = 0; j < contacts; ++j) {
      if (i != j && random() % 3 != 0) continue;
      problem.contacts.column.push_back(j);
      coulomb::Mat<D> block = coulomb::Mat<D>::NullaryExpr([&](auto, auto) { return number(); });
      block(0, 1) = random() % 2 ? 0. : -0.;
      problem.contacts.block.push_back(block);
    }
    problem.contacts.row_start.push_back(problem.contacts.column.size());
    problem.contacts.q.push_back(coulomb::Vec<D>::NullaryExpr([&](auto) { return number(); }));
    problem.contacts.friction.push_back(std::abs(number()));
  }
  problem.info = {"title", "a description, 1 \xc2\xb5m", ""};
  problem.solution = Iterate{std::vector<double>(D * contacts, 0.1), {}, {}, {}};
  problem.guesses = {Iterate{{}, std::vector<double>(D * contacts, -0.), {}, {}}};
  return problem;
}

template <int D>
void check_round_trip(unsigned seed) {
  const TemporaryFolder folder;
  const Problem<D> problem = random_problem<D>(7, seed);
  write(folder / "a.hdf5", problem);
  const auto back = std::get<Problem<D>>(read(folder / "a.hdf5"));
  CHECK(back.contacts.row_start == problem.contacts.row_start);
  CHECK(back.contacts.column == problem.contacts.column);
  CHECK(same_bits(back.contacts.block, problem.contacts.block));
  CHECK(same_bits(back.contacts.q, problem.contacts.q));
  CHECK(same_bits(back.contacts.friction, problem.contacts.friction));
  CHECK(back.info.title == problem.info.title);
  CHECK(back.info.description == problem.info.description);
  REQUIRE(back.solution);
  CHECK(same_bits(back.solution->r, problem.solution->r));
  REQUIRE(back.guesses.size() == 1);
  CHECK(same_bits(back.guesses[0].u, problem.guesses[0].u));
}

}  // namespace

TEST_CASE("what is written comes back with every bit, in the plane and in space") {
  for (unsigned seed = 0; seed < 5; ++seed) {
    check_round_trip<2>(seed);
    check_round_trip<3>(seed);
  }
}

TEST_CASE("the same problem gives the same bytes") {
  const TemporaryFolder folder;
  write(folder / "a.hdf5", random_problem<3>(5, 1));
  write(folder / "b.hdf5", random_problem<3>(5, 1));
  CHECK(slurp(folder / "a.hdf5") == slurp(folder / "b.hdf5"));
}

TEST_CASE("a failed writing leaves what was there, and nothing beside it") {
  const TemporaryFolder folder;
  const auto nowhere = folder / "missing" / "a.hdf5";
  CHECK_THAT(message_of<Error>([&] { write(nowhere, random_problem<3>(2, 1)); }),
             Catch::Matchers::ContainsSubstring(nowhere.string() + ": cannot be created: No such file or directory."));
  std::filesystem::create_directory(folder / "taken.hdf5");
  CHECK_THAT(message_of<Error>([&] { write(folder / "taken.hdf5", random_problem<3>(2, 1)); }),
             Catch::Matchers::ContainsSubstring("cannot be replaced: Is a directory."));
  write(folder / "a.hdf5", random_problem<3>(2, 1));
  CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 2);
}

}  // namespace scree::fclib
