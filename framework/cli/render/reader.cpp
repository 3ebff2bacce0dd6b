#include "reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vtkCellData.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>

#include <algorithm>
#include <set>

#include "scree/base/error.hpp"

namespace scree::render {

std::vector<FrameFile> chosen_frames(const Request& request) {
  const std::string series = request.solid ? "fracture" : "particles";
  const std::vector<FrameFile> frames = read_series(request.out, series);
  if (frames.empty())
    throw IoError(
        fmt::format("{}: has no frames to draw: {}.pvd is missing or empty. Give the output folder of a "
                    "run whose scene has the writer \"{}\".",
                    request.out.string(), series, request.solid ? "fracture-surface" : "vtk"));
  if (request.all || request.film) return frames;
  if (!request.frame) return {frames.back()};
  for (const FrameFile& frame : frames)
    if (frame.frame == *request.frame) return {frame};
  throw InputError(fmt::format("scree render: {} has no frame {}; it has {} to {}.", request.out.string(),
                               *request.frame, frames.front().frame, frames.back().frame));
}

Reader::Reader(const Request& request)
    : out_(request.out),
      solid_(request.solid),
      colour_(request.style.column),
      cut_(request.style.cut),
      walls_(read_series(out_, "walls")),
      grains_(read_series(out_ / "tables", "grains")) {
  if (request.contacts)
    contacts_ = series_or_error("contacts", "Set \"contacts\": true in the options of the writer \"vtk\".");
  if (request.stored)
    stored_ =
        series_or_error("stored", "Give the output folder of a run whose scene has the writer \"culling-ledger\".");
  if (request.interface)
    interface_ =
        series_or_error("interface", "Give the output folder of a run whose scene has the writer \"culling-ledger\".");
  if (request.rods)
    rods_ = series_or_error("rods",
                            "Give the output folder of a run with bonds between capsules, whose scene has the writer "
                            "\"vtk\" without \"rods\": false.");
  if (request.style.cut && colour_.value_or("speed") == "speed" && !request.rods && !request.interface)
    stored_ = read_series(out_, "stored");
}

Subject Reader::read(const FrameFile& frame) const {
  if (solid_) {
    const auto surface = read_data(frame.file);
    const Subject subject{.particles = surface,
                          .walls = without_bodies_of(*surface, read_same_frame(walls_, frame.frame)),
                          .contacts = read_same_frame(contacts_, frame.frame),
                          .time = frame.time};
    check_column(subject);
    return subject;
  }
  const auto contacts = read_same_frame(contacts_, frame.frame), rods = read_same_frame(rods_, frame.frame);
  const std::set<double> of_rods = rods ? bodies_of(*rods) : std::set<double>();
  const auto walls = without_bodies(read_same_frame(walls_, frame.frame), of_rods);
  const auto mesh = read_same_frame(interface_, frame.frame);
  const Subject subject{.particles = read_particles(out_, frame, cut_, of_rods),
                        .walls = walls && cut_ ? opened(*walls, *cut_) : walls,
                        .contacts = contacts && cut_ ? without_front(*contacts, *cut_) : contacts,
                        .rods = rods && cut_ ? without_front(*rods, *cut_) : rods,
                        .stored = stored(frame.frame),
                        .interface = mesh && cut_ ? opened(*mesh, *cut_) : mesh,
                        .time = frame.time};
  check_column(subject);
  return subject;
}

Subject Reader::read_all(const FrameFile& frame) const {
  Subject subject = read(frame);
  if (solid_) return subject;
  subject.grains = read_same_frame(grains_, frame.frame);
  if (subject.grains && cut_) subject.grains = without_front(*subject.grains, *cut_);
  return subject;
}

void Reader::check_column(const Subject& subject) const {
  if (!colour_ || (subject.rods && colour_ == kStrands) || colour_ == kPebbles || colour_ == kSize) return;
  const auto particles = columns_of(*subject.particles->GetCellData());
  const auto rods = subject.rods ? columns_of(*subject.rods->GetPointData()) : std::vector<std::string>();
  if (std::ranges::find(particles, *colour_) != particles.end() || std::ranges::find(rods, *colour_) != rods.end())
    return;
  throw InputError(fmt::format(
      "scree render: --colour is \"{}\"; particles have {}{}. More are written by \"columns\" of the writer \"vtk\".",
      *colour_, fmt::join(particles, ", "), rods.empty() ? "" : fmt::format(", rods have {}", fmt::join(rods, ", "))));
}

std::vector<FrameFile> Reader::series_or_error(const std::string& name, const std::string& remedy) const {
  auto series = read_series(out_, name);
  if (!series.empty()) return series;
  throw IoError(fmt::format("{}: has no {} to draw: {}.pvd is missing or empty. {}", out_.string(),
                            name == "stored"      ? "stored granules"
                            : name == "interface" ? "mesh about stored granules"
                                                  : name,
                            name, remedy));
}

vtkSmartPointer<vtkPolyData> Reader::stored(std::uint64_t frame) const {
  const auto it = std::ranges::find(stored_, frame, &FrameFile::frame);
  return it == stored_.end() ? nullptr : read_particles(out_, *it, cut_);
}

}  // namespace scree::render
