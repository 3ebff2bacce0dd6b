#pragma once
/// \file The laws "linear" and "hertz-mindlin" with further terms: plasticity, cohesion "sjkr", liquid bridges,
/// twisting.

#include <array>
#include <memory>

#include "elastic_law.hpp"
#include "hertz_mindlin_law.hpp"
#include "terms.hpp"

namespace scree::compliant {

/// A law whose contacts have further terms. It has neither the face "potential/1" nor one for devices.
/// \tparam Law  LinearLaw or HertzMindlinLaw
template <class Law>
class TermedLaw final : public Law {
 public:
  TermedLaw(const Law& law, const Terms& terms);

  double range() const noexcept override;
  std::span<const std::string_view> body_inputs() const noexcept override { return {inputs_.data(), input_count_}; }
  ForceNeeds needs() const noexcept override;
  int history_size() const noexcept override { return Law::history_size() + model_.terms.columns(); }
  void force(const ContactColumns& contacts, const double* const* last, double* const* now,
             ForceColumns out) const override;
  void energy(const ContactColumns& contacts, const double* const* history, double* energy) const override;
  double contact_duration(double reduced_mass, double reduced_radius) const noexcept override;
  ContactRates rates(double reduced_mass, double reduced_radius) const noexcept override;

 private:
  const PotentialFace* potential() const noexcept override { return nullptr; }
  const device::DeviceLaw* on_device() const noexcept override { return nullptr; }

  TermedModel<typename Law::Model> model_;
  std::array<std::string_view, 3> inputs_;
  std::size_t input_count_ = 0;
};

extern template class TermedLaw<LinearLaw>;
extern template class TermedLaw<HertzMindlinLaw>;

/// Makes the law, with further terms if there are any.
template <class Law>
std::unique_ptr<ContactLaw> with_terms(const Law& law, const Terms& terms) {
  if (!terms.any()) return std::make_unique<Law>(law);
  return std::make_unique<TermedLaw<Law>>(law, terms);
}

}  // namespace scree::compliant
