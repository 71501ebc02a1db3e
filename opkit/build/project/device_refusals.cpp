#include "opkit/build/project/device_refusals.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>
#include <vector>

#include "opkit/base/file.h"
#include "opkit/build/project/build_log.h"
#include "opkit/build/project/compiler_advice.h"
#include "opkit/build/source_text/device_lines.h"

namespace opkit::project {
namespace fs = std::filesystem;
namespace {

// The device's lines of files, each read once.
class Sources {
 public:
  bool is_device(const Location& place) {
    const auto [known, added] = ranges_.try_emplace(place.file);
    if (added) {
      if (const auto text = read_file(place.file); text.ok())
        known->second = source_text::device_lines(*text);
    }
    return source_text::holds(known->second, place.line);
  }

 private:
  std::map<std::string, std::vector<source_text::LineRange>> ranges_;
};

struct Frame {
  Location place;
  std::string function;
  uint64_t bytes = 0;
};

// "file:12:5:void f(int)<tab>4096<tab>static".
std::optional<Frame> frame_of(const std::string& row) {
  const size_t first = row.find('\t');
  const size_t second = row.find('\t', first + 1);
  if (first == std::string::npos || second == std::string::npos) return std::nullopt;
  Frame frame;
  frame.bytes = std::strtoull(row.c_str() + first + 1, nullptr, 10);
  for (size_t at = 0; (at = row.find(':', at)) < first; ++at) {
    int line = 0, column = 0, read = 0;
    if (std::sscanf(row.c_str() + at, ":%d:%d:%n", &line, &column, &read) != 2 || read == 0)
      continue;
    const size_t name = at + static_cast<size_t>(read);
    frame.place = {row.substr(0, at), line, column};
    frame.function = row.substr(name, first - name);
    return frame;
  }
  return std::nullopt;
}

Error refuse(const Frame& frame, const std::string& function, const Location& place) {
  const CompilerAdvice advice = frame_advice(function, std::to_string(frame.bytes));
  return Error("OPK-CC-008", "compiling failed: " + advice.message, advice.action).at(place);
}

}  // namespace

bool refuses_host_code_only(const std::string& log) {
  Sources sources;
  bool any = false;
  for (const FirstError& error : all_errors(log)) {
    if (!is_of_device_only(error.message) || sources.is_device(error.where)) return false;
    any = true;
  }
  return any;
}

std::optional<Error> too_large_frame(const fs::path& report, uint64_t limit,
                                     const fs::path& source) {
  const auto text = read_file(report);
  if (!text.ok()) return std::nullopt;
  Sources sources;
  std::optional<Frame> launcher;
  std::istringstream rows(*text);
  for (std::string row; std::getline(rows, row);) {
    const std::optional<Frame> frame = frame_of(row);
    if (!frame || frame->bytes <= limit) continue;
    if (sources.is_device(frame->place)) return refuse(*frame, frame->function, frame->place);
    if (is_of_sdk(frame->place.file)) launcher = frame;
  }
  if (!launcher) return std::nullopt;
  return refuse(*launcher, "a kernel", {source.string(), 0, 0});
}

}  // namespace opkit::project
