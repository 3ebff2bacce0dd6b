#include "fields.hpp"

#include <fmt/format.h>
#include <vtkImageData.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "field_file.hpp"
#include "scree/base/error.hpp"
#include "scree/base/tell.hpp"
#include "scree/output/sizes.hpp"
#include "values.hpp"

namespace scree::fields {

namespace {

/// Grids that take more are told [bytes].
constexpr double kToldFrom = 200e6;

/// Heading of a saved state, of numbers of 8 bytes.
struct Heading {
  std::uint64_t counts[3];
  double start, length, width;  ///< start and length of windows [s]; width of the kernel [m]
  std::uint64_t samples, window, frames;
  double last_time, outside_mass, outside_momentum[3];
};

[[noreturn]] void refuse_state() {
  throw InputError(
      "the state of fields in the checkpoint is damaged, or was not written by this scene's run. Take another "
      "checkpoint.");
}

}  // namespace

Fields::Fields(const Options& options) : options_(options), name_(options.text("name")), windows_(options) {
  if (options.has("fields"))
    for (const Options& field : options.objects("fields")) wanted_.push_back(field.as_text());
}

void Fields::begin(const World& world) {
  chosen_ = ChosenGroups(chosen_names(options_), world);
  grid_ = make_grid(options_, world.cell, world.dimension(), mean_diameter(world, chosen_));
}

/// The grid's memory is taken with the first frame: a scene that is only checked needs none.
double Fields::plan(const World&, std::uint64_t frames) {
  constexpr double kNumber = 4.9;  // of a file, compressed and in base 64 [bytes]
  const auto cells = static_cast<double>(grid_.cells());
  const double memory = kBytesPerCell * cells;
  if (memory > kToldFrom && !told_) {
    tell(stderr, fmt::format("{}: a grid of {} x {} x {} cells, which take {} of memory.\n", name_, grid_.counts[0],
                             grid_.counts[1], grid_.counts[2], bytes_text(memory)));
    told_ = true;
  }
  double numbers = 0;
  for (const auto& field : field_values({}, 1, grid_.dimension, wanted_)) numbers += field.components;
  const auto calls = static_cast<double>(frames);
  const double last = options_.number_or("start", 0) + (calls - 1) * options_.number_or("interval", 0);
  return kNumber * cells * numbers * (windows_.wanted() ? std::min(calls, windows_.count_until(last)) : calls);
}

void Fields::open(const std::string& directory) { list_.emplace(directory, name_, "vti"); }

void Fields::resume(std::uint64_t first_frame) {
  list_->resume(!windows_.wanted() ? first_frame : windows_.endless() ? 0 : frames_);
  started_ = true;
}

void Fields::clear() {
  sums_.assign(grid_.cells() * kSums, 0);
  outside_ = {};
  samples_ = 0;
}

void Fields::add(const World& world, const ContactView* contacts) {
  if (sums_.empty()) clear();
  grid_.follow(world.cell);
  outside_ += add_moment(grid_, world, contacts ? *contacts : ContactView{}, chosen_, sums_);
  ++samples_;
}

void Fields::write(std::uint64_t frame, double time) {
  if (!started_) list_->start_anew();
  started_ = true;
  const auto samples = static_cast<double>(samples_);
  const auto image = field_image(grid_, field_values(sums_, samples, grid_.dimension, wanted_), outside_, samples);
  list_->add(frame, time, *image);
}

void Fields::end_window(double time) {
  write(frames_++, time);
  clear();
}

void Fields::observe(const World& world, const ContactView* contacts, const Frame& frame) {
  if (!windows_.wanted()) {
    clear();
    add(world, contacts);
    return write(frame.index, frame.time);
  }
  const auto window = windows_.at(frame.time);
  if (!window) return;
  if (samples_ > 0 && *window != window_) end_window(windows_.end(window_));
  window_ = *window;
  add(world, contacts);
  last_time_ = frame.time;
  newer_ = windows_.endless();
  if (windows_.ends_at(window_, frame.time)) end_window(frame.time);
}

void Fields::flush() {
  if (!newer_ || !list_) return;
  if (started_) list_->start_anew();
  write(0, last_time_);
  newer_ = false;
}

std::vector<std::byte> Fields::save() const {
  if (!windows_.wanted()) return {};
  const Vec3& p = outside_.momentum;
  const Heading heading{{static_cast<std::uint64_t>(grid_.counts[0]), static_cast<std::uint64_t>(grid_.counts[1]),
                         static_cast<std::uint64_t>(grid_.counts[2])},
                        windows_.start(),
                        windows_.length(),
                        grid_.width,
                        samples_,
                        window_,
                        frames_,
                        last_time_,
                        outside_.mass,
                        {p[0], p[1], p[2]}};
  const std::size_t numbers = samples_ > 0 ? sums_.size() : 0;
  std::vector<std::byte> state(sizeof heading + numbers * sizeof(double));
  std::memcpy(state.data(), &heading, sizeof heading);
  if (numbers > 0) std::memcpy(state.data() + sizeof heading, sums_.data(), numbers * sizeof(double));
  return state;
}

/// A window of another grid, or of other times, begins anew; frames written stay.
void Fields::load(const std::vector<std::byte>& state) {
  if (!windows_.wanted() || state.empty()) return;
  Heading heading;
  if (state.size() < sizeof heading) refuse_state();
  std::memcpy(&heading, state.data(), sizeof heading);
  double cells = 1;
  for (const std::uint64_t count : heading.counts) cells *= static_cast<double>(count);
  const double numbers = heading.samples > 0 ? cells * static_cast<double>(kSums) : 0;
  if (static_cast<double>(state.size() - sizeof heading) != numbers * sizeof(double)) refuse_state();
  for (const double x : {heading.last_time, heading.outside_mass, heading.outside_momentum[0],
                         heading.outside_momentum[1], heading.outside_momentum[2]})
    if (!std::isfinite(x)) refuse_state();
  frames_ = heading.frames;
  clear();
  bool same = heading.start == windows_.start() && heading.length == windows_.length() && heading.width == grid_.width;
  for (std::size_t k = 0; k < 3; ++k) same = same && heading.counts[k] == static_cast<std::uint64_t>(grid_.counts[k]);
  if (!same || heading.samples == 0) return;
  std::memcpy(sums_.data(), state.data() + sizeof heading, sums_.size() * sizeof(double));
  outside_ = {heading.outside_mass,
              {heading.outside_momentum[0], heading.outside_momentum[1], heading.outside_momentum[2]}};
  samples_ = heading.samples, window_ = heading.window, last_time_ = heading.last_time;
  newer_ = windows_.endless();
}

}  // namespace scree::fields
