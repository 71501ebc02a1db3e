#include "registry/split_at.h"

#include <algorithm>

namespace opkit::registry {

std::vector<std::string> split_at(std::string_view text, char separator) {
  std::vector<std::string> parts;
  for (size_t start = 0; start <= text.size();) {
    const size_t end = std::min(text.find(separator, start), text.size());
    parts.emplace_back(text.substr(start, end - start));
    start = end + 1;
  }
  return parts;
}

}  // namespace opkit::registry
