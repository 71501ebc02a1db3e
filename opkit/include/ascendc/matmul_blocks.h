// What a Matmul object tells the engine about its blocks: operands, places of A, B and C.
#ifndef OPKIT_INCLUDE_ASCENDC_MATMUL_BLOCKS_H_
#define OPKIT_INCLUDE_ASCENDC_MATMUL_BLOCKS_H_

#include <cstddef>

#include "opkit/abi/sparse_matmul.h"
#include "opkit/include/ascendc/matmul_shape.h"
#include "opkit/include/ascendc/matmul_types.h"
#include "opkit/include/ascendc/reach.h"
#include "opkit/include/ascendc/sync.h"

namespace AscendC {

namespace detail {

// The entry is younger than the others.
OPKIT_INLINE void issue(const opk_matmul_v1& x) {
  OPKIT_REACHES(cube_Matmul);
  const opk_isa_v1* isa = core()->isa;
  if (__builtin_expect(isa->struct_size < offsetof(opk_isa_v1, matmul) + sizeof isa->matmul, 0)) {
    return fault(
        "EK1717",
        "Matmul: this engine is older than the Matmul object; run the kernel with the opkit "
        "that compiled it, or a later one");
  }
  isa->matmul(core(), &x);
}

template <class A_TYPE, class B_TYPE, class C_TYPE, class BIAS_TYPE>
struct MatmulBlocks {
  using A = typename A_TYPE::T;
  using C = typename C_TYPE::T;
  using Bias = typename BIAS_TYPE::T;
  static constexpr bool kInt4 = std::is_same<A, int4b_t>::value;
  static constexpr bool kIntegers = std::is_same<A, int8_t>::value || kInt4;
  static constexpr bool kNzC = C_TYPE::format == CubeFormat::NZ;
  static constexpr bool kSparse = HasIndex<B_TYPE>::value;
  enum class Quant : uint8_t { kNone, kScalar, kVector };

  template <typename Tiling>
  void take(const Tiling& t, bool order_n, bool big_packets) {
    shape.take(t, order_n);
    steps = steps_of(t, big_packets);
    if constexpr (HasBatchAxes<Tiling>::value) {
      a_axes = axes_of_a(t);
      b_axes = axes_of_b(t);
      c_axes = axes_of_c(t);
    }
  }

  opk_matrix matrix(const opk_operand& data, CubeFormat format, bool transposed, uint32_t rows,
                    uint32_t columns) const {
    opk_matrix m{};
    m.data = data;
    m.nz = format == CubeFormat::NZ;
    m.transposed = transposed;
    const uint32_t stored_rows = transposed ? columns : rows;
    m.pitch = m.nz ? round16(stored_rows) : transposed ? rows : columns;
    return m;
  }
  static void set_pitch(opk_matrix& m, uint64_t pitch) {
    if (pitch && !m.nz) m.pitch = pitch;
  }

  opk_matmul_v1 block_call(uint32_t block) const {
    const uint32_t row = shape.row_of(block), column = shape.column_of(block);
    opk_matmul_v1 x{};
    x.owner = reinterpret_cast<uint64_t>(owner ? owner : this);
    x.m = shape.single_m - row < shape.base_m ? shape.single_m - row : shape.base_m;
    x.n = shape.single_n - column < shape.base_n ? shape.single_n - column : shape.base_n;
    x.k = shape.single_k;
    x.hf32 = hf32;
    x.quant = quant_of_c();
    x.to_nd = !kNzC;
    x.quant_word = quant_word;
    x.a = matrix(a, A_TYPE::format, a_transposed, shape.org_m, shape.org_ka);
    x.a.row0 = row;
    set_pitch(x.a, a_axes.pitch(A_TYPE::layout));
    x.b = matrix(b, B_TYPE::format, b_transposed, kSparse ? shape.org_kb / 2 : shape.org_kb,
                 shape.org_n);
    x.b.col0 = column;
    set_pitch(x.b, b_axes.pitch(B_TYPE::layout));
    x.bias = bias;
    if (bias.address) advance(x.bias, column * sizeof(Bias));
    x.quant_vector = quant_vector;
    if (quant_vector.address) advance(x.quant_vector, column * 8);
    x.c.dtype = dtype_of<C>();
    x.tail = OPK_MATMUL_HAS_STEPS;
    x.steps = steps;
    x.steps.single_m = shape.single_m;
    x.steps.single_n = shape.single_n;
    return x;
  }
  // Has the block computed.
  OPKIT_INLINE void compute(opk_matmul_v1& x) const {
    if constexpr (kSparse) {
      x.tail = OPK_MATMUL_HAS_STEPS_AND_INDEX;
      opk_sparse_matmul_v1 with_index{x, {}};
      with_index.index.data = index;
      with_index.index.nz = 1;
      with_index.index.pitch = round16(shape.org_n);
      with_index.index.col0 = x.b.col0;
      issue(with_index.block);
    } else {
      issue(x);
    }
  }
  static void advance(opk_operand& o, uint64_t bytes) {
    o.address = static_cast<uint8_t*>(o.address) + bytes;
    o.bytes = bytes < o.bytes ? o.bytes - bytes : 0;
  }

