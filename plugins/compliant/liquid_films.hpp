#pragma once
/// \file The modifier `liquid-films`: films of liquid on bodies, which bridges take from and go back to.

#include <map>
#include <utility>
#include <vector>

#include "scree/hooks/hook.hpp"
#include "scree/plugin/plugin.hpp"

namespace scree::compliant {

/// Each time it sees from the history of contacts which bridges have formed since the last time, and takes their liquid
/// from the films. That of bridges which have broken goes back, half to either body. Then each body offers a share of
/// its film to every contact that waits for liquid.
///
/// All volumes are whole multiples of a quantum, a power of two below 1e-10 of the first film. So sums of them are
/// exact in double precision: what films lose, bridges have, bit for bit.
class LiquidFilms final : public Modifier {
 public:
  explicit LiquidFilms(const Options& options);

  void begin(World& world) override;
  void apply(World& world, const ContactView* contacts, HistoryStore& history) override;
  std::vector<std::byte> save() const override;
  void load(const std::vector<std::byte>& state) override;

 private:
  using PairOfIds = std::pair<Id, Id>;
  /// Films of the bodies of one entry: of one volume, or a fraction of the body's own.
  struct Entry {
    std::string bodies;
    double volume = 0, fraction = 0;  ///< [m^3], [-]
  };
  struct Holder {
    bool holds = false;
    double volume = 0, fraction = 0;
  };

  double whole(double volume) const;
  void wet_new_bodies(World& world);
  void settle(World& world, const std::map<PairOfIds, double>& now);
  void form(World& world, PairOfIds pair, double volume);
  void give_back(World& world, PairOfIds pair, double volume);
  bool holds(const World& world, Id id) const;
  void show(World& world, std::size_t bridges) const;

  std::vector<Entry> entries_;
  double share_;
  std::vector<Holder> holders_;  ///< by group
  // State:
  double quantum_ = 0;                   ///< [m^3]; 0: no body has had a film yet
  double turn_ = 0;                      ///< number of times that films were shared out
  Id next_ = 0;                          ///< bodies from this id on have not got their film yet
  std::map<PairOfIds, double> bridges_;  ///< liquid between two bodies, as last seen [m^3]
};

}  // namespace scree::compliant
