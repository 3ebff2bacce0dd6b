#pragma once
/// \file What the laws of this plugin share: rolling resistance, cohesion by a pull, and what they need of the
/// contacts.

#include "models.hpp"
#include "scree/law/contact_law.hpp"
#include "scree/law/potential_face.hpp"

namespace scree::compliant {

/// Option `rolling`.
struct RollingParameters {
  enum class Model { none, constant, elastic_plastic };
  Model model = Model::none;
  double friction = 0;          ///< mu_r [-]
  double stiffness_factor = 0;  ///< s in k_r = s k_n (mu_r R)^2 [-]
  double damping_ratio = 0;     ///< eta [-]
};

/// Columns of history of the last committed step, and of this one.
struct History {
  const double* const* last;
  double* const* now;

  /// For energies, which only read what this step has written.
  static History written(const double* const* now) { return {now, const_cast<double* const*>(now)}; }
  History from(int column) const { return {last + column, now + column}; }
};

/// Option `cohesion`, as far as it is a pull while touching.
struct PullParameters {
  double constant = 0;    ///< [N]
  double per_radius = 0;  ///< times the reduced radius: 2 pi w for DMT [N/m]
  bool any() const { return constant > 0 || per_radius > 0; }
};

/// A law with the face "force/1" whose loops are put together from models.hpp.
class CompliantLaw : public ContactLaw, public ForceFace {
 public:
  const void* face(std::string_view name) const noexcept override;

 protected:
  /// The face "potential/1", for laws whose normal force is that of a convex energy.
  virtual const PotentialFace* potential() const noexcept { return nullptr; }
  /// Whether nothing pulls.
  bool pushes_only() const noexcept { return !pull_.any(); }
  double rolling_friction() const noexcept { return rolls() ? rolling_.friction : 0; }
  CompliantLaw(int dimension, const RollingParameters& rolling, const PullParameters& pull)
      : planar_(dimension == 2), rolling_(rolling), pull_(pull) {}

  bool planar() const noexcept { return planar_; }
  bool rolls() const noexcept { return rolling_.model != RollingParameters::Model::none; }
  /// Needs of rolling resistance and pull; `friction` with history is carried with the frame in 3D.
  ForceNeeds shared_needs(bool friction) const noexcept;
  /// Columns of the elastic couple.
  int rolling_history() const noexcept;

  /// use(normal) with the pull on top, where there is one.
  template <class Normal, class Use>
  void with_pull(const Normal& normal, const ContactColumns& c, const Use& use) const {
    if (!pull_.any()) return use(normal);
    use(Pulled<Normal>{normal, pull_.constant, pull_.per_radius, c.radius});
  }

  /// use(resistance), where there is one. \param history  from its own columns on
  template <class Use>
  void with_rolling(const ContactColumns& c, const History& history, const Use& use) const {
    const RollingParameters& r = rolling_;
    if (r.model == RollingParameters::Model::constant) return use(ConstantRolling{r.friction, c.dt, c.mass, c.radius});
    if (r.model != RollingParameters::Model::elastic_plastic) return;
    if (planar_)
      return use(ElasticPlasticRolling<Carry::plane>{r.friction, r.stiffness_factor, r.damping_ratio, 1.5, c.dt, c.mass,
                                                     c.radius, In(nullptr, nullptr, history.last[0]),
                                                     Out(nullptr, nullptr, history.now[0]), In()});
    use(ElasticPlasticRolling<Carry::frame>{r.friction, r.stiffness_factor, r.damping_ratio, 1.4, c.dt, c.mass,
                                            c.radius, In(history.last), Out(history.now), In(c.turn)});
  }

 private:
  bool planar_;
  RollingParameters rolling_;
  PullParameters pull_;
};

}  // namespace scree::compliant
