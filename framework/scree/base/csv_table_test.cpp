#include "scree/base/csv_table.hpp"

#include <sstream>

#include "catch.hpp"
#include "scree/base/error.hpp"

namespace scree {

namespace {

/// The file "a.csv", read up to its column names.
struct Read {
  std::istringstream in;
  CsvTable table;
  explicit Read(const std::string& text) : in(text), table(in, "a.csv", "x,y") {}
};

}  // namespace

TEST_CASE("rows have their values by name, without blanks, remarks and empty lines") {
  Read file("# made by hand\n x , name,y\r\n\n1.5, left ,-2\r\n# in between\n3,,4e-3");
  CsvTable& table = file.table;
  CHECK(table.has("x"));
  CHECK(table.has("name"));
  CHECK_FALSE(table.has("z"));
  CHECK(table.line() == 2);
  REQUIRE(table.next_row());
  CHECK(table.line() == 4);
  CHECK(table.number("x") == 1.5);
  CHECK(table.text("name") == "left");
  CHECK(table.number("y") == -2);
  REQUIRE(table.next_row());
  CHECK(table.line() == 6);
  CHECK(table.text("name").empty());
  CHECK(table.number("y") == 4e-3);
  CHECK_FALSE(table.next_row());
}

TEST_CASE("a table without rows is one, a file without column names is none") {
  Read names("x,y\n");
  CHECK_FALSE(names.table.next_row());
  CHECK_THROWS_WITH(Read("# nothing\n"), "a.csv:1: is empty; expected a line of column names such as \"x,y\".");
  CHECK_THROWS_WITH(Read("x,y,x\n"), "a.csv:1: column \"x\" is there twice. Remove one.");
}

TEST_CASE("columns that nobody knows are named with the one that may be meant") {
  Read file("x,radios\n");
  CHECK_NOTHROW(file.table.check_names({"x", "y", "radios"}, 3, ""));
  CHECK_THROWS_WITH(file.table.check_names({"x", "y", "radius"}, 2, "Remove it."),
                    "a.csv:1: unknown column \"radios\" in 2 dimensions. Did you mean \"radius\"? Known: x, y, radius. "
                    "Remove it.");
}

TEST_CASE("a row that does not fit the names, or a value that is no number, fails with its line") {
  Read file("x,y\n1,2\n3\n");
  REQUIRE(file.table.next_row());
  CHECK_THROWS_WITH(file.table.fail("is odd."), "a.csv:2: is odd.");
  CHECK_THROWS_WITH(file.table.fail_at(1, "is odd, too."), "a.csv:1: is odd, too.");
  CHECK_THROWS_WITH(file.table.next_row(), "a.csv:3: 1 values for 2 columns. Give one value per column.");
  for (const std::string text : {"", "one", "nan", "inf", "1 2", "1e999"}) {
    Read wrong("x,y\n" + text + ",0\n");
    REQUIRE(wrong.table.next_row());
    CHECK_THROWS_WITH(wrong.table.number("x"), "a.csv:2: column \"x\": \"" + text + "\" is not a finite number.");
    CHECK(wrong.table.number("y") == 0);
  }
}

}  // namespace scree
