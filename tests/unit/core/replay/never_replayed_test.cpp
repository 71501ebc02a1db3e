// Kernels that must not be replayed: what they do hangs on something else than their tiling. Each
// is right, launch after launch, and why it is the kernel's is told.
#include <gtest/gtest.h>

#include "tests/unit/core/replay/replayed.h"

namespace opkit::core::test::never_replayed {
namespace {

using namespace AscendC;

constexpr uint32_t kFloats = 8192, kTile = 1024;

struct Ends {
  GlobalTensor<float> x, y, z;
  uint32_t from = static_cast<uint32_t>(GetBlockIdx()) * kTile;
  explicit Ends(void* const* args) {
    x.SetGlobalBuffer(static_cast<float*>(args[0]), kFloats);
    y.SetGlobalBuffer(static_cast<float*>(args[1]), kFloats);
    z.SetGlobalBuffer(static_cast<float*>(args[2]), kFloats);
  }
};

LocalTensor<float> part(uint32_t i) {
  return LocalTensor<float>(TPosition::VECCALC, i * 8192, 2048);
}
void load(const Ends& g) { DataCopy(part(0), g.x[g.from], kTile); }
void scale(const Ends& g, float factor) {
  Muls(part(1), part(0), factor, kTile);
  DataCopy(g.z[g.from], part(1), kTile);
}

// 1. GetValue in a loop.
void reads_values(void* const* args) {
  const Ends g(args);
  load(g);
  float sum = 0;
  for (uint32_t i = 0; i < 16; ++i) sum += part(0).GetValue(100 + i);
  scale(g, sum > 0 ? 2.0f : 3.0f);
}
// 2. A value of GM.
void reads_gm(void* const* args) {
  const Ends g(args);
  load(g);
  scale(g, g.y.GetValue(700) > 0 ? 2.0f : 3.0f);
}
// 3. A pointer of its own into GM. Sanitizers would look at their own bytes first, which the engine
// does not know; they do not instrument plugins either.
[[gnu::no_sanitize("address", "undefined")]] void points_into_gm(void* const* args) {
  const Ends g(args);
  load(g);
  scale(g, static_cast<const float*>(args[1])[701] > 0 ? 2.0f : 3.0f);
}
// 4. A pointer of its own into UB.
void points_into_ub(void* const* args) {
  const Ends g(args);
  load(g);
  const auto* value = reinterpret_cast<const float*>(part(0).GetPhyAddr());
  scale(g, value[300] > 0 ? 2.0f : 3.0f);
}
// 5. What a reduction leaves in a register.
void reads_register(void* const* args) {
  const Ends g(args);
  load(g);
  WholeReduceSum(part(2), part(0), 64, 1, 1, 1, 8);
  scale(g, GetAccVal<float>() > 0 ? 2.0f : 3.0f);
}
// 6. Polls GM, which another core may write.
void polls(void* const* args) {
  const Ends g(args);
  load(g);
  scale(g, ReadGmByPassDCache(static_cast<float*>(args[1])) > 0 ? 2.0f : 3.0f);
}
void cleans_cache(void* const* args) {
  const Ends g(args);
  load(g);
  DataCacheCleanAndInvalid<float, CacheLine::SINGLE_CACHE_LINE, DcciDst::CACHELINE_OUT>(g.y);
  scale(g, g.y.GetValue(0) > 0 ? 2.0f : 3.0f);
}
// 7. Prints.
void prints(void* const* args) {
  const Ends g(args);
  load(g);
  scale(g, 2.0f);
  AscendC::printf("block %d\n", static_cast<int>(GetBlockIdx()));
}
// 8. Reads what the block before wrote.
void reads_neighbour(void* const* args) {
  const Ends g(args);
  load(g);
  scale(g, 2.0f);
  if (GetBlockIdx() == 0) return;
  DataCopy(part(2), g.z[g.from - kTile], kTile);
  Add(part(2), part(2), part(1), kTile);
  DataCopy(g.z[g.from], part(2), kTile);
}
// 9. Writes where another block writes.
void writes_neighbour(void* const* args) {
  const Ends g(args);
  load(g);
  Muls(part(1), part(0), static_cast<float>(GetBlockIdx()), kTile);
  DataCopy(g.z[g.from], part(1), kTile);
  DataCopy(g.z, part(1), 64);
}
// 10. Reads the clock.
void reads_clock(void* const* args) {
  const Ends g(args);
  load(g);
  const int64_t before = GetSystemCycle();
  scale(g, GetSystemCycle() >= before ? 2.0f : 3.0f);
}
// 11. Atomic additions.
void adds_atomically(void* const* args) {
  const Ends g(args);
  load(g);
  SetAtomicAdd<float>();
  DataCopy(g.z, part(0), kTile);
  SetAtomicNone();
}
// 12. Sets a word of GM for another core.
void sets_words(void* const* args) {
  const Ends g(args);
  load(g);
  scale(g, 2.0f);
  GlobalTensor<int32_t> words;
  words.SetGlobalBuffer(static_cast<int32_t*>(args[2]) + 7 * kTile, kTile);
  IBSet(words, part(2).ReinterpretCast<int32_t>(), static_cast<int32_t>(GetBlockIdx()), 0);
}
// 13. State of the host that changes from launch to launch.
void counts(void* const* args) {
  static float calls = 0;
  const Ends g(args);
  load(g);
  if (GetBlockIdx() == 0) calls += 1;
  scale(g, 2.0f);
  if (GetBlockIdx() == 0) {
    Duplicate(part(3), calls - calls, 64);
    Adds(part(3), part(3), static_cast<int>(calls) % 2 ? 1.0f : 1.5f, 64);
    DataCopy(g.z[4 * kTile], part(3), 64);
  }
}
// 14. Where tensors lie.
void looks_at_addresses(void* const* args) {
  const Ends g(args);
  load(g);
  const bool odd = reinterpret_cast<uintptr_t>(args[0]) / 64 % 2 != 0;
  scale(g, odd ? 2.0f : 2.5f);
}
// 15. As many elements as a tensor says.
void gathers(void* const* args) {
  const Ends g(args);
  load(g);
  const LocalTensor<uint32_t> bits = part(2).ReinterpretCast<uint32_t>();
  Duplicate(bits, static_cast<uint32_t>(0x5555), 64);
  Duplicate(part(1), 0.0f, 64);
  uint64_t kept = 0;
  GatherMask(part(1), part(0), bits, false, 0, {1, 1, 8, 8}, kept);
  DataCopy(g.z[g.from], part(1), 64);
}
// 16. What an earlier block left in UB.
void takes_leftovers(void* const* args) {
  const Ends g(args);
  load(g);
  Adds(part(1), part(0), 1.0f, kTile);
  if (GetBlockIdx() == 3) DataCopy(g.z[g.from], part(4), 64);
  DataCopy(g.z[g.from + 4 * kTile], part(1), kTile);
}

// 17. An instruction that writes what it reads.
void reads_its_result(void* const* args) {
  const Ends g(args);
  load(g);
  Adds(part(0)[8], part(0), 1.0f, kTile - 8);
  scale(g, 2.0f);
}

// 18. Elements in the order that tensors say.
void merges(void* const* args) {
  const Ends g(args);
  load(g);
  const LocalTensor<float> from = part(0);
  const uint16_t lengths[] = {32, 32, 32, 32};
  MrgSort(part(1), MrgSortSrcList<float>(from, from[64], from[128], from[192]),
          MrgSort4Info(lengths, false, 0b1111, 1));
  DataCopy(g.z[g.from], part(1), 256);
}

struct Case {
  const char* why;
  Replayed (*launch)(const ReplayedSetup&);
};

TEST(Replay, LeavesToTheKernelWhatHangsOnMore) {
  const Case cases[] = {
      {"reads or writes single values (GetValue, SetValue)", replayed<reads_values>},
      {"reads or writes single values (GetValue, SetValue)", replayed<reads_gm>},
      {"looks at tensors through pointers of its own", replayed<points_into_gm>},
      {"looks at UB or registers by itself, or waits for that", replayed<points_into_ub>},
      {"looks at UB or registers by itself, or waits for that", replayed<reads_register>},
      {"looks at GM until another core has written", replayed<polls>},
      {"cleans its cache, to see what others write", replayed<cleans_cache>},
      {"printed something, or was told of something", replayed<prints>},
      {"reads or writes bytes of GM that another block writes", replayed<reads_neighbour>},
      {"reads or writes bytes of GM that another block writes", replayed<writes_neighbour>},
      {"reads the clock", replayed<reads_clock>},
      {"adds to GM atomically", replayed<adds_atomically>},
      {"looks at tensors through pointers of its own", replayed<sets_words>},
      {"does something else where tensors lie elsewhere", replayed<looks_at_addresses>},
      {"asks what an instruction has computed", replayed<gathers>},
      {"picks elements by what tensors hold (GatherMask, MrgSort)", replayed<merges>},
      {"lets an instruction write what it reads, out of step", replayed<reads_its_result>},
      {"copies bytes of UB to GM that it has not written", replayed<takes_leftovers>},
  };
  for (const Case& each : cases) {
    const Replayed seen = each.launch({});
    EXPECT_EQ(seen.report.why, each.why);
    EXPECT_EQ(seen.report.replayed, 0u) << each.why;
    EXPECT_EQ(seen.report.kernel_launches, ReplayedSetup{}.launches) << each.why;
    EXPECT_FALSE(seen.report.has_program) << each.why;
  }
}

// Both machines run the kernel in turn, so that its own count is not compared.
TEST(Replay, SeesThatAKernelCounts) {
  const Replayed seen = replayed<counts>();
  EXPECT_EQ(seen.report.replayed, 0u);
  EXPECT_EQ(seen.report.why, "does something else where tensors lie elsewhere");
}

TEST(Replay, ResultsOfKernelsThatAreNotReplayedStayRight) {
  EXPECT_TRUE(replayed<reads_values>().same);
  EXPECT_TRUE(replayed<reads_gm>().same);
  EXPECT_TRUE(replayed<points_into_gm>().same);
  EXPECT_TRUE(replayed<points_into_ub>().same);
  EXPECT_TRUE(replayed<reads_register>().same);
  EXPECT_TRUE(replayed<polls>().same);
  EXPECT_TRUE(replayed<cleans_cache>().same);
  EXPECT_TRUE(replayed<prints>().same);
  EXPECT_TRUE(replayed<reads_neighbour>().same);
  EXPECT_TRUE(replayed<writes_neighbour>().same);
  EXPECT_TRUE(replayed<adds_atomically>().same);
  EXPECT_TRUE(replayed<gathers>().same);
}

// What no recording can see: a variable that others set later.
float factor_of_host = 2.0f;
void looks_at_host(void* const* args) {
  const Ends g(args);
  load(g);
  scale(g, factor_of_host);
}

TEST(Replay, ComparesBytesWhereItIsAskedTo) {
  ReplayedSetup setup;
  setup.compares = true;
  ReplayedLaunches launches(entry<looks_at_host>, setup);
  for (uint32_t i = 1; i < 4; ++i) launches.launch(i);
  EXPECT_TRUE(launches.result().faults.empty());
  EXPECT_EQ(launches.result().report.replayed, 3u);
  EXPECT_EQ(launches.result().report.kernel_launches, 0u);
  factor_of_host = 3.0f;
  launches.launch(4);
  const Replayed seen = launches.result();
  EXPECT_TRUE(seen.same);  // what the kernel leaves stays
  ASSERT_EQ(seen.faults.size(), 1u);
  EXPECT_EQ(seen.faults[0].code, "EK1610");
  EXPECT_EQ(seen.faults[0].message.rfind("byte ", 0), 0u);
  EXPECT_NE(seen.faults[0].message.find(" of 't' is "), std::string::npos);
}

// Kernels of older headers tell of no look at registers.
void old_entry(opk_core* core, void* const* args) {
  AscendC::detail::current = core;
  const Ends g(args);
  load(g);
  WholeReduceSum(part(2), part(0), 64, 1, 1, 1, 8);
  scale(g, 2.0f);
}

TEST(Replay, OlderHeadersDoNotTellOfRegisters) {
  const Replayed seen = ReplayedLaunches(old_entry, {}).run();
  EXPECT_EQ(seen.report.why, "was built with older headers, which tell of no look at registers");
  EXPECT_TRUE(seen.same);
}

}  // namespace
}  // namespace opkit::core::test::never_replayed
