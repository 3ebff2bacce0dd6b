#include "scree/base/philox.hpp"

#include <cmath>

#include "catch.hpp"

using namespace scree;

TEST_CASE("Philox4x32-10 gives the published known answers") {
  // Random123's kat_vectors; the last line from the specification.
  CHECK(philox4x32({0, 0, 0, 0}, {0, 0}) == PhiloxCounter{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  const std::uint32_t f = 0xffffffff;
  CHECK(philox4x32({f, f, f, f}, {f, f}) == PhiloxCounter{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  CHECK(philox4x32({0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}, {0xa4093822, 0x299f31d0}) ==
        PhiloxCounter{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
  CHECK(philox4x32({1, 2, 3, 4}, {5, 6}) == PhiloxCounter{0xc0c839bc, 0x889c87c5, 0x61986739, 0x2d4623d0});
}

TEST_CASE("random numbers stay strictly between 0 and 1") {
  CHECK(philox_unit(0, 0) == 0x1p-54);
  CHECK(philox_unit(0xffffffff, 0xffffffff) < 1);
}

TEST_CASE("streams differ by name, by seed and by either half of the seed") {
  const auto first = RandomStream(1, "lattice").words(0);
  CHECK(first == RandomStream(1, "lattice").words(0));
  CHECK(first != RandomStream(1, "poisson").words(0));
  CHECK(first != RandomStream(2, "lattice").words(0));
  CHECK(first != RandomStream(1 + (std::uint64_t{1} << 32), "lattice").words(0));
  CHECK(first != RandomStream(1, "lattice").words(std::uint64_t{1} << 32));
}

TEST_CASE("mean and variance of many draws are those of the uniform distribution") {
  const RandomStream stream(42, "test");
  const int n = 100000;
  double sum = 0, squares = 0;
  for (int i = 0; i < n; ++i) {
    const double u = stream.pair(static_cast<std::uint64_t>(i))[0];
    sum += u;
    squares += u * u;
  }
  const double mean = sum / n, variance = squares / n - mean * mean;
  CHECK(mean == Approx(0.5).margin(4 * std::sqrt(1.0 / 12 / n)));            // 4 standard errors
  CHECK(variance == Approx(1.0 / 12).margin(4 * std::sqrt(1.0 / 180 / n)));  // likewise, 4th moment 1/80
}

TEST_CASE("uniform rotations turn a vector into all directions alike") {
  const RandomStream stream(3, "rotation");
  Vec3 mean = Vec3::Zero(), squares = Vec3::Zero();
  const int n = 20000;
  for (int i = 0; i < n; ++i) {
    const Quat q = uniform_rotation(stream.triple(static_cast<std::uint64_t>(i)));
    REQUIRE(std::abs(q.norm() - 1) < 1e-14);  // rounding
    const Vec3 e = q * Vec3::UnitX();
    mean += e / n;
    squares += e.cwiseProduct(e) / n;
  }
  for (int k = 0; k < 3; ++k) {
    CHECK(std::abs(mean[k]) < 4 * std::sqrt(1.0 / 3 / n));                     // 4 standard errors
    CHECK(squares[k] == Approx(1.0 / 3).margin(4 * std::sqrt(4.0 / 45 / n)));  // var of x^2 = 1/5 - 1/9
  }
}
