#include "scree/base/text_lines.hpp"

#include <cstdint>
#include <sstream>

#include "catch.hpp"
#include "scree/base/error.hpp"

namespace scree {

TEST_CASE("a number is the whole text, finite and in range") {
  CHECK(parse_number<double>("-1.5e3") == -1500.0);
  CHECK(parse_number<int>("-7") == -7);
  for (const char* text : {"", " 1", "1 ", "1x", "1,5", "nan", "inf", "1e999"}) {
    INFO(text);
    CHECK_FALSE(parse_number<double>(text));
  }
  CHECK_FALSE(parse_number<std::uint32_t>("-1"));
  CHECK_FALSE(parse_number<std::uint32_t>("4294967296"));
  CHECK_FALSE(parse_number<std::uint32_t>("1.0"));
}

TEST_CASE("lines that say nothing are passed over and counted, in files of any system") {
  std::istringstream in("# head\r\n\r\n  1\t2 \r\n\n   # remark\nlast");
  TextLines lines(in, "list.txt", '#');
  REQUIRE(lines.next());
  CHECK(lines.text() == "1\t2");
  CHECK(lines.word() == "1");
  CHECK(lines.word() == "2");
  CHECK(lines.word().empty());
  CHECK(lines.line() == 3);
  CHECK_THROWS_WITH(lines.fail("is odd."), "list.txt:3: is odd.");
  CHECK_THROWS_WITH(lines.fail_at(1, "is odd, too."), "list.txt:1: is odd, too.");
  REQUIRE(lines.next());
  CHECK(lines.word() == "last");
  CHECK_FALSE(lines.next());
  CHECK(lines.text().empty());
  CHECK(lines.word().empty());
}

TEST_CASE("where nobody speaks of comments there are none, and an empty file fails in its first line") {
  std::istringstream in("# 1"), nothing;
  TextLines lines(in, "a"), empty(nothing, "b");
  REQUIRE(lines.next());
  CHECK(lines.word() == "#");
  CHECK_FALSE(empty.next());
  CHECK_THROWS_WITH(empty.fail("is empty."), "b:1: is empty.");
}

}  // namespace scree
