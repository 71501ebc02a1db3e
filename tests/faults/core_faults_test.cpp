// EK1511, EK1512, EK1001 to EK1006, EK1501: cores against each other, bounds, deadlock.
#include "faulty.h"

using namespace AscendC;

namespace faults {
namespace {

constexpr uint32_t kTile = 256;

struct Tensors {
  LocalTensor<float> x{TPosition::VECIN, 0, kTile}, z{TPosition::VECOUT, 16384, kTile};
  GlobalTensor<float> gx, gz, gw;
  __aicore__ inline void init(GM_ADDR xp, GM_ADDR zp, GM_ADDR wp) {
    gx.SetGlobalBuffer((__gm__ float*)xp, kElements);
    gz.SetGlobalBuffer((__gm__ float*)zp, kElements);
    gw.SetGlobalBuffer((__gm__ float*)wp, kElements * 4);
  }
};

template <HardEvent event>
__aicore__ inline void order() {
  SetFlag<event>(0);
  WaitFlag<event>(0);
}

// --- EK1511 -------------------------------------------------------------------------------------

template <bool kFault>
void cores_write_one_tile(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR w) {
  Tensors t;
  t.init(x, z, w);
  Duplicate(t.z, 1.0f, kTile);
  order<HardEvent::V_MTE3>();
  DataCopy(t.gz[kFault ? 0 : GetBlockIdx() * kTile], t.z, kTile);  // FAULT: cores write one tile
}

template <bool kFault>
void reads_a_neighbour(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR w) {
  Tensors t;
  t.init(x, z, w);
  Duplicate(t.z, 1.0f, kTile);
  order<HardEvent::V_MTE3>();
  DataCopy(t.gw[GetBlockIdx() * kTile], t.z, kTile);
  if constexpr (!kFault) SyncAll();
  if (GetBlockIdx() == 0) return;
  DataCopy(t.x, t.gw[(GetBlockIdx() - 1) * kTile], kTile);  // FAULT: reads a neighbour
}

template <bool kFault>
void plain_copy_among_atomics(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR w) {
  Tensors t;
  t.init(x, z, w);
  Duplicate(t.z, 1.0f, kTile);
  order<HardEvent::V_MTE3>();
  if (GetBlockIdx() == 0) DataCopy(t.gz, t.z, kTile);
  if constexpr (!kFault) SyncAll();
  SetAtomicAdd<float>();
  DataCopy(t.gz, t.z, kTile);  // FAULT: plain copy among atomics
  SetAtomicNone();
}

void cube_part(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) { CrossCoreWaitFlag(3); }

template <bool kFault>
void halves_meet(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR w) {
  Tensors t;
  t.init(x, z, w);
  Duplicate(t.z, 1.0f, kTile);
  order<HardEvent::V_MTE3>();
  const uint32_t lane = static_cast<uint32_t>(GetSubBlockIdx());
  DataCopy(t.gw[lane * (kFault ? kTile - 8 : kTile)], t.z, kTile);  // FAULT: halves meet
  CrossCoreSetFlag<2, PIPE_MTE3>(3);
}

template <bool kFault>
void vector_reads_before_the_flag(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR w) {
  Tensors t;
  t.init(x, z, w);
  const uint32_t lane = static_cast<uint32_t>(GetSubBlockIdx());
  if (lane == 0) {
    Duplicate(t.z, 1.0f, kTile);
    order<HardEvent::V_MTE3>();
    DataCopy(t.gw, t.z, kTile);
  }
  CrossCoreSetFlag<1, PIPE_MTE3>(5);
  if (lane == 1 && kFault) DataCopy(t.x, t.gw, kTile);  // FAULT: vector reads before the flag
  CrossCoreWaitFlag<1>(5);
  if (lane == 1 && !kFault) DataCopy(t.x, t.gw, kTile);
  CrossCoreSetFlag<2, PIPE_MTE3>(3);
}

// --- EK1512 -------------------------------------------------------------------------------------

template <uint32_t kSets, uint32_t kId>
void cube_that_sets(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  for (uint32_t i = 0; i < kSets; ++i) CrossCoreSetFlag<2, PIPE_FIX>(kId);  // FAULT: cube that sets
}
template <uint32_t kSets, uint32_t kId>
void vector_that_waits(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  for (uint32_t i = 0; i < kSets; ++i) CrossCoreWaitFlag(kId);
}
template <uint32_t kSets>
void vectors_that_set(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  for (uint32_t i = 0; i < kSets; ++i)
    CrossCoreSetFlag<2, PIPE_MTE3>(7);  // FAULT: vectors that set
}
template <uint32_t kSets>
void cube_that_waits(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  for (uint32_t i = 0; i < kSets; ++i) CrossCoreWaitFlag(7);
}

// --- EK1501 -------------------------------------------------------------------------------------

template <bool kFault>
void one_block_stays_away(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  if (kFault && GetBlockIdx() == 1) return;
  SyncAll();  // FAULT: one block stays away
}

// --- bounds -------------------------------------------------------------------------------------

template <bool kFault>
void copies_behind_the_output(GM_ADDR, GM_ADDR, GM_ADDR z, GM_ADDR) {
  LocalTensor<float> t(TPosition::VECOUT, 0, kTile);
  GlobalTensor<float> gz;
  gz.SetGlobalBuffer((__gm__ float*)z);
  Duplicate(t, 1.0f, kTile);
  order<HardEvent::V_MTE3>();
  DataCopy(gz[kElements - (kFault ? 64 : kTile)], t, kTile);  // FAULT: copies behind the output
}

template <bool kFault>
void copies_more_than_the_tensor_holds(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR w) {
  Tensors t;
  t.init(x, z, w);
  DataCopy(t.x, t.gx, kFault ? 2 * kTile : kTile);  // FAULT: copies more than the tensor holds
}

template <bool kFault>
void copies_to_a_crooked_address(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR w) {
  Tensors t;
  t.init(x, z, w);
  DataCopy(t.x[kFault ? 1 : 8], t.gx, 64);  // FAULT: copies to a crooked address
}

template <bool kFault>
void writes_an_input(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR w) {
  Tensors t;
  t.init(x, z, w);
  Duplicate(t.z, 1.0f, kTile);
  order<HardEvent::V_MTE3>();
  DataCopy(kFault ? t.gx : t.gz, t.z, kTile);  // FAULT: writes an input
}

TEST(CoreFaults, CoresWithoutOrder) {
  LaunchSetup two;
  two.blocks = 2;
  EXPECT_FAULT("EK1511", "cores write one tile", check<cores_write_one_tile<true>>(two));
  EXPECT_FAULT("EK1511", "reads a neighbour", check<reads_a_neighbour<true>>(two));
  EXPECT_FAULT("EK1511", "plain copy among atomics", check<plain_copy_among_atomics<true>>(two));
  EXPECT_CLEAN(check<cores_write_one_tile<false>>(two));
  EXPECT_CLEAN(check<reads_a_neighbour<false>>(two));
  EXPECT_CLEAN(check<plain_copy_among_atomics<false>>(two));
}

TEST(CoreFaults, TheTwoVectorCoresOfABlock) {
  EXPECT_FAULT("EK1511", "halves meet", (check_mixed<halves_meet<true>, cube_part>()));
  EXPECT_FAULT("EK1511", "vector reads before the flag",
               (check_mixed<vector_reads_before_the_flag<true>, cube_part>()));
  EXPECT_CLEAN((check_mixed<halves_meet<false>, cube_part>()));
  EXPECT_CLEAN((check_mixed<vector_reads_before_the_flag<false>, cube_part>()));
}

TEST(CoreFaults, TooManyPendingSets) {
  EXPECT_FAULT("EK1512", "cube that sets",
               (check_mixed<vector_that_waits<16, 3>, cube_that_sets<16, 3>>()));
  EXPECT_FAULT("EK1512", "cube that sets",
               (check_mixed<vector_that_waits<40, 9>, cube_that_sets<40, 9>>()));
  EXPECT_FAULT("EK1512", "vectors that set",
               (check_mixed<vectors_that_set<17>, cube_that_waits<17>>()));
  EXPECT_CLEAN((check_mixed<vector_that_waits<15, 3>, cube_that_sets<15, 3>>()));
}

TEST(CoreFaults, DeadlocksAreFindingsToo) {
  LaunchSetup two;
  two.blocks = 2;
  EXPECT_FAULT("EK1501", "one block stays away", check<one_block_stays_away<true>>(two));
  EXPECT_CLEAN(check<one_block_stays_away<false>>(two));
}

TEST(CoreFaults, BoundsAlignmentAndInputs) {
  EXPECT_FAULT("EK1004", "copies behind the output", check<copies_behind_the_output<true>>());
  EXPECT_FAULT("EK1002", "copies more than the tensor holds",
               check<copies_more_than_the_tensor_holds<true>>());
  EXPECT_FAULT("EK1003", "copies to a crooked address", check<copies_to_a_crooked_address<true>>());
  EXPECT_FAULT("EK1006", "writes an input", check<writes_an_input<true>>());
  EXPECT_CLEAN(check<copies_behind_the_output<false>>());
  EXPECT_CLEAN(check<copies_more_than_the_tensor_holds<false>>());
  EXPECT_CLEAN(check<copies_to_a_crooked_address<false>>());
  EXPECT_CLEAN(check<writes_an_input<false>>());
}

TEST(CoreFaults, AKernelGoesOnAfterARefusedCopy) {
  const auto report = check<writes_an_input<true>>();
  EXPECT_EQ(report.findings.size(), 1u) << all_text(report);
}

}  // namespace
}  // namespace faults
