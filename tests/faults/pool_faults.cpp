// EK1109 to EK1116: TBuf, TPipe's limits, pools, event ids, the bump allocator.
#include "corpus.h"
#include "static_tensors.h"

using namespace AscendC;

namespace faults {
namespace {

// --- EK1109 -------------------------------------------------------------------------------------

template <bool kFault>
void gets_floats_of_a_half_buffer(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> room;
  pipe.InitBuffer(room, kTile * sizeof(half));
  auto t = room.Get<float>(kFault ? kTile : kTile / 2);  // FAULT: gets_floats_of_a_half_buffer
  Duplicate(t, 1.0f, 64);
}

template <bool kFault>
void gets_a_part_behind_the_end(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> room;
  pipe.InitBuffer(room, 4096);
  auto t =
      room.GetWithOffset<float>(512, kFault ? 3072 : 2048);  // FAULT: gets_a_part_behind_the_end
  Duplicate(t, 1.0f, 64);
}

template <bool kFault>
void gets_a_row_too_many(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> room;
  const uint32_t rows = 7, pitch = 64;
  pipe.InitBuffer(room, rows * pitch * 4);
  for (uint32_t r = 0; r < rows + kFault; ++r) {
    auto row = room.GetWithOffset<float>(pitch, r * pitch * 4);  // FAULT: gets_a_row_too_many
    Duplicate(row, 1.0f, pitch);
  }
}

// --- EK1110 -------------------------------------------------------------------------------------

template <bool kFault>
void buffer_in_gm(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  TBuf<kFault ? TPosition::GM : TPosition::VECCALC> room;
  pipe.InitBuffer(room, 1024);  // FAULT: buffer_in_gm
}

template <bool kFault>
void buffer_in_a_position_without_memory(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  TBuf<kFault ? TPosition::SPM : TPosition::VECIN> room;
  pipe.InitBuffer(room, 1024);  // FAULT: buffer_in_a_position_without_memory
}

template <bool kFault>
void pool_in_gm(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  TBufPool<kFault ? TPosition::GM : TPosition::VECCALC> pool;
  pipe.InitBufPool(pool, 1024);  // FAULT: pool_in_gm
}

// --- EK1111 -------------------------------------------------------------------------------------

template <bool kFault>
void one_buffer_per_row(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> rows[65];
  for (uint32_t i = 0; i < (kFault ? 65u : 64u); ++i)
    pipe.InitBuffer(rows[i], 256);  // FAULT: one_buffer_per_row
}

template <bool kFault>
void queue_of_seventy(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  TQue<TPosition::VECIN, 2> in;
  pipe.InitBuffer(in, kFault ? 70 : 60, 256);  // FAULT: queue_of_seventy
}

template <bool kFault>
void sets_up_in_every_round(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  for (uint32_t i = 0; i < 40; ++i) {
    TQue<TPosition::VECIN, 2> in;
    pipe.InitBuffer(in, 2, 256);  // FAULT: sets_up_in_every_round
    if constexpr (!kFault) pipe.Reset();
  }
}

// --- EK1112 -------------------------------------------------------------------------------------

template <bool kFault>
void one_buffer_per_share(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  TQue<TPosition::VECIN, 2> in;
  const uint32_t rows = 100, blocks = kFault ? 128 : 4;            // integer division
  pipe.InitBuffer(in, rows / blocks > 2 ? 2 : rows / blocks, 64);  // FAULT: one_buffer_per_share
}

template <bool kFault>
void queue_without_buffers(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  TQue<TPosition::VECOUT, 2> out;
  pipe.InitBuffer(out, kFault ? 0 : 1, 1024);  // FAULT: queue_without_buffers
}

template <bool kFault>
void swapped_number_and_length(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  TQue<TPosition::VECIN, 1> room;
  const uint32_t first = kFault ? 256 : 1, second = kFault ? 1 : 256;  // 256 is 0 as a uint8_t
  pipe.InitBuffer(room, static_cast<uint8_t>(first), second);  // FAULT: swapped_number_and_length
}

// --- EK1113, EK1115: pools ----------------------------------------------------------------------

template <bool kFault>
void shares_more_than_the_pool_has(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  TBufPool<TPosition::VECCALC> first, second;
  pipe.InitBufPool(first, 8192);
  pipe.InitBufPool(second, kFault ? 8224 : 8192, first);  // FAULT: shares_more_than_the_pool_has
}

template <bool kFault>
void shares_in_a_chain(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  TBufPool<TPosition::VECCALC> first, second, third;
  pipe.InitBufPool(first, 16384);
  pipe.InitBufPool(second, 4096, first);
  pipe.InitBufPool(third, 8192, kFault ? second : first);  // FAULT: shares_in_a_chain
}

template <bool kFault>
void shares_l1_for_a_larger_block(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  TBufPool<TPosition::A1> a, b;
  pipe.InitBufPool(a, 64 * 128 * 2);
  const uint32_t columns = kFault ? 256 : 128;
  pipe.InitBufPool(b, 64 * columns * 2, a);  // FAULT: shares_l1_for_a_larger_block
}

template <bool kFault>
void cuts_more_than_the_pool_has(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  TBufPool<TPosition::VECCALC> pool;
  TQue<TPosition::VECIN, 2> in;
  pipe.InitBufPool(pool, 8192);
  pool.InitBuffer(in, 2, kFault ? 4128 : 4096);  // FAULT: cuts_more_than_the_pool_has
}

template <bool kFault>
void forgets_to_reset_the_pool(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  TBufPool<TPosition::VECCALC> pool;
  pipe.InitBufPool(pool, 8192);
  for (uint32_t i = 0; i < 3; ++i) {
    TBuf<TPosition::VECCALC> room;
    pool.InitBuffer(room, 4096);  // FAULT: forgets_to_reset_the_pool
    if constexpr (!kFault) pool.Reset();
  }
}

template <bool kFault>
void cuts_a_pool_out_of_a_smaller_one(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  TBufPool<TPosition::VECCALC> outer, inner;
  pipe.InitBufPool(outer, 4096);
  outer.InitBufPool(inner, kFault ? 4128 : 2048);  // FAULT: cuts_a_pool_out_of_a_smaller_one
}

// --- EK1303: pools on the same memory ------------------------------------------------------------

template <bool kFault>
void begins_in_a_pool_that_is_in_use(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  TPipe pipe;
  Tensors t(x, y, z, w);
  TBufPool<TPosition::VECCALC> first, second;
  pipe.InitBufPool(first, 2 * kTile * sizeof(float));
  pipe.InitBufPool(second, 2 * kTile * sizeof(float), first);
  for (uint32_t i = 0; i < 2; ++i) {
    TBufPool<TPosition::VECCALC>& pool = i == 0 ? first : second;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pool.InitBuffer(in, 1, kTile * sizeof(float));
    pool.InitBuffer(out, 1, kTile * sizeof(float));
    LocalTensor<float> a = in.AllocTensor<float>();
    DataCopy(a, t.gx[i * kTile], kTile);  // FAULT: begins_in_a_pool_that_is_in_use
    in.EnQue(a);
    a = in.DeQue<float>();
    LocalTensor<float> b = out.AllocTensor<float>();
    Adds(b, a, 1.0f, kTile);
    out.EnQue(b);
    in.FreeTensor(a);
    b = out.DeQue<float>();
    DataCopy(t.gz[i * kTile], b, kTile);
    out.FreeTensor(b);
    if constexpr (!kFault) pool.Reset();
  }
}

// --- EK1114: event ids --------------------------------------------------------------------------

template <bool kFault>
void never_releases_event_ids(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  TPipe pipe;
  Tensors t(x, y, z, w);
  for (uint32_t i = 0; i < 12; ++i) {
    const auto id = pipe.AllocEventID<HardEvent::MTE2_V>();  // FAULT: never_releases_event_ids
    DataCopy(t.x, t.gx[i * kTile], kTile);
    order<HardEvent::MTE2_V>(id);
    Add(t.z, t.x, t.x, kTile);
    order<HardEvent::V_MTE2>();
    if constexpr (!kFault) pipe.ReleaseEventID<HardEvent::MTE2_V>(id);
  }
}

template <bool kFault>
void wants_nine_event_ids(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  int32_t ids[9];
  for (uint32_t i = 0; i < (kFault ? 9u : 8u); ++i)
    ids[i] = GetTPipePtr()->AllocEventID<HardEvent::V_MTE3>();  // FAULT: wants_nine_event_ids
  order<HardEvent::V_MTE3>(ids[0]);
}

template <bool kFault>
void fetches_when_all_are_reserved(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  for (uint32_t i = 0; i < (kFault ? 8u : 7u); ++i) pipe.AllocEventID<HardEvent::MTE3_MTE2>();
  const auto id = pipe.FetchEventID(HardEvent::MTE3_MTE2);  // FAULT: fetches_when_all_are_reserved
  order<HardEvent::MTE3_MTE2>(id);
}

// --- EK1116 -------------------------------------------------------------------------------------

template <bool kFault>
void bump_allocator_runs_out(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  LocalMemAllocator<Hardware::UB> memory;
  memory.Alloc<TPosition::VECIN, float>(24576);
  const uint32_t n = kFault ? 32768 : 8192;
  memory.Alloc<TPosition::VECOUT, float>(n);  // FAULT: bump_allocator_runs_out
}

template <bool kFault>
void allocates_in_every_round(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  LocalMemAllocator<Hardware::UB> memory;
  for (uint32_t i = 0; i < (kFault ? 20u : 4u); ++i) {
    auto t = memory.Alloc<float, 4096>();  // FAULT: allocates_in_every_round
    Duplicate(t, 1.0f, 64);
  }
}

template <bool kFault>
void bump_allocator_fills_l0a(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  LocalMemAllocator<Hardware::L0A> memory;
  memory.Alloc<half>(16384);
  memory.Alloc<half>(kFault ? 20480 : 8192);  // FAULT: bump_allocator_fills_l0a
}

}  // namespace

Family pool_faults() {
  return {
      VECTOR_FAULT("EK1109", gets_floats_of_a_half_buffer, "TBuf::Get"),
      VECTOR_FAULT("EK1109", gets_a_part_behind_the_end, "TBuf::Get"),
      VECTOR_FAULT("EK1109", gets_a_row_too_many, "TBuf::Get"),
      VECTOR_FAULT("EK1110", buffer_in_gm, "no on-chip memory"),
      VECTOR_FAULT("EK1110", buffer_in_a_position_without_memory, "no on-chip memory"),
      VECTOR_FAULT("EK1110", pool_in_gm, "no on-chip memory"),
      VECTOR_FAULT("EK1111", one_buffer_per_row, "64 buffers"),
      VECTOR_FAULT("EK1111", queue_of_seventy, "64 buffers"),
      VECTOR_FAULT("EK1111", sets_up_in_every_round, "64 buffers"),
      VECTOR_FAULT("EK1112", one_buffer_per_share, "must not be zero"),
      VECTOR_FAULT("EK1112", queue_without_buffers, "must not be zero"),
      VECTOR_FAULT("EK1112", swapped_number_and_length, "must not be zero"),
      VECTOR_FAULT("EK1113", shares_more_than_the_pool_has, "longer than the pool"),
      VECTOR_FAULT("EK1113", shares_in_a_chain, "longer than the pool"),
      CUBE_FAULT("EK1113", shares_l1_for_a_larger_block, "longer than the pool"),
      VECTOR_FAULT("EK1114", never_releases_event_ids, "AllocEventID"),
      VECTOR_FAULT("EK1114", wants_nine_event_ids, "AllocEventID"),
      VECTOR_FAULT("EK1114", fetches_when_all_are_reserved, "FetchEventID"),
      VECTOR_FAULT("EK1115", cuts_more_than_the_pool_has, "too small"),
      VECTOR_FAULT("EK1115", forgets_to_reset_the_pool, "too small"),
      VECTOR_FAULT("EK1303", begins_in_a_pool_that_is_in_use, "write after read").then("EK1303"),
      VECTOR_FAULT("EK1115", cuts_a_pool_out_of_a_smaller_one, "too small"),
      VECTOR_FAULT("EK1116", bump_allocator_runs_out, "used up"),
      VECTOR_FAULT("EK1116", allocates_in_every_round, "used up"),
      CUBE_FAULT("EK1116", bump_allocator_fills_l0a, "used up"),
  };
}

}  // namespace faults
