// Bytes that a test puts into a local memory, or takes out of it, past the instructions. The
// observer is told, so that Checked judges what the kernel does with them; everything before and
// behind is ordered by a barrier. Addresses come from GetPhyAddr: the engine makes what it has put
// off when somebody asks for them.
#ifndef TESTS_CONFORMANCE_RAW_MEMORY_H_
#define TESTS_CONFORMANCE_RAW_MEMORY_H_

#include <cstdint>
#include <cstring>

#include "opkit/core/state/core.h"
#include "opkit/include/kernel_operator.h"

namespace opkit::core::test {

inline void tell_raw(const void* address, uint32_t memory, uint32_t bytes, bool write) {
  Core& core = Core::of(AscendC::detail::core());
  if (!core.observer || bytes == 0) return;
  Footprint f;
  f.name = write ? "put_raw" : "take_raw";
  f.kind = InstructionKind::kCopy;
  f.pipe = OPK_PIPE_S;
  f.pc = __builtin_return_address(0);
  Access& a = f.add({});
  a.memory = static_cast<opk_memory>(memory);
  a.address = static_cast<const uint8_t*>(address);
  a.block_bytes = bytes;
  a.write = write;
  core.observer->admit(core, f);
}

template <typename T>
uint32_t memory_of(const AscendC::LocalTensor<T>& tensor) {
  return AscendC::detail::operand(tensor).memory;
}

template <typename T>
void put_raw(const AscendC::LocalTensor<T>& dst, const void* src, uint32_t bytes) {
  AscendC::PipeBarrier<PIPE_ALL>();
  tell_raw(dst.pointer(), memory_of(dst), bytes, true);
  std::memcpy(reinterpret_cast<void*>(dst.GetPhyAddr()), src, bytes);
  AscendC::PipeBarrier<PIPE_ALL>();
}

template <typename T>
void fill_raw(const AscendC::LocalTensor<T>& dst, int byte, uint32_t bytes) {
  AscendC::PipeBarrier<PIPE_ALL>();
  tell_raw(dst.pointer(), memory_of(dst), bytes, true);
  std::memset(reinterpret_cast<void*>(dst.GetPhyAddr()), byte, bytes);
  AscendC::PipeBarrier<PIPE_ALL>();
}

template <typename T>
void take_raw(void* dst, const AscendC::LocalTensor<T>& src, uint32_t bytes) {
  AscendC::PipeBarrier<PIPE_ALL>();
  tell_raw(src.pointer(), memory_of(src), bytes, false);
  std::memcpy(dst, reinterpret_cast<const void*>(src.GetPhyAddr()), bytes);
}

}  // namespace opkit::core::test

#endif  // TESTS_CONFORMANCE_RAW_MEMORY_H_
