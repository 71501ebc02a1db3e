// EK1505 to EK1508, and what cross-core flags order: blocks that wait for each other, ids of flags,
// flags that do not pair.
#include "opkit/include/lib/matmul_intf.h"

#include "corpus.h"
#include "static_tensors.h"

using namespace AscendC;

namespace faults {
namespace {

template <bool kFault>
void rests(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {}

// --- EK1505: more blocks than cores -------------------------------------------------------------

template <bool kFault>
void fifty_blocks_meet(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  if constexpr (kFault) SyncAll();  // FAULT: fifty_blocks_meet
}

template <bool kFault>
void fifty_blocks_meet_in_memory(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR w) {
  GlobalTensor<int32_t> words;
  words.SetGlobalBuffer((__gm__ int32_t*)w, 1024);
  LocalTensor<int32_t> room(TPosition::VECCALC, 0, 8 * 64);
  if constexpr (kFault) SyncAll(words, room);  // FAULT: fifty_blocks_meet_in_memory
}

template <bool kFault>
void fifty_blocks_report(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  if constexpr (!kFault) return;
  CrossCoreSetFlag<0, PIPE_MTE3>(2);  // FAULT: fifty_blocks_report
  CrossCoreWaitFlag(2);
}

template <bool kFault>
void pairs_meet(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  if constexpr (kFault) SyncAll<false>();  // FAULT: pairs_meet
}

// --- EK1506: ids that SyncAll works with --------------------------------------------------------

template <bool kFault>
void reports_with_fourteen(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  constexpr uint16_t kId = kFault ? 14 : 9;
  CrossCoreSetFlag<0, PIPE_MTE3>(kId);  // FAULT: reports_with_fourteen
  CrossCoreWaitFlag(kId);
  SyncAll();
}

template <bool kFault>
void hands_over_with_twelve(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  CrossCoreSetFlag<2, PIPE_MTE3>(kFault ? 12 : 2);  // FAULT: hands_over_with_twelve
  SyncAll<false>();
}
template <bool kFault>
void takes_twelve(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  CrossCoreWaitFlag(kFault ? 12 : 2);
  SyncAll<false>();
}

template <bool kFault>
void pairs_with_eleven(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  SyncAll<false>();
  CrossCoreSetFlag<1, PIPE_MTE3>(kFault ? 11 : 1);  // FAULT: pairs_with_eleven
  CrossCoreWaitFlag<1>(kFault ? 11 : 1);
}
template <bool kFault>
void meets(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  SyncAll<false>();
}

// --- EK1507: ids beyond 10 ----------------------------------------------------------------------

template <bool kFault>
void reports_with_fifteen(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  constexpr uint16_t kId = kFault ? 15 : 10;
  CrossCoreSetFlag<0, PIPE_MTE3>(kId);  // FAULT: reports_with_fifteen
  CrossCoreWaitFlag(kId);
}

template <bool kFault>
void cube_tells_with_thirteen(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  CrossCoreSetFlag<2, PIPE_FIX>(kFault ? 13 : 0);  // FAULT: cube_tells_with_thirteen
}
template <bool kFault>
void vectors_hear_thirteen(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  CrossCoreWaitFlag(kFault ? 13 : 0);
}

// The soft form of SyncAll has no flags, so that its ids are free but beyond what pages allow.
template <bool kFault>
void pairs_with_fourteen(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR w) {
  GlobalTensor<int32_t> words;
  words.SetGlobalBuffer((__gm__ int32_t*)w, 1024);
  LocalTensor<int32_t> room(TPosition::VECCALC, 0, 64);
  SyncAll(words, room);
  CrossCoreSetFlag<1, PIPE_MTE3>(kFault ? 14 : 8);  // FAULT: pairs_with_fourteen
  CrossCoreWaitFlag<1>(kFault ? 14 : 8);
}

// --- EK1508: flags that do not pair -------------------------------------------------------------

template <bool kFault>
void cube_sets_once_more(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  for (uint32_t i = 0; i < (kFault ? 4u : 3u); ++i)
    CrossCoreSetFlag<2, PIPE_FIX>(3);  // FAULT: cube_sets_once_more
}
template <bool kFault>
void vectors_take_three(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  for (uint32_t i = 0; i < 3; ++i) CrossCoreWaitFlag(3);
}

template <bool kFault>
void first_vector_core_sets_twice(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  const uint32_t sets = kFault && GetSubBlockIdx() == 0 ? 2 : 1;
  for (uint32_t i = 0; i < sets; ++i)
    CrossCoreSetFlag<2, PIPE_MTE3>(6);  // FAULT: first_vector_core_sets_twice
}
template <bool kFault>
void cube_takes_one(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  CrossCoreWaitFlag(6);
}

// The last round's report has no wait.
template <bool kFault>
void reports_at_the_end(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  for (uint32_t round = 0; round < 3; ++round) {
    if (kFault || round < 2) CrossCoreSetFlag<0, PIPE_MTE3>(4);  // FAULT: reports_at_the_end
    if (round < 2) CrossCoreWaitFlag(4);
  }
}

// --- what flags order ---------------------------------------------------------------------------

// Its own set takes part, so that the flag comes after the core's own copy, too.
template <bool kFault>
void rereads_its_own_store(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  const auto mine = static_cast<uint32_t>(GetSubBlockIdx()) * kTile;
  Duplicate(t.z, 1.0f, kTile);
  order<HardEvent::V_MTE3>();
  DataCopy(t.gw[mine], t.z, kTile);
  CrossCoreSetFlag<1, kFault ? PIPE_V : PIPE_MTE3>(5);
  CrossCoreWaitFlag<1>(5);
  DataCopy(t.x, t.gw[mine], kTile);  // FAULT: rereads_its_own_store
}

// The cube core answers a flag: what the vector core did before its own set is done.
template <bool kFault>
void rereads_behind_an_answer(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  const auto mine = static_cast<uint32_t>(GetSubBlockIdx()) * kTile;
  Duplicate(t.z, 1.0f, kTile);
  order<HardEvent::V_MTE3>();
  DataCopy(t.gw[mine], t.z, kTile);
  CrossCoreSetFlag<2, kFault ? PIPE_V : PIPE_MTE3>(5);
  CrossCoreWaitFlag(6);
  DataCopy(t.x, t.gw[mine], kTile);  // FAULT: rereads_behind_an_answer
}
template <bool kFault>
void cube_answers(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  CrossCoreWaitFlag(5);
  CrossCoreSetFlag<2, PIPE_FIX>(6);
}

// The vector cores of the launch meet; that cube cores call SyncAll, too, changes nothing.
template <bool kFault>
void reads_what_others_stored(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  const auto mine = static_cast<uint32_t>(GetBlockIdx()) * kTile;
  Duplicate(t.z, 1.0f, kTile);
  order<HardEvent::V_MTE3>();
  DataCopy(t.gw[mine], t.z, kTile);
  if constexpr (!kFault) SyncAll<true>();
  DataCopy(t.x, t.gw[mine ^ kTile], kTile);  // FAULT: reads_what_others_stored
}
template <bool kFault>
void cubes_meet(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  SyncAll<true>();
}

// On the cube core Fixpipe stores what the object computes.
using Matrix = MatmulType<TPosition::GM, CubeFormat::ND, float>;

template <bool kFault>
void cube_multiplies_and_tells(GM_ADDR x, GM_ADDR y, GM_ADDR, GM_ADDR w) {
  TCubeTiling tiling{};
  tiling.M = tiling.N = tiling.Ka = tiling.Kb = 16;
  tiling.singleCoreM = tiling.singleCoreN = tiling.singleCoreK = 16;
  tiling.baseM = tiling.baseN = tiling.baseK = 16;
  GlobalTensor<float> a, b, c;
  a.SetGlobalBuffer((__gm__ float*)x);
  b.SetGlobalBuffer((__gm__ float*)y);
  c.SetGlobalBuffer((__gm__ float*)w);
  Matmul<Matrix, Matrix, Matrix> mm;
  mm.Init(&tiling);
  mm.SetTensorA(a);
  mm.SetTensorB(b);
  mm.IterateAll(c);
  CrossCoreSetFlag<2, kFault ? PIPE_MTE2 : PIPE_FIX>(3);
}
template <bool kFault>
void reads_the_product(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  Tensors t(x, y, z, w);
  CrossCoreWaitFlag(3);
  DataCopy(t.x, t.gw, kTile);  // FAULT: reads_the_product
}

}  // namespace

Family cross_faults() {
  return {
      VECTOR_FAULT("EK1505", fifty_blocks_meet, "50 blocks wait for each other").on(50),
      VECTOR_FAULT("EK1505", fifty_blocks_meet_in_memory, "the chip runs 48 at once").on(50),
      VECTOR_FAULT("EK1505", fifty_blocks_report, "CrossCoreSetFlag<0>: 50 blocks").on(50),
      MIXED_FAULT("EK1505", pairs_meet, pairs_meet, pairs_meet, "the chip runs 24 at once").on(25),
      VECTOR_FAULT("EK1506", reports_with_fourteen, "flag 14 is one that SyncAll").between_two(),
      MIXED_FAULT("EK1506", hands_over_with_twelve, hands_over_with_twelve, takes_twelve,
                  "flag 12 is one that SyncAll")
          .between_two(),
      MIXED_FAULT("EK1506", pairs_with_eleven, pairs_with_eleven, meets,
                  "flag 11 is one that SyncAll")
          .between_two(),
      VECTOR_FAULT("EK1507", reports_with_fifteen, "flag 15 is beyond 10"),
      MIXED_FAULT("EK1507", cube_tells_with_thirteen, vectors_hear_thirteen,
                  cube_tells_with_thirteen, "flag 13 is beyond 10"),
      MIXED_FAULT("EK1507", pairs_with_fourteen, pairs_with_fourteen, rests,
                  "flag 14 is beyond 10"),
      MIXED_FAULT("EK1508", cube_sets_once_more, vectors_take_three, cube_sets_once_more,
                  "flag 3 of block 0 vector core 0 is up"),
      MIXED_FAULT("EK1508", first_vector_core_sets_twice, first_vector_core_sets_twice,
                  cube_takes_one, "waits for those of other cores: 1 of 2 have set it"),
      VECTOR_FAULT("EK1508", reports_at_the_end, "flag 4 of block 0 is up").on(3),
      MIXED_FAULT("EK1303", rereads_its_own_store, rereads_its_own_store, rests, "read after write")
          .between_two(),
      MIXED_FAULT("EK1303", rereads_behind_an_answer, rereads_behind_an_answer, cube_answers,
                  "read after write")
          .between_two(),
      MIXED_FAULT("EK1511", reads_what_others_stored, reads_what_others_stored, cubes_meet,
                  "read after write")
          .on(2)
          .between_two(),
      MIXED_FAULT("EK1511", reads_the_product, reads_the_product, cube_multiplies_and_tells,
                  "read after write")
          .between_two(),
  };
}

}  // namespace faults
