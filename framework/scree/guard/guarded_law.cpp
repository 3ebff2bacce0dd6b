#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "scree/guard/detail/checks.hpp"
#include "scree/guard/detail/class_of.hpp"
#include "scree/guard/guarded.hpp"
#include "scree/law/cone_face.hpp"
#include "scree/law/potential_face.hpp"

namespace scree {

namespace {

/// Returns the input of a law for contact i, for messages.
std::string told(const ContactColumns& c, std::size_t i) {
  std::string text = fmt::format("with an overlap of {:.6g} m", c.overlap[i]);
  if (c.velocity[0])
    text += fmt::format(" and a velocity of ({:.6g}, {:.6g}, {:.6g}) m/s", c.velocity[0][i], c.velocity[1][i],
                        c.velocity[2][i]);
  return text;
}

constexpr const char* kRemedy = "Lower dt or the stiffness, or look for a bad initial overlap.";

class GuardedForce final : public ForceFace {
 public:
  GuardedForce(const Method& method, const ForceFace& face) : method_(method), face_(face), moment_(needs().moment) {
    if (history_size() < 0)
      fail_contract(
          method_, "history_size()",
          fmt::format("returned {}; a law remembers 0 to {} numbers of a contact.", history_size(), kMostHistory));
  }

  ForceNeeds needs() const noexcept override { return face_.needs(); }
  int history_size() const noexcept override { return face_.history_size(); }
  double contact_duration(double reduced_mass, double reduced_radius) const noexcept override {
    return face_.contact_duration(reduced_mass, reduced_radius);
  }
  ContactRates rates(double reduced_mass, double reduced_radius) const noexcept override {
    return face_.rates(reduced_mass, reduced_radius);
  }

  void force(const ContactColumns& contacts, const double* const* last, double* const* now,
             ForceColumns out) const override {
    guarded(method_, "force()", [&] { face_.force(contacts, last, now, out); });
    if (!detail::all_finite(out.force, contacts.size)) fail(contacts, out.force, "force", "N");
    if (moment_ && !detail::all_finite(out.moment, contacts.size)) fail(contacts, out.moment, "moment", "N m");
  }

  void elastic(const ContactColumns& contacts, double* force, double* stiffness) const override {
    guarded(method_, "elastic()", [&] { face_.elastic(contacts, force, stiffness); });
    const auto good = [&](std::size_t k) {
      return std::isfinite(force[k]) && std::isfinite(stiffness[k]) && force[k] >= 0 && stiffness[k] >= 0;
    };
    bool all = true;
    for (std::size_t k = 0; k < contacts.size; ++k) all &= good(k);
    if (all) return;
    const std::size_t i = detail::first_not(contacts.size, good);
    fail_numbers(
        method_, "elastic()",
        fmt::format("of a contact {}, the elastic force is {} and the stiffness {}; both must be finite and at "
                    "least 0.",
                    told(contacts, i), force[i], stiffness[i]));
  }

  void energy(const ContactColumns& contacts, const double* const* history, double* energy) const override {
    guarded(method_, "energy()", [&] { face_.energy(contacts, history, energy); });
    if (detail::all_finite(energy, contacts.size)) return;
    const std::size_t i = detail::first_not(contacts.size, [&](std::size_t k) { return std::isfinite(energy[k]); });
    fail_numbers(method_, "energy()",
                 fmt::format("the energy of a contact {} is {} J. {}", told(contacts, i), energy[i], kRemedy));
  }

 private:
  [[noreturn]] void fail(const ContactColumns& contacts, double* const (&out)[3], const char* what,
                         const char* unit) const {
    const std::size_t i = detail::first_not(contacts.size, [&](std::size_t k) {
      return std::isfinite(out[0][k]) && std::isfinite(out[1][k]) && std::isfinite(out[2][k]);
    });
    fail_numbers(method_, "force()",
                 fmt::format("the {} of a contact {} is ({}, {}, {}) {}. {}", what, told(contacts, i), out[0][i],
                             out[1][i], out[2][i], unit, kRemedy));
  }

  const Method& method_;
  const ForceFace& face_;
  bool moment_;
};

class GuardedCone final : public ConeFace {
 public:
  GuardedCone(const Method& method, const ConeFace& face) : method_(method), face_(face) {}

