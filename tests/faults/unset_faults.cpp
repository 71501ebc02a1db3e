// EK1301, EK1302: where values that nobody made go. Every twin computes with the same unset lanes
// and lets them die.
#include "corpus.h"
#include "static_tensors.h"

using namespace AscendC;

namespace faults {
namespace {

constexpr uint32_t kLoaded = 24;  // elements; the rest of a repeat of 64 is padding

// x[0..24) has values.
__aicore__ inline void load_a_part(Tensors& t) {
  DataCopyPadExtParams<float> pad{false, 0, 0, 0};
  DataCopyPad(t.x, t.gx, DataCopyExtParams(1, kLoaded * 4, 0, 0, 0), pad);
  order<HardEvent::MTE2_V>();
}

template <bool kFault>
void passes_through_three_instructions(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  load_a_part(t);
  Exp(t.y, t.x, 64);  // FAULT: passes_through_three_instructions
  PipeBarrier<PIPE_V>();
  Muls(t.y, t.y, 2.0f, 64);
  PipeBarrier<PIPE_V>();
  Adds(t.z, t.y, 1.0f, 64);
  t.store(kFault ? 32 : 24);
}

template <bool kFault>
void sums_up_the_padding(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  load_a_part(t);
  Duplicate(t.z, 0.0f, 64);
  PipeBarrier<PIPE_V>();
  WholeReduceSum(t.z, t.x, kFault ? 64 : 24, 1, 1, 1, 8);  // FAULT: sums_up_the_padding
  t.store(8);
}

// The padding is replaced before anybody adds it.
template <bool kFault>
void selects_the_wrong_half(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  load_a_part(t);
  LocalTensor<float> index(TPosition::VECCALC, 24576, 64);
  LocalTensor<uint8_t> bits(TPosition::VECCALC, 25600, 32);
  CreateVecIndex(index.ReinterpretCast<int32_t>(), 0, 64);
  PipeBarrier<PIPE_V>();
  Cast(index, index.ReinterpretCast<int32_t>(), RoundMode::CAST_NONE, 64);
  PipeBarrier<PIPE_V>();
  CompareScalar(bits, index, 24.0f, kFault ? CMPMODE::GE : CMPMODE::LT, 64);
  PipeBarrier<PIPE_V>();
  const auto mode = SELMODE::VSEL_TENSOR_SCALAR_MODE;
  Select(t.z, bits, t.x, 0.0f, mode, 64);  // FAULT: selects_the_wrong_half
  t.store(64);
}

// A compare of padding makes bits that nobody made, next to bits that count.
template <bool kFault>
void lets_unset_bits_select(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  load_a_part(t);
  LocalTensor<uint8_t> bits(TPosition::VECCALC, 25600, 32);
  Duplicate(t.y, 1.0f, 64);
  PipeBarrier<PIPE_V>();
  CompareScalar(bits, t.x, 1.0f, CMPMODE::LT, 64);  // FAULT: lets_unset_bits_select
  PipeBarrier<PIPE_V>();
  Select(t.z, bits, t.y, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 64);
  order<HardEvent::V_MTE3>();
  DataCopyPad(t.gz, t.z, DataCopyExtParams(1, (kLoaded + kFault) * 4, 0, 0, 0));
}

// Masks are combined bit by bit, in 16-bit words: a set byte stays set beside an unset one.
template <bool kFault>
void combines_unset_bits(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  load_a_part(t);
  LocalTensor<uint8_t> bits(TPosition::VECCALC, 25600, 32), more(TPosition::VECCALC, 25632, 32);
  Duplicate(t.y, 1.0f, 64);
  PipeBarrier<PIPE_V>();
  CompareScalar(bits, t.x, 1.0f, CMPMODE::LT, 64);
  CompareScalar(more, t.x, 0.0f, CMPMODE::GT, 64);  // FAULT: combines_unset_bits
  PipeBarrier<PIPE_V>();
  And(bits.ReinterpretCast<uint16_t>(), bits.ReinterpretCast<uint16_t>(),
      more.ReinterpretCast<uint16_t>(), 16);
  PipeBarrier<PIPE_V>();
  Select(t.z, bits, t.y, 0.0f, SELMODE::VSEL_TENSOR_SCALAR_MODE, 64);
  order<HardEvent::V_MTE3>();
  DataCopyPad(t.gz, t.z, DataCopyExtParams(1, (kLoaded + kFault) * 4, 0, 0, 0));
}

template <bool kFault>
void gathers_by_unset_offsets(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  load_a_part(t);
  LocalTensor<int32_t> offsets(TPosition::VECCALC, 24576, 64), zeros(TPosition::VECCALC, 28672, 64);
  Duplicate(zeros, 0, kFault ? 56 : 64);
  PipeBarrier<PIPE_V>();
  Adds(offsets, zeros, 0, 64);  // FAULT: gathers_by_unset_offsets
  PipeBarrier<PIPE_V>();
  ShiftLeft(offsets.ReinterpretCast<uint32_t>(), offsets.ReinterpretCast<uint32_t>(), 31u, 64);
  PipeBarrier<PIPE_V>();
  ShiftRight(offsets.ReinterpretCast<uint32_t>(), offsets.ReinterpretCast<uint32_t>(), 29u, 64);
  PipeBarrier<PIPE_V>();
  Gather(t.z, t.x, offsets.ReinterpretCast<uint32_t>(), 0, 64);
  t.store(64);
}

template <bool kFault>
void packs_by_unset_bits(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  load_a_part(t);
  LocalTensor<uint8_t> bits(TPosition::VECCALC, 25600, 32);
  Duplicate(t.z, 0.0f, 64);
  Duplicate(t.y, 1.0f, 64);
  PipeBarrier<PIPE_V>();
  CompareScalar(bits, t.x, 1.0f, CMPMODE::LT, 64);  // FAULT: packs_by_unset_bits
  PipeBarrier<PIPE_V>();
  uint64_t kept = 0;
  GatherMask(t.z, t.y, bits.ReinterpretCast<uint32_t>(), true, kFault ? 64 : 24, {1, 1, 8, 0},
             kept);
  t.store(16);
}

template <bool kFault>
void branches_on_an_unset_maximum(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  load_a_part(t);
  LocalTensor<float> room(TPosition::VECCALC, 24576, 64);
  ReduceMax(t.z, t.x, room, kFault ? 32 : 24);  // FAULT: branches_on_an_unset_maximum
  order<HardEvent::V_S>();
  Duplicate(t.y, t.z.GetValue(0), 64);
  order<HardEvent::V_MTE3>();
  DataCopy(t.gz, t.y, 64);
}

// Half of the workspace is written; the other half is loaded and dies in UB.
template <bool kFault>
void carries_unset_workspace_on(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  Duplicate(t.y, 1.0f, kTile / 2);
  order<HardEvent::V_MTE3>();
  DataCopy(t.gw, t.y, kTile / 2);
  order<HardEvent::MTE3_MTE2>();
  DataCopy(t.x, t.gw, kTile);  // FAULT: carries_unset_workspace_on
  order<HardEvent::MTE2_V>();
  Cast(t.z.ReinterpretCast<half>(), t.x, RoundMode::CAST_NONE, kTile);
  order<HardEvent::V_MTE3>();
  DataCopy(t.gw[1024], t.z, kTile / 2);
  order<HardEvent::MTE3_MTE2>();
  DataCopy(t.x, t.gw[1024], kTile / 2);
  order<HardEvent::MTE2_MTE3>();
  DataCopy(t.gz, t.x, kFault ? kTile / 2 : kTile / 4);
}

// What a later copy overwrites did no harm.
template <bool kFault>
void leaves_unset_bytes_in_the_output(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  load_a_part(t);
  Adds(t.z, t.x, 1.0f, 64);  // FAULT: leaves_unset_bytes_in_the_output
  t.store(64);
  Duplicate(t.y, 0.0f, 64);
  order<HardEvent::V_MTE3>();
  PipeBarrier<PIPE_MTE3>();
  DataCopy(t.gz[kFault ? 32 : 24], t.y, 40);
}

}  // namespace

Family unset_faults() {
  return {
      VECTOR_FAULT("EK1301", passes_through_three_instructions,
                   "is left in bytes 96 to 128 of GM tensor 'z'"),
      VECTOR_FAULT("EK1301", sums_up_the_padding, "is left in bytes 0 to 4 of GM tensor 'z'"),
      VECTOR_FAULT("EK1301", selects_the_wrong_half, "is left in bytes 96 to 256"),
      VECTOR_FAULT("EK1301", lets_unset_bits_select, "is left in bytes 96 to 100"),
      VECTOR_FAULT("EK1301", combines_unset_bits, "is left in bytes 96 to 100"),
      VECTOR_FAULT("EK1301", gathers_by_unset_offsets, "is taken as an offset"),
      VECTOR_FAULT("EK1301", packs_by_unset_bits, "chooses which elements are kept"),
      VECTOR_FAULT("EK1301", branches_on_an_unset_maximum, "becomes a scalar"),
      VECTOR_FAULT("EK1302", carries_unset_workspace_on, "is left in bytes 256 to 512"),
      VECTOR_FAULT("EK1301", leaves_unset_bytes_in_the_output, "is left in bytes 96 to 128"),
  };
}

}  // namespace faults
