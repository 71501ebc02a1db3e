#include "opkit/build/project/build_log.h"

#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string_view>
#include <vector>

namespace opkit::project {
namespace {

std::vector<std::string> lines_of(const std::string& log) {
  std::vector<std::string> lines;
  std::istringstream stream(log);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

// "file:12:5: error: text": everything before the mark is a place.
Location place_of(const std::string& text) {
  Location where;
  std::string rest = text;
  int numbers[2] = {0, 0};
  int count = 0;
  while (count < 2) {
    const size_t colon = rest.rfind(':');
    if (colon == std::string::npos || colon + 1 == rest.size()) break;
    char* end = nullptr;
    const long number = std::strtol(rest.c_str() + colon + 1, &end, 10);
    if (*end || number <= 0) break;
    numbers[count++] = static_cast<int>(number);
    rest.erase(colon);
  }
  where.file = rest;
  where.line = count == 2 ? numbers[1] : numbers[0];
  where.column = count == 2 ? numbers[0] : 0;
  return where;
}

// Returns the lines below an error that show the source: "   12 |   text" and "      |   ^".
std::string excerpt_after(const std::vector<std::string>& lines, size_t at) {
  constexpr size_t kMost = 6;
  std::string text;
  for (size_t i = at + 1; i < lines.size() && i <= at + kMost; ++i) {
    const size_t first = lines[i].find_first_not_of(" 0123456789");
    if (first == std::string::npos || lines[i][first] != '|') break;
    text.append(lines[i]).append("\n");
  }
  return text;
}

// Returns the author's line that led to an error in a header of the SDK: the first "<place>:
// required from ..." above it that is not in the SDK, too. The lines above belong to the error as
// long as they speak of instantiations.
std::optional<Location> author_place(const std::vector<std::string>& lines, size_t error) {
  std::optional<Location> found;
  for (size_t i = error; i-- > 0;) {
    const size_t required = lines[i].find(":   required from");
    const bool speaks = required != std::string::npos ||
                        lines[i].find(": In instantiation of ") != std::string::npos ||
                        lines[i].find(": In substitution of ") != std::string::npos;
    if (!speaks) break;
    if (required == std::string::npos) continue;
    const Location place = place_of(lines[i].substr(0, required));
    if (!is_of_sdk(place.file)) found = place;
  }
  return found;
}

// Returns the error that line `i` tells, if it tells one.
std::optional<FirstError> error_in(const std::vector<std::string>& lines, size_t i) {
  for (const char* mark : {": error: ", ": fatal error: ", ": error OPK-"}) {
    const size_t at = lines[i].find(mark);
    if (at == std::string::npos) continue;
    const std::string_view words = mark;
    FirstError error;
    error.where = place_of(lines[i].substr(0, at));
    error.message = lines[i].substr(at + (words.ends_with("OPK-") ? 2 : words.size()));
    error.excerpt = excerpt_after(lines, i);
    if (!is_of_sdk(error.where.file)) return error;
    if (const auto author = author_place(lines, i)) {
      error.excerpt.clear();  // it shows the header
      error.where = *author;
    }
    return error;
  }
  return std::nullopt;
}

std::optional<FirstError> tool_error(const std::vector<std::string>& lines) {
  for (size_t i = 0; i < lines.size(); ++i) {
    if (auto error = error_in(lines, i)) return error;
    if (lines[i].find("undefined reference to") != std::string::npos ||
        lines[i].starts_with("error OPK-")) {
      FirstError error;
      error.message = lines[i];
      return error;
    }
  }
  return std::nullopt;
}

// "CMake Error at CMakeLists.txt:4 (find_package):" and the paragraph below it.
std::optional<FirstError> cmake_error(const std::vector<std::string>& lines) {
  for (size_t i = 0; i < lines.size(); ++i) {
    if (!lines[i].starts_with("CMake Error")) continue;
    FirstError error;
    const size_t place = lines[i].find(" at ");
    if (place != std::string::npos) {
      error.where = place_of(lines[i].substr(place + 4, lines[i].find(" (") - place - 4));
    } else {
      error.message = lines[i];
    }
    for (size_t j = i + 1; j < lines.size() && j < i + 8; ++j) {
      const size_t first = lines[j].find_first_not_of(' ');
      if (first == std::string::npos && !error.message.empty()) break;
      if (first == std::string::npos) continue;
      if (!error.message.empty()) error.message += ' ';
      error.message.append(lines[j], first, std::string::npos);
    }
    return error;
  }
  return std::nullopt;
}

}  // namespace

bool is_of_sdk(const std::string& file) {
  return file.find("/opkit/include/") != std::string::npos ||
         file.find("include/opkit/") != std::string::npos;
}

std::vector<FirstError> all_errors(const std::string& log) {
  const std::vector<std::string> lines = lines_of(log);
  std::vector<FirstError> found;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (auto error = error_in(lines, i)) found.push_back(std::move(*error));
  }
  return found;
}

std::optional<FirstError> first_error(const std::string& log) {
  const std::vector<std::string> lines = lines_of(log);
  if (auto found = tool_error(lines)) return found;
  return cmake_error(lines);
}

std::optional<NinjaStep> ninja_step(const std::string& line) {
  NinjaStep step;
  int read = 0;
  if (std::sscanf(line.c_str(), "[%zu/%zu] %n", &step.done, &step.total, &read) != 2 || read == 0) {
    return std::nullopt;
  }
  step.text = line.substr(static_cast<size_t>(read));
  return step;
}

}  // namespace opkit::project
