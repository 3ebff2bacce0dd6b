#pragma once
/// \file Further terms of a contact, composed at run time: plasticity, the pull of the circle in which spheres cross,
/// liquid bridges, resistance against twist. Contacts without them keep the loops of law_models.hpp, which vectorise.

#include "law_models.hpp"
#include "liquid_force.hpp"
#include "plastic_force.hpp"
#include "twisting.hpp"

namespace scree::compliant {

/// Options beyond those of a plain contact.
struct Terms {
  Plasticity plasticity;
  double crossing_pull = 0;  ///< k of cohesion "sjkr": pull per area [Pa]
  Liquid liquid;
  double twisting_friction = 0;  ///< mu of the couple about the normal [-]

  bool plastic() const noexcept { return plasticity.ratio > 1; }
  bool wet() const noexcept { return liquid.tension > 0; }
  bool twists() const noexcept { return twisting_friction > 0; }
  bool any() const noexcept { return plastic() || crossing_pull > 0 || wet() || twists(); }
  // Columns of history, behind those of the plain contact: d_max; couple and stiffness of twist; volume of the bridge
  // and its mark, which is last.
  int twist_column() const noexcept { return plastic() ? 1 : 0; }
  int bridge_column() const noexcept { return twist_column() + (twists() ? 2 : 0); }
  int columns() const noexcept { return bridge_column() + (!wet() ? 0 : liquid.films ? 2 : 1); }
};

/// The spring of a law at one depth: k1 d^n, with what hangs on it.
struct SpringAt {
  double factor;                                    ///< k1 [N/m^n]
  double stiffness, damping, radius;                ///< numbers of NormalContact
  double tangential_stiffness, tangential_damping;  ///< while the contact sticks [N/m], [N s/m]
};

/// The spring of `linear`.
struct LinearLine {
  using Power = LinearPower;
  const ElasticModel<LinearSpring>& model;
  const double* mass;

  LinearLine(const ElasticModel<LinearSpring>& m, const ContactColumns& c) : model(m), mass(c.mass) {}
  SpringAt at(std::size_t i, double) const {
    const LinearSpring& s = model.spring;
    const double damping = s.damping_ratio < 0 ? s.damping : 2 * s.damping_ratio * std::sqrt(s.stiffness * mass[i]);
    return {s.stiffness, s.stiffness, damping, 0, model.tangential.stiffness, model.tangential.damping};
  }
};

/// The spring of `hertz-mindlin`.
struct HertzLine {
  using Power = HertzPower;
  const HertzMindlinModel& model;
  const double *mass, *radius;

  HertzLine(const HertzMindlinModel& m, const ContactColumns& c) : model(m), mass(c.mass), radius(c.radius) {}
  SpringAt at(std::size_t i, double depth) const {
    const HertzMindlinParameters& p = model.p;
    const double root = std::sqrt(std::abs(radius[i])), ratio = model.tangential_ratio();
    const NormalContact<double> c = hertz_contact(p.elasticity.normal, p.damping_ratio, mass[i], radius[i], depth, 0.0);
    return {4.0 / 3 * p.elasticity.normal * root,
            c.stiffness,
            c.damping,
            c.radius,
            ratio * c.stiffness,
            p.tangential_damping * std::sqrt(ratio) * c.damping};
  }
};

/// The law's spring for a model.
template <class Model>
struct LineOf {
  using Type = LinearLine;
};
template <>
struct LineOf<HertzMindlinModel> {
  using Type = HertzLine;
};

/// The normal force with all terms. Where it may write, it notes what the contact remembers.
template <class Line>
struct TermedNormal {
  using Power = typename Line::Power;
  Line line;
  Terms terms;
  PullParameters pull;
  const double *radius, *size_a, *size_b;             ///< R; radii of both bodies [m]
  const double *offer_a, *offer_b, *turn_a, *turn_b;  ///< columns of the modifier liquid-films
  const double *last_depth, *last_bridge;             ///< nullptr: no such term
  double *depth, *bridge, *mark;                      ///< nullptr: not to be written

  double pull_of(std::size_t i) const {
    return pull.constant + pull.per_radius * std::abs(pull.per_radius > 0 ? radius[i] : 0);
  }
  double smaller_size(std::size_t i) const { return smaller(size_a[i], size_b[i]); }
  double bridge_now(std::size_t i, double overlap) const {
    const bool films = terms.liquid.films;
    return next_bridge(terms.liquid, radius[i], overlap, last_bridge[i],
                       films ? FilmOffer{offer_a[i], turn_a[i]} : FilmOffer{},
                       films ? FilmOffer{offer_b[i], turn_b[i]} : FilmOffer{});
  }

