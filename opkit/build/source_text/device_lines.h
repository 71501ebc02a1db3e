// The lines of a source that functions of the device take up: what the chip's compiler compiles,
// beside functions of the host in the same file.
#ifndef OPKIT_BUILD_SOURCE_TEXT_DEVICE_LINES_H_
#define OPKIT_BUILD_SOURCE_TEXT_DEVICE_LINES_H_

#include <string_view>
#include <vector>

namespace opkit::source_text {

// Inclusive, from a function's first mark to the bracket that closes its body.
struct LineRange {
  int first = 0, last = 0;
};

// Finds the functions that are marked __aicore__, [aicore] or __global__, or by a macro of the same
// source that stands for one of them.
std::vector<LineRange> device_lines(std::string_view text);

inline bool holds(const std::vector<LineRange>& ranges, int line) {
  for (const LineRange& range : ranges) {
    if (line >= range.first && line <= range.last) return true;
  }
  return false;
}

}  // namespace opkit::source_text

#endif  // OPKIT_BUILD_SOURCE_TEXT_DEVICE_LINES_H_
