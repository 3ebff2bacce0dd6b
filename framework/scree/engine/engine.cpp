#include "scree/engine/engine.hpp"

namespace scree {

Engine::~Engine() = default;
Engine::Sight::~Sight() = default;

}  // namespace scree