  uint8_t quant_of_c() const {
    if constexpr (std::is_same<C, float>::value || std::is_same<C, int32_t>::value)
      return OPK_Q_NONE;
    else if constexpr (std::is_same<C, bfloat16_t>::value)
      return OPK_Q_F32_BF16;
    else if constexpr (std::is_same<C, half>::value)
      return !kIntegers                ? OPK_Q_F32_F16
             : quant == Quant::kScalar ? OPK_Q_S32_F16
             : quant == Quant::kVector ? OPK_Q_S32_F16_VEC
                                       : OPK_Q_NONE;
    else
      return quant == Quant::kNone     ? OPK_Q_NONE
             : quant == Quant::kScalar ? (kIntegers ? OPK_Q_S32_B8 : OPK_Q_F32_B8)
                                       : (kIntegers ? OPK_Q_S32_B8_VEC : OPK_Q_F32_B8_VEC);
  }

  // Elements from row to row of C in GM.
  uint64_t global_pitch() const {
    if (packed) return packed_columns();
    if (const uint64_t pitch = c_axes.pitch(C_TYPE::layout)) return pitch;
    const uint64_t n = shape.org_c ? shape.org_c : shape.org_n;
    const uint64_t unit = 32 / sizeof(C);
    return C_TYPE::format == CubeFormat::ND_ALIGN ? (n + unit - 1) / unit * unit : n;
  }
  void to_global(opk_matmul_v1& x, const GlobalTensor<C>& dst, uint32_t block,
                 bool contiguous) const {
    const uint64_t width = sizeof(C) == 1 ? 32 : 16;  // measures a panel
    x.c_pitch = kNzC         ? round16(contiguous ? shape.base_m : shape.org_m)
                : contiguous ? shape.base_n
                             : global_pitch();
    const uint64_t row = contiguous ? 0 : shape.row_of(block),
                   column = contiguous ? 0 : shape.column_of(block);
    const uint64_t offset = kNzC ? (column / width * x.c_pitch + row) * width + column % width
                                 : row * x.c_pitch + column;
    x.c = operand(dst[offset]);
  }
  void to_local(opk_matmul_v1& x, const LocalTensor<C>& dst, uint32_t block,
                bool contiguous) const {
    constexpr uint32_t width = sizeof(C) == 1 ? 32 : 16;
    const uint64_t row = shape.row_of(block), column = shape.column_of(block);
    uint64_t offset = block * shape.block_elements();
    if (contiguous) {
      x.c_pitch = kNzC ? round16(shape.base_m) : shape.base_n;
    } else {
      x.c_pitch = kNzC ? round16(shape.local_m()) : row_of_c(shape.local_n());
      offset = kNzC ? (column / width * x.c_pitch + row) * width + column % width
                    : row * x.c_pitch + column;
    }
    x.c = operand(dst[static_cast<uint32_t>(offset)]);
  }
  // Elements of a row of n columns.
  static uint64_t row_of_c(uint32_t n) {
    constexpr uint32_t unit = 32 / sizeof(C);
    return C_TYPE::format == CubeFormat::ND_ALIGN ? uint64_t{parts(n, unit)} * unit : n;
  }
  uint64_t packed_columns() const { return row_of_c(shape.single_n); }

