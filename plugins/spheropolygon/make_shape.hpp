#pragma once
/// \file Options -> the shapes "spheropolygon" and "chain".

#include <memory>

#include "scree/plugin/plugin.hpp"
#include "swept_body.hpp"

namespace scree::spheropolygon {

/// \throws OptionError
std::shared_ptr<const SweptBody> make_spheropolygon(const Options& options);
std::shared_ptr<const SweptBody> make_chain(const Options& options);

}  // namespace scree::spheropolygon
