// EK1801 to EK1803: advanced vector calls.
#include "corpus.h"

using namespace AscendC;

namespace faults {
namespace {

// Tensors of 4 KiB at the start of UB, filled, and a temporary.
struct Advanced {
  TPipe pipe;
  TBuf<TPosition::VECCALC> room;
  LocalTensor<float> d, a, b;
  LocalTensor<uint8_t> tmp;

  __aicore__ inline explicit Advanced(uint32_t temporary) {
    pipe.InitBuffer(room, 3 * 4096 + 16384);
    d = room.GetWithOffset<float>(1024, 0);
    a = room.GetWithOffset<float>(1024, 4096);
    b = room.GetWithOffset<float>(1024, 8192);
    tmp = room.GetWithOffset<uint8_t>(temporary, 12288);
    Duplicate(a, 1.0f, 1024);
    Duplicate(b, 1.0f, 1024);
  }
};

__aicore__ inline SoftMaxTiling rows_of(uint32_t rows, uint32_t length) {
  SoftMaxTiling t;
  t.srcM = rows;
  t.srcK = length;
  return t;
}

// --- EK1801: temporaries ------------------------------------------------------------------------

template <bool kFault>
void gelu_with_a_small_temporary(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Advanced t(kFault ? 32 : 16384);
  Gelu(t.d, t.a, t.tmp, 100u);  // FAULT: gelu_with_a_small_temporary
}

template <bool kFault>
void softmax_with_a_small_temporary(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Advanced t(kFault ? 64 : 16384);
  SoftMax<float>(t.d, t.a, t.tmp, rows_of(2, 16));  // FAULT: softmax_with_a_small_temporary
}

// The rest of UB is the temporary, and TPipe has given out nearly all of it.
template <bool kFault>
void no_room_is_left_for_the_temporary(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Advanced t(32);
  TBuf<TPosition::VECCALC> rest;
  if constexpr (kFault) t.pipe.InitBuffer(rest, 196608 - 28672);
  Gelu(t.d, t.a, 100u);  // FAULT: no_room_is_left_for_the_temporary
}

// --- EK1802: shapes -----------------------------------------------------------------------------

template <bool kFault>
void softmax_of_crooked_rows(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Advanced t(16384);
  SoftMax<float>(t.d, t.a, t.tmp, rows_of(2, kFault ? 15 : 16));  // FAULT: softmax_of_crooked_rows
}

template <bool kFault>
void broadcasts_crooked_rows(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Advanced t(16384);
  constexpr uint32_t n = kFault ? 7 : 8;
  const uint32_t from[] = {1, n}, to[] = {3, n};
  Broadcast<float, 2, 0>(t.d, t.a, to, from, t.tmp);  // FAULT: broadcasts_crooked_rows
}

template <bool kFault>
void sums_more_than_a_row(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Advanced t(16384);
  Sum(t.d, t.a, t.tmp, SumParams{1, 16, kFault ? 17u : 16u});  // FAULT: sums_more_than_a_row
}

// --- EK1803: overlap ----------------------------------------------------------------------------

template <bool kFault>
void silu_in_place(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Advanced t(32);
  Silu(kFault ? t.a : t.d, t.a, 100u);  // FAULT: silu_in_place
}

template <bool kFault>
void power_onto_its_base(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Advanced t(32);
  Power(kFault ? t.a : t.d, t.a, 2.0f, 100u);  // FAULT: power_onto_its_base
}

template <bool kFault>
void silu_onto_the_middle_of_its_source(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Advanced t(32);
  auto target = kFault ? t.a[64] : t.d[64];
  Silu(target, t.a, 128u);  // FAULT: silu_onto_the_middle_of_its_source
}

template <bool kFault>
void tanh_in_place(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Advanced t(32);
  Tanh(kFault ? t.a : t.d, t.a, 100u);  // FAULT: tanh_in_place
}

template <bool kFault>
void rms_norm_onto_gamma(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Advanced t(16384);
  RmsNormTiling rows;
  rows.bLength = rows.sLength = 1;
  rows.hLength = rows.originalHLength = 64;
  RmsNorm(kFault ? t.b : t.d, t.a, t.b, t.tmp, 0.01f, rows);  // FAULT: rms_norm_onto_gamma
}

template <bool kFault>
void gelu_with_its_source_as_temporary(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  Advanced t(16384);
  auto tmp = kFault ? t.a[64].ReinterpretCast<uint8_t>() : t.tmp;
  Gelu(t.d, t.a, tmp, 100u);  // FAULT: gelu_with_its_source_as_temporary
}

}  // namespace

Family advanced_faults() {
  return {
      VECTOR_FAULT("EK1801", gelu_with_a_small_temporary, "temporary buffer, but has 32"),
      VECTOR_FAULT("EK1801", softmax_with_a_small_temporary, "SoftMax: needs"),
      VECTOR_FAULT("EK1801", no_room_is_left_for_the_temporary, "Gelu: needs"),
      VECTOR_FAULT("EK1802", softmax_of_crooked_rows, "multiple of 32"),
      VECTOR_FAULT("EK1802", broadcasts_crooked_rows, "it is 28"),
      VECTOR_FAULT("EK1802", sums_more_than_a_row, "it is 17"),
      VECTOR_FAULT("EK1803", silu_in_place, "overlap"),
      VECTOR_FAULT("EK1803", power_onto_its_base, "overlap"),
      VECTOR_FAULT("EK1803", silu_onto_the_middle_of_its_source, "overlap"),
      VECTOR_FAULT("EK1803", tanh_in_place, "Tanh"),
      VECTOR_FAULT("EK1803", rms_norm_onto_gamma, "RmsNorm"),
      VECTOR_FAULT("EK1803", gelu_with_its_source_as_temporary, "sharedTmpBuffer"),
  };
}

}  // namespace faults
