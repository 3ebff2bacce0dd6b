#pragma once
/// \file The laws of this plugin as plain data: options, and how the loops over contacts are put together from them.
/// Host and devices share them; what differs is the loop.

#include "evaluate.hpp"
#include "springs.hpp"

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

/// Common part of all laws of this plugin: rolling resistance, cohesion by a pull.
struct SharedModel {
  bool planar = true;
  RollingParameters rolling;
  PullParameters pull;

  bool rolls() const noexcept { return rolling.model != RollingParameters::Model::none; }
  /// j in I_r = j m R^2 about the contact [-].
  double rolling_inertia() const noexcept { return planar ? 1.5 : 1.4; }
  /// Columns of the elastic couple.
  int rolling_history() const noexcept {
    return rolling.model != RollingParameters::Model::elastic_plastic ? 0 : planar ? 1 : 3;
  }

  /// use(normal) with the pull on top, where there is one.
  template <class Normal, class Use>
  void with_pull(const Normal& normal, const ContactColumns& c, const Use& use) const {
    if (!pull.any()) return use(normal);
    use(Pulled<Normal>{normal, pull.constant, pull.per_radius, c.radius});
  }

  /// use(resistance), where there is one. \param history  from its own columns on
  template <class Use>
  void with_rolling(const ContactColumns& c, const History& history, const Use& use) const {
    const RollingParameters& r = rolling;
    if (r.model == RollingParameters::Model::constant) return use(ConstantRolling{r.friction, c.dt, c.mass, c.radius});
    if (r.model != RollingParameters::Model::elastic_plastic) return;
    if (planar)
      return use(ElasticPlasticRolling<Carry::plane>{r.friction, r.stiffness_factor, r.damping_ratio, rolling_inertia(),
                                                     c.dt, c.mass, c.radius, In(nullptr, nullptr, history.last[0]),
                                                     Out(nullptr, nullptr, history.now[0]), In()});
    use(ElasticPlasticRolling<Carry::frame>{r.friction, r.stiffness_factor, r.damping_ratio, rolling_inertia(), c.dt,
                                            c.mass, c.radius, In(history.last), Out(history.now), In(c.turn)});
  }
};

/// The loops of a model that has with_normal(), with_friction() and rolling_column().
template <class Model>
struct Loops : SharedModel {
  /// \param loop  loop(contacts, body) calls body(i) for all contacts
  template <class Loop>
  void force(const ContactColumns& contacts, const double* const* last, double* const* now, const ForceColumns& out,
             const Loop& loop) const {
    force_alone(contacts, last, now, out, loop);
    const History history{last, now};
    model().with_normal(contacts, history, [&](const auto& normal) {
      with_rolling(contacts, history.from(model().rolling_column()), [&](const auto& resistance) {
        loop(contacts, couple_of_contact(normal, resistance, contacts, Out(out.moment)));
      });
    });
  }
  /// Without the couples against rolling.
  template <class Loop>
  void force_alone(const ContactColumns& contacts, const double* const* last, double* const* now,
                   const ForceColumns& out, const Loop& loop) const {
    const History history{last, now};
    model().with_normal(contacts, history, [&](const auto& normal) {
      model().with_friction(contacts, history, [&](const auto& across) {
        loop(contacts, force_of_contact(normal, across, contacts, Out(out.force)));
      });
    });
  }
  template <class Loop>
  void energy(const ContactColumns& contacts, const double* const* now, double* energy, const Loop& loop) const {
    const History history = History::written(now);
    model().with_normal(contacts, history, [&](const auto& normal) {
      model().with_friction(contacts, history, [&](const auto& across) {
        loop(contacts, energy_of_contact(normal, across, contacts, energy));
      });
      with_rolling(contacts, history.from(model().rolling_column()), [&](const auto& resistance) {
        loop(contacts, rolling_energy_of_contact(normal, resistance, contacts, energy));
      });
    });
  }

 private:
  const Model& model() const { return static_cast<const Model&>(*this); }
};

