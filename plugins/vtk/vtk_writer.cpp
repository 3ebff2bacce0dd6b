#include "vtk_writer.hpp"

#include <fmt/format.h>
#include <vtkImageData.h>
#include <vtkPolyData.h>

#include <algorithm>
#include <utility>

#include "grid_picture.hpp"
#include "paraview_state.hpp"
#include "python_text.hpp"
#include "rod_lines.hpp"
#include "rod_picture.hpp"
#include "scree/output/atomic_file.hpp"
#include "vtk_files/data_file.hpp"

namespace scree::vtk {

namespace {

constexpr const char* kStateFile = "open_in_paraview.py";
const std::vector<std::string> kAlways = {"id", "shape"};
/// Walls have neither mass nor a finite radius.
const std::vector<std::string> kWallColumns = {"id", "shape", "velocity", "angular_velocity", "material", "group"};

void require_columns(const World& world, const std::vector<std::string>& names) {
  std::vector<std::string> known = {kSpeed};
  for (const auto& column : world.columns()) known.push_back(column->name());
  std::ranges::copy_if(kFromContacts, std::back_inserter(known),
                       [&](const std::string& name) { return !world.find_column(name); });
  for (const std::string& name : names) {
    if (std::ranges::find(known, name) != known.end()) continue;
    const std::string near = nearest_name(name, known);
    throw InputError(fmt::format("writer vtk: columns: unknown \"{}\".{} Bodies have: {}.", name,
                                 near.empty() ? "" : fmt::format(" Did you mean \"{}\"?", near),
                                 fmt::join(known, ", ")));
  }
}

/// The script for ParaView, which does not tell a script where it lies: the run's folder is written into it.
std::string state_script(const std::filesystem::path& folder) {
  constexpr std::string_view kPlace = "FOLDER_OF_THE_RUN";
  std::string script = kParaViewState;
  return script.replace(script.find(kPlace), kPlace.size(),
                        in_python_text(std::filesystem::absolute(folder).lexically_normal().string()));
}

std::filesystem::path template_file(const std::filesystem::path& folder, std::size_t shape) {
  return folder / "shapes" / fmt::format("shape_{:06}.vtp", shape);
}

}  // namespace

/// Also where contacts are not written, but what they tell of bodies is.
bool VtkWriter::wants_contacts() const noexcept {
  const auto from_contacts = [](const std::string& name) {
    return std::ranges::find(kFromContacts, name) != kFromContacts.end();
  };
  return settings_.contacts || (settings_.columns && std::ranges::any_of(*settings_.columns, from_contacts));
}

void VtkWriter::begin(const World& world) {
  if (settings_.columns) require_columns(world, *settings_.columns);
}

void VtkWriter::open(const std::string& directory) {
  folder_ = directory;
  lists_.emplace(Lists{FrameList(folder_, "particles"), FrameList(folder_, "walls"), std::nullopt, std::nullopt,
                       std::nullopt, std::nullopt});
  if (settings_.contacts) lists_->contacts.emplace(folder_, "contacts");
  if (settings_.bonds) lists_->bonds.emplace(folder_, "bonds");
  if (settings_.rods && std::filesystem::exists(folder_ / "rods.pvd")) lists_->rods.emplace(folder_, "rods");
  if (settings_.points && std::filesystem::exists(folder_ / "points.pvd")) lists_->points.emplace(folder_, "points");
}

FrameBytes VtkWriter::bytes_of_frame(const World& world) {
  return frame_bytes(world, surfaces_, particle_columns(world));
}

bool VtkWriter::too_large(const FrameBytes& frame) const {
  return static_cast<double>(frames_) * frame.surfaces > kMostBytes;
}

double VtkWriter::plan(const World& world, std::uint64_t frames) {
  frames_ = std::max<std::uint64_t>(frames, 1);
  const FrameBytes frame = bytes_of_frame(world);
  const bool points = settings_.mode == "auto" ? too_large(frame) : settings_.mode == "glyph";
  const double particles = points ? frame.points : frame.surfaces + (settings_.points ? frame.points : 0);
  return static_cast<double>(frames) * (particles + (settings_.contacts ? frame.contacts : 0));
}

void VtkWriter::flush() { thread_.wait(); }

void VtkWriter::resume(std::uint64_t first_frame) {
  flush();
  lists_->particles.resume(first_frame);
  lists_->walls.resume(first_frame);
  if (lists_->contacts) lists_->contacts->resume(first_frame);
  if (lists_->bonds) lists_->bonds->resume(first_frame);
  if (lists_->rods) lists_->rods->resume(first_frame);
  if (lists_->points) lists_->points->resume(first_frame);
  first_frame_ = first_frame;
  continued_ = true;
}

void VtkWriter::start(const World& world) {
  const bool earlier_frames = continued_ && !lists_->particles.empty();
  if (settings_.mode != "auto")
    glyphs_ = settings_.mode == "glyph";
  else
    glyphs_ = earlier_frames ? !had_surfaces() : too_large(bytes_of_frame(world));
  if (continued_) return;
  if (lists_->particles.was_there()) remove_templates();
  lists_->particles.start_anew();
  lists_->walls.start_anew();
  if (lists_->contacts) lists_->contacts->start_anew();
  if (lists_->bonds) lists_->bonds->start_anew();
  if (lists_->rods) lists_->rods->start_anew();
  if (lists_->points) lists_->points->start_anew();
}

/// Beside surfaces, points tell where bodies are; a run of points alone has none.
bool VtkWriter::had_surfaces() const {
  return !std::filesystem::exists(template_file(folder_, 0)) || (lists_->points && !lists_->points->empty());
}

/// Removes templates of an earlier run, which do no harm, but would mislead.
void VtkWriter::remove_templates() const {
  std::error_code ignored;
  for (std::size_t shape = 0; std::filesystem::remove(template_file(folder_, shape), ignored);) ++shape;
}

std::vector<std::string> VtkWriter::files() const {
  std::vector<std::string> names = {"particles.pvd", "particles", "walls.pvd", "walls", "shapes", kStateFile};
  if (settings_.contacts) names.insert(names.end(), {"contacts.pvd", "contacts"});
  if (settings_.bonds) names.insert(names.end(), {"bonds.pvd", "bonds"});
  if (settings_.rods) names.insert(names.end(), {"rods.pvd", "rods"});
  if (settings_.points) names.insert(names.end(), {"points.pvd", "points"});
  if (settings_.tables) names.push_back("tables");
  if (settings_.grids) names.push_back("grids");
  return names;
}

/// Starts a series that begins when there is something to write.
void VtkWriter::start_late(FrameList& list) const {
  if (continued_)
    list.resume(first_frame_);
  else
    list.start_anew();
}

/// A table may come in mid-run: its list begins then.
FrameList& VtkWriter::list_of(const Table& table) {
  const auto [list, made] = table_lists_.try_emplace(table.name(), folder_ / "tables", table.name());
  if (made) start_late(list->second);
  return list->second;
}

/// Encoding and writing is the frame's thread's.
template <class Data>
void VtkWriter::write_later(FrameList& list, const Frame& frame, Data data) {
  frame_.push_back(
      [&list, index = frame.index, time = frame.time, data = std::move(data)] { list.add(index, time, *data); });
}

void VtkWriter::add_rods(const World& world, const BondValues& values, const Frame& frame) {
  if (!lists_->rods) start_late(lists_->rods.emplace(folder_, "rods"));
  write_later(*lists_->rods, frame, rod_picture(world, values));
}

/// For tables and histograms: a surface in space has many cells, each with the body's data.
void VtkWriter::add_points(const World& world, const Rows& particles, const Shown& shown, const Frame& frame) {
  if (!lists_->points) start_late(lists_->points.emplace(folder_, "points"));
  write_later(*lists_->points, frame, glyph_picture(world, particles, shown));
}

void VtkWriter::add_tables(const World& world, const Frame& frame) {
  for (const auto& table : world.further_tables()) {
    if (!has_places(*table)) continue;
    prepare_subfolder(folder_ / "tables");
    write_later(list_of(*table), frame, table_picture(*table));
  }
}

/// A grid may come in mid-run, too: there is none before the first step.
void VtkWriter::add_grids(const Frame& frame) {
  for (const GridImage& image : frame.grids()) {
    prepare_subfolder(folder_ / "grids");
    const auto [list, made] = grid_lists_.try_emplace(image.name, folder_ / "grids", image.name, "vti");
    if (made) start_late(list->second);
    write_later(list->second, frame, grid_picture(image));
  }
}

void VtkWriter::observe(const World& world, const ContactView* contacts, const Frame& frame) {
  flush();
  frame_.clear();
  const bool first = !glyphs_;
  if (first) start(world);
  const Rows particles = particle_rows(world);
  const ContactSums sums = contact_sums(world, contacts ? *contacts : ContactView{});
  const Shown of_particles{particle_columns(world), &sums}, of_walls{kWallColumns, nullptr};
  if (*glyphs_ || settings_.points) write_templates(world);
  write_later(lists_->walls, frame, surface_picture(world, wall_rows(world), of_walls, surfaces_));
  if (lists_->contacts)
    write_later(*lists_->contacts, frame, contact_picture(world, contacts ? *contacts : ContactView{}));
  const bool rods = settings_.rods && (has_rods(world) || (lists_->rods && !lists_->rods->empty()));
  const BondValues of_bonds = rods || lists_->bonds ? frame.bonds() : BondValues{};
  if (lists_->bonds) write_later(*lists_->bonds, frame, bond_picture(world, of_bonds));
  if (rods) add_rods(world, of_bonds, frame);
  if (settings_.points && !*glyphs_) add_points(world, particles, of_particles, frame);
  if (settings_.tables) add_tables(world, frame);
  if (settings_.grids) add_grids(frame);
  write_later(lists_->particles, frame,
              *glyphs_ ? glyph_picture(world, particles, of_particles)
                       : surface_picture(world, particles, of_particles, surfaces_));
  if (first) frame_.push_back([this] { write_atomically(folder_ / kStateFile, state_script(folder_)); });
  thread_.start(std::exchange(frame_, {}));
}

std::vector<std::string> VtkWriter::particle_columns(const World& world) const {
  std::vector<std::string> names = kAlways;
  const auto add = [&](const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  };
  if (settings_.columns) {
    for (const std::string& name : *settings_.columns) add(name);
  } else {
    for (const auto& column : world.columns())
      if (column->show()) add(column->name());
    if (settings_.contacts) add("coordination"), add("pressure");
  }
  return names;
}

void VtkWriter::write_templates(const World& world) {
  prepare_subfolder(folder_ / "shapes");
  for (; templates_ < world.shapes().size(); ++templates_)
    write_file(template_file(folder_, templates_),
               *template_picture(surfaces_.of(world, static_cast<std::uint32_t>(templates_))));
}

}  // namespace scree::vtk
