// OpenFile: a regular file that is read in pieces, into memory that the reader has already.
#ifndef OPKIT_BASE_OPEN_FILE_H_
#define OPKIT_BASE_OPEN_FILE_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <utility>

#include "opkit/base/status.h"

namespace opkit {

// OPK-FILE-001: the file cannot be read.
Error cannot_read(const std::filesystem::path& path);

class OpenFile {
 public:
  // Errors: OPK-FILE-001, -002 a folder.
  static Result<OpenFile> open(const std::filesystem::path& path);
  OpenFile(OpenFile&& other) noexcept
      : path_(std::move(other.path_)),
        file_(std::exchange(other.file_, -1)),
        regular_(other.regular_),
        size_(other.size_) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  OpenFile& operator=(OpenFile&&) = delete;
  ~OpenFile();

  // A FIFO or a device has no size and is read from its start only: see read_file.
  bool is_regular() const { return regular_; }
  uint64_t size() const { return size_; }  // when it was opened
  // Error: OPK-FILE-001, also when the file has become shorter.
  Status read(uint64_t from, std::span<std::byte> to) const;

 private:
  OpenFile(std::filesystem::path path, int file) : path_(std::move(path)), file_(file) {}

  std::filesystem::path path_;
  int file_;
  bool regular_ = false;
  uint64_t size_ = 0;
};

}  // namespace opkit

#endif  // OPKIT_BASE_OPEN_FILE_H_
