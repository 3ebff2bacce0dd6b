#include "track.hpp"

#include <vtkCellArray.h>
#include <vtkCellData.h>
#include <vtkDoubleArray.h>
#include <vtkFloatArray.h>
#include <vtkIdList.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPoints.h>
#include <vtkPolyData.h>
#include <vtkTypeUInt64Array.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "scree/base/error.hpp"
#include "vtk_files/data_file.hpp"

namespace scree::vtk {

namespace {

/// Numbers of a moment, and of each place, in a checkpoint.
constexpr std::size_t kMomentNumbers = 3, kPlaceNumbers = 6;

[[noreturn]] void refuse_track() {
  throw InputError(
      "the state of track in the checkpoint is damaged, or was not written by this scene's run. Take another "
      "checkpoint.");
}

}  // namespace

Track::Track(const Options& options) : bodies_(options, "track"), name_(options.text("name")) {}

double Track::plan(const World& world, std::uint64_t frames) {
  constexpr double bytes = 40;  // of a point in the file, without compression
  return bytes * static_cast<double>(frames) * static_cast<double>(bodies_.rows(world).size());
}

std::vector<std::byte> Track::save() const {
  std::vector<double> all;
  for (const Moment& m : moments_) {
    all.insert(all.end(), {static_cast<double>(m.frame), m.time, static_cast<double>(m.places.size())});
    for (const Place& p : m.places)
      all.insert(all.end(), {static_cast<double>(p.id), p.position[0], p.position[1], p.position[2], p.speed,
                             static_cast<double>(p.leaps)});
  }
  const auto bytes = std::as_bytes(std::span(all));
  return {bytes.begin(), bytes.end()};
}

void Track::load(const std::vector<std::byte>& state) {
  std::vector<double> all(state.size() / sizeof(double));
  if (state.size() % sizeof(double) != 0) refuse_track();
  std::memcpy(all.data(), state.data(), state.size());
  if (!std::ranges::all_of(all, [](double x) { return std::isfinite(x); })) refuse_track();
  std::span<const double> rest(all);
  std::vector<Moment> moments;
  while (!rest.empty()) {
    if (rest.size() < kMomentNumbers) refuse_track();
    const double frame = rest[0], count = rest[2];
    if (!(frame >= 0 && frame < 1e15 && count >= 0)) refuse_track();
    Moment& moment = moments.emplace_back(Moment{static_cast<std::uint64_t>(frame), rest[1], {}});
    rest = rest.subspan(kMomentNumbers);
    if (count * static_cast<double>(kPlaceNumbers) > static_cast<double>(rest.size())) refuse_track();
    for (double k = 0; k < count; ++k, rest = rest.subspan(kPlaceNumbers)) {
      if (!(rest[0] >= 0 && rest[0] < 1e15)) refuse_track();
      moment.places.push_back({static_cast<Id>(rest[0]), {rest[1], rest[2], rest[3]}, rest[4], rest[5] != 0});
    }
  }
  moments_ = std::move(moments);
}

void Track::resume(std::uint64_t first_frame) {
  std::erase_if(moments_, [&](const Moment& m) { return m.frame >= first_frame; });
}

void Track::observe(const World& world, const ContactView*, const Frame& frame) {
  const Moment* const last = moments_.empty() ? nullptr : &moments_.back();
  Moment now{frame.index, frame.time, {}};
  for (const std::size_t i : bodies_.rows(world)) {
    Place place{world.id[i], world.position[i], world.velocity[i].norm(), true};
    if (last) {
      const auto before = std::ranges::lower_bound(last->places, place.id, {}, &Place::id);
      if (before != last->places.end() && before->id == place.id) {
        const Vec3 way = place.position - before->position;
        place.leaps = !(way - world.cell.shortest(way)).isZero(1e-9 * (1 + way.norm()));
      }
    }
    now.places.push_back(place);
  }
  moments_.push_back(std::move(now));
  written_ = false;
}

void Track::flush() {
  if (written_ || file_.empty()) return;
  struct Point {
    const Place* place;
    double time;
  };
  std::map<Id, std::vector<Point>> paths;
  for (const Moment& m : moments_)
    for (const Place& p : m.places) paths[p.id].push_back({&p, m.time});
  vtkNew<vtkPoints> points;
  points->SetDataTypeToDouble();
  vtkNew<vtkCellArray> lines;
  vtkNew<vtkDoubleArray> time;
  vtkNew<vtkFloatArray> speed;
  vtkNew<vtkTypeUInt64Array> id;
  time->SetName("time"), speed->SetName("speed"), id->SetName("id");
  vtkNew<vtkIdList> line;
  for (const auto& [body, path] : paths) {
    const auto end_line = [&] {
      if (line->GetNumberOfIds() > 1) lines->InsertNextCell(line), id->InsertNextValue(body);
      line->Reset();
    };
    for (const Point& p : path) {
      if (p.place->leaps) end_line();
      line->InsertNextId(points->InsertNextPoint(p.place->position.data()));
      time->InsertNextValue(p.time), speed->InsertNextValue(static_cast<float>(p.place->speed));
    }
    end_line();
  }
  vtkNew<vtkPolyData> data;
  data->SetPoints(points), data->SetLines(lines);
  data->GetPointData()->AddArray(time), data->GetPointData()->AddArray(speed), data->GetCellData()->AddArray(id);
  write_file(file_, *data);
  written_ = true;
}

}  // namespace scree::vtk
