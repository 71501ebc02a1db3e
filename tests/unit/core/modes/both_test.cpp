// Two observers of one launch see what each would see alone; Timed says what a flag or barrier that
// Checked calls needless costs.
#include "opkit/core/modes/both.h"

#include <gtest/gtest.h>

#include "opkit/core/modes/timed.h"
#include "tests/rates_910b1.h"
#include "tests/unit/core/kernel_run.h"

namespace opkit::core::test {
namespace {

using namespace AscendC;

constexpr uint32_t kTile = 1024, kTiles = 8;

enum class Extra { kNothing, kBarrier, kFlag };

// Loads and doubles tiles, one after the other. The barrier stands in the way of the next load, and
// no two vector instructions meet; the flag repeats the one in front of it.
template <Extra extra>
void kernel(void* const* args) {
  GlobalTensor<float> x, z;
  x.SetGlobalBuffer(static_cast<float*>(args[0]));
  z.SetGlobalBuffer(static_cast<float*>(args[1]));
  LocalTensor<float> in(TPosition::VECIN, 0, kTile);
  for (uint32_t i = 0; i < kTiles; ++i) {
    LocalTensor<float> out(TPosition::VECOUT, 65536 + i * kTile * 4, kTile);
    if (i > 0) WaitFlag<HardEvent::V_MTE2>(0);
    DataCopy(in, x[i * kTile], kTile);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    Add(out, in, in, static_cast<int32_t>(kTile));
    if (extra == Extra::kBarrier) PipeBarrier<PIPE_V>();
    if (i + 1 < kTiles) SetFlag<HardEvent::V_MTE2>(0);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    if (extra == Extra::kFlag) {
      SetFlag<HardEvent::V_MTE3>(1);
      WaitFlag<HardEvent::V_MTE3>(1);
    }
    DataCopy(z[i * kTile], out, kTile);
  }
}

struct Seen {
  CheckedReport report;
  TimedResult times;
  uint64_t cycles_without = 0;
};

template <Extra extra>
LaunchReport launch(Observer& observer) {
  std::vector<float> x(kTile * kTiles, 1.0f), z(kTile * kTiles);
  LaunchSetup setup;
  setup.observer = &observer;
  setup.gm = {{reinterpret_cast<uint8_t*>(x.data()), x.size() * 4, "x", false},
              {reinterpret_cast<uint8_t*>(z.data()), z.size() * 4, "z", true}};
  return run<kernel<extra>>({x.data(), z.data()}, setup);
}

template <Extra extra>
Seen seen_by_both() {
  Checked checked;
  Timed timed{rates_910b1()};
  Both both(checked, timed);
  const LaunchReport report = launch<extra>(both);
  Seen seen{checked.take_report(report), timed.result()};
  if (!seen.report.findings.empty())
    seen.cycles_without = timed.cycles_without(seen.report.findings[0].at.pc);
  return seen;
}

TEST(Both, SeesWhatEachSeesAlone) {
  const Seen both = seen_by_both<Extra::kBarrier>();
  Checked checked;
  const LaunchReport report = launch<Extra::kBarrier>(checked);
  const CheckedReport alone = checked.take_report(report);
  Timed timed{rates_910b1()};
  ASSERT_TRUE(launch<Extra::kBarrier>(timed).ok());
  EXPECT_EQ(both.times.cycles, timed.result().cycles);
  EXPECT_EQ(both.times.task_ns, timed.result().task_ns);
  ASSERT_EQ(both.report.findings.size(), alone.findings.size());
  for (size_t i = 0; i < alone.findings.size(); ++i) {
    EXPECT_EQ(both.report.findings[i].code, alone.findings[i].code);
    EXPECT_EQ(both.report.findings[i].message, alone.findings[i].message);
  }
}

TEST(Both, TheCostOfANeedlessBarrierIsThatOfTheKernelWithoutIt) {
  const Seen seen = seen_by_both<Extra::kBarrier>();
  ASSERT_EQ(seen.report.findings.size(), 1u) << to_text(seen.report, {});
  EXPECT_EQ(seen.report.findings[0].code, "EK1312");
  EXPECT_EQ(seen.cycles_without, seen_by_both<Extra::kNothing>().times.cycles);
  EXPECT_LT(seen.cycles_without, seen.times.cycles);
}

TEST(Both, TheCostOfANeedlessFlagIsThatOfTheKernelWithoutIt) {
  const Seen seen = seen_by_both<Extra::kFlag>();
  ASSERT_EQ(seen.report.findings.size(), 1u) << to_text(seen.report, {});
  EXPECT_EQ(seen.report.findings[0].code, "EK1309");
  EXPECT_EQ(seen.cycles_without, seen_by_both<Extra::kNothing>().times.cycles);
  EXPECT_LE(seen.cycles_without, seen.times.cycles);
}

TEST(Both, AKernelWithoutNeedlessOrderIsClean) {
  EXPECT_TRUE(seen_by_both<Extra::kNothing>().report.findings.empty());
}

void trap(void* const*) { Trap(); }

TEST(Both, FaultsAreTheFirstOnesAffair) {
  Checked checked;
  Timed timed{rates_910b1()};
  Both both(checked, timed);
  LaunchSetup setup;
  setup.observer = &both;
  const LaunchReport report = run<trap>({}, setup);
  const CheckedReport found = checked.take_report(report);
  ASSERT_EQ(found.findings.size(), 1u);
  EXPECT_EQ(found.findings[0].code, "EK1601");
}

}  // namespace
}  // namespace opkit::core::test