struct TangentialParameters {
  enum class Model {
    none,     ///< no tangential force
    viscous,  ///< history-free, of the reference code
    spring,   ///< Cundall-Strack, with history
  };
  Model model = Model::spring;
  double stiffness = 0;  ///< k_t [N/m]
  double damping = 0;    ///< c_t [N s/m]
  double friction = 0;   ///< mu [-]
};

/// \tparam Spring  one of springs.hpp
template <class Spring>
struct ElasticModel : Loops<ElasticModel<Spring>> {
  Spring spring;
  TangentialParameters tangential;

  bool has_spring() const noexcept { return tangential.model == TangentialParameters::Model::spring; }
  int rolling_column() const noexcept { return has_spring() ? 3 : 0; }

  template <class Use>
  void with_normal(const ContactColumns& c, const History&, const Use& use) const {
    spring.with_normal(c, [&](const auto& normal) { this->with_pull(normal, c, use); });
  }
  template <class Use>
  void with_friction(const ContactColumns& c, const History& history, const Use& use) const {
    const TangentialParameters& t = tangential;
    if (t.model == TangentialParameters::Model::none) return use(NoFriction{});
    if (t.model == TangentialParameters::Model::viscous) return use(ViscousFriction(t.stiffness, t.friction, c.dt));
    if (this->planar)
      return use(SpringFriction<Carry::plane>{t.stiffness, t.damping, t.friction, c.dt, In(history.last),
                                              Out(history.now), In()});
    use(SpringFriction<Carry::frame>{t.stiffness, t.damping, t.friction, c.dt, In(history.last), Out(history.now),
                                     In(c.turn)});
  }
};

struct HertzMindlinParameters {
  Elasticity<double> elasticity;  ///< E*, G* [Pa]
  double damping_ratio = 0;       ///< z of Tsuji's dashpot [-]
  double friction = 0;            ///< mu [-]; 0 keeps no history
  double tangential_damping = 0;  ///< c_t = this times c_n sqrt(k_t/k_n) [-]
  double typical_speed = 1;       ///< typical speed of impacts, for the duration of a contact [m/s]
  double adhesion = 0;            ///< w of JKR; 0: no such contact [J/m^2]
  double largest_radius = 0;      ///< largest radius of a body: limits the reach of a neck [m]
  double youngs_modulus = 0;      ///< Young's modulus of both sides, in place of the materials' [Pa]; 0: not given
  double poisson_ratio = -1;      ///< likewise [-]; -1: not given
};

struct HertzMindlinModel : Loops<HertzMindlinModel> {
  HertzMindlinParameters p;

  bool jkr() const noexcept { return p.adhesion > 0; }
  bool rubs() const noexcept { return p.friction > 0; }
  /// k_t/k_n [-].
  double tangential_ratio() const noexcept { return 4 * p.elasticity.tangential / p.elasticity.normal; }
  /// Returns the column of the contact area's radius: behind the elastic force.
  int radius_column() const noexcept { return rubs() ? 3 : 0; }
  int rolling_column() const noexcept { return radius_column() + (rubs() || jkr() ? 1 : 0); }

  template <class Use>
  void with_normal(const ContactColumns& c, const History& history, const Use& use) const {
    const double modulus = p.elasticity.normal;
    if (jkr())
      return use(JkrNormal{modulus, p.adhesion, p.damping_ratio, c.mass, c.radius, history.last[radius_column()]});
    with_pull(HertzNormal{modulus, p.damping_ratio, c.mass, c.radius}, c, use);
  }
  template <class Use>
  void with_friction(const ContactColumns& c, const History& history, const Use& use) const {
    if (!rubs() && jkr()) return use(RememberRadius(history.now[radius_column()]));
    if (!rubs()) return use(NoFriction{});
    const double ratio = tangential_ratio();
    const double damping = p.tangential_damping * std::sqrt(ratio);
    const In last(history.last);
    const Out now(history.now);
    const double* const last_radius = history.last[radius_column()];
    double* const radius = history.now[radius_column()];
    if (planar)
      return use(MindlinFriction<Carry::plane>{ratio, damping, p.friction, c.dt, last, last_radius, now, radius, In()});
    use(MindlinFriction<Carry::frame>{ratio, damping, p.friction, c.dt, last, last_radius, now, radius, In(c.turn)});
  }
};

}  // namespace scree::compliant
