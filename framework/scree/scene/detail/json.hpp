#pragma once
/// \file The JSON value used inside the core, and JSON pointers (RFC 6901).

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace scree {

/// Keeps the order in which keys were written: shapes and materials are numbered in the user's order.
using Json = nlohmann::ordered_json;

/// \return pointer + "/" + key, with '~' and '/' escaped
std::string pointer_to(const std::string& pointer, std::string_view key);
std::string pointer_to(const std::string& pointer, std::size_t index);
/// The keys of a pointer, unescaped: "/a~1b/0" -> {"a/b", "0"}.
std::vector<std::string> pointer_keys(std::string_view pointer);
/// "/a/b" -> "/a"; "" stays "".
std::string parent_pointer(const std::string& pointer);

/// A scene may nest this deep,
constexpr std::size_t kDeepest = 100;
/// and hold this many values; a packing "csv" reads more bodies than that in less memory.
constexpr std::size_t kMostValues = 1'000'000;
/// An object of it has this many keys at most: each is compared to all others, since their order is kept.
constexpr std::size_t kMostKeys = 4096;

/// What makes a JSON text too much to take apart, before anything is made of it: nesting or the number of values; empty
/// when neither does. \param deepest  false: only the values are counted
std::string extent_fault(std::string_view text, bool deepest = true);

/// A text as shown in a message: cut in the middle when long.
std::string shortened(const std::string& text);

/// A value as shown in a message: compact, cut when long, with its JSON type: "4 s" (string).
std::string shown(const Json& value);

}  // namespace scree