  NormalContact<double> operator()(std::size_t i, double overlap, double speed) const {
    NormalContact<double> c{0, 0, 0, 0, 0};
    double largest = 0;
    if (overlap > 0) {
      const SpringAt spring = line.at(i, overlap);
      const PlasticForce p =
          plastic_force<Power>(terms.plasticity, spring.factor, overlap, last_depth ? last_depth[i] : 0);
      const double force = larger(smaller(0.0, p.force), p.force - spring.damping * speed);
      largest = p.largest;
      c = {force, force + p.pull, spring.stiffness, spring.damping, spring.radius};
      c.force -= pull_of(i);
      if (terms.crossing_pull > 0) c.force -= terms.crossing_pull * crossing_area(radius[i], smaller_size(i), overlap);
    }
    if (depth) depth[i] = largest;
    if (!last_bridge) return c;
    const double volume = bridge_now(i, overlap);
    if (volume > 0) {
      const Drag drag = bridge_drag(terms.liquid, radius[i], -overlap);
      c.force -= bridge_force(terms.liquid, radius[i], volume, -overlap) + drag.normal * speed;
      c.drag = drag.tangential;
    }
    if (bridge) bridge[i] = volume;
    if (mark) mark[i] = volume != 0 ? kLiquidMark : 0;
    return c;
  }
  /// \pre history is that of this step
  double energy(std::size_t i, double overlap) const {
    double sum = 0;
    if (overlap > 0) {
      sum = plastic_energy<Power>(terms.plasticity, line.at(i, overlap).factor, overlap,
                                  last_depth ? last_depth[i] : overlap) -
            pull_of(i) * overlap;
      if (terms.crossing_pull > 0) sum -= terms.crossing_pull * crossing_volume(radius[i], smaller_size(i), overlap);
    }
    if (last_bridge && last_bridge[i] > 0) sum += bridge_energy(terms.liquid, radius[i], last_bridge[i], -overlap);
    return sum;
  }
};

/// Friction, and the drag of the liquid beside it.
template <class Across>
struct Dragged {
  Across across;

  Triple<double> operator()(std::size_t i, const NormalContact<double>& c, Triple<double> slip,
                            Triple<double> n) const {
    return across(i, c, slip, n) - c.drag * slip;
  }
  double energy(std::size_t i, const NormalContact<double>& c) const { return across.energy(i, c); }
};

/// Adds the couple about the normal.
template <class Normal, class Line>
struct TwistOfContact : ContactsRead {
  Normal normal;
  Line line;
  double friction, dt;
  const double *radius, *last_couple, *last_stiffness;
  double *couple, *stiffness;
  Out moment;

  void operator()(std::size_t i) const {
    const Triple<double> n = normals[i];
    const double depth = larger(0.0, overlap[i]), square = std::abs(radius[i]) * depth;
    const NormalContact<double> c = normal(i, overlap[i], damped_speed(overlap[i], dot(n, velocities[i])));
    const SpringAt spring = line.at(i, depth);
    const double k = spring.tangential_stiffness * square / 2, damping = spring.tangential_damping * square / 2;
    const double cap = 2.0 / 3 * std::sqrt(square) * friction * c.load;
    const Twist twist = twisting(k, last_stiffness[i], damping, cap, dot(spins[i], n), last_couple[i], dt);
    couple[i] = twist.elastic;
    stiffness[i] = k;
    moment.store(i, moment[i] + twist.moment * n);
  }
};

/// A model with further terms. \tparam Model  ElasticModel<LinearSpring> or HertzMindlinModel
template <class Model>
struct TermedModel : Loops<TermedModel<Model>> {
  using Line = typename LineOf<Model>::Type;
  Model model;
  Terms terms;

  TermedModel(const Model& m, const Terms& t) : Loops<TermedModel>{SharedModel(m)}, model(m), terms(t) {}

  int rolling_column() const noexcept { return model.rolling_column(); }
  int terms_column() const noexcept { return rolling_column() + this->rolling_history(); }
  /// Place of the columns of films in ContactLaw::body_inputs().
  int film_inputs() const noexcept { return terms.crossing_pull > 0 ? 1 : 0; }

  TermedNormal<Line> normal(const ContactColumns& c, const History& history) const {
    const History own = history.from(terms_column());
    const bool writes = history.last != history.now, films = terms.liquid.films;
    const int bridge = terms.bridge_column(), offer = film_inputs();
    return {Line(model, c),
            terms,
            this->pull,
            c.radius,
            c.of_a[0],
            c.of_b[0],
            films ? c.of_a[offer] : nullptr,
            films ? c.of_b[offer] : nullptr,
            films ? c.of_a[offer + 1] : nullptr,
            films ? c.of_b[offer + 1] : nullptr,
            terms.plastic() ? own.last[0] : nullptr,
            terms.wet() ? own.last[bridge] : nullptr,
            terms.plastic() && writes ? own.now[0] : nullptr,
            terms.wet() && writes ? own.now[bridge] : nullptr,
            films && writes ? own.now[bridge + 1] : nullptr};
  }
  template <class Use>
  void with_normal(const ContactColumns& c, const History& history, const Use& use) const {
    use(normal(c, history));
  }
  template <class Use>
  void with_friction(const ContactColumns& c, const History& history, const Use& use) const {
    model.with_friction(c, history, [&](const auto& across) { use(Dragged{across}); });
  }
  /// After force(): the couples about the normal.
  template <class Loop>
  void twist(const ContactColumns& c, const double* const* last, double* const* now, const ForceColumns& out,
             const Loop& loop) const {
    const History history{last, now}, own = history.from(terms_column() + terms.twist_column());
    if (!this->rolls())
      for (double* const axis : out.moment) std::fill_n(axis, c.size, 0.0);
    loop(c, TwistOfContact<TermedNormal<Line>, Line>{ContactsRead(c), normal(c, history), Line(model, c),
                                                     terms.twisting_friction, c.dt, c.radius, own.last[0], own.last[1],
                                                     own.now[0], own.now[1], Out(out.moment)});
  }
  /// Adds the energy of twisted springs. \param now  history of this step
  void add_twist_energy(const ContactColumns& c, const double* const* now, double* energy) const {
    const double* const* const own = now + terms_column() + terms.twist_column();
    for (std::size_t i = 0; i < c.size; ++i) energy[i] += own[0][i] * own[0][i] / larger(2 * own[1][i], kTiny<double>);
  }
};

}  // namespace scree::compliant
