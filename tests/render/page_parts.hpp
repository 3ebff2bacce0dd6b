#pragma once
/// \file Pages of `scree view`, read as a browser reads them.

#include <fmt/format.h>
#include <vtkBase64Utilities.h>
#include <vtkNew.h>
#include <vtkZLibDataCompressor.h>

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"

namespace scree::test {

inline nlohmann::json told_by(const std::string& page) {
  const std::string begin = "<script type=\"application/json\" id=\"told\">";
  const std::size_t at = page.find(begin) + begin.size();
  return nlohmann::json::parse(page.substr(at, page.find("</script>", at) - at));
}

/// Returns the bytes of a compressed text.
/// \param size  of the bytes
inline std::string unpacked_text(const std::string& text, std::size_t size) {
  std::string packed(text.size(), '\0'), bytes(size, '\0');
  packed.resize(vtkBase64Utilities::DecodeSafely(reinterpret_cast<const unsigned char*>(text.data()), text.size(),
                                                 reinterpret_cast<unsigned char*>(packed.data()), packed.size()));
  vtkNew<vtkZLibDataCompressor> zlib;
  CHECK(zlib->Uncompress(reinterpret_cast<const unsigned char*>(packed.data()), packed.size(),
                         reinterpret_cast<unsigned char*>(bytes.data()), size) == size);
  return bytes;
}

inline std::string unpacked(const std::string& page, const std::string& id, std::size_t size) {
  const std::string begin = fmt::format("id=\"{}\">", id);
  const std::size_t at = page.find(begin) + begin.size();
  return unpacked_text(page.substr(at, page.find("</script>", at) - at), size);
}

/// Rows of a frame.
struct SeenRows {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> keys;
  std::map<std::string, std::vector<std::uint16_t>> stored;
  std::map<std::string, std::vector<double>> values;
};

/// Returns the bytes that a block has before compression.
inline std::size_t bytes_in(const nlohmann::json& block) {
  std::size_t total = 0, staying = 0, fresh = 0;
  for (const auto& rows : block["rows"]) total += rows.get<std::size_t>();
  for (const auto& rows : block["fresh"]) fresh += rows.get<std::size_t>();
  staying = total - block["rows"].back().get<std::size_t>();
  return (staying + 3) / 4 * 4 + 8 * fresh + 2 * total * block["columns"].size();
}

/// Reads the frames of a block by the rules of table_block.hpp, with a map from keys to values.
inline std::vector<SeenRows> frames_in(const nlohmann::json& block, const std::string& bytes) {
  const auto byte = [&](std::size_t at) { return static_cast<std::uint8_t>(bytes.at(at)); };
  const auto word = [&](std::size_t at) {
    return byte(at) | byte(at + 1) << 8 | byte(at + 2) << 16 | static_cast<std::uint32_t>(byte(at + 3)) << 24;
  };
  const std::size_t frames = block["rows"].size();
  std::size_t total = 0, fresh = 0;
  for (std::size_t f = 0; f < frames; ++f)
    total += block["rows"][f].get<std::size_t>(), fresh += block["fresh"][f].get<std::size_t>();
  const std::size_t staying = total - block["rows"].back().get<std::size_t>();
  std::size_t stay = 0, first = (staying + 3) / 4 * 4, low = first + 8 * fresh, next = 0;
  std::vector<SeenRows> seen(frames);
  for (std::size_t f = 0; f < frames; ++f) {
    std::map<std::pair<std::uint32_t, std::uint32_t>, bool> keys;
    for (std::size_t k = 0; f > 0 && k < seen[f - 1].keys.size(); ++k)
      if (byte(stay++) != 0) keys[seen[f - 1].keys[k]] = true;
    for (std::size_t k = 0; k < block["fresh"][f].get<std::size_t>(); ++k, ++next)
      keys[{word(first + 4 * next), word(first + 4 * (fresh + next))}] = true;
    for (const auto& [key, is_there] : keys) seen[f].keys.push_back(key);
    REQUIRE(seen[f].keys.size() == block["rows"][f].get<std::size_t>());
  }
  for (const auto& column : block["columns"]) {
    const std::string name = column[0];
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint16_t> before, now;
    for (std::size_t f = 0, row = 0; f < frames; ++f, before = std::move(now), now.clear())
      for (const auto& key : seen[f].keys) {
        const unsigned stored = byte(low + row) | static_cast<unsigned>(byte(low + total + row)) << 8;
        ++row;
        const int difference = static_cast<int>(stored / 2) * (stored % 2 == 0 ? 1 : -1) - static_cast<int>(stored % 2);
        const int base = before.contains(key) ? before.at(key) : 0;
        const auto bits = static_cast<std::uint16_t>(base + difference);
        now[key] = bits;
        seen[f].stored[name].push_back(bits);
        seen[f].values[name].push_back(column[1].get<double>() + column[2].get<double>() * bits);
      }
    low += 2 * total;
  }
  return seen;
}

/// Returns all frames of a table of a page.
inline std::vector<SeenRows> frames_of(const std::string& page, const nlohmann::json& blocks) {
  std::vector<SeenRows> frames;
  for (const auto& block : blocks)
    for (SeenRows& rows : frames_in(block, unpacked(page, block["part"], bytes_in(block))))
      frames.push_back(std::move(rows));
  return frames;
}

}  // namespace scree::test
