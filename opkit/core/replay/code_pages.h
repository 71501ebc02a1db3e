// CodePages: memory for machine code, written once and then only executed.
#ifndef OPKIT_CORE_REPLAY_CODE_PAGES_H_
#define OPKIT_CORE_REPLAY_CODE_PAGES_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace opkit::core {

class CodePages {
 public:
  // Returns pages that hold the code and can be executed, and no longer be written; nullptr: the
  // host refuses that.
  static std::unique_ptr<const CodePages> make(const std::vector<uint8_t>& code);
  ~CodePages();
  CodePages(const CodePages&) = delete;
  CodePages& operator=(const CodePages&) = delete;

  const uint8_t* begin() const { return begin_; }
  size_t bytes() const { return bytes_; }  // counts whole pages

 private:
  CodePages(uint8_t* begin, size_t bytes) : begin_(begin), bytes_(bytes) {}
  uint8_t* begin_;
  size_t bytes_;
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_REPLAY_CODE_PAGES_H_
