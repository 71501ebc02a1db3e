// EK1012, EK1014 to EK1016, EK1804: copies of other lengths than they seem; constants into GM at
// the wrong time, and what comes behind them too early.
#include "corpus.h"
#include "static_tensors.h"

using namespace AscendC;

namespace faults {
namespace {

// --- EK1012: page "DataCopy": the amount is rounded down to 32 bytes ----------------------------

template <bool kFault>
void loads_less_than_a_block(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  DataCopy(t.x, t.gx, kFault ? 7 : 8);  // FAULT: loads_less_than_a_block
}

template <bool kFault>
void stores_less_than_a_block(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  Duplicate(t.z, 1.0f, 64);
  order<HardEvent::V_MTE3>();
  DataCopy(t.gz, t.z, kFault ? 4 : 8);  // FAULT: stores_less_than_a_block
}

template <bool kFault>
void loads_half_a_block_of_nibbles(GM_ADDR x, GM_ADDR, GM_ADDR, GM_ADDR) {
  GlobalTensor<int4b_t> gx;
  gx.SetGlobalBuffer((__gm__ int4b_t*)x);
  LocalTensor<int4b_t> t(TPosition::VECIN, 0, 64);
  DataCopy(t, gx, kFault ? 31 : 64);  // FAULT: loads_half_a_block_of_nibbles
}

// --- EK1014: counts of no whole blocks ----------------------------------------------------------

template <bool kFault>
void loads_a_tail_by_count(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  if constexpr (kFault)
    DataCopy(t.x, t.gx, 50);  // FAULT: loads_a_tail_by_count
  else
    DataCopyPad(t.x, t.gx, DataCopyExtParams(1, 200, 0, 0, 0),
                DataCopyPadExtParams<float>(false, 0, 0, 0.0f));
}

template <bool kFault>
void stores_a_tail_by_count(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  Duplicate(t.z, 1.0f, 64);
  order<HardEvent::V_MTE3>();
  if constexpr (kFault)
    DataCopy(t.gz, t.z, 50);  // FAULT: stores_a_tail_by_count
  else
    DataCopyPad(t.gz, t.z, DataCopyExtParams(1, 200, 0, 0, 0));
}

template <bool kFault>
void copies_a_tail_within_ub(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  Duplicate(t.x, 1.0f, 64);
  PipeBarrier<PIPE_V>();
  DataCopy(t.z, t.x, kFault ? 20 : 24);  // FAULT: copies_a_tail_within_ub
}

// --- EK1015: lengths that wrap in 16 bits -------------------------------------------------------

// The faulty kernels take their tensor for one of more than 65535 bytes, and copy it at once.
template <typename T, bool kFault>
__aicore__ inline GlobalTensor<T> whole_or_part(GM_ADDR from, uint64_t elements, uint64_t part) {
  GlobalTensor<T> tensor;
  tensor.SetGlobalBuffer((__gm__ T*)from, kFault ? elements : part);
  return tensor;
}

template <bool kFault>
void loads_a_length_that_wrapped(GM_ADDR x, GM_ADDR, GM_ADDR, GM_ADDR) {
  const auto gx = whole_or_part<int16_t, kFault>(x, 35000, 2232);
  const LocalTensor<int16_t> in(TPosition::VECIN, 0, 35008);
  const DataCopyParams p(1, static_cast<uint16_t>(70000), 0, 0);
  DataCopyPad(in, gx, p, DataCopyPadParams());  // FAULT: loads_a_length_that_wrapped
}

template <bool kFault>
void loads_bytes_that_wrapped(GM_ADDR x, GM_ADDR, GM_ADDR, GM_ADDR) {
  const auto gx = whole_or_part<int8_t, kFault>(x, 131172, 100);
  const LocalTensor<int8_t> in(TPosition::VECIN, 0, 131200);
  const DataCopyParams p(1, static_cast<uint16_t>(131172), 0, 0);
  DataCopyPad(in, gx, p, DataCopyPadParams());  // FAULT: loads_bytes_that_wrapped
}

template <bool kFault>
void stores_a_length_that_wrapped(GM_ADDR, GM_ADDR, GM_ADDR z, GM_ADDR) {
  const auto gz = whole_or_part<float, kFault>(z, 17000, 616);
  const LocalTensor<float> out(TPosition::VECOUT, 0, 17000);
  Duplicate(out, 1.0f, 616);
  order<HardEvent::V_MTE3>();
  const DataCopyParams p(1, static_cast<uint16_t>(17000 * sizeof(float)), 0, 0);
  DataCopyPad(gz, out, p);  // FAULT: stores_a_length_that_wrapped
}

// --- EK1016: filler of DataCopyPad --------------------------------------------------------------

// Two rows of 18 bytes lie 32 bytes apart in UB.
template <bool kFault>
void stores_rows_as_if_they_were_dense(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  GlobalTensor<half> gx, gz;
  gx.SetGlobalBuffer((__gm__ half*)x, 18);
  gz.SetGlobalBuffer((__gm__ half*)z, 18);
  LocalTensor<half> in(TPosition::VECIN, 0, 32), out(TPosition::VECOUT, 1024, 32);
  DataCopyPad(in, gx, DataCopyExtParams(2, 18, 0, 0, 0),
              DataCopyPadExtParams<half>(false, 0, 0, half(0)));
  order<HardEvent::MTE2_V>();
  Adds(out, in, half(1), kFault ? 18 : 32);
  order<HardEvent::V_MTE3>();
  const DataCopyExtParams p(kFault ? 1 : 2, kFault ? 36 : 18, 0, 0, 0);
  DataCopyPad(gz, out, p);  // FAULT: stores_rows_as_if_they_were_dense
}

template <bool kFault>
void stores_bytes_as_they_were_loaded(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR) {
  GlobalTensor<int8_t> gx, gz;
  gx.SetGlobalBuffer((__gm__ int8_t*)x, 60);
  gz.SetGlobalBuffer((__gm__ int8_t*)z, 60);
  LocalTensor<int8_t> rows(TPosition::VECIN, 0, 96);
  DataCopyPad(rows, gx, DataCopyExtParams(3, 20, 0, 0, 0),
              DataCopyPadExtParams<int8_t>(false, 0, 0, 0));
  order<HardEvent::MTE2_MTE3>();
  const DataCopyExtParams p(kFault ? 1 : 3, kFault ? 60 : 20, 0, 0, 0);
  DataCopyPad(gz, rows, p);  // FAULT: stores_bytes_as_they_were_loaded
}

template <bool kFault>
void stores_a_row_with_what_is_behind_it(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  DataCopyPad(t.x, t.gx, DataCopyExtParams(1, 40, 0, 0, 0),
              DataCopyPadExtParams<float>(false, 0, 0, 0.0f));
  order<HardEvent::MTE2_V>();
  Muls(t.z, t.x, 2.0f, 16);
  order<HardEvent::V_MTE3>();
  const DataCopyExtParams p(1, kFault ? 64 : 40, 0, 0, 0);
  DataCopyPad(t.gz, t.z, p);  // FAULT: stores_a_row_with_what_is_behind_it
}

// --- EK1804: page "InitGlobalMemory": before InitBuffer only ------------------------------------

// Calls fill(z) behind the first InitBuffer, or before it.
template <bool kFault, typename F>
void fill_beside_a_buffer(GM_ADDR z, F&& fill) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> buffer;
  GlobalTensor<float> gz;
  gz.SetGlobalBuffer((__gm__ float*)z, kElements);
  if (kFault) pipe.InitBuffer(buffer, 1024);
  fill(gz);
  if (!kFault) pipe.InitBuffer(buffer, 1024);
}

template <bool kFault>
void fills_behind_init_buffer(GM_ADDR, GM_ADDR, GM_ADDR z, GM_ADDR) {
  fill_beside_a_buffer<kFault>(z, [](GlobalTensor<float>& gz) {
    InitGlobalMemory(gz, kElements, 1.0f);  // FAULT: fills_behind_init_buffer
  });
}

template <bool kFault>
void clears_behind_a_queue(GM_ADDR, GM_ADDR, GM_ADDR z, GM_ADDR) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> queue;
  GlobalTensor<int32_t> gz;
  gz.SetGlobalBuffer((__gm__ int32_t*)z, kElements);
  if (kFault) pipe.InitBuffer(queue, 2, 2048);
  InitOutput(gz, kElements, 0);  // FAULT: clears_behind_a_queue
  if (!kFault) pipe.InitBuffer(queue, 2, 2048);
}

