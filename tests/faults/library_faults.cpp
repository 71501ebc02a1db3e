// EK1303, EK1304 round calls of the library, without the order that the compiler inserts: the call
// is named at the author's line, and what it does inside is nobody's fault.
#include "corpus.h"
#include "static_tensors.h"

using namespace AscendC;

namespace faults {
namespace {

opkit::core::CheckedOptions source_order() {
  opkit::core::CheckedOptions options;
  options.automatic_order = false;
  return options;
}

LocalTensor<uint8_t> room() { return LocalTensor<uint8_t>(TPosition::VECCALC, 32768, 32768); }

// Sigmoid-like calls of several instructions on what the vector pipe has just made.
template <bool kFault>
void makes_and_calls_gelu(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  Duplicate(t.x, 0.5f, 64);
  if (!kFault) PipeBarrier<PIPE_V>();
  Gelu(t.z, t.x, room(), 64u);  // FAULT: makes_and_calls_gelu
  t.store(64);
}

template <bool kFault>
void goes_on_with_the_sums(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  DataCopy(t.x, t.gx, 256);
  order<HardEvent::MTE2_V>();
  CumSum<float>(t.z, t.y, t.x, room(), CumSumInfo{8, 32});
  if (!kFault) PipeBarrier<PIPE_V>();
  Adds(t.z, t.z, 1.0f, 256);  // FAULT: goes_on_with_the_sums
  t.store(256);
}

template <bool kFault>
void calls_before_the_copy_has_come(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  DataCopy(t.x, t.gx, 256);
  if (!kFault) order<HardEvent::MTE2_V>();
  Power(t.z, t.x, 2.0f, 256u);  // FAULT: calls_before_the_copy_has_come
  t.store(256);
}

// Twice the same line: the rounds are two calls.
template <bool kFault>
void calls_in_a_loop(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  DataCopy(t.x, t.gx, 256);
  order<HardEvent::MTE2_V>();
  for (int i = 0; i < 2; ++i) {
    Silu(t.z, t.x, 256u);  // FAULT: calls_in_a_loop
    if (!kFault) PipeBarrier<PIPE_V>();
  }
  t.store(256);
}

}  // namespace

Family library_faults() {
  return {
      VECTOR_FAULT("EK1304", makes_and_calls_gelu, "read after write")
          .with(source_order())
          .between_two(),
      VECTOR_FAULT("EK1304", goes_on_with_the_sums, "of UB").with(source_order()).between_two(),
      VECTOR_FAULT("EK1303", calls_before_the_copy_has_come, "read after write").between_two(),
      VECTOR_FAULT("EK1304", calls_in_a_loop, "write after write")
          .with(source_order())
          .between_two(),
  };
}

}  // namespace faults
