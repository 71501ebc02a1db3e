#include "opkit/isolation/shared_memory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "opkit/base/process/host_limits.h"

#ifndef F_SEAL_FUTURE_WRITE
#define F_SEAL_FUTURE_WRITE 0x0010
#endif

namespace opkit::isolation {

Result<SharedMemory> SharedMemory::make(const char* name, uint64_t bytes, Others others) {
  SharedMemory memory;
  const auto no_memory = [&](const char* what, Scarce scarce = Scarce::kMemory) {
    const std::string reason = std::strerror(errno);
    return Error("OPK-WORKER-012",
                 fmt::format("no shared memory of {} bytes for a worker: {}: {}: {}", bytes, what,
                             reason, limits_of(scarce)),
                 "raise the limit, or choose a smaller shape");
  };
  memory.fd_ = ::memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (memory.fd_ < 0) return no_memory("memfd_create", Scarce::kDescriptors);
  // The kernel would end this process with SIGXFSZ.
  if (const auto most = file_size_allowed(); most && *most < bytes) {
    errno = EFBIG;
    return no_memory("ftruncate", Scarce::kFileSize);
  }
  if (::ftruncate(memory.fd_, static_cast<off_t>(bytes)) != 0) return no_memory("ftruncate");
  void* base =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE, memory.fd_, 0);
  if (base == MAP_FAILED) return no_memory("mmap");
  memory.data_ = static_cast<std::byte*>(base);
  memory.bytes_ = bytes;
  // A shrunk file would be a fault of this process; what was mapped before stays writable.
  int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
  if (others == Others::kRead) seals |= F_SEAL_FUTURE_WRITE;
  if (::fcntl(memory.fd_, F_ADD_SEALS, seals) != 0) return no_memory("sealing it");
  return memory;
}

SharedMemory& SharedMemory::operator=(SharedMemory&& other) noexcept {
  std::swap(fd_, other.fd_);
  std::swap(data_, other.data_);
  std::swap(bytes_, other.bytes_);
  return *this;
}

SharedMemory::~SharedMemory() {
  if (data_) ::munmap(data_, bytes_);
  if (fd_ >= 0) ::close(fd_);
}

void SharedMemory::forget(uint64_t at, uint64_t bytes) const {
  ::madvise(data_ + at, bytes, MADV_REMOVE);
}

}  // namespace opkit::isolation
