// Where an instruction stands in the kernel's source, from the debug information of the program and
// its plugins.
#ifndef OPKIT_BASE_DEBUG_SOURCE_LINE_H_
#define OPKIT_BASE_DEBUG_SOURCE_LINE_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace opkit::debug {

struct SourceLine {
  std::string file;
  int line = 0;
  std::string function;  // is what the debug information calls it; may be empty
};

// "op_kernel/add.cpp:48": the file with its folder.
std::string short_text(const SourceLine& line);

// Keeps what it read of the program's modules; modules loaded later are found as well. One thread
// at a time.
class SourceLines {
 public:
  SourceLines();
  ~SourceLines();
  SourceLines(const SourceLines&) = delete;
  SourceLines& operator=(const SourceLines&) = delete;

  // pc: a return address. Calls that the compiler inlined are followed outwards until a file is
  // reached that is not one of opkit's own headers. Empty without debug information.
  std::optional<SourceLine> find(const void* pc);
  // "file:line", or an empty string.
  std::string text(const void* pc);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

// Finds a line in a file that is not loaded: `offset` is a return address, counted from where the
// file would lie.
std::optional<SourceLine> line_in(const std::string& file, uint64_t offset);

}  // namespace opkit::debug

#endif  // OPKIT_BASE_DEBUG_SOURCE_LINE_H_
