// SharedMemory: an anonymous file that two processes see.
#ifndef OPKIT_ISOLATION_SHARED_MEMORY_H_
#define OPKIT_ISOLATION_SHARED_MEMORY_H_

#include <cstddef>
#include <cstdint>

#include "opkit/base/status.h"

namespace opkit::isolation {

// Mapped for reading and writing in the process that made it; takes memory where it is written.
class SharedMemory {
 public:
  // Says what others may do with the fd that they get.
  enum class Others : uint8_t { kRead, kWrite };
  // Error: OPK-WORKER-012, the host has not that much to give.
  static Result<SharedMemory> make(const char* name, uint64_t bytes, Others others);

  SharedMemory() = default;
  SharedMemory(SharedMemory&& other) noexcept { *this = static_cast<SharedMemory&&>(other); }
  SharedMemory& operator=(SharedMemory&& other) noexcept;
  SharedMemory(const SharedMemory&) = delete;
  ~SharedMemory();

  int fd() const { return fd_; }
  std::byte* data() const { return data_; }
  uint64_t bytes() const { return bytes_; }
  // Gives the pages back; they are zero afterwards. REQUIRES: others may write.
  void forget(uint64_t at, uint64_t bytes) const;

 private:
  int fd_ = -1;
  std::byte* data_ = nullptr;
  uint64_t bytes_ = 0;
};

}  // namespace opkit::isolation

#endif  // OPKIT_ISOLATION_SHARED_MEMORY_H_
