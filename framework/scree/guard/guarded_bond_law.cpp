#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <optional>
#include <set>
#include <vector>

#include "scree/guard/detail/checks.hpp"
#include "scree/guard/detail/class_of.hpp"
#include "scree/guard/guarded.hpp"
#include "scree/law/bond_columns.hpp"

namespace scree {

namespace {

class GuardedForces final : public BondForces {
 public:
  GuardedForces(const Method& method, const BondForces& face) : method_(method), face_(face) {}

  void add_wrenches(const Configuration& x, std::span<Wrench> out) const override {
    guarded(method_, "add_wrenches()", [&] { face_.add_wrenches(x, out); });
    static_assert(sizeof(Wrench) == 6 * sizeof(double));
    if (!out.empty() && !detail::all_finite(out[0].force.data(), 6 * out.size()))
      fail_numbers(method_, "add_wrenches()",
                   "a force or torque became NaN or infinite. Lower dt or the stiffness of the bonds.");
  }
  double energy(const Configuration& x) const override {
    const double energy = guarded(method_, "energy()", [&] { return face_.energy(x); });
    if (!std::isfinite(energy)) fail_numbers(method_, "energy()", fmt::format("the energy is {} J.", energy));
    return energy;
  }
  double stable_time_step(const Configuration& x, std::span<const double> mass,
                          std::span<const double> moment) const override {
    const double dt = guarded(method_, "stable_time_step()", [&] { return face_.stable_time_step(x, mass, moment); });
    if (std::isnan(dt)) fail_numbers(method_, "stable_time_step()", "returned NaN.");
    return dt;
  }

 private:
  const Method& method_;
  const BondForces& face_;
};

class GuardedJoints final : public BondJoints {
 public:
  GuardedJoints(const Method& method, const BondJoints& face) : method_(method), face_(face) {}

  void arms(const Configuration& x, std::span<Vec3> arm_a, std::span<Vec3> arm_b) const override {
    guarded(method_, "arms()", [&] { face_.arms(x, arm_a, arm_b); });
    if (!detail::all_finite(arm_a) || !detail::all_finite(arm_b))
      fail_numbers(method_, "arms()", "the arm of a joint is NaN or infinite.");
  }

 private:
  const Method& method_;
  const BondJoints& face_;
};

/// Guard of energies. Results are not checked: trial states of a minimiser may have energies that are no numbers.
class GuardedEnergy final : public EnergyTerm {
 public:
  GuardedEnergy(const Method& method, const EnergyTerm& face) : method_(method), face_(face) {}

  std::size_t items() const override {
    return guarded(method_, "items()", [&] { return face_.items(); });
  }
  void energies(const Configuration& x, std::span<double> out) const override {
    guarded(method_, "energies()", [&] { face_.energies(x, out); });
  }
  void add_gradient(const Configuration& x, std::span<Wrench> out) const override {
    guarded(method_, "add_gradient()", [&] { face_.add_gradient(x, out); });
  }
  void add_hessian(const Configuration& x, Curvature curvature, const HessianSink& out) const override {
    guarded(method_, "add_hessian()", [&] { face_.add_hessian(x, curvature, out); });
  }
  void list_pairs(std::vector<BodyPair>& out) const override {
    guarded(method_, "list_pairs()", [&] { face_.list_pairs(out); });
  }

 private:
  const Method& method_;
  const EnergyTerm& face_;
};

class GuardedColumns final : public BondColumns {
 public:
  GuardedColumns(const Method& method, const BondColumns& face) : method_(method), face_(face) {}

  std::vector<BondColumn> columns() const override {
    std::vector<BondColumn> columns = guarded(method_, "columns()", [&] { return face_.columns(); });
    std::set<std::string_view> names;
    for (const BondColumn& column : columns) {
      const auto fits = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
      if (column.name.empty() || !std::ranges::all_of(column.name, fits))
        fail_contract(method_, "columns()",
                      fmt::format("named a column \"{}\"; names are letters, digits and underscores.", column.name));
      if (!names.insert(column.name).second)
        fail_contract(method_, "columns()", fmt::format("named two columns \"{}\".", column.name));
    }
    if (known_.empty()) known_ = names_of(columns);
    if (known_ != names_of(columns))
      fail_contract(method_, "columns()",
                    fmt::format("named the columns {}; before, they were {}.", fmt::join(names_of(columns), ", "),
                                fmt::join(known_, ", ")));
    return columns;
  }

  /// Reports values. A value that is not written stays NaN, and is found.
  void values(const Configuration& x, std::span<const std::span<double>> out) const override {
    for (const std::span<double> column : out) std::ranges::fill(column, std::numeric_limits<double>::quiet_NaN());
    guarded(method_, "values()", [&] { face_.values(x, out); });
    for (std::size_t k = 0; k < out.size(); ++k) {
      if (detail::all_finite(out[k].data(), out[k].size())) continue;
      const std::size_t bond =
          detail::first_not(out[k].size(), [&](std::size_t i) { return std::isfinite(out[k][i]); });
      fail_numbers(method_, "values()",
                   fmt::format("\"{}\" of the law's bond {} of {} is {}, or was not written.", columns()[k].name, bond,
                               out[k].size(), out[k][bond]));
    }
  }

