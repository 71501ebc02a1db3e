#include "opkit/call/execute/kernel_lines.h"

#include <string>
#include <utility>

namespace opkit {

core::PlaceNames short_places(FindLine find) {
  return [find = std::move(find)](const void* pc) {
    const auto line = find(pc);
    return line ? debug::short_text(*line) : std::string();
  };
}

core::PlaceNames whole_places(FindLine find) {
  return [find = std::move(find)](const void* pc) {
    const auto line = find(pc);
    return line ? line->file + ":" + std::to_string(line->line) : std::string();
  };
}

}  // namespace opkit
