#include "step/contact_term.hpp"

#include <Eigen/Eigenvalues>

#include "catch.hpp"
#include "scree/integrate/rigid_body.hpp"
#include "scree/shape/facets.hpp"
#include "solvers/newton/block_sink.hpp"
#include "use_solvers.hpp"

using namespace scree;
using namespace scree::bonded;

namespace {

/// A sphere; with `hidden`, one that does not say so.
class Ball final : public Shape, public SphereSet {
 public:
  Ball(double radius, bool hidden) : radius_(radius), hidden_(hidden) {}
  int dimension() const noexcept override { return 3; }
  MassProperties mass(double) const override { return {1, Vec3::Ones()}; }
  double bounding_radius() const noexcept override { return radius_; }
  Surface surface() const override { return {}; }
  const void* facet(std::string_view name) const noexcept override {
    return name == SphereSet::kName && !hidden_ ? static_cast<const SphereSet*>(this) : nullptr;
  }
  std::span<const Vec3> centres() const override { return {&centre_, 1}; }
  std::span<const double> radii() const override { return {&radius_, 1}; }

 private:
  Vec3 centre_ = Vec3::Zero();
  double radius_;
  bool hidden_;
};

/// Every pair of a World's spheres with the energy k d^2/2, and of each with a floor that the last body is.
class Squeeze final : public EnergyProblem {
 public:
  static constexpr double kStiffness = 1e4;

  explicit Squeeze(const World& world) : world_(world) {}
  std::span<const PotentialContact> potentials(const Configuration& at) override {
    found_.clear();
    const auto x = at.position;
    const auto radius = world_.radius.read();
    const std::size_t floor = x.size() - 1;
    for (std::uint32_t a = 0; a < floor; ++a) {
      for (std::uint32_t b = a + 1; b < floor; ++b) {
        const Vec3 e = x[b] - x[a], n = e.normalized();
        const double overlap = radius[a] + radius[b] - e.norm();
        add(a, b, n, (radius[a] - overlap / 2) * n, overlap);
      }
      const double overlap = radius[a] - x[a].z();
      add(a, static_cast<std::uint32_t>(floor), -Vec3::UnitZ(), -(radius[a] - overlap / 2) * Vec3::UnitZ(), overlap);
    }
    return found_;
  }
  void cover(double, double) override {}
  bool covered() const override { return true; }
  void list_pairs(std::vector<BodyPair>&) const override {}
  std::uint64_t version() const override { return 0; }
  void begin_bonds(double) override {}
  std::span<const EnergyTerm* const> bonds() override { return {}; }
  Wrenches loads() override { return {}; }
  void accept_forces(std::span<const Vec3>) override {}
  double largest_utilisation() override { return 0; }
  std::size_t break_overloaded(double, double, const Configuration&) override { return 0; }

 private:
  void add(std::uint32_t a, std::uint32_t b, const Vec3& n, const Vec3& arm, double overlap) {
    if (!(overlap > 0)) return;
    const auto x = world_.position.read();
    found_.push_back({a, b, n, arm, x[a] + arm - x[b], overlap, 0.5 * kStiffness * overlap * overlap,
                      kStiffness * overlap, kStiffness, 0, 0});
  }

  const World& world_;
  std::vector<PotentialContact> found_;
};

/// Three spheres pressed into each other and one of them into a floor: overlaps up to a third of the distance.
struct Pile {
  World world{3};
  Squeeze mechanics{world};
  Unknowns unknowns{4, std::vector<std::uint8_t>{0, 0, 0, 1}};

