#include "gif.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

namespace scree::render {

namespace {

constexpr int kBits = 5;  ///< bits of each part of a colour that are told apart
constexpr int kBins = 1 << (3 * kBits);

int bin_of(int red, int green, int blue) {
  constexpr int rest = 8 - kBits;
  return (red >> rest) << (2 * kBits) | (green >> rest) << kBits | blue >> rest;
}

/// Colours that one entry of the table stands for.
struct Box {
  std::vector<int> bins;
  double count = 0;
  int longest = 0, length = 0;  ///< axis, and its extent in bins
};

int part_of(int bin, int axis) { return bin >> (kBits * (2 - axis)) & ((1 << kBits) - 1); }

struct Bin {
  double count = 0;
  std::array<double, 3> sum = {};
};

Box box_of(std::vector<int> bins, const std::vector<Bin>& all) {
  Box box{std::move(bins), 0, 0, 0};
  for (int axis = 0; axis < 3; ++axis) {
    int least = 1 << kBits, most = -1;
    for (const int bin : box.bins)
      least = std::min(least, part_of(bin, axis)), most = std::max(most, part_of(bin, axis));
    if (most - least > box.length || axis == 0) box.length = most - least, box.longest = axis;
  }
  for (const int bin : box.bins) box.count += all[static_cast<std::size_t>(bin)].count;
  return box;
}

/// Returns up to so many colours: boxes of colours are halved at their medians, the fullest and longest first.
std::vector<std::array<int, 3>> colours_of(const std::vector<Pixels>& samples, std::size_t most) {
  std::vector<Bin> all(kBins);
  for (const Pixels& frame : samples)
    for (std::size_t k = 0; k + 2 < frame.size(); k += 3) {
      Bin& bin = all[static_cast<std::size_t>(bin_of(frame[k], frame[k + 1], frame[k + 2]))];
      bin.count += 1;
      for (std::size_t c = 0; c < 3; ++c) bin.sum[c] += frame[k + c];
    }
  std::vector<int> used;
  for (int bin = 0; bin < kBins; ++bin)
    if (all[static_cast<std::size_t>(bin)].count > 0) used.push_back(bin);
  if (used.empty()) return {{255, 255, 255}};
  std::vector<Box> boxes = {box_of(std::move(used), all)};
  while (boxes.size() < most) {
    // Large areas of nearly one colour would else take most entries: beyond some thousand pixels they weigh no more.
    const auto weight = [](const Box& box) { return box.length * std::max(1.0, std::min(box.count, 3000.0)); };
    const auto it = std::ranges::max_element(boxes, {}, weight);
    if (it->length == 0) break;
    const int axis = it->longest;
    std::ranges::stable_sort(it->bins, {}, [&](int bin) { return part_of(bin, axis); });
    double below = 0;
    std::size_t half = 0;
    while (half + 1 < it->bins.size() - 1 && below < it->count / 2)
      below += all[static_cast<std::size_t>(it->bins[half++])].count;
    half = std::clamp<std::size_t>(half, 1, it->bins.size() - 1);
    std::vector<int> upper(it->bins.begin() + static_cast<std::ptrdiff_t>(half), it->bins.end());
    it->bins.resize(half);
    *it = box_of(std::move(it->bins), all);
    boxes.push_back(box_of(std::move(upper), all));
  }
  std::vector<std::array<int, 3>> colours;
  for (const Box& box : boxes) {
    std::array<double, 3> sum = {};
    for (const int bin : box.bins)
      for (std::size_t c = 0; c < 3; ++c) sum[c] += all[static_cast<std::size_t>(bin)].sum[c];
    colours.push_back({});
    for (std::size_t c = 0; c < 3; ++c) colours.back()[c] = static_cast<int>(sum[c] / box.count + 0.5);
  }
  return colours;
}

/// Codes of changing width, in blocks of up to 255 bytes, as the format wants them.
class CodeWriter {
 public:
  explicit CodeWriter(std::string& to) : to_(to) {}
  void put(int code, int width) {
    held_ |= static_cast<std::uint32_t>(code) << bits_;
    for (bits_ += width; bits_ >= 8; bits_ -= 8, held_ >>= 8) put_byte(held_ & 255);
  }
  void finish() {
    if (bits_ > 0) put_byte(held_ & 255);
    flush();
    to_ += '\0';
  }

