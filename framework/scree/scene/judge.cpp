// The only translation unit that includes valijson: it takes 11 s to compile.
#define VALIJSON_USE_EXCEPTIONS 1  // or it calls abort()
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

/// valijson 1.0 converts every value whose schema has a format to a string, and throws when it is none.
void drop_formats(nlohmann::json& schema) {
  if (schema.is_object() && schema.contains("format") && schema["format"].is_string()) schema.erase("format");
  if (schema.is_structured())
    for (nlohmann::json& part : schema) drop_formats(part);
}

}  // namespace

std::vector<std::string> judge(const Json& schema, const Json& document) {
  nlohmann::json plain_schema = schema;
  drop_formats(plain_schema);
  const nlohmann::json plain_document = document;
  valijson::Schema parsed;
  try {
    valijson::SchemaParser().populateSchema(valijson::adapters::NlohmannJsonAdapter(plain_schema), parsed);
  } catch (const std::exception& e) {
    throw Error(std::string("the JSON Schema is broken: ") + e.what());
  }
  valijson::Validator validator;
  valijson::ValidationResults results;
  std::vector<std::string> texts;
  if (validator.validate(parsed, valijson::adapters::NlohmannJsonAdapter(plain_document), &results)) return texts;
  valijson::ValidationResults::Error error;
  while (results.popError(error)) texts.push_back(text_of(error));
  if (texts.empty()) texts.push_back("not valid by the schema");
  return texts;
}

}  // namespace scree
