// What lies behind k in the last fractals of A and B.
#include <cstring>
#include <string>

#include "opkit/core/fractals/fractal.h"
#include "opkit/core/isa/cube/mmad.h"
#include "opkit/core/isa/operand.h"
#include "opkit/core/state/tolerate.h"

namespace opkit::core {
namespace {

// Bits of an element that its value depends on, and those that are all set in infinities and NaN.
struct ValueBits {
  uint32_t value, special;
};

ValueBits value_bits_of(uint32_t dtype) {
  switch (dtype) {
    case OPK_FLOAT16: return {0x7fff, 0x7c00};
    case OPK_BFLOAT16: return {0x7fff, 0x7f80};
    case OPK_FLOAT32: return {0x7fffffff, 0x7f800000};
    default: return {~0u, 0};
  }
}

// What a column holds: anything but zeros; something that times zero is not zero.
struct Column {
  bool used = false, special = false;
};

// Element `at` of the first `rows` of fractals that lie `pitch` bytes apart.
Column column_of(const uint8_t* first, uint64_t pitch, uint32_t rows, uint32_t at, uint32_t dtype) {
  const ValueBits bits = value_bits_of(dtype);
  const uint32_t size = dtype_bytes(dtype);
  Column column;
  for (uint32_t r = 0; r < rows; ++r) {
    uint32_t element = 0;
    std::memcpy(&element, first + r / kSide * pitch + r % kSide * 32 + at * size, size);
    column.used |= (element & bits.value) != 0;
    column.special |= bits.special != 0 && (element & bits.special) == bits.special;
  }
  return column;
}

}  // namespace

void judge_behind_k(Core& core, const opk_mmad_v1& x, const void* pc) {
  const MmadExtent e = extent_of(x);
  if (x.k % e.c0 == 0 || x.m == 1 || is_sparse(x) || dtype_bytes(x.a.dtype) == 0) return;
  core.put_off.about_to_read(OPK_MEM_L0A, x.a.address, e.a);
  core.put_off.about_to_read(OPK_MEM_L0B, x.b.address, e.b);
  const uint64_t step = x.k / e.c0;  // the fractal that k ends in
  const auto* a = static_cast<const uint8_t*>(x.a.address) + step * kFractal;
  const auto* b = static_cast<const uint8_t*>(x.b.address) + step * e.n16 * kFractal;
  for (uint32_t at = x.k % e.c0; at < e.c0; ++at) {
    const Column left = column_of(a, uint64_t{e.k_fractals} * kFractal, x.m, at, x.a.dtype);
    const Column right = column_of(b, kFractal, x.n, at, x.b.dtype);
    if (!(left.used && right.used) && !left.special && !right.special) continue;
    return tell(core, Excess::kBehindK, true, [&] {
      Fault fault;
      fault.code = "EK1726";
      fault.message = "Mmad: k is " + std::to_string(x.k) + ", and the last fractals of " +
                      std::to_string(e.c0) + " hold other values than zeros behind it, from " +
                      std::to_string(step * e.c0 + at) +
                      " on; the chip multiplies whole fractals, here they count as zeros";
      fault.action = "fill L1 or L0A and L0B with zeros up to the next multiple of " +
                     std::to_string(e.c0) + " (ND2NZ does, and InitConstValue)";
      fault.pc = pc;
      return fault;
    });
  }
}

}  // namespace opkit::core
