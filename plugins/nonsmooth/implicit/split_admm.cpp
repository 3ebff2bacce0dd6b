#include "implicit/split_admm.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <limits>

#include "coulomb/measure.hpp"
#include "implicit/contact_jacobian.hpp"

namespace scree::nonsmooth {

namespace {

using bonded::Block;
using bonded::BlockVector;
using coulomb::Vec;

/// Rows of the system, those of fragments first, then one per body that moves by itself and is touched.
template <int D>
class Responses {
 public:
  Responses(const StepProblem<D>& step, ImplicitMotion& bodies) : bodies_(bodies) {
    row_.assign(step.problem.bodies.size(), coulomb::kImmovable);
    for (const coulomb::RigidContact<D>& c : step.problem.contacts)
      for (const std::uint32_t body : {c.a, c.b}) {
        if (body == coulomb::kImmovable || row_[body] != coulomb::kImmovable) continue;
        const bool bonded = bodies.place(body).fragment != ImplicitMotion::Place::kNone;
        row_[body] = bonded ? bodies.row(body) : static_cast<std::uint32_t>(bodies.rows() + mass_.size());
        if (!bonded) mass_.push_back(mass_of(step.problem.bodies[body]));
      }
    for (const Block& mass : mass_) own_.push_back(mass.llt().solve(Block::Identity()));
  }

  std::size_t rows() const { return bodies_.rows() + mass_.size(); }
  std::uint32_t row(std::uint32_t body) const { return row_[body]; }

  /// Diagonal blocks of K^-1.
  std::vector<Block> mobilities() const {
    std::vector<Block> out(rows());
    bodies_.own_mobility(std::span(out).first(bodies_.rows()));
    std::ranges::copy(own_, out.begin() + static_cast<std::ptrdiff_t>(bodies_.rows()));
    return out;
  }
  /// x <- K^-1 x.
  void respond(BlockVector& x) const {
    with_fragments(x, [this](BlockVector& part) { bodies_.respond(part); });
    multiply(own_, x);
  }
  /// \return false: not positive definite
  bool stiffen(std::span<const Block> added) {
    stiffened_.resize(mass_.size());
    for (std::size_t k = 0; k < mass_.size(); ++k)
      stiffened_[k] = Block(mass_[k] + added[bodies_.rows() + k]).llt().solve(Block::Identity());
    return bodies_.stiffen(added.first(bodies_.rows()));
  }
  /// x <- (K + added)^-1 x.
  void respond_stiffened(BlockVector& x) const {
    with_fragments(x, [this](BlockVector& part) { bodies_.respond_stiffened(part); });
    multiply(stiffened_, x);
  }

 private:
  static Block mass_of(const coulomb::RigidBody<D>& body) {
    Block mass = Block::Identity() / body.inverse_mass;
    constexpr int n = coulomb::kSpin<D>;
    mass.template bottomRightCorner<n, n>() = body.inverse_inertia.inverse();
    return mass;
  }
  template <class F>
  void with_fragments(BlockVector& x, const F& f) const {
    BlockVector part = x.head(6 * static_cast<Eigen::Index>(bodies_.rows()));
    f(part);
    x.head(part.size()) = part;
  }
  void multiply(std::span<const Block> by, BlockVector& x) const {
    for (std::size_t k = 0; k < by.size(); ++k) {
      auto of_row = x.segment<6>(6 * static_cast<Eigen::Index>(bodies_.rows() + k));
      of_row = (by[k] * of_row).eval();
    }
  }