 private:
  void put_byte(std::uint32_t byte) {
    block_ += static_cast<char>(byte);
    if (block_.size() == 255) flush();
  }
  void flush() {
    if (block_.empty()) return;
    to_ += static_cast<char>(block_.size());
    to_ += block_;
    block_.clear();
  }
  std::string& to_;
  std::string block_;
  std::uint32_t held_ = 0;
  int bits_ = 0;
};

}  // namespace

GifWriter::GifWriter(int width, int height, int delay, const std::vector<Pixels>& samples)
    : width_(width), height_(height), delay_(delay), colours_(colours_of(samples, kNone)), known_(kBins, -1) {
  bytes_ = "GIF89a";
  put_word(width);
  put_word(height);
  bytes_ += static_cast<char>(0xf7);  // a table of 256 colours
  bytes_ += std::string(2, '\0');
  for (std::size_t k = 0; k < 256; ++k)
    for (std::size_t c = 0; c < 3; ++c) bytes_ += static_cast<char>(k < colours_.size() ? colours_[k][c] : 0);
  bytes_ += std::string("\x21\xff\x0bNETSCAPE2.0\x03\x01", 16) + std::string(3, '\0');
}

void GifWriter::put_word(int value) {
  bytes_ += static_cast<char>(value & 255);
  bytes_ += static_cast<char>(value >> 8 & 255);
}

int GifWriter::nearest(int red, int green, int blue) {
  std::int16_t& known = known_[static_cast<std::size_t>(bin_of(red, green, blue))];
  if (known >= 0) return known;
  int least = std::numeric_limits<int>::max();
  for (std::size_t k = 0; k < colours_.size(); ++k) {
    const int r = colours_[k][0] - red, g = colours_[k][1] - green, b = colours_[k][2] - blue;
    const int far = 3 * r * r + 6 * g * g + 2 * b * b;
    if (far < least) least = far, known = static_cast<std::int16_t>(k);
  }
  return known;
}

void GifWriter::add(const Pixels& frame) {
  std::vector<unsigned char> now(frame.size() / 3);
  for (std::size_t k = 0; k < now.size(); ++k)
    now[k] = static_cast<unsigned char>(nearest(frame[3 * k], frame[3 * k + 1], frame[3 * k + 2]));
  int left = width_, right = -1, top = height_, bottom = -1;
  for (int y = 0; y < height_; ++y)
    for (int x = 0; x < width_; ++x) {
      const std::size_t k =
          static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
      if (!shown_.empty() && shown_[k] == now[k]) continue;
      left = std::min(left, x), right = std::max(right, x), top = std::min(top, y), bottom = std::max(bottom, y);
    }
  if (right < left) left = right = top = bottom = 0;
  std::vector<unsigned char> numbers;
  for (int y = top; y <= bottom; ++y)
    for (int x = left; x <= right; ++x) {
      const std::size_t k =
          static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + static_cast<std::size_t>(x);
      numbers.push_back(!shown_.empty() && shown_[k] == now[k] ? static_cast<unsigned char>(kNone) : now[k]);
    }
  put_image(numbers, left, top, right - left + 1, bottom - top + 1);
  shown_ = std::move(now);
}

void GifWriter::put_image(const std::vector<unsigned char>& numbers, int left, int top, int wide, int high) {
  bytes_ += std::string("\x21\xf9\x04\x05", 4);  // the picture stays; one colour is no colour
  put_word(delay_);
  bytes_ += static_cast<char>(kNone);
  bytes_ += '\0';
  bytes_ += ',';
  for (const int value : {left, top, wide, high}) put_word(value);
  bytes_ += '\0';
  // LZW (T. Welch, 1984) with codes of 9 to 12 bits.
  constexpr int clear = 256, end = 257, longest = 12;
  bytes_ += static_cast<char>(8);
  CodeWriter codes(bytes_);
  std::vector<std::int16_t> next(static_cast<std::size_t>(1 << longest) * 256, -1);
  int width = 9, free = end + 1;
  codes.put(clear, width);
  int prefix = numbers.front();
  for (std::size_t k = 1; k < numbers.size(); ++k) {
    const std::size_t entry = static_cast<std::size_t>(prefix) * 256 + numbers[k];
    if (next[entry] >= 0) {
      prefix = next[entry];
      continue;
    }
    codes.put(prefix, width);
    prefix = numbers[k];
    if (free == 1 << longest) {
      codes.put(clear, width);
      std::ranges::fill(next, std::int16_t{-1});
      width = 9, free = end + 1;
      continue;
    }
    if (free == 1 << width) ++width;
    next[entry] = static_cast<std::int16_t>(free++);
  }
  codes.put(prefix, width);
  if (free == 1 << width && width < longest) ++width;
  codes.put(end, width);
  codes.finish();
}

std::string GifWriter::finish() { return bytes_ + ';'; }

}  // namespace scree::render
