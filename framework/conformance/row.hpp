#pragma once
/// \file Result of a check: a row of the suite's table.

#include <string>
#include <vector>

namespace scree::conformance {

enum class Verdict { passed, failed, not_applicable };

struct Row {
  std::string method;  ///< "law/linear"
  std::string check;   ///< "energy and force agree"
  Verdict verdict = Verdict::passed;
  std::string reason;  ///< subject and accuracy of the check, or the reason of failure
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
/// Returns a row that is passed if `good`.
inline Row judged(std::string check, bool good, std::string reason) {
  return {"", std::move(check), good ? Verdict::passed : Verdict::failed, std::move(reason)};
}

}  // namespace scree::conformance
