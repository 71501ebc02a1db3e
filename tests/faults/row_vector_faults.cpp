// EK1725: Mmad with m = 1 on fractals. Page "Mmad": the left matrix is then read as it lies, k
// elements one after the other.
#include "corpus.h"
#include "static_tensors.h"

using namespace AscendC;

namespace faults {
namespace {

constexpr uint16_t kDepth = 256;  // k

struct Row {
  LocalTensor<half> a1{TPosition::A1, 0, 4096}, b1{TPosition::B1, 16384, 4096};
  LocalTensor<half> a{TPosition::A2, 0, 4096}, b{TPosition::B2, 0, 4096};
  LocalTensor<float> c{TPosition::CO1, 0, 256};
  GlobalTensor<half> gx;

  __aicore__ inline explicit Row(GM_ADDR x) {
    gx.SetGlobalBuffer((__gm__ half*)x, 2 * kElements);
    DataCopy(b1, gx, 4096);
  }
  // A to L0A, `fractals` of them, and B to L0B.
  __aicore__ inline void load(uint8_t fractals, bool transpose = false) {
    order<HardEvent::MTE2_MTE1>();
    LoadData(b, b1, LoadData2DParams(0, 16, 1, 0, 0, false, 0));
    LoadData(a, a1, LoadData2DParams(0, fractals, 1, 0, 0, transpose, 0));
    order<HardEvent::MTE1_M>();
  }
};

template <bool kFault>
void multiplies_a_row_in_fractals(GM_ADDR x, GM_ADDR, GM_ADDR, GM_ADDR) {
  Row t(x);
  if (kFault)
    DataCopy(t.a1, t.gx, Nd2NzParams(1, 1, kDepth, 0, kDepth, 16, 1, 0));
  else
    DataCopy(t.a1, t.gx, kDepth);
  t.load(kFault ? 16 : 1);
  const MmadParams p(1, 16, kDepth, 0, false, true);
  Mmad(t.c, t.a, t.b, p);  // FAULT: multiplies_a_row_in_fractals
}

template <bool kFault>
void takes_one_row_of_a_matrix(GM_ADDR x, GM_ADDR, GM_ADDR, GM_ADDR) {
  Row t(x);
  DataCopy(t.a1, t.gx, Nd2NzParams(1, 16, 64, 0, 64, 16, 1, 0));
  t.load(4);
  const MmadParams p(kFault ? 1 : 16, 16, 64, 0, false, true);
  Mmad(t.c, t.a, t.b, p);  // FAULT: takes_one_row_of_a_matrix
}

template <bool kFault>
void multiplies_turned_fractals(GM_ADDR x, GM_ADDR, GM_ADDR, GM_ADDR) {
  Row t(x);
  DataCopy(t.a1, t.gx, 1024);
  t.load(4, kFault);
  const MmadParams p(1, 16, 64, 0, false, true);
  Mmad(t.c, t.a, t.b, p);  // FAULT: multiplies_turned_fractals
}

}  // namespace

Family row_vector_faults() {
  return {
      CUBE_FAULT("EK1725", multiplies_a_row_in_fractals, "a plain row of 256 elements"),
      CUBE_FAULT("EK1725", takes_one_row_of_a_matrix, "L0A holds it in fractals"),
      CUBE_FAULT("EK1725", multiplies_turned_fractals, "a plain row of 64 elements"),
  };
}

}  // namespace faults
