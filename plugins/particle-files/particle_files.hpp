#pragma once
/// \file Observer `particle-files`: bodies as text, a file per call.

#include <filesystem>
#include <string>
#include <vector>

#include "formats.hpp"
#include "scree/hooks/hook.hpp"
#include "scree/hooks/stored_bodies.hpp"
#include "scree/plugin/chosen_groups.hpp"

namespace scree::particle_files {

class ParticleFiles final : public Observer {
 public:
  explicit ParticleFiles(const Options& options);

  void begin(const World& world) override;
  void open(const std::string& directory) override;
  void resume(std::uint64_t first_frame) override;
  void observe(const World& world, const ContactView* contacts, const Frame& frame) override;
  std::vector<std::string> files() const override { return {name_}; }

 private:
  /// Bodies to be written, by id: those of the chosen entries that move freely, in the World or stored by a modifier.
  std::vector<BodyState> bodies(const World& world) const;
  /// Returns the reason why the format cannot express one of these bodies; "" if it can.
  std::string misfit(const World& world, const std::vector<BodyState>& bodies) const;
  std::string file_of(std::uint64_t frame) const;
  /// Deletes the files of these frames and later ones, which an earlier run has left.
  void remove_from(std::uint64_t first_frame) const;

  std::string format_, name_;
  DumpOptions dump_;
  std::vector<std::string> names_;
  ChosenGroups chosen_;
  std::filesystem::path folder_;
  bool continued_ = false;  ///< files of earlier frames are this run's
};

}  // namespace scree::particle_files
