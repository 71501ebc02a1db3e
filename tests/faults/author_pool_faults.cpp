// EK1120 and EK1121: pools of the author, and queues at chosen addresses.
#include "corpus.h"

using namespace AscendC;

namespace faults {
namespace {

class RowPool {
 public:
  RowPool() { Init(); }
  EXTERN_IMPL_BUFPOOL(RowPool, TPosition::VECCALC, 4);
};

using RowQueue = TQue<TPosition::VECIN, 2>;
constexpr uint32_t kRowBytes = 256;

// --- EK1120: buffers are told in order ----------------------------------------------------------

template <bool kFault>
void tells_the_second_buffer_only(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  RowPool pool;
  RowQueue queue;
  pipe.InitBufPool(pool, 1024);
  const auto handle = pool.GetBufHandle(0);
  queue.InitStartBufHandle(handle, 2, kRowBytes);
  const uint32_t at = pool.GetCurAddr(), index = kFault;
  queue.InitBufHandle(&pool, index, handle, at, 256);  // FAULT: tells_the_second_buffer_only
}

template <bool kFault>
void skips_a_buffer(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  RowPool pool;
  RowQueue queue;
  pipe.InitBufPool(pool, 1024);
  const auto handle = pool.GetBufHandle(0);
  queue.InitStartBufHandle(handle, 3, kRowBytes);
  const uint32_t step = kFault ? 2 : 1, start = pool.GetCurAddr();
  for (uint32_t i = 0; i < 3; i += step) {
    const uint32_t at = start + i * kRowBytes;
    queue.InitBufHandle(&pool, i, handle, at, kRowBytes);  // FAULT: skips_a_buffer
  }
}

template <bool kFault>
void tells_two_queues_in_turn(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  RowPool pool;
  RowQueue a, b;
  pipe.InitBufPool(pool, 1024);
  const auto handle = pool.GetBufHandle(0);
  const uint32_t start = pool.GetCurAddr();
  a.InitStartBufHandle(handle, 2, kRowBytes);
  b.InitStartBufHandle(handle, 2, kRowBytes);
  a.InitBufHandle(&pool, 0, handle, start, kRowBytes);
  if constexpr (!kFault) a.InitBufHandle(&pool, 1, handle, start + 256, kRowBytes);
  b.InitBufHandle(&pool, 0, handle, start + 512, kRowBytes);
  const uint32_t at = start + (kFault ? 256 : 768);
  (kFault ? a : b).InitBufHandle(&pool, 1, handle, at, 256);  // FAULT: tells_two_queues_in_turn
}

// --- EK1121: chosen addresses -------------------------------------------------------------------

template <bool kFault>
void begins_within_a_block(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  RowQueue queue;
  const uint32_t head = kFault ? 16 : 32;
  pipe.InitBuffer(queue, Std::make_tuple(head, kRowBytes));  // FAULT: begins_within_a_block
}

template <bool kFault>
void rows_of_twenty_floats(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  RowQueue queue;
  const uint32_t columns = kFault ? 20 : 24, row = columns * 4;
  const auto first = Std::make_tuple(0u, row), second = Std::make_tuple(row, row);
  pipe.InitBuffer(queue, first, second);  // FAULT: rows_of_twenty_floats
}

template <bool kFault>
void counts_addresses_in_elements(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  RowQueue first, second;
  const uint32_t halves = 1000;
  pipe.InitBuffer(first, Std::make_tuple(0u, halves * 2));
  const auto behind = Std::make_tuple(kFault ? halves : 2016, kRowBytes);
  pipe.InitBuffer(second, behind);  // FAULT: counts_addresses_in_elements
}

}  // namespace

Family author_pool_faults() {
  return {
      VECTOR_FAULT("EK1120", tells_the_second_buffer_only, "told in order"),
      VECTOR_FAULT("EK1120", skips_a_buffer, "told in order"),
      VECTOR_FAULT("EK1120", tells_two_queues_in_turn, "told in order"),
      VECTOR_FAULT("EK1121", begins_within_a_block, "multiple of 32"),
      VECTOR_FAULT("EK1121", rows_of_twenty_floats, "multiple of 32"),
      VECTOR_FAULT("EK1121", counts_addresses_in_elements, "multiple of 32"),
  };
}

}  // namespace faults
