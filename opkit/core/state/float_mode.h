// FloatMode: the floating-point mode of emulated cores, while it lives on a host thread: round to
// nearest, subnormals kept, no traps. A program, or any library at load, may have set another one
// (fesetround, flush to zero), which is the host's own and comes back at the end.
#ifndef OPKIT_CORE_STATE_FLOAT_MODE_H_
#define OPKIT_CORE_STATE_FLOAT_MODE_H_

#include <cstdint>

namespace opkit::core {

class FloatMode {
 public:
  FloatMode() : vector_(__builtin_ia32_stmxcsr()) {
    __asm__ volatile("fnstcw %0" : "=m"(scalar_));
    set(kVector, kScalar);
  }
  ~FloatMode() { set(vector_, scalar_); }
  FloatMode(const FloatMode&) = delete;
  FloatMode& operator=(const FloatMode&) = delete;

 private:
  // The state of a new process by the x86-64 ABI.
  static constexpr uint32_t kVector = 0x1f80;  // MXCSR
  static constexpr uint16_t kScalar = 0x037f;  // x87 control word

  static void set(uint32_t vector, uint16_t scalar) {
    __builtin_ia32_ldmxcsr(vector);
    __asm__ volatile("fldcw %0" : : "m"(scalar));
  }

  uint32_t vector_;
  uint16_t scalar_ = 0;
};

}  // namespace opkit::core

#endif  // OPKIT_CORE_STATE_FLOAT_MODE_H_
