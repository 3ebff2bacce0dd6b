#pragma once
/// \file What sweeps change: impulses of all rows, and the velocities that go with them.

#include <algorithm>
#include <vector>

#include "solvers/drucker_prager/contact_rows.hpp"
#include "solvers/drucker_prager/solve.hpp"
#include "solvers/drucker_prager/strain_rows.hpp"
#include "solvers/drucker_prager/velocities.hpp"

namespace scree::continuum {

/// Impulses alone: velocities follow from them.
template <int D>
struct Snapshot {
  std::vector<Stress<D>> stress;
  std::vector<Vec<D>> contact;
};

template <int D>
class Iterate {
 public:
  /// \param problem  is to stay; spans of it are read until the solve ends
  void prepare(const StrainProblem<D>& problem, int threads) {
    problem_ = &problem;
    strain_.prepare(problem, threads);
    threads_ = std::min(threads, strain_.useful_threads());
    velocities_.reset(problem, threads_);
    contacts_.prepare(problem, velocities_);
  }

  /// \return whether any shift is above 0; without `from_start` none is
  bool set_shift(bool from_start) {
    const auto none = std::span<const Vec<D>>();
    return strain_.set_shift(*problem_, from_start ? problem_->start_velocity : none, threads_);
  }

  /// Shifts are those of the velocities there are.
  void renew_shift() { strain_.renew_shift(velocities_.nodes, threads_); }

  void load(const Solution<D>& solution) {
    strain_.set_impulses(solution.stress);
    contacts_.set_impulses(solution.contact);
    refresh();
  }
  void save(Snapshot<D>& snapshot) const {
    snapshot.stress.assign(strain_.impulses().begin(), strain_.impulses().end());
    snapshot.contact.assign(contacts_.impulses().begin(), contacts_.impulses().end());
  }
  void load(const Snapshot<D>& snapshot) {
    strain_.restore(snapshot.stress);
    contacts_.restore(snapshot.contact);
    refresh();
  }
  void write(const Solution<D>& solution) const {
    strain_.get_impulses(solution.stress);
    contacts_.get_impulses(solution.contact);
    velocities_.write(solution.velocity, solution.motion);
  }

  template <Shift kShift>
  void sweep() {
#pragma omp parallel num_threads(threads_)
    {
      strain_.template sweep<kShift>(velocities_.nodes);
      contacts_.sweep(velocities_);
    }
  }

  Squares squares() const {
    Squares sum = strain_.squares(velocities_.nodes, threads_);
    const double contacts = contacts_.squares(velocities_, problem_->face);
    return sum += {contacts, contacts};
  }

  const StrainRows<D>& strain() const { return strain_; }
  const ContactRows<D>& contacts() const { return contacts_; }

  /// Forgets the motion: the next sweep starts where the last one ended.
  void restart() {
    strain_.restart();
    contacts_.restart();
    last_ = velocities_;
  }
  double turn() const { return strain_.turn() + contacts_.turn(); }
  /// Impulses and velocities go on along the motion since the sweep before.
  void extrapolate(double beta) {
    strain_.extrapolate(beta, threads_);
    contacts_.extrapolate(beta);
    coulomb::for_chunks(velocities_.nodes.size(), threads_, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) go_on(velocities_.nodes[i].velocity, last_.nodes[i].velocity, beta);
    });
    for (std::size_t b = 0; b < velocities_.bodies.size(); ++b) {
      go_on(velocities_.bodies[b].velocity, last_.bodies[b].velocity, beta);
      go_on(velocities_.bodies[b].spin, last_.bodies[b].spin, beta);
    }
  }

 private:
  template <class V>
  static void go_on(V& now, V& last, double beta) {
    const V reached = now;
    now += beta * (reached - last);
    last = reached;
  }

  /// Velocities anew from the impulses, which drops what rounding has left behind.
  void refresh() {
    velocities_.reset(*problem_, threads_);
#pragma omp parallel num_threads(threads_)
    {
      strain_.push_all(velocities_.nodes);
      contacts_.push_all(velocities_);
    }
  }

  const StrainProblem<D>* problem_ = nullptr;
  int threads_ = 1;
  Velocities<D> velocities_, last_;
  StrainRows<D> strain_;
  ContactRows<D> contacts_;
};

}  // namespace scree::continuum
