#include "scree/plugin/size_distribution.hpp"

#include <cmath>
#include <functional>

#include "catch.hpp"

using namespace scree;

namespace {

ScaleDef table(std::vector<double> sizes, std::vector<double> fractions, bool by_mass) {
  return {std::move(sizes), std::move(fractions), std::nullopt, by_mass};
}

ScaleDef lognormal(double median, double sigma, double cutoff, bool by_mass) {
  ScaleDef def;
  def.lognormal = {median, sigma, cutoff};
  def.by_mass = by_mass;
  return def;
}

/// Mean of f(size) over the distribution by number, by the midpoint rule with n points.
double mean(const SizeDistribution& sizes, const std::function<double(double)>& f, int n = 100000) {
  double sum = 0;
  for (int k = 0; k < n; ++k) sum += f(sizes.at((k + 0.5) / n));
  return sum / n;
}

}  // namespace

TEST_CASE("one size is that size to the last digit, and 1 unless said otherwise") {
  CHECK(SizeDistribution({}, 3).at(0.3) == 1);
  CHECK(SizeDistribution(table({0.7}, {1}, true), 3).at(0.99) == 0.7);
  CHECK(SizeDistribution(table({0.7}, {1}, true), 2).largest() == 0.7);
}

TEST_CASE("sizes between two are evenly spread by number, and by mass where asked, in 2D and 3D") {
  const SizeDistribution even(table({0.5, 2}, {1}, false), 3);
  CHECK(even.at(0.25) == Approx(0.875).epsilon(1e-15));
  CHECK(even.largest() == 2);
  for (const int d : {2, 3}) {
    const SizeDistribution by_mass(table({0.5, 2}, {1}, true), d);
    const auto mass = [d](double x) { return std::pow(x, d); };
    const double all = mean(by_mass, mass);
    for (const double x : {0.8, 1.25, 1.7}) {
      INFO(d << "D, mass below " << x);
      // 1e-4: the midpoint rule with 1e5 points misses where the step at x lies by one of them, of 16 mean masses at
      // most
      const double below = mean(by_mass, [&](double s) { return s < x ? mass(s) : 0; });
      CHECK(below / all == Approx((x - 0.5) / 1.5).margin(1e-4));
    }
  }
}

TEST_CASE("a sieve curve keeps its shares, of number or mass, between its sizes or at them") {
  const std::vector<double> sizes = {0.5, 1, 1.5, 3}, between = {2, 0, 6}, at = {1, 2, 0, 5};
  for (const bool by_mass : {false, true})
    for (const int d : {2, 3}) {
      const auto weight = [&](double x) { return by_mass ? std::pow(x, d) : 1; };
      const SizeDistribution spread(table(sizes, between, by_mass), d), exact(table(sizes, at, by_mass), d);
      const auto share = [&](const SizeDistribution& of, double low, double high) {
        return mean(of, [&](double x) { return low <= x && x <= high ? weight(x) : 0; }) / mean(of, weight);
      };
      CHECK(share(spread, 0.5, 1) == Approx(0.25).margin(1e-3));
      CHECK(share(spread, 1.0001, 1.4999) == 0);
      CHECK(share(spread, 1.5, 3) == Approx(0.75).margin(1e-3));
      CHECK(share(exact, 0.5, 0.5) == Approx(0.125).margin(1e-3));
      CHECK(share(exact, 1, 1) == Approx(0.25).margin(1e-3));
      CHECK(share(exact, 1.5, 1.5) == 0);
      CHECK(share(exact, 3, 3) == Approx(0.625).margin(1e-3));
    }
}

TEST_CASE("a lognormal distribution has its median and sigma, by number or by mass, and nothing beyond the cutoff") {
  for (const bool by_mass : {false, true})
    for (const int d : {2, 3}) {
      const SizeDistribution sizes(lognormal(1.3, 0.4, 6, by_mass), d);
      const auto weight = [&](double x) { return by_mass ? std::pow(x, d) : 1; };
      const double all = mean(sizes, weight);
      const double centre = mean(sizes, [&](double x) { return weight(x) * std::log(x / 1.3); }) / all;
      const double spread = mean(sizes, [&](double x) { return weight(x) * std::pow(std::log(x / 1.3), 2); }) / all;
      INFO(d << "D, by mass: " << by_mass);
      CHECK(centre == Approx(0).margin(2e-3));  // the midpoint rule cuts the tails off at 1e-5
      CHECK(std::sqrt(spread) == Approx(0.4).epsilon(5e-3));
      const SizeDistribution cut(lognormal(1.3, 0.4, 2, by_mass), d);
      CHECK(cut.largest() == Approx(1.3 * std::exp(0.8)).epsilon(1e-14));
      CHECK(cut.at(1e-300) == Approx(1.3 * std::exp(-0.8)).epsilon(1e-12));
      CHECK(cut.at(0.999) < cut.largest());
    }
}

TEST_CASE("where mass lies far from number the tail is still told apart") {
  const SizeDistribution sizes(lognormal(1, 2, 0.5, true), 3);  // by number: from 5.5 to 6.5 sigma
  double before = 0;
  for (const double u : {0.001, 0.5, 0.9, 0.99, 0.999}) {
    CHECK(sizes.at(u) > before);
    before = sizes.at(u);
  }
  CHECK(before < std::exp(1));
}
