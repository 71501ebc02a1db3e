// Runtime: the one device of a stand-alone program: its memory, streams, events, and the machine
// that runs kernels. Everything the program may hand in is looked up before it is used. Work is
// done at once, so that streams are in order by nature.
#ifndef OPKIT_ACL_RUNTIME_H_
#define OPKIT_ACL_RUNTIME_H_

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "acl/acl.h"
#include "opkit/acl/binary.h"
#include "opkit/acl/mode.h"
#include "opkit/core/machine.h"
#include "opkit_launch/program.h"

namespace opkit::acl {

struct Stream {
  bool failed = false;  // a kernel of it did; stays so
};

struct Event {
  std::optional<std::chrono::steady_clock::time_point> recorded;
};

struct Context {
  int32_t device = 0;
};

// Device or pinned host memory that is alive.
struct Allocation {
  uint64_t asked = 0, bytes = 0;  // as the program said; as it is
};

// REQUIRES: every member is used with `mutex` held.
class Runtime {
 public:
  // Made on first use and never destroyed: destructors of the program may still call in.
  static Runtime& instance();

  std::recursive_mutex mutex;
  opkit_program_v1 program = {};
  std::map<std::string, opk_kernel_fn> cube_entries;
  std::map<uintptr_t, Allocation> device_memory, host_memory;
  std::set<Stream*> streams;
  std::set<Event*> events;
  std::set<Context*> contexts;
  std::vector<std::unique_ptr<Binary>> binaries;
  Context* current = nullptr;  // a context that was chosen, or nullptr
  Stream default_stream;
  uint64_t device_bytes = 0;
  bool initialized = false, device_set = false;
  bool any_fault = false;  // the process must not end with 0
  int32_t kernel_mode = 0;
  uint64_t tiling_key = 0;

  const opk_soc_v1& soc() const;
  core::Machine& machine();
  Mode& mode();
  bool has_context() const { return device_set || current != nullptr; }

  // 0 and the pointer, or a code. extra: bytes beyond the rounded size.
  aclError allocate(void** result, uint64_t size, uint64_t extra);
  aclError release(void* memory);
  // [address, address + bytes) lies in one live piece of device memory.
  bool on_device(const void* address, uint64_t bytes) const;
  bool touches_device(const void* address) const;
  // What a failed look-up of a device address is best explained by.
  std::string about(const void* address) const;
  Stream* find(aclrtStream stream);  // nullptr: no such stream

  uint8_t* system_workspace();
  std::vector<core::GmRange> gm_ranges();

 private:
  std::unique_ptr<core::Machine> machine_;
  std::unique_ptr<Mode> mode_;
  uint8_t* system_workspace_ = nullptr;
};

using Lock = std::lock_guard<std::recursive_mutex>;

// Keeps the text for aclGetRecentErrMsg and returns the code.
[[gnu::format(printf, 2, 3)]] aclError fail(aclError code, const char* format, ...);

}  // namespace opkit::acl

#define OPKIT_ACL_EXPORT extern "C" __attribute__((visibility("default")))

#endif  // OPKIT_ACL_RUNTIME_H_
