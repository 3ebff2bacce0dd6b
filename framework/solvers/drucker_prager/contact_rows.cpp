#include "solvers/drucker_prager/contact_rows.hpp"

#include "solvers/coulomb/hybrid.hpp"

namespace scree::continuum {

template <int D>
void ContactRows<D>::prepare(const StrainProblem<D>& problem, const Velocities<D>& free) {
  find_order(problem, free);
  rows_.clear();
  for (const std::uint32_t i : order_.contact) rows_.push_back(row_of(problem, i, free));
  impulse_.assign(size(), Vec<D>::Zero());
  last_ = impulse_;
  turn_.assign(size(), 0);
}

template <int D>
void ContactRows<D>::find_order(const StrainProblem<D>& problem, const Velocities<D>& free) {
  coulomb::Ends ends;
  std::vector<std::uint32_t> coloured, others;
  for (std::uint32_t i = 0; i < problem.contacts.size(); ++i) {
    std::array<std::uint32_t, 3> moving = {kImmovable, kImmovable, kImmovable};
    std::size_t count = 0;
    bool body = false;
    for (const End& end : ends_of(problem, i, free)) {
      if (is_fixed(end, free)) continue;
      body = body || end.kind == Kind::body;
      moving[count++] = end.index;
      if (end.second.node != kNoNode) moving[count++] = end.second.node;
    }
    const bool alone = body || count > 2;
    (alone ? others : coloured).push_back(i);
    if (!alone) ends.push_back({moving[0], moving[1]});
  }
  order_ = coulomb::colour(ends, free.nodes.size());
  coloured_ = coloured.size();
  for (std::uint32_t& place : order_.contact) place = coloured[place];
  order_.contact.insert(order_.contact.end(), others.begin(), others.end());
}

template <int D>
auto ContactRows<D>::end_of(std::uint32_t index, const Vec<D>& arm, const Velocities<D>& free) -> End {
  if (index == kImmovable) return {Kind::none, 0, Vec<D>::Zero(), {}};
  const auto nodes = static_cast<std::uint32_t>(free.nodes.size());
  if (index < nodes) return {Kind::node, index, Vec<D>::Zero(), {}};
  return {Kind::body, index - nodes, arm, {}};
}

template <int D>
auto ContactRows<D>::ends_of(const StrainProblem<D>& problem, std::size_t i, const Velocities<D>& free)
    -> std::array<End, 2> {
  const coulomb::RigidContact<D>& contact = problem.contacts[i];
  std::array<End, 2> ends = {end_of(contact.a, contact.arm_a, free), end_of(contact.b, contact.arm_b, free)};
  if (!problem.second.empty()) ends[1].second = problem.second[i];
  return ends;
}

template <int D>
bool ContactRows<D>::is_fixed(const End& end, const Velocities<D>& free) {
  const auto held = [&](std::uint32_t node) { return (free.nodes[node].inverse_mass == 0).all(); };
  if (end.kind == Kind::node) return held(end.index) && (end.second.node == kNoNode || held(end.second.node));
  if (end.kind == Kind::none) return true;
  const coulomb::Mobility<D>& body = free.mobility[end.index];
  return body.inverse_mass == 0 && body.inverse_inertia.isZero(0);
}

template <int D>
Vec<D> ContactRows<D>::velocity_of(const End& end, const Velocities<D>& v) {
  if (end.kind == Kind::node) {
    const Vec<D> first = v.nodes[end.index].velocity.template head<D>();
    if (end.second.node == kNoNode) return first;
    return (1 - end.second.share) * first +
           end.second.share * v.nodes[end.second.node].velocity.template head<D>().matrix();
  }
  if (end.kind == Kind::body) return v.bodies[end.index].at(end.arm);
  return Vec<D>::Zero();
}

template <int D>
Vec<D> ContactRows<D>::velocity_of(const Row& row, const Velocities<D>& v) {
  return row.frame * (velocity_of(row.b, v) - velocity_of(row.a, v)) + row.w;
}

template <int D>
Mat<D> ContactRows<D>::mobility_of(const End& end, const Mat<D>& frame, const Velocities<D>& v) {
  if (end.kind == Kind::none) return Mat<D>::Zero();
  if (end.kind == Kind::body) {
    return coulomb::coupling<D>(v.mobility[end.index], frame, end.arm, frame, end.arm);
  }
  Vec<D> inverse_mass = v.nodes[end.index].inverse_mass.template head<D>();
  if (const auto& [node, share] = end.second; node != kNoNode) {
    inverse_mass *= (1 - share) * (1 - share);
    inverse_mass += share * share * v.nodes[node].inverse_mass.template head<D>().matrix();
  }
  return frame * inverse_mass.asDiagonal() * frame.transpose();
}

template <int D>
void ContactRows<D>::push(const End& end, const Vec<D>& impulse, Velocities<D>& v) {
  if (end.kind == Kind::node) {
    const auto push_node = [&](std::uint32_t index, double share) {
      Node<D>& node = v.nodes[index];
      node.velocity.template head<D>() += share * node.inverse_mass.template head<D>() * impulse.array();
    };
    push_node(end.index, 1 - end.second.share);
    if (end.second.node != kNoNode) push_node(end.second.node, end.second.share);
  } else if (end.kind == Kind::body) {
    const coulomb::Motion<D> change = v.mobility[end.index].response(impulse, end.arm);
    v.bodies[end.index].velocity += change.velocity;
    v.bodies[end.index].spin += change.spin;
  }
}

template <int D>
void ContactRows<D>::push(const Row& row, const Vec<D>& change, Velocities<D>& v) {
  const Vec<D> impulse = row.frame.transpose() * change;
  push(row.a, -impulse, v);
  push(row.b, impulse, v);
}

template <int D>
auto ContactRows<D>::row_of(const StrainProblem<D>& problem, std::size_t i, const Velocities<D>& free) const -> Row {
  const coulomb::RigidContact<D>& contact = problem.contacts[i];
  const std::array<End, 2> ends = ends_of(problem, i, free);
  Row row{ends[0], ends[1], contact.frame, contact.w, {}, false};
  for (End* end : {&row.a, &row.b}) {
    if (!is_fixed(*end, free)) continue;
    row.w += (end == &row.b ? 1 : -1) * (row.frame * velocity_of(*end, free));
    end->kind = Kind::none;
  }
  row.moves = row.a.kind != Kind::none || row.b.kind != Kind::none;
  const Mat<D> w = mobility_of(row.a, row.frame, free) + mobility_of(row.b, row.frame, free);
  row.local = coulomb::make_local_problem<D>(w, contact.friction);
  return row;
}

template <int D>
void ContactRows<D>::set_impulses(std::span<const Vec<D>> impulses) {
  for (std::size_t i = 0; i < size(); ++i) {
    impulse_[i] = rows_[i].moves ? impulses[order_.contact[i]] : Vec<D>(Vec<D>::Zero());
  }
}

template <int D>
void ContactRows<D>::get_impulses(std::span<Vec<D>> impulses) const {
  for (std::size_t i = 0; i < size(); ++i) impulses[order_.contact[i]] = impulse_[i];
}

/// Calls visit(row) for all rows, in an order that threads share.
template <int D>
template <class Visit>
void ContactRows<D>::visit_rows(const Visit& visit) const {
  coulomb::visit_by_colour(order_, visit);
  if (coloured_ == size()) return;
#pragma omp single
  for (std::size_t i = coloured_; i < size(); ++i) visit(i);
}

template <int D>
void ContactRows<D>::push_all(Velocities<D>& v) const {
  visit_rows([&](std::size_t i) { push(rows_[i], impulse_[i], v); });
}

/// The impulse that satisfies Coulomb's law in this row alone.
template <int D>
Vec<D> ContactRows<D>::local_solution(std::size_t i, const Velocities<D>& v) const {
  const coulomb::LocalProblem<D>& p = rows_[i].local;
  const Vec<D> old = p.scale * impulse_[i];
  const Vec<D> b = velocity_of(rows_[i], v) - p.W * old;
  return coulomb::solve_contact<D, coulomb::LocalSolver::hybrid>(p, b, old).x / p.scale;
}

template <int D>
void ContactRows<D>::visit(std::size_t i, Velocities<D>& v) {
  const Row& row = rows_[i];
  if (!row.moves) return;
  const Vec<D> now = local_solution(i, v), change = now - impulse_[i];
  impulse_[i] = now;
  push(row, change, v);
  turn_[i] = -row.local.scale * change.dot(now - last_[i]);
}

template <int D>
void ContactRows<D>::sweep(Velocities<D>& v) {
  visit_rows([&](std::size_t i) { visit(i, v); });
}

template <int D>
double ContactRows<D>::turn() const {
  double sum = 0;
  for (const double t : turn_) sum += t;
  return sum;
}

template <int D>
void ContactRows<D>::extrapolate(double beta) {
  for (std::size_t i = 0; i < size(); ++i) {
    const Vec<D> now = impulse_[i];
    impulse_[i] += beta * (now - last_[i]);
    last_[i] = now;
  }
}

template <int D>
double ContactRows<D>::squares(const Velocities<D>& v, double face) const {
  double sum = 0;
  for (std::size_t i = 0; i < size(); ++i) {
    const Row& row = rows_[i];
    if (!row.moves) continue;
    sum += (local_solution(i, v) - impulse_[i]).squaredNorm();
  }
  return sum / (face * face);
}

template class ContactRows<2>;
template class ContactRows<3>;

}  // namespace scree::continuum