template <bool kFault>
void fills_between_two_buffers(GM_ADDR, GM_ADDR, GM_ADDR z, GM_ADDR) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> first, second;
  GlobalTensor<half> gz;
  gz.SetGlobalBuffer((__gm__ half*)z, 2 * kElements);
  if (kFault) pipe.InitBuffer(first, 64);
  InitGlobalMemory(gz, 100, half(0.5f));  // FAULT: fills_between_two_buffers
  if (!kFault) pipe.InitBuffer(first, 64);
  pipe.InitBuffer(second, 64);
}

// Page "Fill" has the same constraint.
template <bool kFault>
void fills_by_fill_behind_init_buffer(GM_ADDR, GM_ADDR, GM_ADDR z, GM_ADDR) {
  fill_beside_a_buffer<kFault>(z, [](GlobalTensor<float>& gz) {
    Fill(gz, kElements, 1.0f);  // FAULT: fills_by_fill_behind_init_buffer
  });
}

// --- EK1303, EK1511: page "InitGlobalMemory": what comes behind it waits ------------------------

// "设置MTE2流水等待MTE3流水(MTE3_MTE2)的同步"
template <bool kFault>
void loads_behind_a_fill(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  TPipe pipe;
  Tensors t(x, y, z, w);
  InitGlobalMemory(t.gz, kElements, 1.0f);
  if (!kFault) order<HardEvent::MTE3_MTE2>(1);
  DataCopy(t.x, t.gx, 8);  // FAULT: loads_behind_a_fill
}

