#include "implicit/split_admm.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <limits>

#include "solvers/coulomb/measure.hpp"
#include "implicit/contact_jacobian.hpp"

namespace scree::nonsmooth {

namespace {

using solvers::Block;
using solvers::BlockVector;
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
    if (mass_.empty()) return f(x);
    part_ = x.head(6 * static_cast<Eigen::Index>(bodies_.rows()));
    f(part_);
    x.head(part_.size()) = part_;
  }
  void multiply(std::span<const Block> by, BlockVector& x) const {
    for (std::size_t k = 0; k < by.size(); ++k) {
      auto of_row = x.segment<6>(6 * static_cast<Eigen::Index>(bodies_.rows() + k));
      of_row = (by[k] * of_row).eval();
    }
  }

  ImplicitMotion& bodies_;
  std::vector<std::uint32_t> row_;             ///< by body
  std::vector<Block> mass_, own_, stiffened_;  ///< blocks of bodies: masses, and inverses
  mutable BlockVector part_;                   ///< part of fragments
};

/// All ends of contacts on bodies that move: velocities of their points, and impulses there. Contact i has ends 2 i on
/// a and 2 i + 1 on b.
template <int D>
class Ends {
 public:
  using Contact = coulomb::RigidContact<D>;

  Ends(const StepProblem<D>& step, const Responses<D>& responses)
      : contacts_(step.problem.contacts), start_(responses.rows() + 1) {
    row_.assign(2 * contacts_.size(), coulomb::kImmovable);
    for (std::size_t e = 0; e < row_.size(); ++e) {
      const std::uint32_t body = e % 2 ? contacts_[e / 2].b : contacts_[e / 2].a;
      if (body != coulomb::kImmovable) ++start_[(row_[e] = responses.row(body)) + 1];
    }
    for (std::size_t row = 1; row < start_.size(); ++row) start_[row] += start_[row - 1];
    end_.resize(start_.back());
    arm_.resize(end_.size());
    std::vector<std::size_t> next(start_.begin(), start_.end() - 1);
    for (std::uint32_t e = 0; e < row_.size(); ++e) {
      if (!moves(e)) continue;
      const std::size_t place = next[row_[e]]++;
      end_[place] = e;
      arm_[place] = arm(e);
    }
  }

  bool moves(std::size_t end) const { return row_[end] != coulomb::kImmovable; }
  std::uint32_t row(std::size_t end) const { return row_[end]; }
  Eigen::Matrix<double, D, 6> by_body(std::size_t end) const { return jacobian<D>(contacts_[end / 2], end % 2); }

  Vec<D> velocity(std::size_t end, const BlockVector& v) const {
    const Eigen::Index row = 6 * static_cast<Eigen::Index>(row_[end]);
    const Vec3 at_point = v.segment<3>(row) + v.segment<3>(row + 3).cross(arm(end));
    return contacts_[end / 2].frame * at_point.head<D>();
  }

  /// Impulses on bodies, by end, in the world's frame [N s].
  using Pushes = std::vector<Vec3>;
  Pushes no_pushes() const { return Pushes(row_.size(), Vec3::Zero()); }
  /// \param impulse  in the contact's frame
  void push(std::size_t end, const Vec<D>& impulse, Pushes& all) const {
    all[end] = space(Vec<D>(contacts_[end / 2].frame.transpose() * impulse));
  }
  /// out <- J^T of the pushes.
  void gather(const Pushes& pushes, BlockVector& out, int threads) const {
    const auto rows = static_cast<std::ptrdiff_t>(start_.size() - 1);
    out.resize(6 * rows);
#pragma omp parallel for schedule(static) num_threads(threads) if (rows > 256)
    for (std::ptrdiff_t row = 0; row < rows; ++row) {
      Vec3 push = Vec3::Zero(), turn = Vec3::Zero();
      for (std::size_t k = start_[static_cast<std::size_t>(row)]; k < start_[static_cast<std::size_t>(row) + 1]; ++k) {
        const Vec3& p = pushes[end_[k]];
        push += p;
        turn += arm_[k].cross(p);
      }
      out.segment<3>(6 * row) = push;
      out.segment<3>(6 * row + 3) = turn;
    }
  }
  /// Diagonal blocks of J^T rho J. \param rho  (contacts)
  std::vector<Block> stiffness(std::span<const double> rho) const {
    std::vector<Block> out(start_.size() - 1, Block::Zero());
    for (std::size_t row = 0; row < out.size(); ++row)
      for (std::size_t k = start_[row]; k < start_[row + 1]; ++k) {
        const Eigen::Matrix<double, D, 6> j = by_body(end_[k]);
        out[row].noalias() += rho[end_[k] / 2] * j.transpose() * j;
      }
    return out;
  }

 private:
  Vec3 arm(std::size_t end) const {
    const Contact& contact = contacts_[end / 2];
    return space(end % 2 ? contact.arm_b : contact.arm_a);
  }

  std::span<const Contact> contacts_;
  std::vector<std::uint32_t> row_;  ///< by end
  std::vector<std::size_t> start_;  ///< by row, first place
  std::vector<std::uint32_t> end_;  ///< by place
  std::vector<Vec3> arm_;           ///< by place
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
    pushes_ = ends.no_pushes();
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
    for (std::size_t e = 0; e < 2 * impulse_.size(); ++e)
      if (ends_.moves(e)) ends_.push(e, (e % 2 ? 1 : -1) * impulse_[e / 2], pushes_);
    ends_.gather(pushes_, response_, threads_);
    responses_.respond(response_);
    for (std::size_t i = 0; i < q_.size(); ++i) velocity_[i] = q_[i] + change(2 * i + 1) - change(2 * i);
  }
  /// Returns the change of velocity of an end's point by the impulses [m/s].
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
  typename Ends<D>::Pushes pushes_;
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
        impulse_(step.impulses),
        pushes_(ends_.no_pushes()) {
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
    for (std::size_t i = 0; i < rho_.size(); ++i) push(i);
    return responses_.stiffen(ends_.stiffness(rho_));
  }

  void iterate() {
    ends_.gather(pushes_, motion_, options_.threads);
    responses_.respond_stiffened(motion_);
    coulomb::for_chunks(impulse_.size(), options_.threads, [this](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) keep_law(i);
    });
  }

  /// Adds the requests of the ends of one contact to their bodies.
  void push(std::size_t i) {
    for (const std::size_t e : {2 * i, 2 * i + 1})
      if (ends_.moves(e)) ends_.push(e, rho_[i] * velocity_[e] + (e % 2 ? 1 : -1) * impulse_[i], pushes_);
  }

  /// Applies the law of one contact: new impulse, velocities of its ends, and their requests.
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
    push(i);
  }

  /// Returns the impulse of the contact u = l r + c.
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
  typename Ends<D>::Pushes pushes_;   ///< rho z +- r
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
