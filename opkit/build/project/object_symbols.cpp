#include "opkit/build/project/object_symbols.h"

#include <sstream>
#include <string_view>

namespace opkit::project {
namespace {

// Sections whose bytes change while the program runs. .data.rel.ro is written by the loader only.
bool is_variable(std::string_view section) {
  if (section.rfind(".data.rel.ro", 0) == 0) return false;
  for (const std::string_view start : {".data", ".bss", ".tdata", ".tbss"}) {
    if (section.rfind(start, 0) == 0) return true;
  }
  return false;
}

}  // namespace

// "<address> <7 flags> <section>\t<size> [.hidden ]<name>"; the second flag is 'w' for weak.
std::vector<std::string> own_definitions(const std::string& listing) {
  std::vector<std::string> names;
  std::istringstream lines(listing);
  for (std::string line; std::getline(lines, line);) {
    const size_t flags = line.find(' ');
    const size_t tab = line.find('\t');
    if (flags == std::string::npos || tab == std::string::npos || tab < flags + 10) continue;
    const std::string section = line.substr(flags + 9, tab - flags - 9);
    if (line[flags + 2] != 'w' || section == "*UND*" || is_variable(section)) continue;
    names.push_back(line.substr(line.rfind(' ') + 1));
  }
  return names;
}

}  // namespace opkit::project
