// EK1318, EK1319: scalars of GM in lines of the scalar cache.
#include "corpus.h"
#include "static_tensors.h"

using namespace AscendC;

namespace faults {
namespace {

template <typename T>
__aicore__ inline void clean(const GlobalTensor<T>& tensor) {
  DataCacheCleanAndInvalid<T, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(tensor);
}

// --- EK1318 -------------------------------------------------------------------------------------

template <bool kFault>
void copies_what_set_value_wrote(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  for (uint32_t i = 0; i < 8; ++i) t.gw.SetValue(i, 2.0f);
  if constexpr (!kFault)
    DataCacheCleanAndInvalid<float, CacheLine::ENTIRE_DATA_CACHE, DcciDst::CACHELINE_OUT>(t.gw);
  order<HardEvent::S_MTE2>();
  DataCopy(t.x, t.gw, 8);  // FAULT: copies_what_set_value_wrote
}

template <bool kFault>
void reads_an_old_line_again(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  float last = 0;
  for (uint32_t round = 0; round < 2; ++round) {
    Duplicate(t.z, last + 1.0f, kTile);
    order<HardEvent::V_MTE3>();
    PipeBarrier<PIPE_MTE3>();
    DataCopy(t.gw, t.z, kTile);
    order<HardEvent::MTE3_S>();
    if constexpr (!kFault) clean(t.gw[3]);
    last += t.gw.GetValue(3);  // FAULT: reads_an_old_line_again
    order<HardEvent::S_MTE3>();
    order<HardEvent::MTE3_V>();
  }
}

template <bool kFault>
void tells_another_core_through_the_cache(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  if (GetBlockIdx() == 0) {
    for (uint32_t i = 0; i < 8; ++i) t.gw.SetValue(i, 3.0f);
    if constexpr (!kFault) {
      clean(t.gw);
      clean(t.gw[7]);
    }
  }
  SyncAll();
  if (GetBlockIdx() == 1) DataCopy(t.x, t.gw, 8);  // FAULT: tells_another_core_through_the_cache
}

// --- EK1319 -------------------------------------------------------------------------------------

template <bool kFault>
void every_core_sets_its_own_float(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  const uint64_t at = (uint64_t)GetBlockIdx() * (kFault ? 1 : 16);
  t.gz.SetValue(at, 1.0f);  // FAULT: every_core_sets_its_own_float
}

template <bool kFault>
void every_core_sets_its_own_byte(GM_ADDR, GM_ADDR, GM_ADDR z, GM_ADDR) {
  GlobalTensor<int8_t> gz;
  gz.SetGlobalBuffer((__gm__ int8_t*)z);
  const uint64_t at = (uint64_t)GetBlockIdx() * (kFault ? 1 : 64);
  gz.SetValue(at, (int8_t)1);  // FAULT: every_core_sets_its_own_byte
}

template <bool kFault>
void keeps_a_line_over_the_barrier(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  if (GetBlockIdx() == 0) {
    t.gw.SetValue(0, 1.0f);
    if constexpr (!kFault) clean(t.gw);
  }
  SyncAll();
  if (GetBlockIdx() == 1) t.gw.SetValue(1, 2.0f);  // FAULT: keeps_a_line_over_the_barrier
}

// Each core writes its line back at once, and with it what the line held before.
template <bool kFault>
void writes_one_line_back_in_turn(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  const uint64_t at = (uint64_t)GetBlockIdx() * (kFault ? 1 : 16);
  t.gz.SetValue(at, 1.0f);  // FAULT: writes_one_line_back_in_turn
  clean(t.gz[at]);
}

template <bool kFault>
void copies_into_a_line_of_scalars(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  if (GetBlockIdx() == 0) {
    t.gw.SetValue(0, 1.0f);
    clean(t.gw);
    return;
  }
  DataCopy(t.x, t.gx, 8);
  order<HardEvent::MTE2_MTE3>();
  DataCopy(t.gw[kFault ? 8 : 16], t.x, 8);  // FAULT: copies_into_a_line_of_scalars
}

}  // namespace

Family cache_faults() {
  return {
      VECTOR_FAULT("EK1318", copies_what_set_value_wrote, "SetValue has left").between_two(),
      VECTOR_FAULT("EK1318", reads_an_old_line_again, "bytes 12 to 16 of GM tensor 'workspace'")
          .between_two(),
      VECTOR_FAULT("EK1318", tells_another_core_through_the_cache, "SetValue has left")
          .on(2)
          .between_two(),
      VECTOR_FAULT("EK1319", every_core_sets_its_own_float, "bytes 4 to 8 of GM tensor 'z'")
          .on(2)
          .between_two(),
      VECTOR_FAULT("EK1319", every_core_sets_its_own_byte, "bytes 1 to 2 of GM tensor 'z'")
          .on(2)
          .between_two(),
      VECTOR_FAULT("EK1319", keeps_a_line_over_the_barrier, "bytes 4 to 8").on(2).between_two(),
      VECTOR_FAULT("EK1319", writes_one_line_back_in_turn, "into a line of 64 bytes that another")
          .on(2)
          .between_two(),
      VECTOR_FAULT("EK1319", copies_into_a_line_of_scalars, "bytes 32 to 64").on(2).between_two(),
  };
}

}  // namespace faults
