#include <string>

#include "catch.hpp"
#include "scree/base/error.hpp"
#include "scree/scene/detail/pattern.hpp"
#include "scree/scene/detail/reading.hpp"
#include "scree/scene/read_scene.hpp"

using namespace scree;

TEST_CASE("names have letters of any script, digits, and four signs; nothing that tables, files or shells act on") {
  for (const char* good : {"a", "Z9", "feed_left-2.b", "two words", "Sch\u00fcttgut 1", "\u7802\u77f3", "0"})
    CHECK(name_fault(good).empty());
  CHECK(name_fault("feed/left") == "holds \"/\"");
  CHECK(name_fault("a,b") == "holds \",\"");
  CHECK(name_fault("") == "is empty");
  CHECK(name_fault("a\xff") == "is no UTF-8 text");
  for (const char* bad : {"a\nb",
                          "a\tb",
                          "a\"b",
                          "a'b",
                          "a\\b",
                          "a<b",
                          "a&b",
                          "a$b",
                          "a;b",
                          "a*b",
                          "\x1b[2J",
                          "a\xc2\x85"
                          "b",
                          "\u00a0",
                          "\u202e",
                          "\u2028",
                          "\ufeff",
                          "\u00d7",
                          "a:b",
                          "a%b",
                          "@PARTS@"}) {
    INFO(bad);
    CHECK_THAT(name_fault(bad), Catch::Matchers::StartsWith("holds \""));
  }
  CHECK(name_fault(std::string("a\0b", 3)) == std::string("holds \"\0\"", 9));
}

TEST_CASE("names have at most 120 characters and 200 bytes") {
  CHECK(name_fault(std::string(120, 'n')).empty());
  CHECK(name_fault(std::string(121, 'n')) == "has 121 characters (121 bytes)");
  std::string wide;
  for (int i = 0; i < 101; ++i) wide += "\u00e4";
  CHECK(name_fault(wide) == "has 101 characters (202 bytes)");
  CHECK(name_fault(std::string(10'000'000, 'n')) == "has 10000000 characters (10000000 bytes)");
}

TEST_CASE("what becomes a name without being asked for has _ for all that names may not hold") {
  CHECK(as_name("my(1) scene\xff") == "my_1_ scene_");
  CHECK(as_name("pile-2.b") == "pile-2.b");
  CHECK(as_name(std::string(300, 'x')) == std::string(120, 'x'));
  CHECK(name_fault(as_name("../\x1b,\u202e")).empty());
}

TEST_CASE("patterns of schemas are found as in ECMAScript, in texts of any length") {
  CHECK(fits_pattern("core_1-b", "^[A-Za-z0-9_-]+$"));
  CHECK_FALSE(fits_pattern("core 1", "^[A-Za-z0-9_-]+$"));
  CHECK_FALSE(fits_pattern("core\n", "^[A-Za-z0-9_-]+$"));
  CHECK_FALSE(fits_pattern(std::string_view("a\0b", 3), "^[a-z]+$"));
  CHECK(fits_pattern("12", "^[1-9][0-9]{0,3}$"));
  CHECK_FALSE(fits_pattern("12345", "^[1-9][0-9]{0,3}$"));
  CHECK(fits_pattern("x17", "\\d+"));
  CHECK(fits_pattern("a.b", "^(?:a|c)\\.b$"));
  CHECK_FALSE(fits_pattern("axb", "^(?:a|c)\\.b$"));
  CHECK(fits_pattern("4_d", "^[\\d\\w]+$"));
  CHECK(fits_pattern(std::string(1'000'000, 'n'), "^[a-z]+$"));
  CHECK_FALSE(fits_pattern(std::string(1'000'000, 'n') + "!", "^(n|nn)+$"));
  CHECK_THROWS_AS(fits_pattern("a", "(?=a)"), Error);
  CHECK_THROWS_AS(fits_pattern("a", "[a"), Error);
}
