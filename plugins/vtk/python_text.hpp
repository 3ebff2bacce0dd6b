#pragma once
/// \file Text of others in a script for Python.

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "scree/base/utf8.hpp"

namespace scree::vtk {

/// Returns the text between double quotation marks in Python for a name of a file: bytes that are no UTF-8 like
/// Python's os.fsdecode(), controls as escapes.
inline std::string in_python_text(std::string_view name) {
  std::string text;
  while (!name.empty()) {
    const std::size_t length = utf8_length(name);
    const std::string_view character = name.substr(0, std::max<std::size_t>(length, 1));
    const auto byte = static_cast<unsigned char>(character[0]);
    if (length == 0)
      text += fmt::format("\\udc{:02x}", byte);
    else if (byte < 0x20 || byte == 0x7F)
      text += fmt::format("\\x{:02x}", byte);
    else if (byte == '"' || byte == '\\')
      text += {'\\', character[0]};
    else
      text += character;
    name.remove_prefix(character.size());
  }
  return text;
}

}  // namespace scree::vtk