 private:
  static std::vector<std::string> names_of(const std::vector<BondColumn>& columns) {
    std::vector<std::string> names;
    for (const BondColumn& column : columns) names.push_back(column.name);
    return names;
  }
  const Method& method_;
  const BondColumns& face_;
  mutable std::vector<std::string> known_;  ///< names reported first
};

class GuardedBondLaw final : public BondLaw {
 public:
  GuardedBondLaw(const Method& method, std::unique_ptr<BondLaw> law)
      : method_(method), law_(detail::not_null(method, std::move(law))) {
    detail::check_classes<BondForces, BondJoints, EnergyTerm, BondColumns>(
        method_, "face()", [&](std::string_view name) { return law_->face(name); });
    if (const auto* const face = scree::face<BondForces>(*law_)) forces_.emplace(method_, *face);
    if (const auto* const face = scree::face<BondJoints>(*law_)) joints_.emplace(method_, *face);
    if (const auto* const face = scree::face<EnergyTerm>(*law_)) energy_.emplace(method_, *face);
    if (const auto* const face = scree::face<BondColumns>(*law_)) columns_.emplace(method_, *face);
    traits_ = guarded(method_, "traits()", [&] { return law_->traits(); });
    check_traits();
  }
  ~GuardedBondLaw() override { destroy(method_, law_); }

  /// Returns the traits as of the first call: columns have been made for them.
  BondTraits traits() const override { return traits_; }
  void bind(const BondView& bonds, std::size_t bodies) override {
    bodies_ = bodies;
    guarded(method_, "bind()", [&] { law_->bind(bonds, bodies); });
  }
  void utilisation(const Configuration& x, std::span<double> out) const override {
    guarded(method_, "utilisation()", [&] { law_->utilisation(x, out); });
    if (std::ranges::any_of(out, [](double u) { return std::isnan(u); }))
      fail_numbers(method_, "utilisation()", "of a bond is NaN.");
  }
  const void* face(std::string_view name) const noexcept override {
    if (name == BondForces::kName) return detail::pointer_to<BondForces>(forces_);
    if (name == BondJoints::kName) return detail::pointer_to<BondJoints>(joints_);
    if (name == EnergyTerm::kName) return detail::pointer_to<EnergyTerm>(energy_);
    if (name == BondColumns::kName) return detail::pointer_to<BondColumns>(columns_);
    return law_->face(name);
  }
  std::string fault(const BondView& bonds) const override {
    return guarded(method_, "fault()", [&] { return law_->fault(bonds); });
  }
  void begin_step(const Configuration& x, double time) override {
    guarded(method_, "begin_step()", [&] { law_->begin_step(x, time); });
  }
  void list_links(std::vector<ChainLink>& out) const override {
    const std::size_t first = out.size();
    guarded(method_, "list_links()", [&] { law_->list_links(out); });
    if (out.size() < first) fail_contract(method_, "list_links()", "took away what was listed before.");
    for (std::size_t k = first; k < out.size(); ++k) {
      if (const std::uint32_t body = std::max(out[k].a, out[k].b); body >= bodies_)
        fail_contract(method_, "list_links()", fmt::format("listed a link of body {}; there are {}.", body, bodies_));
      if (!out[k].point_a.allFinite() || !out[k].point_b.allFinite())
        fail_numbers(method_, "list_links()", "the point of a link is NaN or infinite.");
    }
  }
  bool end_step(const Configuration& x, std::span<double> memory) override {
    const std::vector<double> before(memory.begin(), memory.end());
    const bool changed = guarded(method_, "end_step()", [&] { return law_->end_step(x, memory); });
    if (!detail::all_finite(memory.data(), memory.size()))
      fail_numbers(method_, "end_step()", "what a bond remembers became NaN or infinite. Lower dt.");
    if (!changed && !std::ranges::equal(before, memory))
      fail_contract(method_, "end_step()", "changed what a bond remembers, and returned that it did not.");
    return changed;
  }
  std::string balance(const BondView& bonds, std::span<const Wrench> loads, std::span<double> memory) const override {
    std::string fault = guarded(method_, "balance()", [&] { return law_->balance(bonds, loads, memory); });
    if (fault.empty() && !detail::all_finite(memory.data(), memory.size()))
      fail_contract(method_, "balance()", "what a bond remembers is NaN or infinite.");
    return fault;
  }

 private:
  void check_traits() const {
    const auto fail = [&](const std::string& text) { fail_contract(method_, "traits()", text); };
    if (traits_.memory < 0 || traits_.memory > BondTraits::kMostMemory)
      fail(fmt::format("a bond remembers {} numbers; 0 to {} are possible.", traits_.memory, BondTraits::kMostMemory));
    if (traits_.memory == 0 && (traits_.memory_changes || traits_.balances))
      fail("steps or balance() are to set what bonds remember, which is nothing: memory is 0.");
    if (traits_.resists_rates && !energy_) fail("bonds resist rates and have no face energy/1, which would tell it.");
    if (!(traits_.modulus >= 0) || !(traits_.strength >= 0))
      fail(fmt::format("modulus {} Pa or strength {} Pa is below 0 or NaN.", traits_.modulus, traits_.strength));
  }

  Method method_;
  std::unique_ptr<BondLaw> law_;
  BondTraits traits_;
  std::size_t bodies_ = 0;  ///< number of bodies when the law was last bound
  std::optional<GuardedForces> forces_;
  std::optional<GuardedJoints> joints_;
  std::optional<GuardedEnergy> energy_;
  std::optional<GuardedColumns> columns_;
};

}  // namespace

std::unique_ptr<BondLaw> guarded(const Method& method, std::unique_ptr<BondLaw> law) {
  return std::make_unique<GuardedBondLaw>(method, std::move(law));
}

}  // namespace scree