  explicit Pile(bool hidden = false) {
    world.add_shape("ball", std::make_shared<Ball>(0.1, hidden));
    world.add_shape("floor", std::make_shared<Ball>(1, true));
    world.add_material({"m", 1000});
    const auto body = [](std::uint32_t shape, BodyKind kind, const Vec3& at) {
      BodySpec spec;
      spec.shape = shape, spec.kind = kind, spec.position = at;
      return spec;
    };
    world.add(std::vector{body(0, BodyKind::dynamic, {0, 0, 0.09}), body(0, BodyKind::dynamic, {0.15, 0.02, 0.12}),
                          body(0, BodyKind::dynamic, {0.06, 0.14, 0.13}), body(1, BodyKind::fixed, {0.5, 0.3, 0})});
  }
  Configuration at() { return {world.position.read(), world.orientation.read()}; }
  std::vector<BodyPair> pairs() const { return {{0, 1}, {0, 2}, {1, 2}}; }

  BlockVector gradient(ContactTerm& term) {
    std::vector<Wrench> by_body(world.size());
    term.forget();
    term.add_gradient(at(), by_body);
    BlockVector out(18);
    for (int i = 0; i < 3; ++i) out.segment<6>(6 * i) << by_body[i].force, by_body[i].torque;
    return out;
  }
  Eigen::MatrixXd hessian(ContactTerm& term, Curvature curvature) {
    const BlockPattern pattern(3, pairs());
    BlockMatrix blocks(pattern);
    blocks.set_zero();
    term.forget();
    term.add_hessian(at(), curvature, BlockSink(unknowns, blocks));
    Eigen::MatrixXd out(18, 18);
    for (std::uint32_t i = 0; i < 3; ++i)
      for (std::uint32_t j = 0; j < 3; ++j)
        out.block<6, 6>(6 * i, 6 * j) = i == j ? blocks.diagonal(i) : blocks.block(pattern.slot(i, j));
    return out;
  }
  /// Second differences along the coordinates of the manifold.
  Eigen::MatrixXd differences(ContactTerm& term, double h) {
    Eigen::MatrixXd out(18, 18);
    for (int k = 0; k < 18; ++k) {
      const auto moved = [&](double way) {
        const auto i = static_cast<std::size_t>(k / 6);
        Vec3& x = world.position.write()[i];
        Quat& q = world.orientation.write()[i];
        const Vec3 x0 = x;
        const Quat q0 = q;
        if (k % 6 < 3)
          x[k % 6] += way;
        else
          q = retracted(q, Vec3(way * Vec3::Unit(k % 6 - 3)));
        const BlockVector g = gradient(term);
        world.position.write()[i] = x0, world.orientation.write()[i] = q0;
        return g;
      };
      out.col(k) = (moved(h) - moved(-h)) / (2 * h);
    }
    return out;
  }
};

}  // namespace

TEST_CASE("contacts as energies: the exact Hessian is the difference of gradients, across the normals too") {
  Pile pile;
  ContactTerm term(pile.world, pile.mechanics);
  term.set_pairs(pile.pairs());
  REQUIRE(pile.mechanics.potentials({pile.world.position.read(), pile.world.orientation.read()}).size() == 4);
  const Eigen::MatrixXd exact = pile.hessian(term, Curvature::exact), wanted = pile.differences(term, 1e-6);
  CHECK((exact - wanted).norm() < 1e-7 * wanted.norm());
  CHECK((exact - exact.transpose()).norm() < 1e-15 * exact.norm());
  // What is left out where shapes are not known to be round is not small here.
  Pile other(true);
  ContactTerm straight(other.world, other.mechanics);
  straight.set_pairs(other.pairs());
  CHECK((other.hessian(straight, Curvature::exact) - wanted).norm() > 0.1 * wanted.norm());
}

TEST_CASE("contacts as energies: the clamped Hessian has no negative mode, the exact one of a deep overlap has") {
  Pile pile;
  ContactTerm term(pile.world, pile.mechanics);
  term.set_pairs(pile.pairs());
  const auto lowest = [](const Eigen::MatrixXd& h) {
    return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(h).eigenvalues()[0];
  };
  CHECK(lowest(pile.hessian(term, Curvature::clamped)) > -1e-9 * Squeeze::kStiffness);
  CHECK(lowest(pile.hessian(term, Curvature::exact)) < -0.1 * Squeeze::kStiffness);
}
