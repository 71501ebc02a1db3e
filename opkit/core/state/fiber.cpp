#include "opkit/core/state/fiber.h"

#include <sys/mman.h>

#include <boost/context/detail/fcontext.hpp>
#include <cstdint>
#include <new>

// The sanitizers must be told of stack switches; nothing else depends on these macros.
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace opkit::core {
namespace {

namespace context = boost::context::detail;

// Address space that nobody may touch, below each stack: more than a local array is likely to jump
// over.
constexpr size_t kGuardBytes = size_t{8} << 20;

}  // namespace

// sanitizer_[0]: fake stack of the host, [1] bottom and [2] size of the host's stack
// (AddressSanitizer); [0]: the fiber's handle, [3]: the host's handle (ThreadSanitizer).
struct FiberEntry {
  static void enter(context::transfer_t from) {
    Fiber& fiber = *static_cast<Fiber*>(from.data);
    fiber.host_ = from.fctx;
    arrived_in_fiber(fiber, nullptr);
    fiber.entry_(fiber.argument_);
    fiber.finished_ = true;
    fiber.suspend();
  }

  // A run that was abandoned left its marks on the stack.
  static void clear_marks(Fiber& f) {
#if defined(__SANITIZE_ADDRESS__)
    ASAN_UNPOISON_MEMORY_REGION(static_cast<char*>(f.stack_) + kGuardBytes,
                                f.mapped_ - kGuardBytes);
#endif
    (void)f;
  }

  static void leaving_host(Fiber& f, void** fake) {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(fake, static_cast<char*>(f.stack_) + kGuardBytes,
                                   f.mapped_ - kGuardBytes);
#endif
#if defined(__SANITIZE_THREAD__)
    f.sanitizer_[3] = __tsan_get_current_fiber();
    __tsan_switch_to_fiber(f.sanitizer_[0], 0);
#endif
    (void)f, (void)fake;
  }

  static void arrived_in_host(void* fake) {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_finish_switch_fiber(fake, nullptr, nullptr);
#endif
    (void)fake;
  }

  static void leaving_fiber(Fiber& f, void** fake) {
#if defined(__SANITIZE_ADDRESS__)
    __sanitizer_start_switch_fiber(f.finished_ ? nullptr : fake, f.sanitizer_[1],
                                   reinterpret_cast<uintptr_t>(f.sanitizer_[2]));
#endif
#if defined(__SANITIZE_THREAD__)
    __tsan_switch_to_fiber(f.sanitizer_[3], 0);
#endif
    (void)f, (void)fake;
  }

  static void arrived_in_fiber(Fiber& f, void* fake) {
#if defined(__SANITIZE_ADDRESS__)
    const void* bottom = nullptr;
    size_t size = 0;
    __sanitizer_finish_switch_fiber(fake, &bottom, &size);
    f.sanitizer_[1] = const_cast<void*>(bottom);
    f.sanitizer_[2] = reinterpret_cast<void*>(size);
#endif
    (void)f, (void)fake;
  }
};

Fiber::Fiber(size_t stack_bytes) : mapped_(stack_bytes + kGuardBytes) {
  stack_ = ::mmap(nullptr, mapped_, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (stack_ == MAP_FAILED) throw std::bad_alloc();
  ::mprotect(stack_, kGuardBytes, PROT_NONE);
#if defined(__SANITIZE_THREAD__)
  sanitizer_[0] = __tsan_create_fiber(0);
#endif
}

Fiber::~Fiber() {
#if defined(__SANITIZE_THREAD__)
  __tsan_destroy_fiber(sanitizer_[0]);
#endif
  FiberEntry::clear_marks(*this);
  ::munmap(stack_, mapped_);
}

StackRange Fiber::stack() const {
  const char* lowest = static_cast<const char*>(stack_);
  return {lowest + kGuardBytes, lowest + mapped_};
}

void Fiber::start(Entry entry, void* argument) {
  entry_ = entry;
  argument_ = argument;
  finished_ = false;
  char* top = static_cast<char*>(stack_) + mapped_;
  FiberEntry::clear_marks(*this);
#if defined(__SANITIZE_THREAD__)
  __tsan_destroy_fiber(sanitizer_[0]);  // counts on the calls that were not unwound
  sanitizer_[0] = __tsan_create_fiber(0);
#endif
  context_ = context::make_fcontext(top, mapped_ - kGuardBytes, &FiberEntry::enter);
}

bool Fiber::resume() {
  void* fake = nullptr;
  FiberEntry::leaving_host(*this, &fake);
  context_ = context::jump_fcontext(context_, this).fctx;
  FiberEntry::arrived_in_host(fake);
  return !finished_;
}

void Fiber::suspend() {
  void* fake = nullptr;
  FiberEntry::leaving_fiber(*this, &fake);
  host_ = context::jump_fcontext(host_, this).fctx;
  FiberEntry::arrived_in_fiber(*this, fake);
}

}  // namespace opkit::core