  ImplicitMotion& bodies_;
  std::vector<std::uint32_t> row_;             ///< by body
  std::vector<Block> mass_, own_, stiffened_;  ///< of bodies by themselves: masses, and inverses
};

/// All ends of contacts on bodies that move: velocities of their points, and impulses there. Contact i has ends 2 i on
/// a and 2 i + 1 on b.
template <int D>
class Ends {
 public:
  Ends(const StepProblem<D>& step, const Responses<D>& responses) : start_(responses.rows() + 1) {
    const auto& contacts = step.problem.contacts;
    jacobian_.resize(2 * contacts.size());
    row_.assign(2 * contacts.size(), coulomb::kImmovable);
    for (std::size_t i = 0; i < contacts.size(); ++i)
      for (const bool is_b : {false, true}) {
        const std::uint32_t body = is_b ? contacts[i].b : contacts[i].a;
        if (body == coulomb::kImmovable) continue;
        row_[2 * i + is_b] = responses.row(body);
        jacobian_[2 * i + is_b] = jacobian<D>(contacts[i], is_b);
        ++start_[responses.row(body) + 1];
      }
    for (std::size_t row = 1; row < start_.size(); ++row) start_[row] += start_[row - 1];
    end_.resize(start_.back());
    std::vector<std::size_t> next(start_.begin(), start_.end() - 1);
    for (std::uint32_t e = 0; e < row_.size(); ++e)
      if (moves(e)) end_[next[row_[e]]++] = e;
  }

  bool moves(std::size_t end) const { return row_[end] != coulomb::kImmovable; }
  std::uint32_t row(std::size_t end) const { return row_[end]; }
  const Eigen::Matrix<double, D, 6>& by_body(std::size_t end) const { return jacobian_[end]; }

  Vec<D> velocity(std::size_t end, const BlockVector& v) const {
    return jacobian_[end] * v.segment<6>(6 * static_cast<Eigen::Index>(row_[end]));
  }
  /// out <- J^T x. \param x  x(end)
  template <class X>
  void gather(const X& x, BlockVector& out, int threads) const {
    const auto rows = static_cast<std::ptrdiff_t>(start_.size() - 1);
    out.resize(6 * rows);
#pragma omp parallel for schedule(static) num_threads(threads) if (rows > 256)
    for (std::ptrdiff_t row = 0; row < rows; ++row) {
      Eigen::Matrix<double, 6, 1> sum = Eigen::Matrix<double, 6, 1>::Zero();
      for (const std::uint32_t e : of_row(static_cast<std::size_t>(row))) sum += jacobian_[e].transpose() * x(e);
      out.segment<6>(6 * row) = sum;
    }
  }
  /// Diagonal blocks of J^T rho J. \param rho  (contacts)
  std::vector<Block> stiffness(std::span<const double> rho) const {
    std::vector<Block> out(start_.size() - 1, Block::Zero());
    for (std::size_t row = 0; row < out.size(); ++row)
      for (const std::uint32_t e : of_row(row))
        out[row].noalias() += rho[e / 2] * jacobian_[e].transpose() * jacobian_[e];
    return out;
  }

 private:
  std::span<const std::uint32_t> of_row(std::size_t row) const {
    return std::span(end_).subspan(start_[row], start_[row + 1] - start_[row]);
  }

  std::vector<Eigen::Matrix<double, D, 6>> jacobian_;  ///< by end
  std::vector<std::uint32_t> row_;                     ///< by end
  std::vector<std::size_t> start_;                     ///< by row, into end_
  std::vector<std::uint32_t> end_;
};

/// The problem as the measures see it: u = J K^-1 J^T r + q.
template <int D>
class Unassembled {
 public:
  static constexpr int dimension = D;

  Unassembled(const StepProblem<D>& step, const ImplicitMotion& bodies, const Responses<D>& responses,
              const Ends<D>& ends, int threads)
      : step_(step), responses_(responses), ends_(ends), threads_(threads) {
    const auto& contacts = step.problem.contacts;
    const std::vector<Block> own = responses.mobilities();
    for (std::size_t i = 0; i < contacts.size(); ++i) {
      Vec<D> q = contacts[i].w;
      coulomb::Mat<D> w = coulomb::Mat<D>::Zero();
      for (const bool is_b : {false, true}) {
        const std::size_t e = 2 * i + is_b;
        if (!ends.moves(e)) continue;
        const std::uint32_t body = is_b ? contacts[i].b : contacts[i].a;
        q += (is_b ? 1 : -1) * (ends.by_body(e) * free_motion(body, bodies));
        w.noalias() += ends.by_body(e) * own[ends.row(e)] * ends.by_body(e).transpose();
      }
      q_.push_back(q);
      diagonal_.push_back(w);
    }
    impulse_.assign(contacts.size(), Vec<D>::Zero());
    velocity_ = q_;
  }

