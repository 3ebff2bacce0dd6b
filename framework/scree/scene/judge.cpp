// The only translation unit that includes valijson: it takes 11 s to compile.
#define VALIJSON_USE_EXCEPTIONS 1  // or it calls abort()
#include <mutex>
#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "scree/base/error.hpp"
#include "scree/scene/detail/schema.hpp"

namespace scree {

namespace {

std::string text_of(const valijson::ValidationResults::Error& error) {
  std::string text;
  for (const std::string& context : error.context) text += context;
  return text + ": " + error.description;
}

/// Removes parts of a schema that are checked here. valijson 1.0 converts every value whose schema has a format to a
/// string, and throws if it is none. For patterns see schema.hpp.
void drop_what_is_checked_here(nlohmann::json& schema) {
  if (schema.is_object()) {
    for (const char* key : {"format", "pattern"})
      if (schema.contains(key) && schema[key].is_string()) schema.erase(key);
    if (schema.erase("patternProperties") > 0) schema.erase("additionalProperties");
  }
  if (schema.is_structured())
    for (nlohmann::json& part : schema) drop_what_is_checked_here(part);
}

}  // namespace

struct SceneSchema::Parsed {
  valijson::Schema schema;
};

SceneSchema::SceneSchema(const std::string& text) : json_(Json::parse(text)), parsed_(std::make_unique<Parsed>()) {
  nlohmann::json plain = json_;
  drop_what_is_checked_here(plain);
  try {
    valijson::SchemaParser().populateSchema(valijson::adapters::NlohmannJsonAdapter(plain), parsed_->schema);
  } catch (const std::exception& e) {
    throw Error(std::string("the JSON Schema is broken: ") + e.what());
  }
}

SceneSchema::~SceneSchema() = default;

std::vector<std::string> SceneSchema::judge(const Json& document) const {
  const nlohmann::json plain_document = document;
  valijson::Validator validator;
  valijson::ValidationResults results;
  std::vector<std::string> texts;
  if (validator.validate(parsed_->schema, valijson::adapters::NlohmannJsonAdapter(plain_document), &results))
    return texts;
  valijson::ValidationResults::Error error;
  while (results.popError(error)) texts.push_back(text_of(error));
  if (texts.empty()) texts.push_back("not valid by the schema");
  return texts;
}

std::shared_ptr<const SceneSchema> scene_schema_of(const std::string& text) {
  static std::mutex mutex;
  static std::string text_kept;
  static std::shared_ptr<const SceneSchema> kept;
  const std::lock_guard lock(mutex);
  if (!kept || text != text_kept) {
    kept = std::make_shared<const SceneSchema>(text);
    text_kept = text;
  }
  return kept;
}

}  // namespace scree
