// Michell's ring: a straight rod that is bent to a ring, twisted and closed leaves its plane at a certain twist.
//
// Source: J. H. Michell, On the stability of a bent and twisted wire, Messenger of Math. 19 (1890) 181.

#include <Eigen/Eigenvalues>
#include <cmath>
#include <numbers>
#include <vector>

#include "bond/rod_joint.hpp"
#include "catch.hpp"
#include "test_random.hpp"

using namespace scree;
using namespace scree::rods;
using namespace scree::rods::test;

namespace {

constexpr double kTurn = 2 * std::numbers::pi;

/// A ring of n segments; length and EI are 1, the natural shape is straight. Joint k is between segments k and k + 1.
class Ring {
 public:
  /// \param twist  twist of the whole ring [rad]   \param twist_stiffness  GJ
  Ring(int n, double twist, double twist_stiffness) : n_(n) {
    const double h = 1.0 / n, apothem = h / 2 / std::tan(kTurn / 2 / n);
    const auto twisted = [](double angle) { return Quat(Eigen::AngleAxisd(angle, Vec3::UnitZ())); };
    for (int k = 0; k < n; ++k) {
      const Quat along(Eigen::AngleAxisd(kTurn * k / n, Vec3::UnitX()));
      position_.push_back(along * Vec3(0, apothem, 0));
      orientation_.push_back(along * twisted(twist * k / n));
      // Segment 0 meets the last one turned by the twist of the whole ring.
      const Quat closing = k == n - 1 ? twisted(twist) : twisted(0);
      joint_.push_back({{0, 0, h / 2},
                        {0, 0, -h / 2},
                        Quat::Identity(),
                        closing,
                        Vec3::Zero(),
                        1e8 / h,
                        Vec3(1, 1, twist_stiffness) / h});
    }
  }

  /// Newton's method from the plane ring. What costs no energy is kept.
  void relax() {
    for (int iteration = 0; iteration < 50; ++iteration) {
      const Eigen::VectorXd step = -stiffened().ldlt().solve(gradient());
      for (int k = 0; k < n_; ++k) {
        position_[at(k)] += step.segment<3>(6 * k);
        orientation_[at(k)] = (exponential(step.segment<3>(6 * k + 3)) * orientation_[at(k)]).normalized();
      }
      if (step.norm() < 1e-8) return;
    }
    FAIL("the ring found no equilibrium");
  }
  /// The smallest eigenvalue of the Hessian, of what costs energy.
  double least_eigenvalue() const {
    return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(stiffened(), Eigen::EigenvaluesOnly).eigenvalues()[0];
  }
  /// The force along the ring's axis between two segments, in the mean.
  double shear_force() const {
    double sum = 0;
    for (int k = 0; k < n_; ++k) sum += rods::gradient(joint_[at(k)], state(k)).force.x() / n_;
    return sum;
  }

 private:
  static std::size_t at(int k) { return static_cast<std::size_t>(k); }
  int next(int k) const { return (k + 1) % n_; }
  JointState state(int k) const {
    return state_of(joint_[at(k)], position_[at(k)], orientation_[at(k)], position_[at(next(k))],
                    orientation_[at(next(k))]);
  }
  Eigen::VectorXd gradient() const {
    Eigen::VectorXd g = Eigen::VectorXd::Zero(6 * n_);
    for (int k = 0; k < n_; ++k) {
      const JointGradient of_joint = rods::gradient(joint_[at(k)], state(k));
      g.segment<3>(6 * k) -= of_joint.force;
      g.segment<3>(6 * k + 3) += of_joint.turn_a;
      g.segment<3>(6 * next(k)) += of_joint.force;
      g.segment<3>(6 * next(k) + 3) += of_joint.turn_b;
    }
    return g;
  }
  /// The Hessian, made stiff against what costs no energy: motion of the ring as a whole, and the turn of all segments
  /// about their axes.
  Eigen::MatrixXd stiffened() const {
    Eigen::MatrixXd h = Eigen::MatrixXd::Zero(6 * n_, 6 * n_), free = Eigen::MatrixXd::Zero(6 * n_, 7);
    for (int k = 0; k < n_; ++k) {
      const Eigen::Matrix<double, 12, 12> of_joint = whole(hessian(joint_[at(k)], state(k), false));
      const int rows[] = {k, next(k)};
      for (int i = 0; i < 2; ++i)
        for (int j = 0; j < 2; ++j) h.block<6, 6>(6 * rows[i], 6 * rows[j]) += of_joint.block<6, 6>(6 * i, 6 * j);
      free.block<3, 3>(6 * k, 0).setIdentity();
      free.block<3, 3>(6 * k, 3) = -skew(position_[at(k)]);
      free.block<3, 3>(6 * k + 3, 3).setIdentity();
      free.block<3, 1>(6 * k + 3, 6) = orientation_[at(k)] * Vec3::UnitZ();
    }
    const Eigen::MatrixXd basis =
        free.householderQr().householderQ() * Eigen::MatrixXd::Identity(free.rows(), free.cols());
    return h + 1e3 * basis * basis.transpose();
  }

  int n_;
  std::vector<Vec3> position_;
  std::vector<Quat> orientation_;
  std::vector<RodJoint> joint_;
};

}  // namespace

TEST_CASE("a twisted ring leaves its plane at Michell's twist") {
  // 2 pi sqrt(3) EI/GJ.
  const int n = 40;
  const double torsion = 0.8, exact = kTurn * std::sqrt(3.0) / torsion;
  const auto eigenvalue = [&](double twist) {
    Ring ring(n, twist, torsion);
    ring.relax();
    return ring.least_eigenvalue();
  };
  // Where the eigenvalue is 0, by secants: at that twist itself no equilibrium can be computed.
  double critical = 13.6;
  for (const double apart : {0.2, 0.02}) {
    const double low = eigenvalue(critical - apart), high = eigenvalue(critical + apart);
    CHECK(low > 0);
    CHECK(high < 0);
    critical += apart * (low + high) / (low - high);
  }
  INFO("relative error " << critical / exact - 1);
  CHECK(exact == Approx(13.6035).epsilon(1e-5));
  CHECK(critical / exact - 1 == Approx(1.66e-3).epsilon(0.1));
}

TEST_CASE("the shear force in a twisted ring is the twisting moment times the curvature") {
  Ring ring(40, 6, 0.8);
  ring.relax();
  CHECK(std::abs(ring.shear_force()) == Approx(0.8 * 6 * kTurn).epsilon(0.02));
}
