#pragma once
/// \file The observer `vtk`: particles.pvd, walls.pvd, contacts.pvd, rods.pvd, bonds.pvd, tables/ and grids/, for
/// ParaView.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "frame_bytes.hpp"
#include "frame_thread.hpp"
#include "pictures.hpp"
#include "scree/hooks/hook.hpp"
#include "vtk_files/frame_list.hpp"

namespace scree::vtk {

/// `auto` writes true outlines of particles where those of the whole run take at most so many bytes.
inline constexpr double kMostBytes = 100e6;

struct Settings {
  std::string mode = "auto";  ///< auto | surface | glyph
  bool contacts = true;
  std::optional<std::vector<std::string>> columns;  ///< unset: all that are meant to be shown
  bool bonds = false;
  bool rods = true;    ///< if bonds join bodies with segments
  bool tables = true;  ///< tables of methods, if their rows have a place
  bool points = true;  ///< one per particle, beside surfaces
  bool grids = false;  ///< grids that the integrator reports
};

class VtkWriter final : public Observer {
 public:
  explicit VtkWriter(Settings settings) : settings_(std::move(settings)) {}

  bool wants_contacts() const noexcept override;
  /// \throws InputError for a column that is not there
  void begin(const World& world) override;
  double plan(const World& world, std::uint64_t frames) override;
  /// \throws IoError for a folder that cannot be written
  void open(const std::string& directory) override;
  void resume(std::uint64_t first_frame) override;
  void observe(const World& world, const ContactView* contacts, const Frame& frame) override;
  void flush() override;
  std::vector<std::string> files() const override;

 private:
  struct Lists {
    FrameList particles, walls;
    std::optional<FrameList> contacts, bonds, rods, points;
  };
  void start(const World& world);
  FrameBytes bytes_of_frame(const World& world);
  bool too_large(const FrameBytes& frame) const;
  bool had_surfaces() const;
  template <class Data>
  void write_later(FrameList& list, const Frame& frame, Data data);
  void start_late(FrameList& list) const;
  void add_rods(const World& world, const BondValues& values, const Frame& frame);
  void add_points(const World& world, const Rows& particles, const Shown& shown, const Frame& frame);
  void add_tables(const World& world, const Frame& frame);
  void add_grids(const Frame& frame);
  FrameList& list_of(const Table& table);
  void remove_templates() const;
  std::vector<std::string> particle_columns(const World& world) const;
  void write_templates(const World& world);

  Settings settings_;
  std::filesystem::path folder_;
  std::optional<Lists> lists_;
  std::map<std::string, FrameList> table_lists_, grid_lists_;
  std::uint64_t frames_ = 1;       ///< largest number of frames of the whole run
  std::uint64_t first_frame_ = 0;  ///< first frame of a resumed run
  bool continued_ = false;         ///< the lists were taken over from an earlier run
  std::optional<bool> glyphs_;     ///< decided at the first frame, so that a series is of one kind
  std::size_t templates_ = 0;      ///< shapes whose surface has been written
  Surfaces surfaces_;
  FrameThread::Work frame_;  ///< content of the frame in work
  FrameThread thread_;       ///< the last member: it ends first
};

}  // namespace scree::vtk