  struct Batch {
    uint32_t a, b;                // matrices
    uint64_t stride_a, stride_b;  // elements from matrix to matrix; 0: as the layout says
    uint32_t loop;  // counts for IterateNBatch: matrices loop * a and loop * b come first
  };
  // Elements of a matrix that lies on its own.
  template <typename Type>
  static uint64_t alone(uint32_t rows, uint32_t columns, bool transposed) {
    if (Type::format != CubeFormat::NZ) return uint64_t{rows} * columns;
    constexpr uint32_t c0 = elements_in<typename Type::T>(32);
    const uint32_t stored = transposed ? columns : rows, width = transposed ? rows : columns;
    return uint64_t{round16(stored)} * parts(width, c0) * c0;
  }
  uint64_t a_offset(uint64_t i, uint64_t stride) const {
    return stride ? i * stride
                  : a_axes.offset(A_TYPE::layout, i,
                                  alone<A_TYPE>(shape.org_m, shape.org_ka, a_transposed));
  }
  uint64_t b_offset(uint64_t i, uint64_t stride) const {
    return stride ? i * stride
                  : b_axes.offset(B_TYPE::layout, i,
                                  alone<B_TYPE>(shape.org_kb, shape.org_n, b_transposed));
  }
  // In GM, and in local memory, where matrices of one core follow each other.
  uint64_t c_offset(const GlobalTensor<C>&, uint64_t i, bool contiguous) const {
    if (contiguous) return i * shape.blocks() * shape.block_elements();
    if (packed) return i * shape.single_m * packed_columns();
    const uint64_t own = kNzC ? uint64_t{round16(shape.org_m)} * parts(shape.org_n, 16) * 16
                              : shape.org_m * global_pitch();
    return c_axes.offset(C_TYPE::layout, i, own);
  }
  uint64_t c_offset(const LocalTensor<C>&, uint64_t i, bool contiguous) const {
    if (contiguous) return i * shape.blocks() * shape.block_elements();
    return i * (kNzC ? uint64_t{round16(shape.local_m())} * parts(shape.local_n(), 16) * 16
                     : shape.local_m() * row_of_c(shape.local_n()));
  }
  void place(opk_matmul_v1& x, const GlobalTensor<C>& dst, uint32_t block, bool contiguous) const {
    if (!contiguous) return to_global(x, dst, block, false);
    to_global(x, dst[block * shape.block_elements()], block, true);
  }
  void place(opk_matmul_v1& x, const LocalTensor<C>& dst, uint32_t block, bool contiguous) const {
    to_local(x, dst, block, contiguous);
  }
  // Matrices A and B that are summed into one C: C has no axis G, and A or B has one.
  uint32_t summed() const {
    if (C_TYPE::layout == LayoutMode::NONE || C_TYPE::layout == LayoutMode::NORMAL) return 1;
    const uint64_t g = a_axes.g > b_axes.g ? a_axes.g : b_axes.g;
    return c_axes.g == 1 && g > 1 ? static_cast<uint32_t>(g) : 1;
  }

  // send: issues the call, or does what the author wants in its place.
  template <typename Send>
  OPKIT_INLINE void store(opk_matmul_v1& x, uint8_t atomic, const Send& send) const {
    opk_core* c = core();
    const uint32_t old = c->atomic;
    const int32_t old_dtype = c->atomic_dtype;
    if (atomic) {
      c->atomic = atomic;
      c->atomic_dtype = dtype_of<C>();
    }
    x.store = 1;
    send(x);
    c->atomic = old;
    c->atomic_dtype = old_dtype;
  }
  // Waits until the pipes have done the whole product (WaitIterateAll).
  OPKIT_INLINE void wait() const {
    opk_matmul_v1 x{};
    x.owner = reinterpret_cast<uint64_t>(this);
    x.tail = OPK_MATMUL_HAS_STEPS;
    x.steps.wait = 1;
    issue(x);
  }

  MatmulShape shape;
  opk_operand a{}, b{}, bias{}, quant_vector{}, index{};
  opk_matmul_steps steps{};
  uint64_t quant_word = 0;
  BatchAxes a_axes, b_axes, c_axes;
  Quant quant = Quant::kNone;
  uint8_t hf32 = 0;
  bool a_transposed = false, b_transposed = false;
  bool packed = false;    // matrices C follow each other: rows of singleCoreN
  void* owner = nullptr;  // a block of the author's in L0C, which keeps its own sum
};

}  // namespace detail

}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_MATMUL_BLOCKS_H_
