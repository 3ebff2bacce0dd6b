#include "solvers/newton/potential.hpp"

#include "solvers/newton/block_sink.hpp"
#include "scree/base/parallel.hpp"

namespace scree::solvers {

namespace {

void evaluate(std::span<const EnergyTerm* const> terms, const Configuration& x, std::vector<double>& out) {
  std::size_t items = 0;
  for (const EnergyTerm* term : terms) items += term->items();
  out.resize(items);
  std::size_t at = 0;
  for (const EnergyTerm* term : terms) {
    term->energies(x, std::span(out).subspan(at, term->items()));
    at += term->items();
  }
}

}  // namespace

IncrementalPotential::IncrementalPotential(Unknowns unknowns, std::vector<const EnergyTerm*> terms)
    : unknowns_(std::move(unknowns)), terms_(std::move(terms)), by_body_(unknowns_.row.size()) {
  std::vector<BodyPair> pairs, rows;
  for (const EnergyTerm* term : terms_) term->list_pairs(pairs);
  for (const auto& [a, b] : pairs)
    if (unknowns_.row[a] != Unknowns::kNone && unknowns_.row[b] != Unknowns::kNone)
      rows.emplace_back(unknowns_.row[a], unknowns_.row[b]);
  pattern_ = std::make_unique<BlockPattern>(unknowns_.rows(), std::move(rows));
}

void IncrementalPotential::set_base(const Configuration& x) { evaluate(terms_, x, base_); }

double IncrementalPotential::change(const Configuration& x) {
  evaluate(terms_, x, trial_);
  parallel_for(std::ssize(trial_),
               [&](std::ptrdiff_t k) { trial_[static_cast<std::size_t>(k)] -= base_[static_cast<std::size_t>(k)]; });
  return ordered_sum(trial_);
}

double IncrementalPotential::base() const { return ordered_sum(base_); }

void IncrementalPotential::gradient(const Configuration& x, BlockVector& out) {
  std::fill(by_body_.begin(), by_body_.end(), Wrench{});
  for (const EnergyTerm* term : terms_) term->add_gradient(x, by_body_);
  out.resize(6 * static_cast<Eigen::Index>(unknowns_.rows()));
  for (std::size_t row = 0; row < unknowns_.rows(); ++row) {
    const Wrench& w = by_body_[unknowns_.body[row]];
    out.segment<6>(6 * static_cast<Eigen::Index>(row)) << w.force, w.torque;
  }
}

void IncrementalPotential::hessian(const Configuration& x, Curvature curvature, BlockMatrix& out) const {
  out.set_zero();
  const BlockSink sink(unknowns_, out);
  for (const EnergyTerm* term : terms_) term->add_hessian(x, curvature, sink);
}

}  // namespace scree::solvers
