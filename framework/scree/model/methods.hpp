#pragma once
/// \file Resolved methods of one run: the detector and law of each pair, and the integrator.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/detect/contact_detector.hpp"
#include "scree/integrate/integrator.hpp"
#include "scree/law/bond_law.hpp"
#include "scree/law/cone_face.hpp"
#include "scree/law/contact_law.hpp"
#include "scree/law/potential_face.hpp"
#include "scree/model/environment.hpp"

namespace scree {

/// Name of World::metric() of the skin of the lists, if it varies: a resumed run needs the skin of the saved one.
inline constexpr const char* kSkin = "list_skin_m";

/// Entry of the scene's `interactions`, for materials with certain elastic properties.
struct Interaction {
  static constexpr int kImpulse = 3;  ///< history of a contact with a cone: the impulse on b, world axes
  std::uint32_t entry = 0;            ///< index into the scene's interactions, and into Methods::entries
  std::string name;                   ///< "plastic-wall", for messages
  std::string law_name;               ///< type of the law in the scene, for messages
  std::unique_ptr<ContactLaw> law;    ///< empty: the two never touch
  const ForceFace* force =
      nullptr;  ///< face of the law; of this one and the next two, the one that the integrator needs
  const ConeFace* cone = nullptr;
  const PotentialFace* potential = nullptr;
  ForceNeeds needs;
  int history = 0;      ///< doubles per contact
  bool inputs = false;  ///< true if the law names inputs beyond `needs`
  // Contacts of compliant laws whose ContactColumns::mass is below one of these oscillate faster than the time step
  // resolves [kg]; 0: none does.
  double hasty_mass = 0;                     ///< limit of wrong restitution
  double unstable_mass = 0;                  ///< limit of growing energy
  std::vector<Column<double>> body_columns;  ///< ContactLaw::body_inputs()
};

/// Pairs of one interaction that go to one detector.
struct Channel {
  std::uint32_t interaction = 0;
  const ContactDetector* detector = nullptr;
  std::size_t cache_row = 0;  ///< see DetectorTraits
  bool curvature = false;     ///< see DetectorTraits
  bool weighted = false;      ///< see DetectorTraits
  bool scales = false;        ///< see DetectorTraits
  double margin = 0;        ///< gaps up to this are contacts [m]: Methods::margin, or the law's range if that is larger
  std::uint32_t place = 0;  ///< place in pair lists; no two channels share one
  /// Index of each of the law's contact_inputs() in the detector's quantities(); -1 behind the last.
  std::array<int, ContactLaw::kMostInputs> quantity{-1, -1, -1, -1};
  /// Group of channels that share chunks: they have the same detector, margin and number of history columns. Lists are
  /// ordered by groups, then blocks of space, then channels.
  std::uint32_t group = 0;
};

/// Finds methods for bodies that are added during the run.
class SCREE_API SpeciesResolver {
 public:
  virtual ~SpeciesResolver();
  /// Updates Methods for the current bodies, shapes and materials. Called between steps.
  /// \throws InputError naming the shape and material without a method, and a remedy
  virtual void update() = 0;
};

/// Entry of the scene's `bonds`: the same number of entries, in the same order.
struct BondGroup {
  bool self_contact = false;    ///< true if bodies of one fragment may touch
  bool beside_contact = false;  ///< true if the two bodies of a bond touch each other too
  /// true if bonds act by forces; otherwise the integrator needs their energy: IntegratorTraits::bond_face,
  /// implicit_bonds.
  bool acts = true;
  std::unique_ptr<BondLaw> law;
  BondTraits traits;                   ///< traits of the law
  const BondForces* forces = nullptr;  ///< faces of the law; null if not offered
  const BondJoints* joints = nullptr;
  const EnergyTerm* energy = nullptr;
};

/// Domain: bodies outside end the run.
struct DomainBox {
  Vec3 lower = Vec3::Constant(-1e300), upper = Vec3::Constant(1e300);  ///< [m]
};

struct Methods {
  std::vector<Interaction> interactions;
  std::vector<std::unique_ptr<ContactDetector>> detectors;
  std::vector<std::string> detector_names;  ///< names of the detectors
  std::vector<Channel> channels;
  std::vector<BondGroup> bonds;
  std::unique_ptr<Integrator> integrator;
  std::string integrator_name;  ///< its type in the scene, for messages
  Environment environment;
  DomainBox domain;
  std::vector<std::string> entries;  ///< entries of the scene's `interactions`: "grain-wall", "any" for "*"
  bool energy_ledger = false;        ///< true if the work of all forces is accounted for: host/energy_ledger.hpp
  double skin = 0;                   ///< [m] pairs are listed up to this much beyond touch
  double margin = 0;                 ///< gaps up to this are contacts for the integrator, in all channels [m]
  std::unique_ptr<SpeciesResolver> species_resolver;  ///< empty: no species are added
  /// Flag of each material: 1 if all its pairs have the law "none". Its bodies touch nothing: they are not binned, and
  /// neither their size nor their speed counts when pairs are listed.
  std::vector<std::uint8_t> alone;

  bool meets_nobody(std::uint32_t material) const { return material < alone.size() && alone[material] != 0; }

  /// Returns the largest margin of all channels [m].
  SCREE_API double largest_margin() const;
  /// Returns half of the range of each species' laws beyond the integrator's margin [m]; empty if no law has such a
  /// range. Two radii that each grow by it cover the range of any law between the two.
  SCREE_API std::vector<double> further_reach() const;

  std::uint32_t group_count() const {
    std::uint32_t count = 0;
    for (const Channel& c : channels) count = c.group < count ? count : c.group + 1;
    return count;
  }

  static constexpr std::int32_t kNoChannel = -1;
  /// Returns the channel of a pair of (shape, material), or kNoChannel. Symmetric.
  std::int32_t channel(std::uint32_t shape_a, std::uint32_t material_a, std::uint32_t shape_b,
                       std::uint32_t material_b) const {
    return table_[species(shape_a, material_a) * species_count_ + species(shape_b, material_b)];
  }
  void resize_table(std::size_t shapes, std::size_t materials) {
    materials_ = materials;
    species_count_ = shapes * materials;
    table_.assign(species_count_ * species_count_, kNoChannel);
  }
  void set_channel(std::uint32_t shape_a, std::uint32_t material_a, std::uint32_t shape_b, std::uint32_t material_b,
                   std::int32_t channel) {
    table_[species(shape_a, material_a) * species_count_ + species(shape_b, material_b)] = channel;
    table_[species(shape_b, material_b) * species_count_ + species(shape_a, material_a)] = channel;
  }

  /// Returns the species: the number of a pair of shape and material.
  std::size_t species(std::uint32_t shape, std::uint32_t material) const { return shape * materials_ + material; }

 private:
  std::size_t materials_ = 0, species_count_ = 0;
  std::vector<std::int32_t> table_;
};

}  // namespace scree
