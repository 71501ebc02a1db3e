#include "opkit/core/state/handler_stack.h"

#include <signal.h>
#include <sys/mman.h>

#include <cstddef>

namespace opkit::core {
namespace {

constexpr size_t kBytes = size_t{256} << 10;

class HandlerStack {
 public:
  HandlerStack() {
    stack_t known = {};
    if (::sigaltstack(nullptr, &known) != 0 || (known.ss_flags & SS_DISABLE) == 0) return;
    void* memory = ::mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
    if (memory == MAP_FAILED) return;
    stack_t own = {};
    own.ss_sp = memory;
    own.ss_size = kBytes;
    if (::sigaltstack(&own, nullptr) == 0)
      memory_ = memory;
    else
      ::munmap(memory, kBytes);
  }
  ~HandlerStack() {
    stack_t known = {};
    if (!memory_ || ::sigaltstack(nullptr, &known) != 0) return;
    if (known.ss_sp == memory_) {
      stack_t none = {};
      none.ss_flags = SS_DISABLE;
      if (::sigaltstack(&none, nullptr) != 0) return;
    }
    ::munmap(memory_, kBytes);
  }
  HandlerStack(const HandlerStack&) = delete;
  HandlerStack& operator=(const HandlerStack&) = delete;

 private:
  void* memory_ = nullptr;
};

}  // namespace

void have_handler_stack() { thread_local const HandlerStack stack; }

}  // namespace opkit::core
