// EK1301, EK1302, EK1290, EK1311, EK1402: values that nobody made, operands that overlap,
// infinities.
#include "faulty.h"

using namespace AscendC;

namespace faults {
namespace {

constexpr uint32_t kTile = 256;

struct Tensors {
  LocalTensor<float> x{TPosition::VECIN, 0, 2 * kTile}, y{TPosition::VECIN, 8192, kTile},
      z{TPosition::VECOUT, 16384, kTile};
  GlobalTensor<float> gx, gz, gw;
  __aicore__ inline void init(GM_ADDR xp, GM_ADDR zp, GM_ADDR wp) {
    gx.SetGlobalBuffer((__gm__ float*)xp);
    gz.SetGlobalBuffer((__gm__ float*)zp);
    gw.SetGlobalBuffer((__gm__ float*)wp);
  }
};

template <HardEvent event>
__aicore__ inline void order() {
  SetFlag<event>(0);
  WaitFlag<event>(0);
}

// --- EK1301 -------------------------------------------------------------------------------------

template <bool kFault>
void adds_without_loading_y(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR w) {
  Tensors t;
  t.init(x, z, w);
  DataCopy(t.x, t.gx, kTile);
  if constexpr (!kFault) DataCopy(t.y, t.gx[kTile], kTile);
  order<HardEvent::MTE2_V>();
  Add(t.z, t.x, t.y, kTile);  // FAULT: adds without loading y
}

template <bool kFault>
void adds_more_than_was_loaded(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR w) {
  Tensors t;
  t.init(x, z, w);
  DataCopy(t.x, t.gx, kTile - 64);
  order<HardEvent::MTE2_V>();
  Add(t.z, t.x, t.x, kFault ? kTile : kTile - 64);  // FAULT: adds more than was loaded
}

template <bool kFault>
void stores_more_than_was_made(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR w) {
  Tensors t;
  t.init(x, z, w);
  Duplicate(t.z, 1.0f, kFault ? kTile - 8 : kTile);
  order<HardEvent::V_MTE3>();
  DataCopy(t.gz, t.z, kTile);  // FAULT: stores more than was made
}

template <bool kFault>
void reads_accumulator_before_it_is_zeroed(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  TPipe pipe;
  TBuf<TPosition::VECCALC> sum;
  pipe.InitBuffer(sum, kTile * 4);
  auto total = sum.Get<float>();
  if constexpr (!kFault) Duplicate(total, 0.0f, kTile);
  Add(total, total, total, kTile);  // FAULT: reads accumulator before it is zeroed
}

template <bool kFault>
void reads_scalar_that_nobody_wrote(GM_ADDR, GM_ADDR, GM_ADDR, GM_ADDR) {
  LocalTensor<float> t(TPosition::VECCALC, 0, 64);
  if constexpr (!kFault) t.SetValue(3, 1.0f);
  const float value = t.GetValue(3);  // FAULT: reads scalar that nobody wrote
  t.SetValue(4, value);
}

// --- EK1302 -------------------------------------------------------------------------------------

template <bool kFault>
void reads_output(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR w) {
  Tensors t;
  t.init(x, z, w);
  DataCopy(t.x, kFault ? t.gz : t.gx, kTile);  // FAULT: reads output
}

template <bool kFault>
void reads_behind_written_workspace(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR w) {
  Tensors t;
  t.init(x, z, w);
  Duplicate(t.z, 1.0f, kTile);
  order<HardEvent::V_MTE3>();
  DataCopy(t.gw, t.z, kTile);
  order<HardEvent::MTE3_MTE2>();
  DataCopy(t.x, t.gw, kFault ? 2 * kTile : kTile);  // FAULT: reads behind written workspace
}

template <bool kFault>
void reads_workspace_scalar(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR w) {
  Tensors t;
  t.init(x, z, w);
  if constexpr (!kFault) t.gw.SetValue(0, 2.0f);
  const float first = t.gw.GetValue(0);  // FAULT: reads workspace scalar
  t.gw.SetValue(1, first);
}

// --- EK1402 -------------------------------------------------------------------------------------

template <bool kFault>
void adds_to_unfilled_output(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR w) {
  Tensors t;
  t.init(x, z, w);
  Duplicate(t.z, 1.0f, kTile);
  order<HardEvent::V_MTE3>();
  if constexpr (!kFault) DataCopy(t.gz, t.z, kTile);
  PipeBarrier<PIPE_MTE3>();
  SetAtomicAdd<float>();
  DataCopy(t.gz, t.z, kTile);  // FAULT: adds to unfilled output
  SetAtomicNone();
}

template <bool kFault>
void takes_maximum_with_unfilled_output(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR w) {
  Tensors t;
  t.init(x, z, w);
  Duplicate(t.z, 1.0f, kTile);
  order<HardEvent::V_MTE3>();
  if constexpr (!kFault) DataCopy(t.gz, t.z, kTile);
  PipeBarrier<PIPE_MTE3>();
  SetAtomicMax<float>();
  DataCopy(t.gz[64], t.z, 64);  // FAULT: takes maximum with unfilled output
  SetAtomicNone();
}

template <bool kFault>
void fills_half_of_the_output(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR w) {
  Tensors t;
  t.init(x, z, w);
  Duplicate(t.z, 1.0f, kTile);
  order<HardEvent::V_MTE3>();
  DataCopy(t.gz, t.z, kFault ? kTile / 2 : kTile);
  PipeBarrier<PIPE_MTE3>();
  SetAtomicAdd<float>();
  DataCopy(t.gz, t.z, kTile);  // FAULT: fills half of the output
  SetAtomicNone();
}

// --- EK1290 -------------------------------------------------------------------------------------

template <bool kFault>
void shifts_up_in_place(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR w) {
  Tensors t;
  t.init(x, z, w);
  Duplicate(t.x, 1.0f, 2 * kTile);
  Add(t.x[kFault ? 64 : 0], t.x, t.x, kTile);  // FAULT: shifts up in place
}

template <bool kFault>
void overlaps_within_an_iteration(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR w) {
  Tensors t;
  t.init(x, z, w);
  Duplicate(t.x, 1.0f, 2 * kTile);
  Add(t.x, t.x[kFault ? 8 : kTile], t.x, kTile);  // FAULT: overlaps within an iteration
}

template <bool kFault>
void exp_onto_the_tail_of_its_source(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR w) {
  Tensors t;
  t.init(x, z, w);
  Duplicate(t.x, 1.0f, 2 * kTile);
  Exp(t.x[kFault ? kTile - 8 : kTile], t.x, kTile);  // FAULT: exp onto the tail of its source
}

// --- EK1311 -------------------------------------------------------------------------------------

template <bool kFault>
void exp_of_much(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR w) {
  Tensors t;
  t.init(x, z, w);
  t.x.SetValue(0, 1.0f);
  Duplicate(t.x, 1.0f, kTile);
  t.x.SetValue(7, kFault ? 100.0f : 10.0f);
  Exp(t.z, t.x, kTile);  // FAULT: exp of much
}

template <bool kFault>
void sum_overflows(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR w) {
  Tensors t;
  t.init(x, z, w);
  Duplicate(t.x, 1.0f, kTile);
  t.x.SetValue(9, kFault ? 3.0e38f : 1.0f);
  Add(t.z, t.x, t.x, kTile);  // FAULT: sum overflows
}

template <bool kFault>
void difference_of_infinities(GM_ADDR x, GM_ADDR, GM_ADDR z, GM_ADDR w) {
  Tensors t;
  t.init(x, z, w);
  Duplicate(t.x, 1.0f, kTile);
  Duplicate(t.y, 1.0f, kTile);
  t.x.SetValue(1, kFault ? 2.0e38f : 2.0f);
  t.y.SetValue(1, kFault ? 2.0e38f : 2.0f);
  Add(t.z, t.x, t.y, kTile);  // FAULT: difference of infinities
  Add(t.z, t.z, t.x, kTile);
}

TEST(InitFaults, LocalMemoryThatNobodyWrote) {
  EXPECT_FAULT("EK1301", "adds without loading y", check<adds_without_loading_y<true>>());
  EXPECT_FAULT("EK1301", "adds more than was loaded", check<adds_more_than_was_loaded<true>>());
  EXPECT_FAULT("EK1301", "stores more than was made", check<stores_more_than_was_made<true>>());
  EXPECT_FAULT("EK1301", "reads accumulator before it is zeroed",
               check<reads_accumulator_before_it_is_zeroed<true>>());
  EXPECT_FAULT("EK1301", "reads scalar that nobody wrote",
               check<reads_scalar_that_nobody_wrote<true>>());
  EXPECT_CLEAN(check<adds_without_loading_y<false>>());
  EXPECT_CLEAN(check<adds_more_than_was_loaded<false>>());
  EXPECT_CLEAN(check<stores_more_than_was_made<false>>());
  EXPECT_CLEAN(check<reads_accumulator_before_it_is_zeroed<false>>());
  EXPECT_CLEAN(check<reads_scalar_that_nobody_wrote<false>>());
}

TEST(InitFaults, OutputsAndWorkspacesThatNobodyWrote) {
  EXPECT_FAULT("EK1302", "reads output", check<reads_output<true>>());
  EXPECT_FAULT("EK1302", "reads behind written workspace",
               check<reads_behind_written_workspace<true>>());
  EXPECT_FAULT("EK1302", "reads workspace scalar", check<reads_workspace_scalar<true>>());
  EXPECT_CLEAN(check<reads_output<false>>());
  EXPECT_CLEAN(check<reads_behind_written_workspace<false>>());
  EXPECT_CLEAN(check<reads_workspace_scalar<false>>());
}

TEST(InitFaults, AtomicsOnUnfilledOutputs) {
  EXPECT_FAULT("EK1402", "adds to unfilled output", check<adds_to_unfilled_output<true>>());
  EXPECT_FAULT("EK1402", "takes maximum with unfilled output",
               check<takes_maximum_with_unfilled_output<true>>());
  EXPECT_FAULT("EK1402", "fills half of the output", check<fills_half_of_the_output<true>>());
  EXPECT_CLEAN(check<adds_to_unfilled_output<false>>());
  EXPECT_CLEAN(check<takes_maximum_with_unfilled_output<false>>());
  EXPECT_CLEAN(check<fills_half_of_the_output<false>>());
}

TEST(InitFaults, OperandsThatOverlap) {
  EXPECT_FAULT("EK1290", "shifts up in place", check<shifts_up_in_place<true>>());
  EXPECT_FAULT("EK1290", "overlaps within an iteration",
               check<overlaps_within_an_iteration<true>>());
  EXPECT_FAULT("EK1290", "exp onto the tail of its source",
               check<exp_onto_the_tail_of_its_source<true>>());
  EXPECT_CLEAN(check<shifts_up_in_place<false>>());
  EXPECT_CLEAN(check<overlaps_within_an_iteration<false>>());
  EXPECT_CLEAN(check<exp_onto_the_tail_of_its_source<false>>());
}

TEST(InitFaults, InfinitiesOutOfFiniteInputsOnRequest) {
  LaunchSetup numerics;
  numerics.options.numerics = true;
  EXPECT_FAULT("EK1311", "exp of much", check<exp_of_much<true>>(numerics));
  EXPECT_FAULT("EK1311", "sum overflows", check<sum_overflows<true>>(numerics));
  EXPECT_FAULT("EK1311", "difference of infinities",
               check<difference_of_infinities<true>>(numerics));
  EXPECT_CLEAN(check<exp_of_much<false>>(numerics));
  EXPECT_CLEAN(check<sum_overflows<false>>(numerics));
  EXPECT_CLEAN(check<difference_of_infinities<false>>(numerics));
  EXPECT_CLEAN(check<sum_overflows<true>>());
}

}  // namespace
}  // namespace faults
