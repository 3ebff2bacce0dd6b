#pragma once
/// \file The modifier "emitter": bodies that come during the run, by number or mass.

#include <optional>
#include <string>
#include <vector>

#include "mixture.hpp"
#include "scree/base/philox.hpp"
#include "scree/grid/free_space_query.hpp"
#include "scree/hooks/hook.hpp"
#include "scree/scene/region.hpp"

namespace scree::insertion {

/// Body number n (0, 1, ...) has its shape, size, orientation and velocity by the seed, the emitter's name and n alone;
/// where it is put depends on how often that was tried, too. So a resumed run needs these two numbers.
class Emitter final : public Modifier {
 public:
  explicit Emitter(Options options);
  void begin(World& world) override;
  std::vector<MadeKind> makes() const override { return mixture_->kinds(); }
  void apply(World& world, const ContactView* contacts, HistoryStore& history) override;
  std::vector<std::byte> save() const override;
  void load(const std::vector<std::byte>& state) override;

 private:
  /// State that changes during a run.
  struct State {
    std::uint64_t bodies = 0;   ///< made so far: the number of the next one
    std::uint32_t attempt = 0;  ///< places tried for it
    std::uint32_t told = 0;     ///< true if the user was warned that the inlet is full
    double mass = 0;            ///< made so far [kg]
    double waiting_since = -1;  ///< [s]; below 0: not waiting
  };

  /// Content of the region.
  struct Held {
    double bodies = 0;
    double mass = 0;  ///< [kg]
  };

  void read_amounts() const;
  void read_places(const World& world);
  double time(const World& world) const;
  Held held(const World& world) const;
  bool is_due(const Mixture::Body& next, double time, const Held& held) const;
  double owed(double time, const Held& held) const;
  std::optional<Vec3> place(std::uint32_t attempt) const;
  FreeSpaceQuery room_in(const World& world) const;
  std::optional<Vec3> place_of(const Mixture::Body& body, const FreeSpaceQuery& room);
  BodySpec spec_of(const Mixture::Body& body, const Vec3& place) const;
  std::string in_the_way(const World& world, const Mixture::Body& body, const FreeSpaceQuery& room) const;
  void wait(const World& world, const Mixture::Body& body, const FreeSpaceQuery& room);

  Options options_;
  std::string name_;
  RandomStream random_;
  std::optional<Mixture> mixture_;
  std::optional<Region> region_, counted_;  ///< places of new bodies; of those that count with `keep`
  std::vector<Vec3> points_;                ///< in place of a region
  double number_, mass_;                    ///< at most; infinity: no limit. [kg]
  double number_rate_, mass_rate_;          ///< [1/s], [kg/s]; 0: none
  std::uint32_t attempts_;                  ///< per body and call
  double max_wait_;                         ///< [s]
  bool keep_;                               ///< number and mass are what the region holds after a call
  std::uint32_t group_ = 0;
  int dimension_ = 3;
  bool random_orientation_ = false;
  Quat orientation_ = Quat::Identity();
  Vec3 velocity_ = Vec3::Zero(), spin_ = Vec3::Zero();
  State state_;
  double *count_ = nullptr, *made_mass_ = nullptr, *owed_ = nullptr;  ///< figures of the World
};

}  // namespace scree::insertion