  std::size_t size() const { return q_.size(); }
  const coulomb::Mat<D>& diagonal(std::size_t i) const { return diagonal_[i]; }
  double friction(std::size_t i) const { return step_.problem.contacts[i].friction; }
  const Vec<D>& impulse(std::size_t i) const { return impulse_[i]; }
  const Vec<D>& velocity(std::size_t i) const { return velocity_[i]; }
  const Vec<D>& without_contacts(std::size_t i) const { return q_[i]; }
  /// Velocities follow with refresh().
  void set_impulse(std::size_t i, const Vec<D>& r) { impulse_[i] = r; }
  void set_impulses(const coulomb::Order&, std::span<const Vec<D>> all) {
    std::ranges::copy(all, impulse_.begin());
    refresh();
  }
  void refresh() {
    ends_.gather([this](std::uint32_t e) { return Vec<D>((e % 2 ? 1 : -1) * impulse_[e / 2]); }, response_, threads_);
    responses_.respond(response_);
    for (std::size_t i = 0; i < q_.size(); ++i) velocity_[i] = q_[i] + change(2 * i + 1) - change(2 * i);
  }
  /// Of an end's point, by the impulses [m/s].
  Vec<D> change(std::size_t end) const {
    return ends_.moves(end) ? ends_.velocity(end, response_) : Vec<D>(Vec<D>::Zero());
  }

 private:
  Eigen::Matrix<double, 6, 1> free_motion(std::uint32_t body, const ImplicitMotion& bodies) const {
    PointMotion motion{space(step_.problem.bodies[body].velocity), about_axes(step_.problem.bodies[body].spin)};
    if (bodies.place(body).fragment != ImplicitMotion::Place::kNone) motion = bodies.without_contacts(body);
    Eigen::Matrix<double, 6, 1> v;
    v << motion.velocity, motion.spin;
    return v;
  }

  const StepProblem<D>& step_;
  const Responses<D>& responses_;
  const Ends<D>& ends_;
  int threads_;
  std::vector<Vec<D>> q_, impulse_, velocity_;
  std::vector<coulomb::Mat<D>> diagonal_;
  BlockVector response_;
};

/// The scale rho^ is one of these; the next one where iterations do not halve the error.
constexpr double kScales[] = {3, 12, 0.75, 48, 0.2};
constexpr int kPatience = 60, kLook = 10;
constexpr double kRelaxation = 1.6;

template <int D>
class Search {
 public:
  Search(StepProblem<D>& step, ImplicitMotion& bodies, const coulomb::Options& options)
      : step_(step),
        options_(options),
        responses_(step, bodies),
        ends_(step, responses_),
        problem_(step, bodies, responses_, ends_, options.threads),
        impulse_(step.impulses) {
    for (std::size_t i = 0; i < problem_.size(); ++i) scales_.push_back(coulomb::scale_of<D>(problem_.diagonal(i)));
    judge_.prepare(problem_, scales_, options.measure, options.threads);
  }

  coulomb::Report run() {
    problem_.set_impulses({}, impulse_);
    judge_.start_from(problem_);
    velocity_.resize(2 * impulse_.size());
    for (std::size_t e = 0; e < velocity_.size(); ++e) velocity_[e] = problem_.change(e);
    report_.error = judge_(problem_);
    double mark = std::numeric_limits<double>::infinity();
    for (const double scale : kScales) {
      if (done() || !stiffen(scale)) break;
      do {
        mark = report_.error;
        for (int k = 0; k < kPatience && !done(); ++k) {
          iterate();
          if (++report_.iterations % kLook == 0) look();
        }
      } while (!done() && report_.error < 0.5 * mark);
    }
    report_.status = report_.error <= options_.tolerance ? coulomb::Status::converged : coulomb::Status::stalled;
    return report_;
  }

