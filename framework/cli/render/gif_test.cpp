#include "gif.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "catch.hpp"

namespace scree::render {

namespace {

/// Reader of what GifWriter writes, after the description of the format.
class GifReader {
 public:
  explicit GifReader(const std::string& bytes) : bytes_(bytes) {
    REQUIRE(bytes.substr(0, 6) == "GIF89a");
    width = word(6), height = word(8);
    shown.assign(static_cast<std::size_t>(width * height), 0);
    at_ = 13 + 768 + 19;
  }
  /// Reads the next frame. \return false at the end
  bool next() {
    if (byte() == ';') return false;
    at_ += 3;
    delay = word(at_), at_ += 2;
    const int none = byte();
    at_ += 2;
    const int left = word(at_), top = word(at_ + 2), wide = word(at_ + 4), high = word(at_ + 6);
    at_ += 9;
    const std::vector<int> numbers = decoded();
    REQUIRE(numbers.size() == static_cast<std::size_t>(wide * high));
    for (int y = 0; y < high; ++y)
      for (int x = 0; x < wide; ++x) {
        const int number = numbers[static_cast<std::size_t>(y * wide + x)];
        if (number != none) shown[static_cast<std::size_t>((top + y) * width + left + x)] = number;
      }
    return true;
  }
  int colour(std::size_t pixel, int part) const {
    return static_cast<unsigned char>(bytes_[static_cast<std::size_t>(13 + 3 * shown[pixel] + part)]);
  }
  int width = 0, height = 0, delay = 0;
  std::vector<int> shown;

 private:
  int byte() { return static_cast<unsigned char>(bytes_.at(at_++)); }
  int word(std::size_t at) const {
    return static_cast<unsigned char>(bytes_.at(at)) + 256 * static_cast<unsigned char>(bytes_.at(at + 1));
  }
  std::vector<int> decoded() {
    const int start = byte(), clear = 1 << start;
    std::string data;
    while (const int size = byte())
      data += bytes_.substr(at_, static_cast<std::size_t>(size)), at_ += static_cast<std::size_t>(size);
    std::vector<std::vector<int>> words;
    std::vector<int> numbers, before;
    int width_of_code = start + 1;
    const auto reset = [&] {
      words.assign(static_cast<std::size_t>(clear) + 2, {});
      for (int k = 0; k < clear; ++k) words[static_cast<std::size_t>(k)] = {k};
      width_of_code = start + 1;
      before.clear();
    };
    reset();
    std::size_t bit = 0;
    while (true) {
      std::size_t code = 0;
      for (int k = 0; k < width_of_code; ++k, ++bit)
        code |= static_cast<std::size_t>(static_cast<unsigned char>(data.at(bit / 8)) >> (bit % 8) & 1) << k;
      if (code == static_cast<std::size_t>(clear)) {
        reset();
        continue;
      }
      if (code == static_cast<std::size_t>(clear) + 1) return numbers;
      std::vector<int> word;
      if (code < words.size())
        word = words[code];
      else
        word = before, word.push_back(before.at(0));
      numbers.insert(numbers.end(), word.begin(), word.end());
      if (!before.empty() && words.size() < 4096) {
        before.push_back(word[0]);
        words.push_back(before);
        if (words.size() == std::size_t{1} << width_of_code && width_of_code < 12) ++width_of_code;
      }
      before = word;
    }
  }
  const std::string& bytes_;
  std::size_t at_ = 0;
};

}  // namespace

TEST_CASE("what a GIF shows are the pictures that went in, also after its table of words was full") {
  // Two hundred colours in disorder fill the table of 4096 words several times.
  constexpr int wide = 150, high = 120;
  std::vector<Pixels> frames(3, Pixels(3 * wide * high));
  unsigned chance = 1;
  for (std::size_t f = 0; f < frames.size(); ++f)
    for (std::size_t k = 0; k < wide * high; ++k) {
      chance = chance * 1664525 + 1013904223;
      const unsigned number = chance >> 16;
      const bool changes = f == 0 || (k / wide > 40 && k % 3 == 0);
      for (std::size_t c = 0; c < 3; ++c)
        frames[f][3 * k + c] =
            changes ? static_cast<unsigned char>(8 * (number >> (2 * c) & 7) + 100) : frames[f - 1][3 * k + c];
    }
  GifWriter writer(wide, high, 4, frames);
  for (const Pixels& frame : frames) writer.add(frame);
  const std::string bytes = writer.finish();
  GifReader reader(bytes);
  CHECK(reader.width == wide);
  CHECK(reader.height == high);
  for (const Pixels& frame : frames) {
    REQUIRE(reader.next());
    CHECK(reader.delay == 4);
    int farthest = 0;
    for (std::size_t k = 0; k < wide * high; ++k)
      for (int c = 0; c < 3; ++c)
        farthest = std::max(farthest, std::abs(reader.colour(k, c) - frame[3 * k + static_cast<std::size_t>(c)]));
    // There are 512 colours for 255 places: at most the next one, eight away.
    CHECK(farthest <= 8);
  }
  CHECK_FALSE(reader.next());
}

}  // namespace scree::render
