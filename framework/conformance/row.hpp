#pragma once
/// \file What a check says: a line of the suite's table.

#include <string>
#include <vector>

namespace scree::conformance {

enum class Verdict { passed, failed, not_applicable };

struct Row {
  std::string method;  ///< "law/linear"
  std::string check;   ///< "energy and force agree"
  Verdict verdict = Verdict::passed;
  std::string reason;  ///< what was looked at and how well it held, or why not
};
using Rows = std::vector<Row>;

inline Row passed(std::string check, std::string reason) {
  return {"", std::move(check), Verdict::passed, std::move(reason)};
}
inline Row failed(std::string check, std::string reason) {
  return {"", std::move(check), Verdict::failed, std::move(reason)};
}
inline Row not_applicable(std::string check, std::string reason) {
  return {"", std::move(check), Verdict::not_applicable, std::move(reason)};
}
/// Passed where `good`.
inline Row judged(std::string check, bool good, std::string reason) {
  return {"", std::move(check), good ? Verdict::passed : Verdict::failed, std::move(reason)};
}

}  // namespace scree::conformance
