// An observer for scree: it looks at bodies between steps, and writes.

#include "@name@.hpp"

#include <scree/plugin/plugin.hpp>

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace @name@ {

double mean_height(const scree::World& world) {
  const int up = world.dimension() - 1;
  const auto position = world.position.read();
  const auto inverse_mass = world.inverse_mass.read();
  // Rows change places; by ids, sums have the same last digits in every run.
  double sum = 0, count = 0;
  for (scree::Id id = 0; id < world.next_id(); ++id) {
    const auto row = world.row(id);
    if (!row || !(inverse_mass[*row] > 0)) continue;
    sum += position[*row][up];
    ++count;
  }
  return count > 0 ? sum / count : 0;
}

/// The folder may have the file of an earlier part of the run: the heading is written where it is not there.
void Heights::open(const std::string& directory) {
  file_ = directory + "/@name@.csv";
  if (!std::filesystem::exists(file_)) std::ofstream(file_) << "time_s,mean_height_m\n";
}

/// Keeps the heading and the lines of earlier frames.
void Heights::resume(std::uint64_t first_frame) {
  std::ifstream in(file_);
  std::string kept, line;
  for (std::uint64_t k = 0; k <= first_frame && std::getline(in, line); ++k) kept += line + "\n";
  in.close();
  std::ofstream(file_) << kept;
}

void Heights::observe(const scree::World& world, const scree::ContactView*, const scree::Frame& frame) {
  char text[64];
  std::snprintf(text, sizeof text, "%.12g,%.17g\n", frame.time, mean_height(world));
  std::ofstream out(file_, std::ios::app);
  out << text;
  if (!out.flush()) throw scree::IoError(file_ + ": cannot be written.");
}

}  // namespace @name@

SCREE_PLUGIN(@name@, "0.1.0") {
  registrar.observer("@name@", [](const scree::Options&) { return std::make_unique<@name@::Heights>(); });
}
