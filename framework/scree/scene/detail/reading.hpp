#pragma once
/// \file Steps of reading a scene, in the order in which read_scene() takes them.

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/scene/detail/json.hpp"
#include "scree/scene/detail/positions.hpp"
#include "scree/scene/detail/schema.hpp"
#include "scree/scene/scene.hpp"

namespace scree {

/// Largest number of steps of a run: time = steps dt is exact up to 2^53 steps.
inline constexpr double kMostSteps = 1e15;

/// Reads a text file. \throws InputError if the file does not exist, is no regular file, is too large, or cannot be
/// read
std::string read_text_file(const std::string& file);

/// Parses JSON. \throws InputError with line and column if the text is not JSON
Json parse_json(const std::string& file, std::string_view text);

/// Reports faults. \throws InputError with all of them, in the order of the file; does nothing if there are none
void report(std::vector<Fault> faults, const Scene::Positions& positions);

/// Applies "/pointer=value", or an object of changes like apply_change(), and records the pointers. The value is JSON,
/// or else a string.
/// \throws InputError if the form is wrong or there is nothing around the pointer
void apply_set(const Json& schema, const std::string& set, Json& document, Scene::Positions& positions);

/// Makes objects of detectors' names that are given as plain strings: "taubin" -> {"type": "taubin"}.
void expand_short_forms(Json& document);

/// Returns faults in values whose schema names an "x-scree-format", which depends on the dimension: vector, vector3 (in
/// 2D with or without a third number), spin, orientation.
std::vector<Fault> check_formats(const Json& schema, Json& document);

/// Makes strings whose schema has "format": "path" absolute, relative to the folder.
void make_paths_absolute(const Json& schema, const std::string& folder, Json& document);
/// Returns faults of places. These are files ("format": "path") that lie, links followed, in none of the folders that
/// may be read. They are also folders ("format": "output-path") that would lie outside of the output folder. Nothing is
/// opened. Valid folders become absolute.
/// \pre files are absolute
std::vector<Fault> check_places(const Json& schema, const std::vector<std::string>& readable, const std::string& out,
                                Json& document);

/// Returns faults of files with code ("x-scree-code": its language) in languages that are not allowed. Nothing is
/// opened.
std::vector<Fault> check_code(const Json& schema, const std::vector<std::string>& allowed, Json& document);

/// Checks whether a terminal shows all characters; no line feeds.
bool is_printable(std::string_view text);
/// Returns the reason why a text cannot be a name of the scene: "holds \"/\"", ...; empty if it can. Names are heads of
/// columns in metrics.csv, and become names of files, of arrays in checkpoints and texts of pages and scripts.
SCREE_API std::string name_fault(std::string_view name);
/// Returns the rule for names, as a sentence.
std::string name_rule();
/// Returns the text with "_" for all characters not allowed in names, cut to the length of a name.
SCREE_API std::string as_name(std::string_view text);
/// Returns the reason why a text cannot be the name of one file: "is empty", ...; empty if it can.
std::string file_name_fault(const std::string& name);

/// Returns the files named by strings of "format": "path", except files of the output. \pre paths are absolute
std::vector<NamedFile> named_files(const Json& schema, Json& document);

/// Checks references between the parts of a scene that is valid by its schema.
std::vector<Fault> cross_check(const Json& document);

/// Checks stages beyond the schema: how they end, and that none is over before it begins.
std::vector<Fault> check_stages(const Json& document);

/// Applies a stage's `change` to the previous document. Objects are merged, null removes a key, anything else replaces
/// the value. An object in place of an array changes entries, which it names by their names (bodies), "a-b" of
/// `between` (interactions), `type` (hooks, writers) or index. A different `type` replaces the whole object around it.
/// \param pointer  pointer to the change, "/stages/0/change"
/// \param moved    gets the origins of values of the document
/// \return faults: entries that do not exist
SCREE_API std::vector<Fault> apply_change(const Json& change, const std::string& pointer, Json& document,
                                          std::vector<std::pair<std::string, std::string>>& moved);

/// Builds the scene. \pre all checks passed and defaults are filled in
void build_scene(const Json& schema, std::shared_ptr<const Json> document, Scene& scene);

}  // namespace scree
