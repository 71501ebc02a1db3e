// The author's own copies around a Matmul object: A and B from GM to L1, C from L0C to GM, one base
// block at a time. (Vendor's page "MatmulCallBackFunc".)
//
// In L1 a block is in FRACTAL_NZ as the object's own copy would leave it: rows of the stored matrix
// rounded up to 16 (8-bit blocks that are turned on their way to L0: 32). In L0C it is in panels of
// 16 columns, rows rounded up to 16. Both memories are the object's for the time of the call.
#ifndef OPKIT_INCLUDE_ASCENDC_MATMUL_CALLBACK_H_
#define OPKIT_INCLUDE_ASCENDC_MATMUL_CALLBACK_H_

#include "opkit/include/ascendc/cube_load.h"
#include "opkit/include/ascendc/matmul_blocks.h"

namespace AscendC {

struct DataCopyOutParams {
  uint16_t cBurstNum = 0;  // panels of 16 columns
  uint16_t burstLen = 0;   // bytes / 32 of one panel's rows in L0C
  uint16_t srcStride = 0;  // bytes / 32 between panels in L0C
  uint32_t dstStride = 0;  // ND: elements from row to row; NZ: bytes / 32 between panels
  uint16_t oriNSize = 0;   // columns
  bool enUnitFlag = false;
  uint64_t quantScalar = 0;
  uint64_t cbufWorkspaceAddr = 0;
};

namespace detail {

enum : uint8_t { kOwnCopyOfA = 1, kOwnCopyOfB = 2, kOwnCopyOfC = 4 };
constexpr uint32_t kLentL1Half = 256 * 1024;  // bytes: A in the first half, B in the second

OPKIT_INLINE void lend_memories(uint8_t what) {
  opk_matmul_v1 x{};
  x.tail = OPK_MATMUL_HAS_STEPS;
  x.steps.lend = what;
  issue(x);
}

// L1 and L0C are there for the life of this object.
class LentMemories {
 public:
  OPKIT_INLINE LentMemories() { lend_memories(1); }
  OPKIT_INLINE ~LentMemories() { lend_memories(2); }
  LentMemories(const LentMemories&) = delete;
  LentMemories& operator=(const LentMemories&) = delete;
};

// Returns the part of a matrix that a callback left in L1.
template <typename T>
opk_matrix block_in_l1(TPosition position, uint32_t start, uint32_t rows, uint32_t columns,
                       bool transposed, bool turned) {
  opk_matrix m{};
  m.data = operand(LocalTensor<T>(position, start, kLentL1Half / sizeof(T)));
  m.nz = 1;
  m.transposed = transposed;
  const uint32_t unit = turned && sizeof(T) == 1 ? 32 : 16;
  const uint32_t stored = transposed ? columns : rows;
  m.pitch = (stored + unit - 1) / unit * unit;
  return m;
}

// Returns a part of a matrix whose elements are all `value`, in L1.
template <typename T>
opk_matrix block_of_value(T value, TPosition position, uint32_t start, uint32_t rows,
                          uint32_t columns) {
  const opk_matrix m = block_in_l1<T>(position, start, rows, columns, false, false);
  const LocalTensor<T> block(position, start, kLentL1Half / sizeof(T));
  const uint64_t blocks = m.pitch * parts(columns, ONE_BLK_SIZE / sizeof(T));
  InitConstValue(block, InitConstValueParams<T>(1, static_cast<uint16_t>(blocks), 0, value));
  return m;
}

inline LocalTensor<int8_t> lent_l1(TPosition position, uint32_t start) {
  return LocalTensor<int8_t>(position, start, kLentL1Half);
}

// What the author's functions are told of a block of C.
struct OwnCopies {
  void *a, *b;           // the matrices in GM
  uint32_t row, column;  // place the block, in base blocks
  bool a_transposed, b_transposed;
  uint64_t tiling, data;
};

// Has the parts of A and B of x, base block `along` of K, brought into L1; x then names them there.
template <class Callbacks, typename A, typename B>
void bring_own_copies(opk_matmul_v1& x, const OwnCopies& own, uint32_t along) {
  const int m = static_cast<int>(x.m), n = static_cast<int>(x.n), k = static_cast<int>(x.k);
  if constexpr ((Callbacks::kOwn & kOwnCopyOfA) != 0) {
    Callbacks::copy_a(lent_l1(TPosition::A1, 0), own.a, static_cast<int>(own.row),
                      static_cast<int>(along), m, k, own.tiling, own.data);
    x.a = block_in_l1<A>(TPosition::A1, 0, x.m, x.k, own.a_transposed, own.a_transposed);
  }
  if constexpr ((Callbacks::kOwn & kOwnCopyOfB) != 0) {
    Callbacks::copy_b(lent_l1(TPosition::B1, kLentL1Half), own.b, static_cast<int>(along),
                      static_cast<int>(own.column), k, n, own.tiling, own.data);
    x.b = block_in_l1<B>(TPosition::B1, kLentL1Half, x.k, x.n, own.b_transposed, !own.b_transposed);
  }
}

// The block goes to L0C, and the author's function takes it from there to GM.
template <class Callbacks, typename C>
void store_own_copy(opk_matmul_v1& x, const OwnCopies& own, bool nz, bool integers) {
  if constexpr ((Callbacks::kOwn & kOwnCopyOfC) != 0) {
    const uint32_t rows = round16(x.m), panels = parts(x.n, 16);
    DataCopyOutParams p;
    p.cBurstNum = static_cast<uint16_t>(panels);
    p.burstLen = static_cast<uint16_t>(x.m * 2);
    p.srcStride = static_cast<uint16_t>((rows - x.m) * 2);
    p.dstStride =
        static_cast<uint32_t>(nz ? (x.c_pitch - x.m) * 16 * sizeof(C) / ONE_BLK_SIZE : x.c_pitch);
    p.oriNSize = static_cast<uint16_t>(x.n);
    p.quantScalar = x.quant_word;
    x.steps.own_copies = kOwnCopyOfC;
    issue(x);
    void* gm = x.c.address;
    const LentMemories lent;
    const LocalTensor<int8_t> co1(TPosition::CO1, 0, rows * panels * 16 * 4);
    x.steps.own_copies = x.to_nd = x.quant = 0;
    x.c = operand(co1);
    x.c.dtype = integers ? OPK_INT32 : OPK_FLOAT32;
    x.c_pitch = rows;
    issue(x);
    Callbacks::copy_out(gm, co1, &p, own.tiling, own.data);
  }
}

}  // namespace detail
}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_MATMUL_CALLBACK_H_
