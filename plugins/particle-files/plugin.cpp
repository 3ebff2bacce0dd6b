#include "scree/plugin/plugin.hpp"

#include "particle_files.hpp"

SCREE_PLUGIN(particle_files, "1.0.0") {
  using namespace scree;
  registrar.observer("particle-files",
                     [](const Options& options) { return std::make_unique<particle_files::ParticleFiles>(options); });
}
