#include "scree/scene/options.hpp"

#include <fstream>

#include "scree/base/error.hpp"
#include "scree/scene/detail/options_node.hpp"

namespace scree {

namespace {

constexpr std::uintmax_t kMostFileBytes = std::uintmax_t{512} << 20;

[[noreturn]] void fail(const std::string& pointer, const Json& got, const char* expected) {
  throw OptionError(pointer, std::string("expected ") + expected + ", got " + shown(got) + ".");
}

const Json& value_at(const Options::Node& node, std::string_view key) {
  const auto found = node.value->is_object() ? node.value->find(std::string(key)) : node.value->end();
  if (found == node.value->end())
    throw OptionError("", "missing key \"" + std::string(key) + "\". Add it, or give it a default in the schema.");
  return *found;
}

std::vector<double> numbers_in(const Json& value, const std::string& pointer) {
  const bool fits = value.is_array() && std::all_of(value.begin(), value.end(), [](auto& x) { return x.is_number(); });
  if (!fits) fail(pointer, value, "an array of numbers");
  return value.get<std::vector<double>>();
}

Options child(const Options::Node& node, const Json& value, std::string pointer) {
  return Options(
      std::make_shared<Options::Node>(Options::Node{node.document, &value, std::move(pointer), node.folder}));
}

}  // namespace

Options make_options(std::shared_ptr<const Json> document, const std::string& pointer, const std::string& folder) {
  const Json& value = document->at(Json::json_pointer(pointer));
  return Options(std::make_shared<Options::Node>(Options::Node{std::move(document), &value, pointer, folder}));
}

Options::Options() : Options(parse("{}")) {}
Options::~Options() = default;
Options::Options(const Options&) = default;
Options& Options::operator=(const Options&) = default;
Options::Options(std::shared_ptr<const Node> node) : node_(std::move(node)) {}

Options Options::parse(std::string_view json) {
  if (const std::string fault = extent_fault(json); !fault.empty()) throw InputError("options: " + fault + ".");
  try {
    return make_options(std::make_shared<const Json>(Json::parse(json)), "", "");
  } catch (const Json::exception& e) {
    throw InputError(std::string("options are not JSON: ") + e.what());
  }
}

bool Options::has(std::string_view key) const {
  return node_->value->is_object() && node_->value->contains(std::string(key));
}

std::vector<std::string> Options::keys() const {
  std::vector<std::string> keys;
  if (!is_object()) return keys;
  for (const auto& [key, value] : node_->value->items()) keys.push_back(key);
  return keys;
}

double Options::number(std::string_view key) const {
  const Json& value = value_at(*node_, key);
  if (!value.is_number()) fail(pointer_to("", key), value, "a number");
  return value.get<double>();
}

std::int64_t Options::integer(std::string_view key) const {
  const Json& value = value_at(*node_, key);
  if (!value.is_number_integer()) fail(pointer_to("", key), value, "an integer");
  return value.get<std::int64_t>();
}

bool Options::boolean(std::string_view key) const {
  const Json& value = value_at(*node_, key);
  if (!value.is_boolean()) fail(pointer_to("", key), value, "true or false");
  return value.get<bool>();
}

std::string Options::text(std::string_view key) const {
  const Json& value = value_at(*node_, key);
  if (!value.is_string()) fail(pointer_to("", key), value, "a string");
  return value.get<std::string>();
}

std::vector<double> Options::numbers(std::string_view key) const {
  return numbers_in(value_at(*node_, key), pointer_to("", key));
}

Vec3 Options::vector(std::string_view key) const {
  const std::vector<double> x = numbers(key);
  if (x.size() != 2 && x.size() != 3) fail(pointer_to("", key), value_at(*node_, key), "2 or 3 numbers");
  return {x[0], x[1], x.size() == 3 ? x[2] : 0};
}

std::filesystem::path Options::file(std::string_view key) const {
  namespace fs = std::filesystem;
  fs::path path = text(key);
  if (path.is_relative()) path = fs::path(folder()) / path;
  std::error_code ignored;
  const auto fail = [&](const std::string& what) {
    throw OptionError("/" + std::string(key),
                      "cannot read \"" + path.string() + "\": " + what +
                          ". Give a file name relative to the scene's folder, or an absolute one.");
  };
  // Checked before it is opened: opening a pipe may take for ever, and a device may never end.
  if (!fs::exists(path, ignored)) fail("no such file");
  if (!fs::is_regular_file(path, ignored)) fail("not a regular file");
  if (fs::file_size(path, ignored) > kMostFileBytes)
    fail("larger than " + std::to_string(kMostFileBytes >> 20) + " MiB, the most a scene's file may have");
  if (!std::ifstream(path)) fail("not a readable file");
  return path;
}

Options Options::object(std::string_view key) const {
  return child(*node_, value_at(*node_, key), pointer_to(pointer(), key));
}

std::vector<Options> Options::objects(std::string_view key) const {
  const Json& value = value_at(*node_, key);
  if (!value.is_array()) fail(pointer_to("", key), value, "an array");
  std::vector<Options> items;
  for (std::size_t i = 0; i < value.size(); ++i)
    items.push_back(child(*node_, value[i], pointer_to(pointer_to(pointer(), key), i)));
  return items;
}

bool Options::is_object() const { return node_->value->is_object(); }
bool Options::is_string() const { return node_->value->is_string(); }
bool Options::is_number() const { return node_->value->is_number(); }

std::string Options::as_text() const {
  if (!is_string()) fail("", *node_->value, "a string");
  return node_->value->get<std::string>();
}

double Options::as_number() const {
  if (!is_number()) fail("", *node_->value, "a number");
  return node_->value->get<double>();
}

std::vector<double> Options::as_numbers() const { return numbers_in(*node_->value, ""); }

const std::string& Options::pointer() const { return node_->pointer; }
const std::string& Options::folder() const { return node_->folder; }
std::string Options::dump() const { return node_->value->dump(); }

}  // namespace scree
