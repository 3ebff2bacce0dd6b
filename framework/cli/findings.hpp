#pragma once
/// \file Errors and warnings as data, for programs that read what the program says.

#include <string>
#include <string_view>
#include <vector>

namespace scree::cli {

/// One fault of a scene. Parts that a message does not have are empty.
struct Finding {
  std::string file;
  int line = 0, column = 0;  ///< counted from 1; 0: no place
  std::string pointer;       ///< JSON pointer of the value in the scene
  std::string what;          ///< the fault: the first sentence
  std::string got;           ///< the value that was given, as JSON
  std::string allowed;       ///< "greater than 0", or names: "box, sphere"
  std::string fix;           ///< the remedy, and the meaning of the value: the other sentences
  std::string text;          ///< the whole message, without its place
};

/// Returns the faults of a message "file:line:column /pointer: text", one per line. Lines without a place belong to the
/// one before.
std::vector<Finding> findings_of(std::string_view message);

}  // namespace scree::cli
