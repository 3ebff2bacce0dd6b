#pragma once
/// \file The observer `fields`: coarse-grained fields of grains on a grid, for ParaView.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "grid.hpp"
#include "scree/hooks/hook.hpp"
#include "scree/plugin/chosen_groups.hpp"
#include "sums.hpp"
#include "vtk_files/frame_list.hpp"
#include "windows.hpp"

namespace scree::fields {

/// Writes NAME.pvd, a frame per call, or per window of time that calls are averaged over. A window that ends with the
/// run before its time is not written, but kept in checkpoints. The average over all calls is one frame, written at
/// checkpoints and at the end.
class Fields final : public Observer {
 public:
  explicit Fields(const Options& options);

  bool wants_contacts() const noexcept override { return true; }
  /// \throws OptionError for a grid that cannot be
  void begin(const World& world) override;
  double plan(const World& world, std::uint64_t frames) override;
  std::vector<std::byte> save() const override;
  void load(const std::vector<std::byte>& state) override;
  void open(const std::string& directory) override;
  void resume(std::uint64_t first_frame) override;
  void observe(const World& world, const ContactView* contacts, const Frame& frame) override;
  void flush() override;
  std::vector<std::string> files() const override { return {name_ + ".pvd", name_}; }

 private:
  void add(const World& world, const ContactView* contacts);
  void write(std::uint64_t frame, double time);
  void end_window(double time);
  void clear();

  Options options_;
  std::string name_;
  Windows windows_;
  std::vector<std::string> wanted_;  ///< names of fields; none: all
  ChosenGroups chosen_;
  Grid grid_;
  std::optional<vtk::FrameList> list_;
  bool started_ = false;  ///< the list is that of this run
  bool told_ = false;     ///< the cost was told

  // Of the frame in progress:
  std::vector<double> sums_;  ///< (cells, kSums)
  Outside outside_;
  std::uint64_t samples_ = 0, window_ = 0;
  double last_time_ = 0;      ///< time of the last sample [s]
  std::uint64_t frames_ = 0;  ///< windows written
  bool newer_ = false;        ///< an endless window has samples that its file lacks
};

}  // namespace scree::fields
