// EK1711 to EK1716: the Matmul object.
#include "opkit/include/lib/matmul_intf.h"

#include "corpus.h"

using namespace AscendC;

namespace faults {
namespace {

using HalfMatrix = MatmulType<TPosition::GM, CubeFormat::ND, half>;
using TurnedMatrix = MatmulType<TPosition::GM, CubeFormat::ND, half, true>;
using FloatMatrix = MatmulType<TPosition::GM, CubeFormat::ND, float>;

__aicore__ inline TCubeTiling square(int n = 16) {
  TCubeTiling t;
  t.M = t.N = t.Ka = t.Kb = n;
  t.singleCoreM = t.singleCoreN = t.singleCoreK = n;
  t.baseM = t.baseN = t.baseK = 16;
  return t;
}

template <typename A = HalfMatrix, typename B = HalfMatrix>
struct Product {
  TCubeTiling tiling = square();
  Matmul<A, B, FloatMatrix> mm;
  GlobalTensor<half> a, b;
  GlobalTensor<float> c, bias;

  __aicore__ inline Product(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    a.SetGlobalBuffer((__gm__ half*)x, kElements);
    b.SetGlobalBuffer((__gm__ half*)y, kElements);
    c.SetGlobalBuffer((__gm__ float*)z, kElements);
    bias.SetGlobalBuffer((__gm__ float*)x, 16);
  }
  __aicore__ inline void begin() {
    mm.Init(&tiling);
    mm.SetTensorA(a);
    mm.SetTensorB(b);
  }
};

// --- EK1711: shapes and types -------------------------------------------------------------------

template <bool kFault>
void share_is_wider_than_the_matrix(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR) {
  Product<> p(x, y, z);
  if constexpr (kFault) p.tiling.Ka = 8;
  p.begin();
  p.mm.Iterate();  // FAULT: share_is_wider_than_the_matrix
}

template <bool kFault>
void tail_is_longer_than_the_matrix(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR) {
  Product<> p(x, y, z);
  p.begin();
  p.mm.SetTail(16, kFault ? 24 : 8, 16);
  p.mm.Iterate();
  p.mm.Iterate();  // FAULT: tail_is_longer_than_the_matrix
}

template <bool kFault>
void result_is_of_another_size(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR) {
  Product<> p(x, y, z);
  p.begin();
  p.mm.Iterate();
  if constexpr (kFault) p.mm.SetTail(8, 8, 16);
  p.mm.GetTensorC(p.c);  // FAULT: result_is_of_another_size
}

// --- EK1712: transposing ------------------------------------------------------------------------

template <bool kFault>
void turns_a_without_its_type(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR) {
  Product<> p(x, y, z);
  p.mm.Init(&p.tiling);
  p.mm.SetTensorA(p.a, kFault);  // FAULT: turns_a_without_its_type
}

template <bool kFault>
void turns_b_without_its_type(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR) {
  Product<> p(x, y, z);
  p.mm.Init(&p.tiling);
  p.mm.SetTensorA(p.a);
  p.mm.SetTensorB(p.b, kFault);  // FAULT: turns_b_without_its_type
}

template <bool kFault>
void turns_the_wrong_operand(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR) {
  Product<TurnedMatrix, HalfMatrix> p(x, y, z);
  p.mm.Init(&p.tiling);
  p.mm.SetTensorA(p.a, !kFault);
  p.mm.SetTensorB(p.b, kFault);  // FAULT: turns_the_wrong_operand
}

// --- EK1713: tiling -----------------------------------------------------------------------------

template <bool kFault>
void has_no_tiling(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR) {
  Product<> p(x, y, z);
  if constexpr (!kFault) p.mm.Init(&p.tiling);
  p.mm.SetTensorA(p.a);
  p.mm.SetTensorB(p.b);
  p.mm.IterateAll(p.c);  // FAULT: has_no_tiling
}

template <bool kFault>
void tiling_was_never_filled(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR) {
  Product<> p(x, y, z);
  if constexpr (kFault) p.tiling = TCubeTiling();
  p.begin();
  p.mm.Iterate();  // FAULT: tiling_was_never_filled
}

template <bool kFault>
void tail_is_negative(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR) {
  Product<> p(x, y, z);
  p.begin();
  const int rows = 40, done = kFault ? 48 : 32;
  p.mm.SetTail(rows - done);
  p.mm.Iterate();  // FAULT: tail_is_negative
}

// --- EK1714: operands ---------------------------------------------------------------------------

template <bool kFault>
void forgets_both_operands(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR) {
  Product<> p(x, y, z);
  if constexpr (kFault)
    p.mm.Init(&p.tiling);
  else
    p.begin();
  p.mm.Iterate();  // FAULT: forgets_both_operands
}

template <bool kFault>
void forgets_the_right_matrix(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR) {
  Product<> p(x, y, z);
  p.mm.Init(&p.tiling);
  p.mm.SetTensorA(p.a);
  if constexpr (!kFault) p.mm.SetTensorB(p.b);
  p.mm.IterateAll(p.c);  // FAULT: forgets_the_right_matrix
}

template <bool kFault>
void sets_the_left_matrix_twice(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR) {
  Product<> p(x, y, z);
  p.mm.Init(&p.tiling);
  p.mm.SetTensorB(p.b);
  if constexpr (kFault)
    p.mm.SetTensorB(p.b);
  else
    p.mm.SetTensorA(p.a);
  while (p.mm.Iterate()) p.mm.GetTensorC(p.c);  // FAULT: sets_the_left_matrix_twice
}

// --- EK1715: bias -------------------------------------------------------------------------------

template <bool kFault>
void bias_without_a_tiling_for_it(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR) {
  Product<> p(x, y, z);
  p.tiling.isBias = !kFault;
  p.begin();
  p.mm.SetBias(p.bias);
  p.mm.IterateAll(p.c);  // FAULT: bias_without_a_tiling_for_it
}

template <bool kFault>
void bias_of_another_kernel_stays(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR) {
  Product<> p(x, y, z);
  p.begin();
  p.mm.SetBias(p.bias);
  if constexpr (!kFault) p.mm.ClearBias();
  p.mm.IterateAll(p.c);  // FAULT: bias_of_another_kernel_stays
}

template <bool kFault>
void bias_after_the_first_tile(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR) {
  Product<> p(x, y, z);
  p.begin();
  p.mm.IterateAll(p.c);
  if constexpr (kFault) p.mm.SetBias(p.bias);
  p.mm.SetTensorA(p.a[256]);
  while (p.mm.Iterate()) p.mm.GetTensorC(p.c[256]);  // FAULT: bias_after_the_first_tile
}

// --- EK1716: order of calls ---------------------------------------------------------------------

template <bool kFault>
void takes_c_before_it_is_made(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR) {
  Product<> p(x, y, z);
  p.begin();
  if constexpr (!kFault) p.mm.Iterate();
  p.mm.GetTensorC(p.c);  // FAULT: takes_c_before_it_is_made
}

template <bool kFault>
void loop_is_turned_around(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR) {
  Product<> p(x, y, z);
  p.begin();
  if constexpr (!kFault) p.mm.Iterate();
  do {
    p.mm.GetTensorC(p.c);  // FAULT: loop_is_turned_around
  } while (p.mm.Iterate());
}

template <bool kFault>
void takes_c_of_another_object(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR) {
  Product<> p(x, y, z), q(x, y, z);
  p.begin();
  q.begin();
  (kFault ? p : q).mm.Iterate();
  q.mm.GetTensorC(q.c);  // FAULT: takes_c_of_another_object
}

}  // namespace

Family matmul_faults() {
  return {
      VECTOR_FAULT("EK1711", share_is_wider_than_the_matrix, "16 columns of a matrix of 8"),
      VECTOR_FAULT("EK1711", tail_is_longer_than_the_matrix, "columns of a matrix of 16"),
      VECTOR_FAULT("EK1711", result_is_of_another_size, "no computed block"),
      VECTOR_FAULT("EK1712", turns_a_without_its_type, "isTrans"),
      VECTOR_FAULT("EK1712", turns_b_without_its_type, "isTrans"),
      VECTOR_FAULT("EK1712", turns_the_wrong_operand, "isTrans"),
      VECTOR_FAULT("EK1713", has_no_tiling, "no tiling"),
      VECTOR_FAULT("EK1713", tiling_was_never_filled, "not positive"),
      VECTOR_FAULT("EK1713", tail_is_negative, "not positive"),
      VECTOR_FAULT("EK1714", forgets_both_operands, "is not set"),
      VECTOR_FAULT("EK1714", forgets_the_right_matrix, "is not set"),
      VECTOR_FAULT("EK1714", sets_the_left_matrix_twice, "is not set"),
      VECTOR_FAULT("EK1715", bias_without_a_tiling_for_it, "isBias"),
      VECTOR_FAULT("EK1715", bias_of_another_kernel_stays, "isBias"),
      VECTOR_FAULT("EK1715", bias_after_the_first_tile, "isBias"),
      VECTOR_FAULT("EK1716", takes_c_before_it_is_made, "before Iterate"),
      VECTOR_FAULT("EK1716", loop_is_turned_around, "before Iterate"),
      VECTOR_FAULT("EK1716", takes_c_of_another_object, "before Iterate"),
  };
}

}  // namespace faults
