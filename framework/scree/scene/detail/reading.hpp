#pragma once
/// \file The steps of reading a scene, in the order in which read_scene() takes them.

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

/// Steps of a run, at most: time = steps dt is exact up to 2^53 steps.
inline constexpr double kMostSteps = 1e15;

/// \throws InputError when the file is not there, no regular file, too large, or cannot be read
std::string read_text_file(const std::string& file);

/// \throws InputError with line and column when the text is not JSON
Json parse_json(const std::string& file, std::string_view text);

/// \throws InputError that tells all faults, in the order of the file; does nothing when there are none
void report(std::vector<Fault> faults, const Scene::Positions& positions);

/// Applies "/pointer=value", or an object of changes as apply_change() does, and records the pointers. The value is
/// JSON, or else a string.
/// \throws InputError when the form is wrong or nothing stands around the pointer
void apply_set(const Json& schema, const std::string& set, Json& document, Scene::Positions& positions);

/// Names of detectors, given as plain strings, become objects: "taubin" -> {"type": "taubin"}.
void expand_short_forms(Json& document);

/// Faults in values whose schema names an "x-scree-format", which depends on the dimension: vector, spin, orientation.
std::vector<Fault> check_formats(const Json& schema, Json& document);

/// Strings whose schema says "format": "path" become absolute, relative to the folder.
void make_paths_absolute(const Json& schema, const std::string& folder, Json& document);
/// Files ("format": "path") that lie, links followed, in none of the folders that may be read, and folders
/// ("format": "output-path") that would lie outside of the output folder. Nothing is opened. Those of the second kind
/// become absolute once they are found in order.
/// \pre files are absolute
std::vector<Fault> check_places(const Json& schema, const std::vector<std::string>& readable, const std::string& out,
                                Json& document);

/// Whether all characters are shown by a terminal; no line feeds.
bool is_printable(std::string_view text);
/// What keeps a text from being a name of the scene: "holds \"/\"", ...; empty when nothing does. Names head columns of
/// metrics.csv, and become names of files, of arrays in checkpoints and texts of pages and scripts.
SCREE_API std::string name_fault(std::string_view name);
/// What names may hold, as a sentence.
std::string name_rule();
/// The text with "_" for all that no name may hold, cut to the length of a name.
SCREE_API std::string as_name(std::string_view text);
/// What keeps a text from being the name of one file: "is empty", ...; empty when nothing does.
std::string file_name_fault(const std::string& name);

/// The files that strings of "format": "path" name, but for those of the output. \pre paths are absolute
std::vector<NamedFile> named_files(const Json& schema, Json& document);

/// References between the parts of a scene that is valid by its schema.
std::vector<Fault> cross_check(const Json& document);

/// What the stages say beyond the schema: how they end, and that none is over before it begins.
std::vector<Fault> check_stages(const Json& document);

/// A stage's `change` on top of the previous document. Objects are merged, null removes a key, anything else replaces
/// what is there. An object in place of an array changes entries, which it names by their names (bodies), "a-b" of
/// `between` (interactions), `type` (hooks, writers) or index. A `type` that differs replaces the whole object around
/// it.
/// \param pointer  of the change, "/stages/0/change"
/// \param moved    gets where values of the document come from
/// \return entries that are not there
SCREE_API std::vector<Fault> apply_change(const Json& change, const std::string& pointer, Json& document,
                                          std::vector<std::pair<std::string, std::string>>& moved);

/// \pre all checks passed and defaults are filled in
void build_scene(const Json& schema, std::shared_ptr<const Json> document, Scene& scene);

}  // namespace scree
