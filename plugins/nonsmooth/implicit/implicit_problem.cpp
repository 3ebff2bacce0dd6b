#include "implicit/implicit_problem.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "solvers/coulomb/rigid_kinematics.hpp"
#include "implicit/contact_jacobian.hpp"
#include "scree/base/error.hpp"

namespace scree::nonsmooth {

namespace {

/// One of the two bodies of a contact.
struct End {
  std::uint32_t contact;
  bool is_b;
};

template <int D>
class Assembly {
 public:
  Assembly(const StepProblem<D>& step, const ImplicitMotion& bodies) : step_(step), bodies_(bodies) {
    const auto& contacts = step_.problem.contacts;
    of_fragment_.resize(bodies_.fragments());
    of_body_.resize(step_.problem.bodies.size());
    for (std::uint32_t i = 0; i < contacts.size(); ++i)
      for (const bool is_b : {false, true}) {
        const std::uint32_t body = body_of({i, is_b});
        if (body == coulomb::kImmovable) continue;
        const auto& place = bodies_.place(body);
        (place.fragment == ImplicitMotion::Place::kNone ? of_body_[body] : of_fragment_[place.fragment])
            .push_back({i, is_b});
      }
  }

  coulomb::DelassusProblem<D> make() {
    invert();
    const auto& contacts = step_.problem.contacts;
    const std::size_t n = contacts.size();
    std::vector<Parts> rows(n);
    const auto count = static_cast<std::ptrdiff_t>(n);
#pragma omp parallel for schedule(dynamic, 16) if (count > 64)
    for (std::ptrdiff_t k = 0; k < count; ++k) rows[static_cast<std::size_t>(k)] = row(static_cast<std::uint32_t>(k));
    coulomb::DelassusProblem<D> w;
    w.row_start.push_back(0);
    for (std::size_t i = 0; i < n; ++i) {
      for (const auto& [column, block] : rows[i]) w.column.push_back(column), w.block.push_back(block);
      w.row_start.push_back(w.column.size());
      w.q.push_back(contacts[i].frame * plane<D>(Vec3(velocity({static_cast<std::uint32_t>(i), true}) -
                                                      velocity({static_cast<std::uint32_t>(i), false}))) +
                    contacts[i].w);
      w.friction.push_back(contacts[i].friction);
    }
    return w;
  }

 private:
  std::uint32_t body_of(const End& end) const {
    const auto& c = step_.problem.contacts[end.contact];
    return end.is_b ? c.b : c.a;
  }

  /// Entries of the inverse between all bodies of a fragment that something touches.
  void invert() {
    touched_.resize(of_fragment_.size());
    inverse_.resize(of_fragment_.size());
    std::size_t blocks = 0;
    for (std::size_t f = 0; f < of_fragment_.size(); ++f) {
      for (const End& end : of_fragment_[f]) touched_[f].push_back(bodies_.place(body_of(end)).number);
      std::ranges::sort(touched_[f]);
      touched_[f].erase(std::unique(touched_[f].begin(), touched_[f].end()), touched_[f].end());
      blocks +=
          touched_[f].size() * touched_[f].size() * 36 / (D * D) + of_fragment_[f].size() * of_fragment_[f].size();
    }
    if (blocks > kMostBlocks)
      throw NumericalError(
          fmt::format("bodies that bonds hold together have too many contacts for implicit bonds: "
                      "their matrix would have {:.3g} blocks, at most {:.3g} are possible. Set "
                      "\"bonds\": \"explicit\" in /integrator and lower dt.",
                      static_cast<double>(blocks), static_cast<double>(kMostBlocks)));
    const auto count = static_cast<std::ptrdiff_t>(of_fragment_.size());
#pragma omp parallel for schedule(dynamic) if (count > 1)
    for (std::ptrdiff_t k = 0; k < count; ++k) {
      const auto f = static_cast<std::size_t>(k);
      inverse_[f].resize(touched_[f].size() * touched_[f].size());
      if (!touched_[f].empty()) bodies_.mobility(f, touched_[f], inverse_[f]);
    }
  }

  std::size_t slot(const ImplicitMotion::Place& place) const {
    const auto& touched = touched_[place.fragment];
    return static_cast<std::size_t>(std::ranges::lower_bound(touched, place.number) - touched.begin());
  }

  using Parts = std::vector<std::pair<std::uint32_t, coulomb::Mat<D>>>;  ///< columns and blocks of a row

  /// Adds up blocks of one column, in the order in which they came. Not by std::stable_sort, whose buffer is not
  /// aligned for blocks.
  static Parts in_order_of_columns(const Parts& parts) {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> order;  // column, place
    for (const auto& [column, block] : parts) order.emplace_back(column, static_cast<std::uint32_t>(order.size()));
    std::ranges::sort(order);
    Parts sums;
    for (const auto& [column, place] : order)
      if (!sums.empty() && sums.back().first == column)
        sums.back().second += parts[place].second;
      else
        sums.push_back(parts[place]);
    return sums;
  }

