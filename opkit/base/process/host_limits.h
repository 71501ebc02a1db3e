// What the machine, control groups and ulimit let this process and its children have, and the words
// for what is short.
#ifndef OPKIT_BASE_PROCESS_HOST_LIMITS_H_
#define OPKIT_BASE_PROCESS_HOST_LIMITS_H_

#include <cstdint>
#include <optional>
#include <string>

namespace opkit {

// Bytes of memory, and who says so: "the host has 24107 MiB", "the control group /job allows 512
// MiB".
struct MemoryAllowed {
  uint64_t bytes = 0;
  std::string said;
};
MemoryAllowed memory_allowed();

// Returns the bytes of ulimit -v and ulimit -f; nothing: as many as there are.
std::optional<uint64_t> address_space_allowed();
std::optional<uint64_t> file_size_allowed();

enum class Scarce : uint8_t { kMemory, kAddresses, kProcesses, kDescriptors, kFileSize, kTime };
// Returns the limits that there are, or nothing: "ulimit -v is 500000, the control group /job
// allows 512 MiB".
std::string limits_of(Scarce what);

}  // namespace opkit

#endif  // OPKIT_BASE_PROCESS_HOST_LIMITS_H_
