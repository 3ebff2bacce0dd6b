#pragma once
/// \file Rows of walls and bodies in the order of the sweep: rigid contacts in which a node is a body without spin.
/// Each is solved exactly, by the solver of one contact of scree_coulomb, in both phases.

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "solvers/coulomb/colouring.hpp"
#include "solvers/coulomb/local_problem.hpp"
#include "solvers/drucker_prager/strain_rows.hpp"
#include "solvers/drucker_prager/velocities.hpp"

namespace scree::continuum {

template <int D>
class ContactRows {
 public:
  /// No impulses then. Rows between a node and what does not move have colours; the others are one thread's.
  void prepare(const StrainProblem<D>& problem, const Velocities<D>& free);

  std::size_t size() const { return rows_.size(); }

  /// In the order of the problem.
  void set_impulses(std::span<const Vec<D>> impulses);
  void get_impulses(std::span<Vec<D>> impulses) const;

  /// To be called by all threads of a team: moves nodes and bodies by all impulses.
  void push_all(Velocities<D>& v) const;

  /// To be called by all threads of a team.
  void sweep(Velocities<D>& v);

  /// Of the last sweep: see StrainRows::turn() [J].
  double turn() const;
  /// See StrainRows.
  void restart() { last_ = impulse_; }
  void extrapolate(double beta);

  /// What each row by itself would change, with impulses per `face` [Pa^2 s^2]. The natural map would be blind where
  /// friction is large.
  double squares(const Velocities<D>& v, double face) const;

  std::span<const Vec<D>> impulses() const { return impulse_; }
  /// In the order of the sweep.
  void restore(std::span<const Vec<D>> impulses) { std::copy(impulses.begin(), impulses.end(), impulse_.begin()); }

 private:
  enum class Kind : unsigned char { none, node, body };
  struct End {
    Kind kind;
    std::uint32_t index;
    Vec<D> arm;
    SecondNode second;
  };
  struct Row {
    End a, b;
    Mat<D> frame;
    Vec<D> w;  ///< with the velocities of what does not move
    coulomb::LocalProblem<D> local;
    bool moves;  ///< one of the two does; where neither does, no impulse helps
  };

  void find_order(const StrainProblem<D>& problem, const Velocities<D>& free);
  Row row_of(const StrainProblem<D>& problem, std::size_t i, const Velocities<D>& free) const;
  static End end_of(std::uint32_t index, const Vec<D>& arm, const Velocities<D>& free);
  static std::array<End, 2> ends_of(const StrainProblem<D>& problem, std::size_t i, const Velocities<D>& free);
  static bool is_fixed(const End& end, const Velocities<D>& free);
  static Vec<D> velocity_of(const End& end, const Velocities<D>& v);
  static Mat<D> mobility_of(const End& end, const Mat<D>& frame, const Velocities<D>& v);
  static void push(const End& end, const Vec<D>& impulse, Velocities<D>& v);
  static void push(const Row& row, const Vec<D>& change, Velocities<D>& v);
  static Vec<D> velocity_of(const Row& row, const Velocities<D>& v);
  Vec<D> local_solution(std::size_t i, const Velocities<D>& v) const;
  void visit(std::size_t i, Velocities<D>& v);
  template <class Visit>
  void visit_rows(const Visit& visit) const;

  coulomb::Order order_;  ///< of the coloured rows, then the others
  std::size_t coloured_ = 0;
  std::vector<Row> rows_;
  std::vector<Vec<D>> impulse_, last_;  ///< [N s]; after the sweep before
  std::vector<double> turn_;            ///< (rows) [J]
};

}  // namespace scree::continuum