  /// Returns the row of contact i: blocks of all unknowns that move its bodies. Columns ascend.
  Parts row(std::uint32_t i) const {
    Parts parts;
    const auto& contacts = step_.problem.contacts;
    for (const bool is_b : {false, true}) {
      const std::uint32_t body = body_of({i, is_b});
      if (body == coulomb::kImmovable) continue;
      const auto& place = bodies_.place(body);
      const Eigen::Matrix<double, D, 6> own = jacobian<D>(contacts[i], is_b);
      if (place.fragment == ImplicitMotion::Place::kNone) {
        const coulomb::RigidBody<D>& free = step_.problem.bodies[body];
        const coulomb::Mobility<D> mobility{free.inverse_mass, free.inverse_inertia};
        const auto& arm = is_b ? contacts[i].arm_b : contacts[i].arm_a;
        for (const End& other : of_body_[body]) {
          const auto& c = contacts[other.contact];
          const double sign = other.is_b == is_b ? 1 : -1;
          parts.emplace_back(other.contact, sign * coulomb::coupling<D>(mobility, contacts[i].frame, arm, c.frame,
                                                                        other.is_b ? c.arm_b : c.arm_a));
        }
        continue;
      }
      const auto& inverse = inverse_[place.fragment];
      const std::size_t width = touched_[place.fragment].size(), mine = slot(place);
      // One product per body, then one per contact.
      std::uint32_t last = coulomb::kImmovable;
      Eigen::Matrix<double, D, 6> response;
      for (const End& other : of_fragment_[place.fragment]) {
        const std::uint32_t others = body_of(other);
        if (others != last)
          response.noalias() = own * inverse[mine * width + slot(bodies_.place(others))], last = others;
        const double sign = other.is_b == is_b ? 1 : -1;
        parts.emplace_back(other.contact,
                           sign * (response * jacobian<D>(contacts[other.contact], other.is_b).transpose()));
      }
    }
    return in_order_of_columns(parts);
  }

  /// Returns the velocity of the contact's point on one body, without contacts. Bodies that do not move freely are in
  /// w.
  Vec3 velocity(const End& end) const {
    const std::uint32_t body = body_of(end);
    if (body == coulomb::kImmovable) return Vec3::Zero();
    const auto& c = step_.problem.contacts[end.contact];
    const Vec3 arm = space(end.is_b ? c.arm_b : c.arm_a);
    if (bodies_.place(body).fragment == ImplicitMotion::Place::kNone) {
      const coulomb::RigidBody<D>& free = step_.problem.bodies[body];
      return space(free.velocity) + about_axes(free.spin).cross(arm);
    }
    const PointMotion motion = bodies_.without_contacts(body);
    return motion.velocity + motion.spin.cross(arm);
  }

  const StepProblem<D>& step_;
  const ImplicitMotion& bodies_;
  std::vector<std::vector<End>> of_fragment_, of_body_;
  std::vector<std::vector<std::uint32_t>> touched_;   ///< by fragment: numbers of bodies, ascending
  std::vector<std::vector<solvers::Block>> inverse_;  ///< by fragment
};

}  // namespace

template <int D>
std::size_t bonded_blocks(const StepProblem<D>& step, const ImplicitMotion& bodies) {
  std::vector<std::size_t> ends(bodies.fragments());
  for (const coulomb::RigidContact<D>& c : step.problem.contacts)
    for (const std::uint32_t body : {c.a, c.b})
      if (body != coulomb::kImmovable && bodies.place(body).fragment != ImplicitMotion::Place::kNone)
        ++ends[bodies.place(body).fragment];
  std::size_t blocks = 0;
  for (const std::size_t n : ends) blocks += n * n;
  return blocks;
}

template <int D>
coulomb::DelassusProblem<D> implicit_problem(const StepProblem<D>& step, const ImplicitMotion& bodies) {
  return Assembly<D>(step, bodies).make();
}

template <int D>
void add_pushes(const StepProblem<D>& step, double dt, std::span<Wrench> out) {
  for (std::size_t i = 0; i < step.impulses.size(); ++i) {
    const coulomb::RigidContact<D>& c = step.problem.contacts[i];
    const coulomb::Vec<D> force = c.frame.transpose() * step.impulses[i] / dt;
    const auto add = [&](std::uint32_t body, const coulomb::Vec<D>& arm, double sign) {
      if (body == coulomb::kImmovable) return;
      out[body].force += sign * space(force);
      out[body].torque += sign * about_axes(coulomb::cross(arm, force));
    };
    add(c.a, c.arm_a, -1);
    add(c.b, c.arm_b, 1);
  }
}

template std::size_t bonded_blocks(const StepProblem<2>&, const ImplicitMotion&);
template std::size_t bonded_blocks(const StepProblem<3>&, const ImplicitMotion&);
template coulomb::DelassusProblem<2> implicit_problem(const StepProblem<2>&, const ImplicitMotion&);
template coulomb::DelassusProblem<3> implicit_problem(const StepProblem<3>&, const ImplicitMotion&);
template void add_pushes(const StepProblem<2>&, double, std::span<Wrench>);
template void add_pushes(const StepProblem<3>&, double, std::span<Wrench>);

}  // namespace scree::nonsmooth
