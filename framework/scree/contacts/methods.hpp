#pragma once
/// \file The methods of one run, resolved: which detector and law serve which pair, what drives the step.

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/contacts/environment.hpp"
#include "scree/detect/contact_detector.hpp"
#include "scree/integrate/integrator.hpp"
#include "scree/law/bond_law.hpp"
#include "scree/law/cone_face.hpp"
#include "scree/law/contact_law.hpp"
#include "scree/law/law_inputs.hpp"
#include "scree/law/potential_face.hpp"

namespace scree {

/// World::figure() of the skin of the lists, where that varies: a resumed run needs those the saved one had.
inline constexpr const char* kSkin = "list_skin_m";

/// An entry of the scene's `interactions`, for materials with certain elastic properties.
struct Interaction {
  static constexpr int kImpulse = 3;  ///< history of a contact with a cone: the impulse on b, world axes
  std::uint32_t entry = 0;            ///< index into the scene's, and into Methods::entries
  std::string name;                   ///< "plastic-wall", for messages
  std::string law_name;               ///< type of the law in the scene, for messages
  std::unique_ptr<ContactLaw> law;    ///< empty: the two never touch
  const ForceFace* force = nullptr;   ///< the one of these faces that the integrator asks for
  const ConeFace* cone = nullptr;
  const PotentialFace* potential = nullptr;
  ForceNeeds needs;
  int history = 0;                    ///< doubles per contact
  const LawInputs* inputs = nullptr;  ///< what the law reads beyond that
  // Contacts of compliant laws whose ContactColumns::mass is below one of these swing faster than the time step
  // resolves [kg]; 0: none does.
  double hasty_mass = 0;                     ///< restitution is off
  double unstable_mass = 0;                  ///< energy is gained
  std::vector<Column<double>> body_columns;  ///< LawInputs::bodies()
};

/// Pairs of one interaction that go to one detector.
struct Channel {
  std::uint32_t interaction = 0;
  const ContactDetector* detector = nullptr;
  std::size_t cache_row = 0;  ///< see DetectorTraits
  bool curvature = false;     ///< see DetectorTraits
  bool weighted = false;      ///< see DetectorTraits
  bool scales = false;        ///< see DetectorTraits
  double margin = 0;  ///< [m] gaps up to this are contacts: Methods::margin, or the law's range where that is more
  std::uint32_t place = 0;  ///< in lists of pairs; no two channels share one
  /// Of each of the law's LawInputs::quantities(), its number among those of the detector; -1 behind the last.
  std::array<int, LawInputs::kMost> quantity{-1, -1, -1, -1};
  /// Channels of one group share chunks: they have the same detector, margin and number of history columns. In lists
  /// groups come first, then blocks of space, then channels.
  std::uint32_t group = 0;
};

/// Finds methods for bodies that come during the run.
class SCREE_API Newcomers {
 public:
  virtual ~Newcomers();
  /// Brings Methods up to date with the current bodies, shapes and materials. Between steps.
  /// \throws InputError naming who cannot be served, and what would help
  virtual void settle() = 0;
};

/// An entry of the scene's `bonds`: as many, in that order.
struct BondGroup {
  bool self_contact = false;
  /// By forces; else the integrator asks for its energy: IntegratorTraits::bond_face, implicit_bonds.
  bool acts = true;
  std::unique_ptr<BondLaw> law;
  const BondForces* forces = nullptr;  ///< the faces it offers
  const BondJoints* joints = nullptr;
  const EnergyTerm* energy = nullptr;
  const BondChain* chain = nullptr;
};

/// Bodies outside end the run.
struct Domain {
  Vec3 lower = Vec3::Constant(-1e300), upper = Vec3::Constant(1e300);  ///< [m]
};

struct Methods {
  std::vector<Interaction> interactions;
  std::vector<std::unique_ptr<ContactDetector>> detectors;
  std::vector<std::string> detector_names;  ///< of these
  std::vector<Channel> channels;
  std::vector<BondGroup> bonds;
  std::unique_ptr<Integrator> integrator;
  std::string integrator_name;  ///< its type in the scene, for messages
  Environment environment;
  Domain domain;
  std::vector<std::string> entries;      ///< of the scene's `interactions`: "grain-wall", "any" for "*"
  bool energy_ledger = false;            ///< the work of all forces is accounted for: host/energy_ledger.hpp
  double skin = 0;                       ///< [m] pairs are listed up to this much beyond touch
  double margin = 0;                     ///< [m] gaps up to this the integrator wants to see in all channels
  std::unique_ptr<Newcomers> newcomers;  ///< empty: none come
  /// By material: 1 where all its pairs have the law "none". Its bodies meet nobody: they are not binned, and neither
  /// their size nor their speed counts when pairs are listed.
  std::vector<std::uint8_t> alone;

  bool meets_nobody(std::uint32_t material) const { return material < alone.size() && alone[material] != 0; }

  /// [m] of all channels.
  SCREE_API double largest_margin() const;
  /// By species, half of how far its laws reach beyond the integrator's margin [m]; empty where none does: two radii
  /// that each grow by it hold the range of any law between the two.
  SCREE_API std::vector<double> further_reach() const;

  std::uint32_t group_count() const {
    std::uint32_t count = 0;
    for (const Channel& c : channels) count = c.group < count ? count : c.group + 1;
    return count;
  }

  static constexpr std::int32_t kNoChannel = -1;
  /// The channel of a pair of (shape, material), or kNoChannel. Symmetric.
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

  /// Number of a pair of shape and material.
  std::size_t species(std::uint32_t shape, std::uint32_t material) const { return shape * materials_ + material; }

 private:
  std::size_t materials_ = 0, species_count_ = 0;
  std::vector<std::int32_t> table_;
};

}  // namespace scree
