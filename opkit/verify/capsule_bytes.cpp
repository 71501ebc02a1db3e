#include "opkit/verify/capsule_bytes.h"

#include <array>
#include <cstdint>

namespace opkit::verify {
namespace {

constexpr std::string_view kLetters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr uint8_t kNone = 64;

std::array<uint8_t, 256> values() {
  std::array<uint8_t, 256> table;
  table.fill(kNone);
  for (size_t i = 0; i < kLetters.size(); ++i)
    table[static_cast<uint8_t>(kLetters[i])] = static_cast<uint8_t>(i);
  return table;
}

}  // namespace

std::string base64_of(std::string_view bytes) {
  std::string text;
  text.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t word = 0;
    const size_t count = bytes.size() - i < 3 ? bytes.size() - i : 3;
    for (size_t k = 0; k < 3; ++k)
      word = word << 8 | (k < count ? static_cast<uint8_t>(bytes[i + k]) : 0u);
    for (size_t k = 0; k < 4; ++k) text += k <= count ? kLetters[(word >> (18 - 6 * k)) & 63] : '=';
  }
  return text;
}

std::optional<std::string> bytes_of_base64(std::string_view text) {
  static const std::array<uint8_t, 256> kValues = values();
  if (text.size() % 4 != 0) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() / 4 * 3);
  for (size_t i = 0; i < text.size(); i += 4) {
    size_t letters = 4;
    while (letters > 0 && text[i + letters - 1] == '=') --letters;
    const bool last = i + 4 == text.size();
    if (letters < 2 || (letters < 4 && !last)) return std::nullopt;
    uint32_t word = 0;
    for (size_t k = 0; k < 4; ++k) {
      const uint8_t value = k < letters ? kValues[static_cast<uint8_t>(text[i + k])] : uint8_t{0};
      if (value == kNone) return std::nullopt;
      word = word << 6 | value;
    }
    for (size_t k = 0; k + 1 < letters; ++k)
      bytes += static_cast<char>((word >> (16 - 8 * k)) & 0xff);
  }
  return bytes;
}

}  // namespace opkit::verify
