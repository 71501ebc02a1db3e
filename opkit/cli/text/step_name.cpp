#include "opkit/cli/text/step_name.h"

#include <fmt/format.h>

#include <algorithm>

namespace opkit::cli {
namespace {

constexpr size_t kWidest = 40;

// Moves a place in UTF-8 text forwards to where a character begins.
size_t at_character(const std::string& text, size_t place) {
  while (place < text.size() && (static_cast<unsigned char>(text[place]) & 0xc0) == 0x80) ++place;
  return place;
}

// Keeps the two ends of a name: the front says where a node is, the back which one it is.
std::string ends_of(const std::string& name, size_t widest) {
  if (name.size() <= widest) return name;
  const size_t front = at_character(name, widest / 3);
  const size_t back = at_character(name, name.size() - (widest - widest / 3 - 1));
  return name.substr(0, front) + "…" + name.substr(back);
}

}  // namespace

std::string short_step_name(const std::string& name) {
  if (name.size() <= kWidest) return name;
  const size_t first = name.find('+'), last = name.rfind('+');
  if (first == std::string::npos) return ends_of(name, kWidest);
  const auto nodes = 1 + std::count(name.begin(), name.end(), '+');
  return fmt::format("{} … {} ({} nodes)", ends_of(name.substr(0, first), kWidest / 2),
                     ends_of(name.substr(last + 1), kWidest / 2), nodes);
}

}  // namespace opkit::cli
