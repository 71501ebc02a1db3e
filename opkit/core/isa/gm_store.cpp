// SetAtomicAdd, SetAtomicMax, SetAtomicMin: what a copy to GM does while they are on.
#include "opkit/core/isa/gm_store.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "opkit/abi/num/bfloat16.h"
#include "opkit/abi/num/half.h"
#include "opkit/core/isa/arch.h"
#include "opkit/core/isa/operand.h"
#include "opkit/core/state/launch.h"

namespace opkit::core {
namespace {

template <typename T>
T load(const uint8_t* p) {
  T value;
  std::memcpy(&value, p, sizeof(T));
  return value;
}

template <typename T>
T combine(uint32_t op, T old, T value) {
  switch (op) {
    case OPK_ATOMIC_MAX: return old < value ? value : old;
    case OPK_ATOMIC_MIN: return value < old ? value : old;
    default: return static_cast<T>(old + value);
  }
}

// Word is the unsigned integer of T's size; compare-and-swap needs natural alignment of dst.
template <typename T, typename Word>
void combine_each(uint32_t op, uint8_t* dst, const uint8_t* src, uint64_t n) {
  for (uint64_t i = 0; i < n; ++i) {
    auto* word = reinterpret_cast<Word*>(dst) + i;
    const T value = load<T>(src + i * sizeof(T));
    Word old = __atomic_load_n(word, __ATOMIC_RELAXED);
    Word next;
    do {
      const T result = combine<T>(op, __builtin_bit_cast(T, old), value);
      next = __builtin_bit_cast(Word, result);
    } while (
        !__atomic_compare_exchange_n(word, &old, next, true, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED));
  }
}

bool combines(int32_t dtype) {
  return dtype == OPK_FLOAT32 || dtype == OPK_FLOAT16 || dtype == OPK_BFLOAT16 ||
         dtype == OPK_INT32 || dtype == OPK_INT16 || dtype == OPK_INT8;
}

}  // namespace

bool check_atomic(Core& core, const opk_operand& dst, const char* instruction, const void* pc) {
  if (dst.memory != OPK_MEM_GM || core.atomic == OPK_ATOMIC_NONE) return true;
  if (!arch_has_atomic(core, instruction, pc)) return false;
  if (combines(core.atomic_dtype)) return true;
  Fault fault;
  fault.code = "EK1401";
  fault.message = std::string(instruction) + ": atomic stores do not exist for " +
                  dtype_name(static_cast<uint32_t>(core.atomic_dtype));
  fault.action =
      "SetAtomicAdd, Max and Min take int8_t, int16_t, half, bfloat16_t, int32_t and float";
  fault.pc = pc;
  core.refuse(std::move(fault));
  return false;
}

void store_atomic(Core& core, uint8_t* dst, const uint8_t* src, uint64_t bytes) {
  const bool is_float = core.atomic_dtype == OPK_FLOAT32 || core.atomic_dtype == OPK_FLOAT16 ||
                        core.atomic_dtype == OPK_BFLOAT16;
  if (core.atomic == OPK_ATOMIC_ADD && is_float) {
    core.put_off.keep_watch();
    return core.atomics.add(dst, src, bytes / (core.atomic_dtype == OPK_FLOAT32 ? 4 : 2),
                            core.atomic_dtype);
  }
  core.meets_additions(dst, bytes);
  switch (core.atomic_dtype) {
    case OPK_FLOAT32: return combine_each<float, uint32_t>(core.atomic, dst, src, bytes / 4);
    case OPK_FLOAT16: return combine_each<Half, uint16_t>(core.atomic, dst, src, bytes / 2);
    case OPK_BFLOAT16: return combine_each<BFloat16, uint16_t>(core.atomic, dst, src, bytes / 2);
    case OPK_INT32: return combine_each<int32_t, uint32_t>(core.atomic, dst, src, bytes / 4);
    case OPK_INT16: return combine_each<int16_t, uint16_t>(core.atomic, dst, src, bytes / 2);
    case OPK_INT8: return combine_each<int8_t, uint8_t>(core.atomic, dst, src, bytes);
    default: return;  // check_atomic refused it
  }
}

void meet_additions(Core& core, const Access& a) {
  if (a.memory != OPK_MEM_GM || !core.sees_additions()) return;
  for (uint32_t r = 0; r < a.repeats; ++r) {
    for (uint32_t b = 0; b < a.blocks; ++b)
      core.meets_additions(a.address + r * a.repeat_pitch + b * a.block_pitch, a.block_bytes);
  }
}

}  // namespace opkit::core
