#pragma once
/// \file Guarded factories of a plugin, as the registry returns them: their products are guarded too.

#include <cstddef>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "scree/guard/guarded.hpp"
#include "scree/plugin/plugin.hpp"

namespace scree {

/// Checks the result of a packing, before anything is made of it.
/// \param shapes  number of the entry's shapes; 0: unknown
/// \throws InternalError naming the first place, face or column that is impossible
Packed guarded(const Method& method, Packed packed, std::size_t shapes);

namespace detail {

/// Returns a factory with guards. \throws InputError if there is no function
template <class Made, class... Arguments>
std::function<Made(Arguments...)> guarded_factory(const Method& method, std::function<Made(Arguments...)> factory) {
  if (!factory) throw InputError("the " + method.kind + " \"" + method.name + "\" is registered without a factory.");
  return [method, factory = std::move(factory)](Arguments... arguments) -> Made {
    Made made = guarded_set_up(method, "factory", [&] { return factory(arguments...); });
    if constexpr (std::is_same_v<Made, Packed>)
      return guarded(method, std::move(made), std::get<1>(std::tie(arguments...)).shapes.size());
    else
      return guarded(method, std::move(made));
  };
}

}  // namespace detail

}  // namespace scree
