#include "opkit/cli/terminal/plain_text.h"

#include <fmt/format.h>

#include <cstdint>

namespace opkit::cli {
namespace {

constexpr char kEscape = '\033';

struct Character {
  uint32_t point = 0;
  size_t bytes = 0;  // 0: they are no UTF-8
};

// Returns the first one, as RFC 3629 defines it; without the shortest-form and surrogate rules,
// which no terminal needs.
Character first_of(std::string_view text) {
  const auto lead = static_cast<unsigned char>(text[0]);
  if (lead < 0x80) return {lead, 1};
  const size_t bytes = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < bytes) return {};
  uint32_t point = lead & (0x7fu >> bytes);
  for (size_t i = 1; i < bytes; ++i) {
    const auto next = static_cast<unsigned char>(text[i]);
    if ((next & 0xc0u) != 0x80u) return {};
    point = point << 6 | (next & 0x3fu);
  }
  return {point, bytes};
}

bool is_control(uint32_t point) {
  return (point < 0x20 && point != '\n' && point != '\t') || (point >= 0x7f && point < 0xa0);
}

// The Unicode standard's explicit directional formatting characters, and its marks.
bool turns_direction(uint32_t point) {
  return point == 0x200e || point == 0x200f || (point >= 0x202a && point <= 0x202e) ||
         (point >= 0x2066 && point <= 0x2069);
}

// Returns how much of the text is a sequence of the palette.
size_t own_sequence(std::string_view text, const Palette& palette) {
  if (!palette.on()) return 0;
  for (const Style style :
       {Style::kBold, Style::kDim, Style::kRed, Style::kYellow, Style::kGreen, Style::kCyan}) {
    const std::string painted = palette.paint(style, "x");
    const size_t at = painted.find('x');
    for (const std::string& own : {painted.substr(0, at), painted.substr(at + 1)})
      if (text.starts_with(own)) return own.size();
  }
  return 0;
}

}  // namespace

std::string plain_text(std::string_view text, const Palette& palette) {
  std::string plain;
  plain.reserve(text.size());
  while (!text.empty()) {
    const Character next = first_of(text);
    size_t taken = next.bytes;
    const size_t own = text[0] == kEscape ? own_sequence(text, palette) : 0;
    if (own > 0) {
      taken = own;
      plain += text.substr(0, own);
    } else if (taken == 0) {
      taken = 1;
      plain += fmt::format("\\x{:02x}", static_cast<unsigned char>(text[0]));
    } else if (text.starts_with("\r\n")) {
      // The end of a line, as some write it.
    } else if (is_control(next.point)) {
      plain += fmt::format("\\x{:02x}", next.point);
    } else if (turns_direction(next.point)) {
      plain += fmt::format("\\u{:04x}", next.point);
    } else {
      plain += text.substr(0, taken);
    }
    text.remove_prefix(taken);
  }
  return plain;
}

std::string plain_text(std::string_view text) { return plain_text(text, Palette(false)); }

}  // namespace opkit::cli