// "所有核对Global Memory的初始化未必会同时结束 ... 可以在本接口后调用SyncAll"
template <bool kFault>
void adds_to_the_fill_of_another_core(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  TPipe pipe;
  Tensors t(x, y, z, w);
  if (GetBlockIdx() == 0) InitOutput(t.gz, 64, 0.0f);
  if (!kFault) SyncAll();
  if (GetBlockIdx() == 0) return;
  DataCopy(t.x, t.gx, 64);
  order<HardEvent::MTE2_MTE3>();
  SetAtomicAdd<float>();
  DataCopy(t.gz, t.x, 64);  // FAULT: adds_to_the_fill_of_another_core
  SetAtomicNone();
}

// Every core fills the whole output, and stores its part of the result.
template <bool kFault>
void fills_what_another_core_has_stored(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  TPipe pipe;
  Tensors t(x, y, z, w);
  const uint32_t first = static_cast<uint32_t>(GetBlockIdx()) * 64;
  GlobalTensor<float> filled = kFault ? t.gz : t.gz[first];
  InitOutput(filled, kFault ? 128 : 64, 0.0f);  // FAULT: fills_what_another_core_has_stored
  PipeBarrier<PIPE_ALL>();
  DataCopy(t.x, t.gx, 64);
  order<HardEvent::MTE2_MTE3>();
  DataCopy(t.gz[first], t.x, 64);
}

template <bool kFault>
void reads_a_workspace_that_another_core_clears(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  TPipe pipe;
  Tensors t(x, y, z, w);
  const uint32_t mine = static_cast<uint32_t>(GetBlockIdx());
  GlobalTensor<float> cleared = t.gw[mine * 64];
  InitGlobalMemory(cleared, 64, 0.0f);
  if (kFault)
    order<HardEvent::MTE3_MTE2>(1);
  else
    SyncAll();
  DataCopy(t.x, t.gw[(1 - mine) * 64], 64);  // FAULT: reads_a_workspace_that_another_core_clears
}

}  // namespace

Family fill_faults() {
  return {
      VECTOR_FAULT("EK1012", loads_less_than_a_block, "elements of float are less than a block"),
      VECTOR_FAULT("EK1012", stores_less_than_a_block, "nothing is copied"),
      VECTOR_FAULT("EK1012", loads_half_a_block_of_nibbles, "elements of int4b_t"),
      VECTOR_FAULT("EK1014", loads_a_tail_by_count, "moves 192 of 200 bytes"),
      VECTOR_FAULT("EK1014", stores_a_tail_by_count, "the last 8 bytes stay behind"),
      VECTOR_FAULT("EK1014", copies_a_tail_within_ub, "moves 64 of 80 bytes"),
      VECTOR_FAULT("EK1015", loads_a_length_that_wrapped, "moves 4464 of 70000 bytes"),
      VECTOR_FAULT("EK1015", loads_bytes_that_wrapped, "moves 100 of 131172 bytes"),
      VECTOR_FAULT("EK1015", stores_a_length_that_wrapped, "moves 2464 of 68000 bytes"),
      VECTOR_FAULT("EK1016", stores_bytes_as_they_were_loaded, "bytes 20 to 32 of each row")
          .between_two(),
      VECTOR_FAULT("EK1016", stores_a_row_with_what_is_behind_it, "bytes 40 to 64 of each row")
          .between_two(),
      VECTOR_FAULT("EK1016", stores_rows_as_if_they_were_dense, "bytes 18 to 32 of each row")
          .between_two(),
      VECTOR_FAULT("EK1804", fills_behind_init_buffer, "InitGlobalMemory"),
      VECTOR_FAULT("EK1804", clears_behind_a_queue, "InitBuffer has given UB out before"),
      VECTOR_FAULT("EK1804", fills_between_two_buffers, "InitGlobalMemory"),
      VECTOR_FAULT("EK1804", fills_by_fill_behind_init_buffer, "Fill: InitBuffer has given UB out"),
      VECTOR_FAULT("EK1303", loads_behind_a_fill, "write after read").between_two(),
      VECTOR_FAULT("EK1511", adds_to_the_fill_of_another_core, "nothing orders the two cores")
          .on(2)
          .between_two(),
      VECTOR_FAULT("EK1511", fills_what_another_core_has_stored, "write after write")
          .on(2)
          .between_two(),
      VECTOR_FAULT("EK1511", reads_a_workspace_that_another_core_clears, "read after write")
          .on(2)
          .between_two(),
  };
}

}  // namespace faults
