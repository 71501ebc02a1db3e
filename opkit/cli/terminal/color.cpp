#include "opkit/cli/terminal/color.h"

#include <unistd.h>

#include <cstdlib>
#include <cstring>

namespace opkit::cli {
namespace {

const char* escape_of(Style style) {
  switch (style) {
    case Style::kPlain: return "";
    case Style::kBold: return "\033[1m";
    case Style::kDim: return "\033[2m";
    case Style::kRed: return "\033[1;31m";
    case Style::kYellow: return "\033[1;33m";
    case Style::kGreen: return "\033[1;32m";
    case Style::kCyan: return "\033[1;36m";
  }
  return "";
}

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value && *value;
}

}  // namespace

bool wants_color(int descriptor, ColorMode mode) {
  if (mode != ColorMode::kAuto) return mode == ColorMode::kAlways;
  if (is_set("NO_COLOR") || isatty(descriptor) == 0) return false;
  const char* terminal = std::getenv("TERM");
  return terminal && std::strcmp(terminal, "dumb") != 0;
}

std::string Palette::paint(Style style, std::string_view text) const {
  if (!on_ || style == Style::kPlain || text.empty()) return std::string(text);
  return escape_of(style) + std::string(text) + "\033[0m";
}

size_t visible_width(std::string_view text) {
  size_t width = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\033') {
      while (i < text.size() && text[i] != 'm') ++i;
      continue;
    }
    const bool continuation = (static_cast<unsigned char>(text[i]) & 0xC0u) == 0x80u;
    if (!continuation) ++width;
  }
  return width;
}

}  // namespace opkit::cli
