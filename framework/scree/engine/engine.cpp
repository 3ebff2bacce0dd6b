#include "scree/engine/engine.hpp"

namespace scree {

Engine::~Engine() = default;
Engine::Observation::~Observation() = default;

}  // namespace scree
