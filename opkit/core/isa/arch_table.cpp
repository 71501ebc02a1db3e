#include "opkit/core/isa/arch_table.h"

#include <array>

namespace opkit::core {
namespace {

constexpr Types kHalf = type_bit(OPK_FLOAT16), kFloat = type_bit(OPK_FLOAT32);
constexpr Types kBf16 = type_bit(OPK_BFLOAT16);
constexpr Types kS8 = type_bit(OPK_INT8), kU8 = type_bit(OPK_UINT8) | type_bit(OPK_BOOL);
constexpr Types kS16 = type_bit(OPK_INT16), kU16 = type_bit(OPK_UINT16);
constexpr Types kS32 = type_bit(OPK_INT32), kU32 = type_bit(OPK_UINT32);
constexpr Types kS64 = type_bit(OPK_INT64), kU64 = type_bit(OPK_UINT64);
constexpr Types kS4 = type_bit(OPK_INT4), kDouble = type_bit(OPK_FLOAT64);
constexpr Types kNone = 0, kReals = kHalf | kFloat;
constexpr Types kNumbers = kReals | kS16 | kS32;
constexpr Types kInt16s = kS16 | kU16, kInts = kInt16s | kS32 | kU32;
constexpr Types kWords = kInts | kReals;  // every type of 16 and 32 bits but bfloat16_t
constexpr Types kBytes = kS8 | kU8;

struct Row {
  uint32_t op;
  Types on_310p, on_310b, on_910a;
};

constexpr Row kRows[] = {
    {OPK_V_ABS, kReals, kReals | kS16, kReals},
    {OPK_V_EXP, kReals, kReals, kReals},
    {OPK_V_LN, kReals, kReals, kReals},
    {OPK_V_SQRT, kReals, kReals, kReals},
    {OPK_V_RSQRT, kReals, kReals, kReals},
    {OPK_V_RECIPROCAL, kReals, kReals, kReals},
    {OPK_V_RELU, kReals | kS32, kReals | kS32, kHalf},
    {OPK_V_NOT, kInt16s, kInt16s, kInt16s},
    {OPK_V_ADD, kNumbers, kNumbers, kReals | kS32},
    {OPK_V_SUB, kNumbers, kNumbers, kReals | kS32},
    {OPK_V_MUL, kNumbers, kNumbers, kReals | kS32},
    {OPK_V_DIV, kReals, kReals, kReals},
    {OPK_V_MAX, kNumbers, kNumbers, kReals | kS32},
    {OPK_V_MIN, kNumbers, kNumbers, kReals | kS32},
    {OPK_V_AND, kInt16s, kInt16s, kInt16s},
    {OPK_V_OR, kInt16s, kInt16s, kInt16s},
    {OPK_V_ADD_RELU, kReals | kS16, kReals, kNone},
    {OPK_V_SUB_RELU, kReals | kS16, kReals, kNone},
    {OPK_V_MUL_ADD_DST, kReals, kReals | kInts, kNone},
    {OPK_V_FUSED_MUL_ADD, kReals, kReals, kNone},
    {OPK_V_FUSED_MUL_ADD_RELU, kReals, kReals, kNone},
    {OPK_V_ADDS, kNumbers, kNumbers, kReals},
    {OPK_V_MULS, kNumbers, kNumbers, kReals},
    {OPK_V_MAXS, kNumbers, kNumbers, kNone},
    {OPK_V_MINS, kNumbers, kNumbers, kNone},
    {OPK_V_LEAKY_RELU, kReals, kReals, kNone},
    {OPK_V_SHIFT_LEFT, kNone, kInts, kNone},
    {OPK_V_SHIFT_RIGHT, kNone, kInts, kNone},
    {OPK_V_AXPY, kReals, kReals, kReals},
    {OPK_V_CAST_DEQ, ~kNone, kNone, kNone},
    {OPK_V_DUPLICATE, kWords | kBf16, kWords | kBf16, kWords | kBf16},
    {OPK_V_BRCB, kWords, kNone, kNone},
    {OPK_V_CREATE_VEC_INDEX, kNumbers, kNumbers, kNone},
    {OPK_V_ARITH_PROGRESSION, kNumbers, kNone, kNone},
    {OPK_V_COPY, kNone, kWords | kBf16, kNone},
    {OPK_V_COMPARE, kReals, kReals, kReals},
    {OPK_V_COMPARE_SCALAR, kReals, kWords, kNone},
    {OPK_V_SELECT, kReals, kReals, kReals},
    {OPK_V_SELECT_SCALAR, kReals, kReals, kNone},
    {OPK_V_REDUCE_SUM, kReals, kReals, kHalf},
    {OPK_V_REDUCE_MAX, kReals, kReals, kHalf},
    {OPK_V_REDUCE_MIN, kReals, kReals, kHalf},
    {OPK_V_WHOLE_REDUCE_SUM, kReals, kReals, kHalf},
    {OPK_V_WHOLE_REDUCE_MAX, kReals, kReals, kHalf},
    {OPK_V_WHOLE_REDUCE_MIN, kReals, kReals, kHalf},
    {OPK_V_BLOCK_REDUCE_SUM, kReals, kReals, kHalf},
    {OPK_V_BLOCK_REDUCE_MAX, kReals, kReals, kHalf},
    {OPK_V_BLOCK_REDUCE_MIN, kReals, kReals, kHalf},
    {OPK_V_PAIR_REDUCE_SUM, kReals, kReals, kHalf},
    {OPK_V_GATHER, kWords, kWords | kBytes, kNone},
    {OPK_V_GATHERB, kNone, kWords | kBytes | kBf16 | kS64, kNone},
    {OPK_V_GATHER_MASK, kWords, kWords, kNone},
    {OPK_V_SORT32, kNone, kReals, kNone},
    {OPK_V_MRG_SORT, kNone, kReals, kNone},
    {OPK_V_TRANS_DATA_TO_5HD, kWords | kBytes, kWords | kBytes, kInt16s | kHalf | kBytes},
    {OPK_V_TRANSPOSE, kWords | kBytes, kInt16s | kHalf, kInt16s | kHalf},
    {OPK_V_XOR, kInt16s, kInt16s, kNone},
    {OPK_V_SIGMOID, kReals, kNone, kReals},
    {OPK_V_FLOOR, kReals, kReals, kNone},
    {OPK_V_RINT, kNone, kNone, kNone},
    {OPK_V_ADD_RELU_CAST, kHalf | kS8, kHalf | kS8, kNone},
    {OPK_V_SUB_RELU_CAST, kHalf | kS8, kHalf | kS8, kNone},
    {OPK_V_MUL_CAST, kBytes, kBytes, kNone},
    {OPK_V_ADD_DEQ_RELU, kHalf, kNone, kNone},
};

enum Column : uint32_t { k310P, k310B, k910A, kColumns };

struct Table {
  std::array<std::array<Types, OPK_V_COUNT_>, kColumns> types{};

