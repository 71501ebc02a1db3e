// What the Matmul object reads and writes in GM is judged like every other access: bounds, bytes
// that nothing has written, cores that race.
#include "opkit/include/lib/matmul_intf.h"

#include "corpus.h"

using namespace AscendC;

namespace faults {
namespace {

constexpr int kSide = 32;
constexpr uint32_t kSquare = kSide * kSide;

using HalfMatrix = MatmulType<TPosition::GM, CubeFormat::ND, half>;
using FloatMatrix = MatmulType<TPosition::GM, CubeFormat::ND, float>;

// 32 x 32 in blocks of 16 x 16.
struct Square {
  TCubeTiling tiling{};
  Matmul<HalfMatrix, HalfMatrix, FloatMatrix> mm;
  GlobalTensor<half> a, b;
  GlobalTensor<float> c;

  __aicore__ inline Square(GM_ADDR x, GM_ADDR y, GM_ADDR z) {
    tiling.M = tiling.N = tiling.Ka = tiling.Kb = kSide;
    tiling.singleCoreM = tiling.singleCoreN = tiling.singleCoreK = kSide;
    tiling.baseM = tiling.baseN = tiling.baseK = 16;
    a.SetGlobalBuffer((__gm__ half*)x);
    b.SetGlobalBuffer((__gm__ half*)y);
    c.SetGlobalBuffer((__gm__ float*)z);
  }
  __aicore__ inline void begin() {
    mm.Init(&tiling);
    mm.SetTensorA(a);
    mm.SetTensorB(b);
  }
};

// Fills `count` halves of the workspace.
__aicore__ inline void fill(GM_ADDR w, uint32_t count) {
  LocalTensor<half> ones(TPosition::VECCALC, 0, kSquare);
  GlobalTensor<half> workspace;
  workspace.SetGlobalBuffer((__gm__ half*)w);
  Duplicate(ones, half(1.0f), (int32_t)kSquare);
  SetFlag<HardEvent::V_MTE3>(0);
  WaitFlag<HardEvent::V_MTE3>(0);
  DataCopy(workspace, ones, count);
}

template <bool kFault>
void left_matrix_ends_too_early(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR) {
  Square s(x, y, z);
  // x holds 8192 halves.
  s.a = s.a[8192 - (kFault ? kSquare / 2 : kSquare)];
  s.begin();
  s.mm.Iterate();
  s.mm.Iterate();  // FAULT: left_matrix_ends_too_early
}

template <bool kFault>
void result_reaches_behind_the_output(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR) {
  Square s(x, y, z);
  s.begin();
  const uint32_t at = kElements - kSquare + (kFault ? kSide : 0);
  s.mm.IterateAll(s.c[at]);  // FAULT: result_reaches_behind_the_output
}

template <bool kFault>
void result_goes_to_an_input(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR) {
  Square s(x, y, kFault ? y : z);
  s.begin();
  s.mm.IterateAll(s.c);  // FAULT: result_goes_to_an_input
}

template <bool kFault>
void left_matrix_is_half_written(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Square s(w, y, z);
  fill(w, kFault ? kSquare / 2 : kSquare);
  s.begin();
  s.mm.IterateAll(s.c);  // FAULT: left_matrix_is_half_written
}

template <bool kFault>
void right_matrix_is_not_written(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Square s(x, kFault ? w : y, z);
  s.begin();
  while (s.mm.Iterate()) s.mm.GetTensorC(s.c);  // FAULT: right_matrix_is_not_written
}

template <bool kFault>
void bias_is_not_written(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Square s(x, y, z);
  s.tiling.isBias = 1;
  GlobalTensor<float> bias;
  bias.SetGlobalBuffer((__gm__ float*)(kFault ? w : x), kSide);
  s.begin();
  s.mm.SetBias(bias);
  s.mm.IterateAll(s.c);  // FAULT: bias_is_not_written
}

template <bool kFault>
void two_cores_store_the_same_c(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR) {
  Square s(x, y, z);
  s.begin();
  const uint32_t mine = (uint32_t)GetBlockIdx() * (kFault ? kSquare / 2 : kSquare);
  s.mm.IterateAll(s.c[mine]);  // FAULT: two_cores_store_the_same_c
}

__aicore__ inline void clear(GlobalTensor<float>& c) {
  LocalTensor<float> zeros(TPosition::VECCALC, 0, kSquare);
  Duplicate(zeros, 0.0f, (int32_t)kSquare);
  SetFlag<HardEvent::V_MTE3>(0);
  WaitFlag<HardEvent::V_MTE3>(0);
  DataCopy(c, zeros, kSquare);
}

// Additions of several cores to the same C are in order whichever comes first.
template <bool kFault>
void one_core_stores_where_another_adds(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR) {
  Square s(x, y, z);
  if (GetBlockIdx() == 0) clear(s.c);
  SyncAll();
  s.begin();
  const bool adds = !kFault || GetBlockIdx() == 0;
  s.mm.IterateAll(s.c, adds ? 1 : 0);  // FAULT: one_core_stores_where_another_adds
}

template <bool kFault>
void adds_a_product_to_an_unfilled_output(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR) {
  Square s(x, y, z);
  if constexpr (!kFault) {
    clear(s.c);
    SyncAll();
  }
  s.begin();
  s.mm.IterateAll(s.c, 1);  // FAULT: adds_a_product_to_an_unfilled_output
}

template <bool kFault>
void reads_what_another_core_writes(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  if (GetBlockIdx() == 0) fill(w, kSquare);
  if constexpr (!kFault) SyncAll();
  if (GetBlockIdx() == 0) return;
  Square s(w, y, z);
  s.begin();
  s.mm.IterateAll(s.c);  // FAULT: reads_what_another_core_writes
}

template <bool kFault>
void multiplies_what_another_core_overwrites(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  fill(w + GetBlockIdx() * kSquare * 2, kSquare);
  SyncAll();
  Square s(w, y, w + kSquare * 4);
  if (GetBlockIdx() == 0) {
    s.begin();
    s.mm.IterateAll(s.c);  // FAULT: multiplies_what_another_core_overwrites
    if constexpr (!kFault) SyncAll();
    return;
  }
  if constexpr (!kFault) SyncAll();
  LocalTensor<half> twos(TPosition::VECCALC, 0, kSquare);
  GlobalTensor<half> workspace;
  workspace.SetGlobalBuffer((__gm__ half*)w);
  DataCopy(workspace, twos, kSquare);
}

}  // namespace

Family matmul_gm_faults() {
  return {
      VECTOR_FAULT("EK1004", left_matrix_ends_too_early, "GM tensor 'x'"),
      VECTOR_FAULT("EK1004", result_reaches_behind_the_output, "GM tensor 'z'"),
      VECTOR_FAULT("EK1006", result_goes_to_an_input, "input 'y'"),
      VECTOR_FAULT("EK1302", left_matrix_is_half_written, "GM tensor 'workspace'"),
      VECTOR_FAULT("EK1302", right_matrix_is_not_written, "GM tensor 'workspace'"),
      VECTOR_FAULT("EK1302", bias_is_not_written, "GM tensor 'workspace'"),
      VECTOR_FAULT("EK1511", two_cores_store_the_same_c, "write after write").on(2).between_two(),
      VECTOR_FAULT("EK1511", one_core_stores_where_another_adds, "write after write")
          .on(2)
          .between_two(),
      VECTOR_FAULT("EK1402", adds_a_product_to_an_unfilled_output, "adds atomically"),
      VECTOR_FAULT("EK1511", reads_what_another_core_writes, "read after write")
          .on(2)
          .between_two(),
      VECTOR_FAULT("EK1511", multiplies_what_another_core_overwrites, "read after write")
          .on(2)
          .between_two(),
  };
}

}  // namespace faults