  void cone(const ContactColumns& contacts, double* friction, double* restitution) const override {
    guarded(method_, "cone()", [&] { face_.cone(contacts, friction, restitution); });
    const auto good = [&](std::size_t k) {
      return std::isfinite(friction[k]) && friction[k] >= 0 && restitution[k] >= 0 && restitution[k] <= 1;
    };
    bool all = true;
    for (std::size_t i = 0; i < contacts.size; ++i) all &= good(i);
    if (all) return;
    const std::size_t i = detail::first_not(contacts.size, good);
    fail_numbers(method_, "cone()",
                 fmt::format("of a contact {}, friction is {} and restitution {}; friction must be finite and at least "
                             "0, restitution 0 to 1.",
                             told(contacts, i), friction[i], restitution[i]));
  }

 private:
  const Method& method_;
  const ConeFace& face_;
};

class GuardedPotential final : public PotentialFace {
 public:
  GuardedPotential(const Method& method, const PotentialFace& face) : method_(method), face_(face) {
    for (const double coefficient : {friction(), rolling_friction()})
      if (!(coefficient >= 0) || !std::isfinite(coefficient))
        fail_contract(method_, "potential/1",
                      fmt::format("a coefficient of friction is {}; it must be finite and at least 0.", coefficient));
  }

  ForceNeeds needs() const noexcept override { return face_.needs(); }
  double friction() const noexcept override { return face_.friction(); }
  double rolling_friction() const noexcept override { return face_.rolling_friction(); }

  void potential(const ContactColumns& contacts, double* energy, double* force, double* stiffness) const override {
    guarded(method_, "potential()", [&] { face_.potential(contacts, energy, force, stiffness); });
    const std::size_t size = contacts.size;
    if (detail::all_finite({energy, force, stiffness}, size)) return;
    const std::size_t i = detail::first_not(size, [&](std::size_t k) {
      return std::isfinite(energy[k]) && std::isfinite(force[k]) && std::isfinite(stiffness[k]);
    });
    fail_numbers(method_, "potential()",
                 fmt::format("of a contact {}, energy is {} J, force {} N and stiffness {} N/m. {}", told(contacts, i),
                             energy[i], force[i], stiffness[i], kRemedy));
  }

 private:
  const Method& method_;
  const PotentialFace& face_;
};

class GuardedLaw final : public ContactLaw {
 public:
  GuardedLaw(const Method& method, std::unique_ptr<ContactLaw> law)
      : method_(method), law_(detail::not_null(method, std::move(law))) {
    detail::check_classes<ForceFace, ConeFace, PotentialFace>(method_, "face()",
                                                              [&](std::string_view name) { return law_->face(name); });
    if (const auto* const face = scree::face<ForceFace>(*law_)) force_.emplace(method_, *face);
    if (const auto* const face = scree::face<ConeFace>(*law_)) cone_.emplace(method_, *face);
    if (const auto* const face = scree::face<PotentialFace>(*law_)) potential_.emplace(method_, *face);
    if (!(range() >= 0) || !std::isfinite(range()))
      fail_contract(method_, "range()", fmt::format("returned {} m; it must be finite and at least 0.", range()));
  }
  ~GuardedLaw() override { destroy(method_, law_); }

  double range() const noexcept override { return law_->range(); }
  std::span<const std::string_view> contact_inputs() const noexcept override { return law_->contact_inputs(); }
  std::span<const std::string_view> body_inputs() const noexcept override { return law_->body_inputs(); }
  std::optional<Moduli> moduli(const Moduli& of_material) const noexcept override { return law_->moduli(of_material); }
  const void* face(std::string_view name) const noexcept override {
    if (name == ForceFace::kName) return detail::pointer_to<ForceFace>(force_);
    if (name == ConeFace::kName) return detail::pointer_to<ConeFace>(cone_);
    if (name == PotentialFace::kName) return detail::pointer_to<PotentialFace>(potential_);
    return law_->face(name);
  }

 private:
  Method method_;
  std::unique_ptr<ContactLaw> law_;
  std::optional<GuardedForce> force_;
  std::optional<GuardedCone> cone_;
  std::optional<GuardedPotential> potential_;
};

}  // namespace

std::unique_ptr<ContactLaw> guarded(const Method& method, std::unique_ptr<ContactLaw> law) {
  return std::make_unique<GuardedLaw>(method, std::move(law));
}

}  // namespace scree
