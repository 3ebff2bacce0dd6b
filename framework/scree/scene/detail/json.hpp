#pragma once
/// \file The JSON value used inside the core, and JSON pointers (RFC 6901).

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace scree {

/// JSON value that keeps the order in which keys were written: shapes and materials are numbered in the user's order.
using Json = nlohmann::ordered_json;

/// Returns pointer + "/" + key, with '~' and '/' escaped.
std::string pointer_to(const std::string& pointer, std::string_view key);
std::string pointer_to(const std::string& pointer, std::size_t index);
/// Returns the keys of a pointer, unescaped: "/a~1b/0" -> {"a/b", "0"}.
std::vector<std::string> pointer_keys(std::string_view pointer);
/// Returns the pointer of the parent: "/a/b" -> "/a"; "" stays "".
std::string parent_pointer(const std::string& pointer);

/// Largest depth of nesting in a scene.
constexpr std::size_t kDeepest = 100;
/// Largest number of values in a scene; a packing "csv" reads more bodies than that in less memory.
constexpr std::size_t kMostValues = 1'000'000;
/// Largest number of keys of an object: each is compared to all others, since their order is kept.
constexpr std::size_t kMostKeys = 4096;

/// Returns the reason why a JSON text is too large to parse: nesting or the number of values; empty if it is not.
/// Called before anything is made of it. \param deepest  false: only the values are counted
std::string extent_fault(std::string_view text, bool deepest = true);

/// Returns a text for a message: cut in the middle if long.
std::string shortened(const std::string& text);

/// Returns a value for a message: compact, cut if long, with its JSON type: "4 s" (string).
std::string shown(const Json& value);

}  // namespace scree
