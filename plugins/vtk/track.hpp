#pragma once
/// \file The observer `track`: paths of bodies as lines, for ParaView.

#include <filesystem>
#include <string>
#include <vector>

#include "scree/hooks/hook.hpp"
#include "scree/plugin/chosen_bodies.hpp"

namespace scree::vtk {

/// NAME.vtp with a line per body from call to call. A line ends where the body goes, and where it leaps to another side
/// of a periodic cell, and another one begins there. The file is written where states are kept and at the end.
class Track final : public Observer {
 public:
  /// \throws OptionError
  explicit Track(const Options& options);

  /// \throws OptionError for a name or a number that no body has
  void begin(const World& world) override { bodies_.begin(world); }
  double plan(const World& world, std::uint64_t frames) override;
  std::vector<std::byte> save() const override;
  void load(const std::vector<std::byte>& state) override;
  void open(const std::string& directory) override { file_ = std::filesystem::path(directory) / files()[0]; }
  void resume(std::uint64_t first_frame) override;
  void observe(const World& world, const ContactView* contacts, const Frame& frame) override;
  void flush() override;
  std::vector<std::string> files() const override { return {name_ + ".vtp"}; }

 private:
  struct Place {
    Id id;
    Vec3 position;       ///< [m]
    double speed;        ///< [m/s]
    bool leaps = false;  ///< its line does not come from the place before
  };
  struct Moment {
    std::uint64_t frame;
    double time;                ///< [s]
    std::vector<Place> places;  ///< by ascending id
  };

  ChosenBodies bodies_;
  std::string name_;
  std::vector<Moment> moments_;
  std::filesystem::path file_;
  bool written_ = false;  ///< the file has all moments
};

}  // namespace scree::vtk