  constexpr Table() {
    // Tanh, Erf, ... Fmod: library calls that the 310P has, and the others do not.
    for (uint32_t op = OPK_V_SIGMOID; op < OPK_V_COUNT_; ++op) types[k310P][op] = kReals;
    for (const Row& row : kRows) {
      types[k310P][row.op] = row.on_310p;
      types[k310B][row.op] = row.on_310b;
      types[k910A][row.op] = row.on_910a;
    }
  }
};
constexpr Table kTable;

uint32_t column_of(uint32_t npu_arch) {
  switch (npu_arch) {
    case kArch310P: return k310P;
    case kArch310B: return k310B;
    case kArch910A: return k910A;
    default: return kColumns;
  }
}

// Page "Cast": to which types a type is converted. For the 310P and 910A it gives float to
// int64_t where its other rows let one expect int32_t; both are taken.
Types casts_of_310p(uint32_t src) {
  switch (src) {
    case OPK_INT8:
    case OPK_UINT8:
    case OPK_INT16: return kHalf;
    case OPK_FLOAT16: return kS4 | kBytes | kS16 | kS32 | kFloat;
    case OPK_INT32: return kS16 | kHalf | kFloat;
    case OPK_FLOAT32: return kHalf | kS32 | kS64;
    default: return kNone;
  }
}
Types casts_of_310b(uint32_t src) {
  switch (src) {
    case OPK_INT8:
    case OPK_UINT8: return kHalf;
    case OPK_INT16: return kReals;
    case OPK_FLOAT16: return kBytes | kS16 | kS32 | kFloat;
    case OPK_BFLOAT16: return kS32 | kFloat;
    case OPK_INT32: return kS16 | kReals | kS64;
    case OPK_FLOAT32: return kS16 | kHalf | kBf16 | kS32 | kFloat | kS64;
    case OPK_INT64: return kS32 | kFloat;
    default: return kNone;
  }
}
Types casts_of_910a(uint32_t src) {
  switch (src) {
    case OPK_INT8:
    case OPK_UINT8:
    case OPK_INT16: return kHalf;
    case OPK_FLOAT16: return kBytes | kS32 | kFloat;
    case OPK_INT32: return kFloat;
    case OPK_FLOAT32: return kHalf | kS32 | kS64;
    default: return kNone;
  }
}

}  // namespace

const char* arch_name(uint32_t npu_arch) {
  switch (npu_arch) {
    case kArch310P: return "Ascend 310P (arch 2002)";
    case kArch310B: return "Ascend 310B (arch 3002)";
    case kArch910A: return "Ascend 910A (arch 1001)";
    default: return nullptr;
  }
}

Types vector_types(uint32_t npu_arch, uint32_t op) {
  const uint32_t column = column_of(npu_arch);
  return column == kColumns || op >= OPK_V_COUNT_ ? ~kNone : kTable.types[column][op];
}

bool has_cast(uint32_t npu_arch, uint32_t dst, uint32_t src) {
  switch (npu_arch) {
    case kArch310P: return casts_of_310p(src) & type_bit(dst);
    case kArch310B: return casts_of_310b(src) & type_bit(dst);
    case kArch910A: return casts_of_910a(src) & type_bit(dst);
    default: return true;
  }
}

Types copy_types(uint32_t npu_arch) {
  constexpr Types kCommon = kWords | kBytes | kS64 | kU64 | kDouble;
  if (npu_arch == kArch310P || npu_arch == kArch910A) return kCommon;
  return npu_arch == kArch310B ? kCommon | kBf16 : ~kNone;
}

Types atomic_types(uint32_t npu_arch) {
  switch (npu_arch) {
    case kArch310P: return kReals | kS16;
    case kArch310B: return kNumbers;
    case kArch910A: return kFloat;
    default: return ~kNone;
  }
}

Types load_types(uint32_t npu_arch) {
  switch (npu_arch) {
    case kArch310P: return kS4 | kBytes | kInt16s | kHalf;
    case kArch310B: return kBytes | kWords | kBf16;
    case kArch910A: return kBytes | kInt16s | kHalf;
    default: return ~kNone;
  }
}

Types mmad_types(uint32_t npu_arch) {
  switch (npu_arch) {
    case kArch310P: return kS4 | kBytes | kHalf;
    case kArch910A: return kBytes | kHalf;
    default: return ~kNone;
  }
}

}  // namespace opkit::core
