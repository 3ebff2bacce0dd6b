#include "step/friction_term.hpp"

#include <Eigen/Eigenvalues>

#include "catch.hpp"
#include "contact/friction_potential.hpp"
#include "solvers/newton/block_sink.hpp"
#include "use_solvers.hpp"

using namespace scree;
using namespace scree::bonded;

namespace {

constexpr double kSmooth = 0.02, kStep = 1e-3;

/// Two bodies that touch, each moved and turned since the beginning of the stage.
struct Rubbing {
  std::vector<Vec3> from{{0, 0, 0}, {0, 0.01, 0.19}}, position = from;
  std::vector<Quat> turned_from{Quat(0.9, 0.1, 0.3, -0.2).normalized(), Quat(0.5, -0.4, 0.1, 0.6).normalized()},
      orientation = turned_from;
  std::vector<PotentialContact> contacts;
  FrictionTerm term{kSmooth};

  /// \param speed  speed of sliding, about [m/s]
  explicit Rubbing(double speed) {
    const Vec3 n = (from[1] - from[0]).normalized();
    contacts.push_back({0, 1, n, 0.095 * n, -0.095 * n, 0.01, 0, 10, 1000, 0.4, 0});
    term.begin({from, turned_from}, kStep);
    term.lag(contacts, {from, turned_from});
    position[0] += kStep * speed * Vec3(0.7, 0.2, 0.3);
    position[1] -= kStep * speed * Vec3(0.1, -0.3, 0.2);
    orientation[0] = retracted(orientation[0], kStep * speed / 0.1 * Vec3(0.2, 0.1, -0.3));
    orientation[1] = retracted(orientation[1], kStep * speed / 0.1 * Vec3(-0.1, 0.2, 0.2));
  }
  Configuration at() const { return {position, orientation}; }

  double energy() const {
    std::vector<double> out(term.items());
    term.energies(at(), out);
    return out[0];
  }
  Eigen::VectorXd gradient() const {
    std::vector<Wrench> w(2);
    term.add_gradient(at(), w);
    Eigen::VectorXd out(12);
    out << w[0].force, w[0].torque, w[1].force, w[1].torque;
    return out;
  }
  Eigen::MatrixXd hessian() const {
    const Unknowns unknowns(2);
    const BlockPattern pattern(2, {{0, 1}});
    BlockMatrix blocks(pattern);
    blocks.set_zero();
    term.add_hessian(at(), Curvature::exact, BlockSink(unknowns, blocks));
    Eigen::MatrixXd out(12, 12);
    for (std::uint32_t i = 0; i < 2; ++i)
      for (std::uint32_t j = 0; j < 2; ++j)
        out.block<6, 6>(6 * i, 6 * j) = i == j ? blocks.diagonal(i) : blocks.block(pattern.slot(i, j));
    return out;
  }
  /// f at the two bodies moved along coordinate k.
  template <class F>
  auto moved(int k, double way, const F& f) {
    const auto i = static_cast<std::size_t>(k / 6);
    const Vec3 x = position[i];
    const Quat q = orientation[i];
    if (k % 6 < 3)
      position[i][k % 6] += way;
    else
      orientation[i] = retracted(q, Vec3(way * Vec3::Unit(k % 6 - 3)));
    const auto result = f();
    position[i] = x, orientation[i] = q;
    return result;
  }
};

}  // namespace

TEST_CASE("friction as a potential: its slope grows from 0 to 1, and is the difference of the potential") {
  CHECK(friction_potential(0.0, kSmooth) == 0);
  CHECK(friction_slope(kSmooth, kSmooth) * kSmooth == Approx(1));
  for (const double y : {0.003, 0.01, 0.0199, 0.0201, 0.3}) {
    const double d = 1e-7;
    const auto f1 = [](double at) { return at * friction_slope(at, kSmooth); };
    CHECK((friction_potential(y + d, kSmooth) - friction_potential(y - d, kSmooth)) / (2 * d) ==
          Approx(f1(y)).epsilon(1e-6));
    CHECK((f1(y + d) - f1(y - d)) / (2 * d) == Approx(friction_curvature(y, kSmooth)).epsilon(1e-4).margin(1e-6));
  }
}

TEST_CASE("friction as a term: forces are differences of the energy, the Hessian that of forces but for turning arms") {
  for (const double speed : {0.005, 0.5}) {  // creeping, sliding
    Rubbing r(speed);
    const Eigen::VectorXd g = r.gradient();
    Eigen::VectorXd slopes(12);
    Eigen::MatrixXd second(12, 12);
    const double d = 1e-4 * kStep * speed;
    for (int k = 0; k < 12; ++k) {
      const double way = k % 6 < 3 ? d : d / 0.1;
      slopes[k] =
          (r.moved(k, way, [&] { return r.energy(); }) - r.moved(k, -way, [&] { return r.energy(); })) / (2 * way);
      second.col(k) =
          (r.moved(k, way, [&] { return r.gradient(); }) - r.moved(k, -way, [&] { return r.gradient(); })) / (2 * way);
    }
    INFO("speed " << speed);
    CHECK((g - slopes).norm() < 1e-6 * g.norm());
    // Left out: mu F times the arm, beside mu F arm^2/(h v): as large as the angle of the stage.
    const double angle = kStep * speed / 0.1;
    CHECK((r.hessian() - second).norm() < (3 * angle + 1e-6) * second.norm());
    CHECK(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(r.hessian()).eigenvalues()[0] > -1e-9 * second.norm());
  }
}

TEST_CASE("friction as a term: momenta of a pair are kept, sliding takes mu F, and power is force times sliding") {
  Rubbing r(0.5);
  const Eigen::VectorXd g = r.gradient();
  CHECK((g.head<3>() + g.segment<3>(6)).norm() < 1e-12);
  const Vec3 torque = r.position[0].cross(Vec3(g.head<3>())) + g.segment<3>(3) +
                      r.position[1].cross(Vec3(g.segment<3>(6))) + g.tail<3>();
  // The two points have slid apart by h v, and the pair is turned by that over its size.
  CHECK(torque.norm() < 2 * kStep * 0.5 * g.head<3>().norm());
  CHECK(g.head<3>().norm() == Approx(4).epsilon(1e-12));
  const double all = r.term.power(r.at(), std::vector<std::uint8_t>{0, 0});
  CHECK(all < 0);
  CHECK(r.term.power(r.at(), std::vector<std::uint8_t>{1, 0}) + r.term.power(r.at(), std::vector<std::uint8_t>{0, 1}) ==
        Approx(all).epsilon(1e-12));
  CHECK(r.term.power(r.at(), std::vector<std::uint8_t>{1, 1}) == 0);
  // Forces that have not changed are no change; twice the force changes by half of what there is then.
  CHECK(r.term.lag(r.contacts, r.at()) == 0);
  r.contacts[0].force *= 2;
  CHECK(r.term.lag(r.contacts, r.at()) == Approx(0.5));
  CHECK(r.term.lag({}, r.at()) > 1);
}