 private:
  bool done() const { return report_.error <= options_.tolerance || report_.iterations >= options_.max_sweeps; }

  bool stiffen(double scale) {
    rho_.resize(scales_.size());
    for (std::size_t i = 0; i < rho_.size(); ++i) rho_[i] = scale / scales_[i];
    return responses_.stiffen(ends_.stiffness(rho_));
  }

  void iterate() {
    ends_.gather(
        [this](std::uint32_t e) { return Vec<D>(rho_[e / 2] * velocity_[e] + (e % 2 ? 1 : -1) * impulse_[e / 2]); },
        motion_, options_.threads);
    responses_.respond_stiffened(motion_);
    coulomb::for_chunks(impulse_.size(), options_.threads, [this](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) keep_law(i);
    });
  }

  /// Of one contact: new impulse, and velocities of its ends.
  void keep_law(std::size_t i) {
    const double lightness = 1 / rho_[i];
    Vec<D> u = problem_.without_contacts(i);
    double l = 0;
    for (const std::size_t e : {2 * i, 2 * i + 1}) {
      if (!ends_.moves(e)) continue;
      const double sign = e % 2 ? 1 : -1;
      velocity_[e] =
          kRelaxation * ends_.velocity(e, motion_) + (1 - kRelaxation) * velocity_[e] - sign * lightness * impulse_[i];
      u += sign * velocity_[e];
      l += lightness;
    }
    impulse_[i] = l > 0 ? isotropic_contact(u, l, problem_.friction(i)) : Vec<D>(Vec<D>::Zero());
    for (const std::size_t e : {2 * i, 2 * i + 1})
      if (ends_.moves(e)) velocity_[e] += (e % 2 ? 1 : -1) * lightness * impulse_[i];
  }

  /// Of the contact u = l r + c.
  static Vec<D> isotropic_contact(const Vec<D>& c, double l, double friction) {
    Vec<D> r = -c / l;
    if (!(r[0] > 0)) return Vec<D>::Zero();
    const double most = friction * r[0], found = r.template tail<D - 1>().norm();
    if (found > most) r.template tail<D - 1>() *= most / found;
    return r;
  }

  void look() {
    problem_.set_impulses({}, impulse_);
    report_.error *= judge_.compare_with(std::sqrt(coulomb::weighted_square(problem_, scales_, options_.threads)));
    const double error = judge_(problem_);
    if (!(error < report_.error)) return;
    report_.error = error;
    step_.impulses = impulse_;
  }

  StepProblem<D>& step_;
  coulomb::Options options_;
  Responses<D> responses_;
  Ends<D> ends_;
  Unassembled<D> problem_;
  coulomb::Judge<Unassembled<D>> judge_;
  std::vector<double> scales_, rho_;  ///< (contacts) [1/kg], [kg]
  std::vector<Vec<D>> impulse_;       ///< r [N s]
  std::vector<Vec<D>> velocity_;      ///< z, by end, less that without contacts [m/s]
  BlockVector motion_;                ///< v
  coulomb::Report report_;
};

}  // namespace

template <int D>
coulomb::Report solve_split(StepProblem<D>& step, ImplicitMotion& bodies, const coulomb::Options& options) {
  return Search<D>(step, bodies, options).run();
}

template coulomb::Report solve_split(StepProblem<2>&, ImplicitMotion&, const coulomb::Options&);
template coulomb::Report solve_split(StepProblem<3>&, ImplicitMotion&, const coulomb::Options&);

}  // namespace scree::nonsmooth
