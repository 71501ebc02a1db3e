// EK1501 to EK1503, EK1511, EK1512: cores against each other, deadlock.
#include "corpus.h"
#include "static_tensors.h"

using namespace AscendC;

namespace faults {
namespace {

// --- EK1511 -------------------------------------------------------------------------------------

template <bool kFault>
void cores_write_one_tile(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  Duplicate(t.z, 1.0f, kTile);
  order<HardEvent::V_MTE3>();
  DataCopy(t.gz[kFault ? 0 : GetBlockIdx() * kTile], t.z, kTile);  // FAULT: cores_write_one_tile
}

template <bool kFault>
void reads_a_neighbour(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  Duplicate(t.z, 1.0f, kTile);
  order<HardEvent::V_MTE3>();
  DataCopy(t.gw[GetBlockIdx() * kTile], t.z, kTile);
  if constexpr (!kFault) SyncAll();
  if (GetBlockIdx() == 0) return;
  DataCopy(t.x, t.gw[(GetBlockIdx() - 1) * kTile], kTile);  // FAULT: reads_a_neighbour
}

template <bool kFault>
void plain_copy_among_atomics(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  Duplicate(t.z, 1.0f, kTile);
  order<HardEvent::V_MTE3>();
  if (GetBlockIdx() == 0) DataCopy(t.gz, t.z, kTile);
  if constexpr (!kFault) SyncAll();
  PipeBarrier<PIPE_MTE3>();
  SetAtomicAdd<float>();
  DataCopy(t.gz, t.z, kTile);  // FAULT: plain_copy_among_atomics
  SetAtomicNone();
}

template <bool kFault>
void cube_part(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  CrossCoreWaitFlag(3);
}

template <bool kFault>
void halves_meet(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  Duplicate(t.z, 1.0f, kTile);
  order<HardEvent::V_MTE3>();
  const uint32_t lane = static_cast<uint32_t>(GetSubBlockIdx());
  DataCopy(t.gw[lane * (kFault ? kTile - 8 : kTile)], t.z, kTile);  // FAULT: halves_meet
  CrossCoreSetFlag<2, PIPE_MTE3>(3);
}

template <bool kFault>
void vector_reads_before_the_flag(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  const uint32_t lane = static_cast<uint32_t>(GetSubBlockIdx());
  if (lane == 0) {
    Duplicate(t.z, 1.0f, kTile);
    order<HardEvent::V_MTE3>();
    DataCopy(t.gw, t.z, kTile);
  }
  CrossCoreSetFlag<1, PIPE_MTE3>(5);
  if (lane == 1 && kFault) DataCopy(t.x, t.gw, kTile);  // FAULT: vector_reads_before_the_flag
  CrossCoreWaitFlag<1>(5);
  if (lane == 1 && !kFault) DataCopy(t.x, t.gw, kTile);
  CrossCoreSetFlag<2, PIPE_MTE3>(3);
}

// --- EK1512 -------------------------------------------------------------------------------------

template <bool kFault>
void cube_runs_ahead(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  constexpr uint32_t kSets = kFault ? 16 : 15;
  for (uint32_t i = 0; i < kSets; ++i) CrossCoreSetFlag<2, PIPE_FIX>(3);  // FAULT: cube_runs_ahead
}
template <bool kFault>
void vectors_follow(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  for (uint32_t i = 0; i < (kFault ? 16u : 15u); ++i) CrossCoreWaitFlag(3);
}

template <bool kFault>
void vectors_run_ahead(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  for (uint32_t i = 0; i < (kFault ? 17u : 12u); ++i)
    CrossCoreSetFlag<2, PIPE_MTE3>(7);  // FAULT: vectors_run_ahead
}
template <bool kFault>
void cube_follows(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  for (uint32_t i = 0; i < (kFault ? 17u : 12u); ++i) CrossCoreWaitFlag(7);
}

// A tile loop without the way back; the twin answers every eighth tile.
template <bool kFault>
void cube_never_waits_for_room(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  for (uint32_t i = 0; i < 32; ++i) {
    CrossCoreSetFlag<2, PIPE_FIX>(9);  // FAULT: cube_never_waits_for_room
    if (!kFault && i % 8 == 7) CrossCoreWaitFlag(10);
  }
}
template <bool kFault>
void vectors_give_room(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  for (uint32_t i = 0; i < 32; ++i) {
    CrossCoreWaitFlag(9);
    if (!kFault && i % 8 == 7) CrossCoreSetFlag<2, PIPE_MTE3>(10);
  }
}

// --- EK1502, EK1503 -----------------------------------------------------------------------------

template <bool kFault>
void sets_cross_flag_sixteen(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  CrossCoreSetFlag<1, PIPE_MTE3>(kFault ? 16 : 10);  // FAULT: sets_cross_flag_sixteen
  if constexpr (!kFault) CrossCoreWaitFlag<1>(10);
}
template <bool kFault>
void does_nothing(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {}

template <bool kFault>
void waits_for_cross_flag_twenty(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  CrossCoreSetFlag<1, PIPE_MTE3>(4);
  if constexpr (kFault) CrossCoreWaitFlag<1>(20);  // FAULT: waits_for_cross_flag_twenty
  CrossCoreWaitFlag<1>(4);
}

// The tile's number as the flag's id.
template <bool kFault>
void numbers_cross_flags_by_tiles(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  for (uint32_t i = 0; i < (kFault ? 18u : 10u); ++i)
    CrossCoreSetFlag<2, PIPE_FIX>(i);  // FAULT: numbers_cross_flags_by_tiles
}
template <bool kFault>
void waits_by_tiles(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  for (uint32_t i = 0; i < (kFault ? 16u : 10u); ++i) CrossCoreWaitFlag(i);
}

struct SoftBarrier {
  GlobalTensor<int32_t> words;
  LocalTensor<int32_t> room{TPosition::VECCALC, 0, 64};
  __aicore__ inline explicit SoftBarrier(GM_ADDR w) {
    words.SetGlobalBuffer((__gm__ int32_t*)w, 1024);
  }
};

template <bool kFault>
void barrier_for_fewer_cores(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR w) {
  SoftBarrier s(w);
  SyncAll(s.words, s.room, kFault ? 1 : 2);  // FAULT: barrier_for_fewer_cores
}

template <bool kFault>
void barrier_for_all_cores_of_the_chip(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR w) {
  SoftBarrier s(w);
  SyncAll(s.words, s.room, kFault ? 48 : 0);  // FAULT: barrier_for_all_cores_of_the_chip
}

template <bool kFault>
void barrier_counts_tiles(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR w) {
  SoftBarrier s(w);
  const int32_t tiles = 8, blocks = static_cast<int32_t>(GetBlockNum());
  SyncAll(s.words, s.room, kFault ? tiles : blocks);  // FAULT: barrier_counts_tiles
}

// --- EK1501 -------------------------------------------------------------------------------------

template <bool kFault>
void one_block_stays_away(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  if (kFault && GetBlockIdx() == 1) return;
  SyncAll();  // FAULT: one_block_stays_away
}

// Both wait first.
template <bool kFault>
void vector_waits_before_it_sets(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  if constexpr (!kFault) CrossCoreSetFlag<2, PIPE_MTE3>(1);
  CrossCoreWaitFlag(2);  // FAULT: vector_waits_before_it_sets
  if constexpr (kFault) CrossCoreSetFlag<2, PIPE_MTE3>(1);
}
template <bool kFault>
void cube_waits_before_it_sets(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  CrossCoreWaitFlag(1);
  CrossCoreSetFlag<2, PIPE_FIX>(2);
}

// Mode 2 towards the cube core needs both vector cores.
template <bool kFault>
void only_one_vector_core_sets(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  if (kFault && GetSubBlockIdx() == 1) return;
  CrossCoreSetFlag<2, PIPE_MTE3>(6);
}
template <bool kFault>
void cube_waits_for_both(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  CrossCoreWaitFlag(6);  // FAULT: cube_waits_for_both
}

}  // namespace

Family core_faults() {
  return {
      VECTOR_FAULT("EK1501", one_block_stays_away, "deadlock").on(2),
      MIXED_FAULT("EK1501", vector_waits_before_it_sets, vector_waits_before_it_sets,
                  cube_waits_before_it_sets, "cross-core flag 2"),
      MIXED_FAULT("EK1501", cube_waits_for_both, only_one_vector_core_sets, cube_waits_for_both,
                  "cross-core flag 6"),
      MIXED_FAULT("EK1502", sets_cross_flag_sixteen, sets_cross_flag_sixteen, does_nothing,
                  "id 16"),
      MIXED_FAULT("EK1502", waits_for_cross_flag_twenty, waits_for_cross_flag_twenty, does_nothing,
                  "id 20"),
      MIXED_FAULT("EK1502", numbers_cross_flags_by_tiles, waits_by_tiles,
                  numbers_cross_flags_by_tiles, "id 16")
          .then("EK1507"),
      VECTOR_FAULT("EK1503", barrier_for_fewer_cores, "usedCores").on(2),
      VECTOR_FAULT("EK1503", barrier_for_all_cores_of_the_chip, "usedCores").on(2),
      VECTOR_FAULT("EK1503", barrier_counts_tiles, "usedCores").on(2),
      VECTOR_FAULT("EK1511", cores_write_one_tile, "write after write").on(2).between_two(),
      VECTOR_FAULT("EK1511", reads_a_neighbour, "read after write").on(2).between_two(),
      VECTOR_FAULT("EK1511", plain_copy_among_atomics, "of GM tensor 'z'").on(2).between_two(),
      MIXED_FAULT("EK1511", halves_meet, halves_meet, cube_part, "workspace").between_two(),
      MIXED_FAULT("EK1511", vector_reads_before_the_flag, vector_reads_before_the_flag, cube_part,
                  "workspace")
          .between_two(),
      MIXED_FAULT("EK1512", cube_runs_ahead, vectors_follow, cube_runs_ahead, "flag 3 is set 16"),
      MIXED_FAULT("EK1512", vectors_run_ahead, vectors_run_ahead, cube_follows, "flag 7"),
      MIXED_FAULT("EK1512", cube_never_waits_for_room, vectors_give_room, cube_never_waits_for_room,
                  "flag 9"),
  };
}

}  // namespace faults
