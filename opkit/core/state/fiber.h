// Fiber: a stack on which kernel code runs and from which it can step aside. Boost.Context stays in
// fiber.cpp. A fiber is resumed on one host thread only.
#ifndef OPKIT_CORE_STATE_FIBER_H_
#define OPKIT_CORE_STATE_FIBER_H_

#include <cstddef>

namespace opkit::core {

struct StackRange {
  const char* begin = nullptr;  // lowest byte that may be used; the guard lies below it
  const char* end = nullptr;
};

class Fiber {
 public:
  using Entry = void (*)(void* argument);

  explicit Fiber(size_t stack_bytes);
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  // Prepares a fresh run; whatever ran before on the stack is forgotten without unwinding.
  void start(Entry entry, void* argument);
  // Runs until suspend() or the entry's return. True while unfinished.
  bool resume();
  // Called inside the fiber: returns to resume().
  void suspend();
  bool finished() const { return finished_; }
  StackRange stack() const;
  // The address lies on this fiber's stack.
  bool holds(const void* address) const {
    const char* lowest = static_cast<const char*>(stack_);
    return address >= lowest && address < lowest + mapped_;
  }

 private:
  void* stack_ = nullptr;  // lowest address, guard page included
  size_t mapped_ = 0;
  void* context_ = nullptr;
  void* host_ = nullptr;
  Entry entry_ = nullptr;
  void* argument_ = nullptr;
  bool finished_ = true;
  // Bookkeeping for AddressSanitizer and ThreadSanitizer builds; unused otherwise.
  void* sanitizer_[4] = {};
  friend struct FiberEntry;
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_STATE_FIBER_H_
