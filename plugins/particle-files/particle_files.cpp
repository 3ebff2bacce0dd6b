#include "particle_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "formats.hpp"
#include "scree/base/error.hpp"
#include "scree/base/text_lines.hpp"
#include "scree/output/atomic_file.hpp"

namespace scree::particle_files {

namespace fs = std::filesystem;

namespace {

DumpOptions dump_options(const Options& options) {
  DumpOptions dump;
  dump.types = options.has("types") && options.text("types") == "entries" ? TypesOf::entries : TypesOf::materials;
  if (options.has("columns"))
    for (const Options& column : options.objects("columns")) dump.columns.push_back(column.as_text());
  else
    dump.columns = {"id", "type", "x", "y", "z", "vx", "vy", "vz", "omegax", "omegay", "omegaz", "radius"};
  return dump;
}

}  // namespace

ParticleFiles::ParticleFiles(const Options& options)
    : format_(options.text("format")), name_(options.text("name")), names_(chosen_names(options)) {
  for (const char* key : {"columns", "types"})
    if (options.has(key) && format_ != "dump")
      throw OptionError(fmt::format("/{}", key), "only dumps have these. Leave it out, or write \"format\": \"dump\".");
  dump_ = dump_options(options);
}

void ParticleFiles::begin(const World& world) {
  chosen_ = ChosenGroups(names_, world);
  if (const std::string fault = misfit(world, bodies(world)); !fault.empty()) throw OptionError("/format", fault);
}

void ParticleFiles::open(const std::string& directory) { folder_ = fs::path(directory) / name_; }

std::vector<BodyState> ParticleFiles::bodies(const World& world) const {
  std::vector<BodyState> bodies;
  for_each_free_body(world, [&](const BodyState& body) {
    if (chosen_(body.group)) bodies.push_back(body);
  });
  const auto wall = [&](std::size_t i) {
    return static_cast<BodyKind>(world.kind[i]) != BodyKind::dynamic && std::isfinite(world.radius[i]);
  };
  for (std::size_t i = 0; i < world.size() && !names_.empty(); ++i)
    if (chosen_(world.group[i]) && wall(i)) bodies.push_back(state_of(world, i));
  std::ranges::sort(bodies, {}, &BodyState::id);
  return bodies;
}

std::string ParticleFiles::misfit(const World& world, const std::vector<BodyState>& bodies) const {
  if (format_ == "csv") return "";
  for (const BodyState& body : bodies)
    if (!sphere_radius(world, body))
      return fmt::format(
          "\"{}\" tells of spheres alone, and body {} has shape \"{}\". Take \"csv\", or name entries of spheres in "
          "\"bodies\".",
          format_, body.id, world.shapes()[body.shape].name);
  return "";
}

std::string ParticleFiles::file_of(std::uint64_t frame) const {
  const char* const ending = format_ == "xyzr" ? "txt" : format_.c_str();
  return fmt::format("{}_{:06}.{}", name_, frame, ending);
}

void ParticleFiles::remove_from(std::uint64_t first_frame) const {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder_, ignored)) {
    const std::string file = entry.path().filename().string();
    const std::size_t mark = file.rfind('_'), dot = file.rfind('.');
    if (mark == std::string::npos || dot == std::string::npos || dot < mark) continue;
    const auto frame = parse_number<std::uint64_t>(std::string_view(file).substr(mark + 1, dot - mark - 1));
    if (frame && *frame >= first_frame && file_of(*frame) == file) fs::remove(entry.path(), ignored);
  }
}

void ParticleFiles::resume(std::uint64_t first_frame) {
  continued_ = true;
  remove_from(first_frame);
}

void ParticleFiles::observe(const World& world, const ContactView*, const Frame& frame) {
  prepare_subfolder(folder_);
  if (!continued_) remove_from(0);
  continued_ = true;
  const std::vector<BodyState> all = bodies(world);
  if (const std::string fault = misfit(world, all); !fault.empty()) throw NumericalError("particle-files: " + fault);
  const std::string text = format_ == "csv"    ? csv_text(world, all)
                           : format_ == "dump" ? dump_text(world, all, frame.step, dump_)
                                               : xyzr_text(world, all);
  write_atomically(folder_ / file_of(frame.index), text);
}

}  // namespace scree::particle_files
