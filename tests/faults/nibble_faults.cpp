// EK1013, EK1805: tensors of int4b_t cut in the middle of a byte; UnPad with nothing to take off.
#include "corpus.h"
#include "static_tensors.h"

using namespace AscendC;

namespace faults {
namespace {

// --- EK1013: page "LocalTensor": two elements of int4b_t share a byte ---------------------------

LocalTensor<int4b_t> nibbles(uint32_t byte) {
  return LocalTensor<int4b_t>(TPosition::VECCALC, byte, 512);
}

template <bool kFault>
void widens_from_an_odd_index(GM_ADDR x, GM_ADDR, GM_ADDR, GM_ADDR) {
  GlobalTensor<int4b_t> gx;
  gx.SetGlobalBuffer((__gm__ int4b_t*)x);
  DataCopy(nibbles(0), gx, 512);
  order<HardEvent::MTE2_V>();
  const LocalTensor<half> h(TPosition::VECCALC, 4096, 64);
  const auto part = nibbles(0)[kFault ? 63 : 64];  // FAULT: widens_from_an_odd_index
  Cast(h, part, RoundMode::CAST_NONE, 64);
}

template <bool kFault>
void loads_from_an_odd_index(GM_ADDR x, GM_ADDR, GM_ADDR, GM_ADDR) {
  GlobalTensor<int4b_t> gx;
  gx.SetGlobalBuffer((__gm__ int4b_t*)x, 1024);
  DataCopy(nibbles(0), gx[kFault ? 129 : 128], 64);  // FAULT: loads_from_an_odd_index
}

template <bool kFault>
void points_at_an_odd_index(GM_ADDR x, GM_ADDR, GM_ADDR, GM_ADDR) {
  GlobalTensor<int4b_t> gx;
  gx.SetGlobalBuffer((__gm__ int4b_t*)x, 1024);
  GlobalTensor<int4b_t> part;
  int4b_t* first = gx.GetPhyAddr(kFault ? 3 : 2);  // FAULT: points_at_an_odd_index
  part.SetGlobalBuffer(first);
  DataCopy(nibbles(0), part, 64);
}

// --- EK1805: page "UnPad": rightPad is more than 0 ----------------------------------------------

UnPadTiling rows_of(uint32_t width) {
  UnPadTiling tiling{};
  tiling.srcHeight = 2;
  tiling.srcWidth = width;
  return tiling;
}
LocalTensor<uint8_t> room() { return LocalTensor<uint8_t>(TPosition::VECCALC, 65536, 32768); }

template <bool kFault>
void takes_no_column_off(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  UnPadTiling rows = rows_of(32);
  DataCopy(t.x, t.gx, 64);
  order<HardEvent::MTE2_V>();
  const uint16_t off = kFault ? 0 : 4;
  UnPad(t.z, t.x, UnPadParams{0, off}, room(), rows);  // FAULT: takes_no_column_off
  t.store(56);
}

template <bool kFault>
void takes_no_column_off_words(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  UnPadTiling rows = rows_of(64);
  const auto words = t.x.ReinterpretCast<int16_t>(), less = t.z.ReinterpretCast<int16_t>();
  DataCopy(t.x, t.gx, 64);
  order<HardEvent::MTE2_V>();
  const uint16_t off = kFault ? 0 : 8;
  UnPad(less, words, UnPadParams{0, off}, room(), rows);  // FAULT: takes_no_column_off_words
  t.store(56);
}

// What is left over of a row that fills its blocks, in the rest of UB.
template <bool kFault>
void takes_the_remainder_off(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  TPipe pipe;
  Tensors t(x, y, z, w);
  TBuf<TPosition::VECCALC> used;
  pipe.InitBuffer(used, 32768);
  UnPadTiling rows = rows_of(32);
  DataCopy(t.x, t.gx, 64);
  order<HardEvent::MTE2_V>();
  const uint32_t columns = kFault ? 32 : 31;
  const UnPadParams params{0, static_cast<uint16_t>(32 - columns)};
  UnPad(t.z, t.x, params, rows);  // FAULT: takes_the_remainder_off
  t.store(56);
}

}  // namespace

Family nibble_faults() {
  return {
      VECTOR_FAULT("EK1013", widens_from_an_odd_index, "in the middle of a byte"),
      VECTOR_FAULT("EK1013", loads_from_an_odd_index, "cut at an odd index"),
      VECTOR_FAULT("EK1013", points_at_an_odd_index, "int4b_t"),
      VECTOR_FAULT("EK1805", takes_no_column_off, "rightPad is 0"),
      VECTOR_FAULT("EK1805", takes_no_column_off_words, "copied as they are"),
      VECTOR_FAULT("EK1805", takes_the_remainder_off, "UnPad"),
  };
}

}  // namespace faults
