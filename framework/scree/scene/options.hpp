#pragma once
/// \file Options of one object of the scene for a plugin's factory: validated, with defaults filled in.

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/base/types.hpp"

namespace scree {

/// Node of a validated JSON document. Every value that a factory reads exists: missing ones were filled in from the
/// schema's `default`, so defaults are written once, in the schema. Cheap to copy. The JSON library stays inside the
/// core.
class SCREE_API Options {
 public:
  Options();
  ~Options();
  Options(const Options&);
  Options& operator=(const Options&);
  /// \param json  text of a JSON value: for tests and tools that make objects without a scene
  /// Makes options from text.
  static Options parse(std::string_view json);

  bool has(std::string_view key) const;
  std::vector<std::string> keys() const;
  /// Returns a value of this key. \throws OptionError if the key is missing or has another type (a schema that lets
  /// this through has a bug)
  double number(std::string_view key) const;
  std::int64_t integer(std::string_view key) const;
  bool boolean(std::string_view key) const;
  std::string text(std::string_view key) const;
  std::vector<double> numbers(std::string_view key) const;
  /// Returns an array of 2 or 3 numbers; a missing third one is 0.
  Vec3 vector(std::string_view key) const;
  /// Returns the file that a text names, relative to folder(). \throws OptionError if it is no readable file
  std::filesystem::path file(std::string_view key) const;
  Options object(std::string_view key) const;
  std::vector<Options> objects(std::string_view key) const;
  double number_or(std::string_view key, double fallback) const { return has(key) ? number(key) : fallback; }

  bool is_object() const;
  bool is_string() const;
  bool is_number() const;
  /// Returns the value if this node is a string.
  std::string as_text() const;
  /// Returns the value if this node is a number.
  double as_number() const;
  /// Returns the values if this node is an array of numbers.
  std::vector<double> as_numbers() const;

  /// Returns the JSON pointer of this node in the scene, e.g. "/shapes/cross".
  const std::string& pointer() const;
  /// Returns the folder of the scene file: relative file names in options are relative to it.
  const std::string& folder() const;
  std::string dump() const;

  struct Node;
  explicit Options(std::shared_ptr<const Node> node);

 private:
  std::shared_ptr<const Node> node_;
};

}  // namespace scree
