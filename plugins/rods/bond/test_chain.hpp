#pragma once
/// \file A straight rod of equal segments, clamped at its root, for statics of the law: Newton's method on all places
/// and turns at once, dense.

#include <Eigen/Dense>
#include <numbers>
#include <utility>
#include <vector>

#include "bond/elastic_rod.hpp"
#include "scree/base/error.hpp"
#include "shape/capsule.hpp"
#include "test_random.hpp"

namespace scree::rods::test {

/// A holder without a segment.
class Peg final : public Shape {
 public:
  int dimension() const noexcept override { return 3; }
  MassProperties mass(double) const override { return {}; }
  double bounding_radius() const noexcept override { return 1; }
  Surface surface() const override { return {}; }
  const void* facet(std::string_view) const noexcept override { return nullptr; }
};

/// Length 1 along z from the origin, EI = GJ = 1 unless changed; body 0 is the holder.
class Chain {
 public:
  int n;
  double h;
  ElasticRodOptions options;
  std::vector<Vec3> position;
  std::vector<Quat> orientation;

  explicit Chain(int segments) : n(segments), h(1.0 / segments) {
    options.section = Section{1e8, {1, 1}, 1};
    position.push_back(Vec3::Zero());
    for (int k = 0; k < n; ++k) position.emplace_back(0, 0, (k + 0.5) * h);
    orientation.assign(position.size(), Quat::Identity());
  }
  /// To be called when options are set. \param reversed  b is the body nearer to the holder in every bond
  void make(bool reversed = false) {
    capsule_ = std::make_unique<Capsule>(CapsuleOptions{h / 2, 0.01, 3, 1, false});
    reversed_ = reversed;
    law_ = std::make_unique<ElasticRod>(options);
    made_at_ = position;
    bind({});
  }
  /// Lets joints flow that are bent beyond yield. \return true if any did
  bool flow() {
    constexpr int kRemembered = 6;  // numbers of a joint
    memory_.resize(static_cast<std::size_t>(n * kRemembered));
    const bool flowed = law_->end_step(configuration(), memory_);
    bind(memory_);
    return flowed;
  }
  const ElasticRod& law() const { return *law_; }
  Configuration configuration() const { return {position, orientation}; }
  Vec3 tip() const { return position.back() + orientation.back() * Vec3(0, 0, h / 2); }

  /// Dead loads: a force on the tip, forces on the middles of all segments, a moment on the last segment.
  Vec3 tip_force = Vec3::Zero(), weight = Vec3::Zero(), tip_moment = Vec3::Zero();

  /// Returns the residual forces on bodies 1 to n, by places and rotations.
  Eigen::VectorXd gradient() const {
    std::vector<Wrench> of_bonds(position.size());
    law_->add_gradient(configuration(), of_bonds);
    Eigen::VectorXd g(6 * n);
    for (int k = 0; k < n; ++k) {
      const Wrench& w = of_bonds[static_cast<std::size_t>(k) + 1];
      g.segment<3>(6 * k) = w.force - weight;
      g.segment<3>(6 * k + 3) = w.torque;
    }
    g.segment<3>(6 * n - 6) -= tip_force;
    g.segment<3>(6 * n - 3) -= (tip() - position.back()).cross(tip_force) + tip_moment;
    return g;
  }
  Eigen::MatrixXd hessian(Curvature curvature = Curvature::exact) const {
    struct Sink final : HessianSink {
      explicit Sink(int bodies) : n(bodies), blocks(static_cast<std::size_t>(bodies * bodies), Block6::Zero()) {}
      Block6* block(std::uint32_t a, std::uint32_t b) const override {
        return a == 0 || b == 0 ? nullptr : &blocks[(a - 1) * static_cast<std::uint32_t>(n) + b - 1];
      }
      int n;
      mutable std::vector<Block6> blocks;
    } sink(n);
    law_->add_hessian(configuration(), curvature, sink);
    Eigen::MatrixXd h_all(6 * n, 6 * n);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) h_all.block<6, 6>(6 * i, 6 * j) = sink.blocks[static_cast<std::size_t>(i * n + j)];
    if (curvature == Curvature::exact) {
      const Vec3 arm = tip() - position.back(), f = tip_force;
      h_all.block<3, 3>(6 * n - 3, 6 * n - 3) -=
          (f * arm.transpose() + arm * f.transpose()) / 2 - f.dot(arm) * Mat3::Identity();
    }
    return h_all;
  }
  void move(const Eigen::VectorXd& d) {
    for (int k = 0; k < n; ++k) {
      const auto i = static_cast<std::size_t>(k) + 1;
      position[i] += d.segment<3>(6 * k);
      orientation[i] = (exponential(d.segment<3>(6 * k + 3)) * orientation[i]).normalized();
    }
  }
  double potential() const {
    double sum = law_->energy(configuration()) - tip_force.dot(tip());
    for (std::size_t i = 1; i < position.size(); ++i) sum -= weight.dot(position[i]);
    return sum;
  }
  /// To equilibrium under dead loads. A tip moment does no work of a potential in space; in the plane it does.
  void relax(double smallest_step = 1e-11) {
    for (int iteration = 0; iteration < 20000; ++iteration) {
      const Eigen::VectorXd g = gradient();
      Eigen::LDLT<Eigen::MatrixXd> factors(hessian());
      if (factors.vectorD().minCoeff() <= 0) factors.compute(hessian(Curvature::clamped));
      const Eigen::VectorXd step = -factors.solve(g);
      if (step.norm() < smallest_step) return;
      const std::vector<Vec3> from = position;
      const std::vector<Quat> turned = orientation;
      const double before = potential();
      for (double part = std::min(1.0, 0.5 / step.cwiseAbs().maxCoeff());; part /= 2) {
        position = from, orientation = turned;
        move(part * step);
        if (tip_moment.norm() > 0 || potential() <= before + 1e-13 * std::abs(before) || part < 1e-9) break;
      }
    }
    throw Error("the chain found no equilibrium");
  }

 private:
  void bind(std::span<const double> memory) {
    const auto count = static_cast<std::size_t>(n);
    std::vector<std::uint32_t> a, b;
    std::vector<double> section(count, 1e-4), scale(count, 1);
    std::vector<Vec3> branch, joint;
    std::vector<const Shape*> shape_a(count, capsule_.get()), shape_b(count, capsule_.get());
    shape_a[0] = &peg_;
    for (std::uint32_t k = 0; k < count; ++k) {
      a.push_back(k), b.push_back(k + 1);
      branch.push_back(made_at_[k + 1] - made_at_[k]);
      joint.push_back(k == 0 ? Vec3(-made_at_[0]) : Vec3(0, 0, h / 2));
    }
    if (reversed_) {
      std::swap(a, b);
      std::swap(shape_a, shape_b);
      for (std::size_t k = 0; k < count; ++k) joint[k] -= branch[k], branch[k] = -branch[k];
    }
    const std::vector<Quat> made(count, Quat::Identity());
    law_->bind({a, b, section, branch, made, made, joint, shape_a, shape_b, scale, scale, memory}, position.size());
  }

  Peg peg_;
  bool reversed_ = false;
  std::vector<Vec3> made_at_;
  std::vector<double> memory_;
  std::unique_ptr<Capsule> capsule_;
  std::unique_ptr<ElasticRod> law_;
};

}  // namespace scree::rods::test
