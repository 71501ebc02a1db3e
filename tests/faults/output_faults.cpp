// EK1315: outputs that the launch does not write as a whole.
#include "corpus.h"

using namespace AscendC;

namespace faults {
namespace {

constexpr uint32_t kTile = 512;

// A tile of ones in UB, ready to be copied out.
__aicore__ inline LocalTensor<float> ones() {
  LocalTensor<float> tile(TPosition::VECOUT, 0, kTile);
  Duplicate(tile, 1.0f, (int32_t)kTile);
  SetFlag<HardEvent::V_MTE3>(0);
  WaitFlag<HardEvent::V_MTE3>(0);
  return tile;
}

__aicore__ inline GlobalTensor<float> output(GM_ADDR z) {
  GlobalTensor<float> tensor;
  tensor.SetGlobalBuffer((__gm__ float*)z, kElements);
  return tensor;
}

template <bool kFault>
void forgets_the_last_tile(GM_ADDR, GM_ADDR, GM_ADDR z, GM_ADDR) {
  const LocalTensor<float> tile = ones();
  const uint32_t end = kFault ? kElements - kTile : kElements;
  for (uint32_t i = 0; i < end; i += kTile)
    DataCopy(output(z)[i], tile, kTile);  // FAULT: forgets_the_last_tile
}

template <bool kFault>
void leaves_gaps_between_tiles(GM_ADDR, GM_ADDR, GM_ADDR z, GM_ADDR) {
  const LocalTensor<float> tile = ones();
  const uint32_t count = kFault ? kTile - 8 : kTile;
  for (uint32_t i = 0; i < kElements; i += kTile)
    DataCopy(output(z)[i], tile, count);  // FAULT: leaves_gaps_between_tiles
}

template <bool kFault>
void a_block_does_nothing(GM_ADDR, GM_ADDR, GM_ADDR z, GM_ADDR) {
  const uint32_t half = kElements / 2, first = (uint32_t)GetBlockIdx() * half;
  if (kFault && GetBlockIdx() == 1) return;
  const LocalTensor<float> tile = ones();
  for (uint32_t i = first; i < first + half; i += kTile)
    DataCopy(output(z)[i], tile, kTile);  // FAULT: a_block_does_nothing
}

// The gap is in front of everything that is written.
template <bool kFault>
void starts_at_the_second_row(GM_ADDR, GM_ADDR, GM_ADDR z, GM_ADDR) {
  const LocalTensor<float> tile = ones();
  for (uint32_t i = kFault ? kTile : 0; i < kElements; i += kTile)
    DataCopy(output(z)[i], tile, kTile);  // FAULT: starts_at_the_second_row
}

}  // namespace

Family output_faults() {
  return {
      VECTOR_FAULT("EK1315", forgets_the_last_tile,
                   "2048 of 16384 bytes of output 'z' are never written: bytes 14336 to 16384")
          .with_whole_output(),
      VECTOR_FAULT("EK1315", leaves_gaps_between_tiles,
                   "256 of 16384 bytes of output 'z' are never written: bytes 2016 to 2048 and 7 "
                   "more ranges")
          .with_whole_output(),
      VECTOR_FAULT("EK1315", a_block_does_nothing, "8192 of 16384 bytes").on(2).with_whole_output(),
      VECTOR_FAULT("EK1315", starts_at_the_second_row, "bytes 0 to 2048").with_whole_output(),
  };
}

}  // namespace faults
