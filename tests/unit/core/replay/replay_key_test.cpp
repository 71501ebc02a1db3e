// For which launches a program was recorded, and who may ask meanwhile.
#include <gtest/gtest.h>

#include "tests/unit/core/replay/replayed.h"

namespace opkit::core::test::replay_keys {
namespace {

using namespace AscendC;

constexpr uint32_t kTile = 1024;  // floats

LocalTensor<float> tile(uint32_t i) {
  return LocalTensor<float>(TPosition::VECCALC, i * 8192, 2048);
}

GlobalTensor<float> tensor(const void* at, uint32_t floats) {
  GlobalTensor<float> all;
  all.SetGlobalBuffer(static_cast<float*>(const_cast<void*>(at)), floats);
  return all;
}

void doubles(void* const* args) {
  DataCopy(tile(0), tensor(args[0], kTile), kTile);
  Muls(tile(1), tile(0), 2.0f, kTile);
  DataCopy(tensor(args[1], kTile), tile(1), kTile);
}

// A launch of x and z, tiling bytes and, where a test asks for it, memory of the system.
struct Call {
  std::vector<float> x = std::vector<float>(2 * kTile, 1.0f);
  std::vector<float> z = std::vector<float>(2 * kTile, 0.0f);
  std::vector<float> system = std::vector<float>(kTile, 5.0f);
  std::vector<uint8_t> tiling = std::vector<uint8_t>(64, 0);
  std::vector<GmRange> gm;
  std::vector<void*> args;
  opk_kernel_v1 kernel{};
  opk_soc_v1 soc = soc_910b();
  LaunchRequest request;

  explicit Call(opk_kernel_fn entry) {
    kernel.struct_size = sizeof kernel;
    kernel.task_type = OPK_TASK_AIV_ONLY;
    kernel.aiv = entry;
    kernel.arg_count = 3;
    gm = {range(x.data(), kTile), range(z.data(), kTile), range(system.data(), kTile),
          range(tiling.data(), 16)};
    args = {x.data(), z.data(), tiling.data()};
    request.kernel = &kernel;
    request.args = args.data();
    request.gm = gm.data();
    request.gm_count = static_cast<uint32_t>(gm.size());
  }
  static GmRange range(const void* at, uint64_t floats) {
    return {static_cast<const uint8_t*>(at), floats * sizeof(float), "t"};
  }
  std::optional<LaunchKey> key(std::string* why) const { return key_of(request, soc, why); }
};

TEST(ReplayKey, TensorsAtOnePlaceReachAsFar) {
  Call call(entry<doubles>);
  std::string why;
  call.gm[1].base = call.gm[0].base;
  EXPECT_TRUE(call.key(&why).has_value()) << why;
  call.gm[1].bytes -= 4;  // rounds to the same blocks, but ends elsewhere
  EXPECT_FALSE(call.key(&why).has_value());
  EXPECT_EQ(why, "gets tensors that overlap");
}

TEST(ReplayKey, AnEmptyTensorIsNotTheOneThatBeginsThere) {
  Call call(entry<doubles>);
  std::string why;
  std::vector<uint8_t> large(64 << 10);
  call.gm[1].base = call.gm[0].base = large.data();
  call.gm[0].bytes = 0;
  call.gm[1].bytes = large.size();
  call.args = {large.data(), large.data(), call.tiling.data()};
  const std::optional<LaunchKey> key = call.key(&why);
  ASSERT_TRUE(key.has_value()) << why;
  EXPECT_EQ(key->ranges[1].same_as, 1u);
  const PhantomRequest phantom(call.request, *key, false);
  const GmRange* gm = phantom.request().gm;
  // The other tensors lie behind all of its bytes, or before it.
  EXPECT_TRUE(gm[2].base >= gm[1].base + gm[1].bytes || gm[2].base + gm[2].bytes <= gm[1].base);
}

// Doubles x, or writes what lies in the memory of the system where there is some.
void looks_for_system(void* const* args) {
  if (const uint8_t* system = GetSysWorkSpacePtr()) {
    DataCopy(tile(0), tensor(system, kTile), kTile);
    DataCopy(tensor(args[1], kTile), tile(0), kTile);
  } else {
    doubles(args);
  }
}

TEST(ReplayKey, MemoryOfTheSystemIsPartOfIt) {
  Call call(entry<looks_for_system>);
  Machine machine(call.soc, 1);
  LaunchReplay replay;
  call.request.replay = &replay;
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(machine.launch(call.request).ok());
  EXPECT_EQ(replay.report().replayed, 2u) << replay.report().why;
  EXPECT_EQ(call.z[7], 2.0f);
  call.request.system_workspace = reinterpret_cast<uint8_t*>(call.system.data());
  for (int i = 0; i < 3; ++i) {
    call.z[7] = 0;
    EXPECT_TRUE(machine.launch(call.request).ok());
    EXPECT_EQ(call.z[7], 5.0f);
  }
  EXPECT_EQ(replay.report().replayed, 4u) << replay.report().why;
}

// Who asks while another launch is recorded gets the kernel, and does not wait.
TEST(Replay, NobodyWaitsForARecording) {
  Call call(entry<doubles>);
  Machine machine(call.soc, 1);
  LaunchReplay replay;
  ASSERT_TRUE(machine.launch(call.request).ok());
  replay.kernel_ran(call.request, call.soc, {});
  int watched = 0;
  const auto nested = [](const LaunchRequest&) -> LaunchReport { return {}; };
  const auto program =
      replay.program_for(call.request, call.soc, [&](const LaunchRequest& phantom) {
        ++watched;
        EXPECT_EQ(replay.program_for(call.request, call.soc, nested), nullptr);
        EXPECT_FALSE(replay.report().has_program);
        return machine.launch(phantom);
      });
  EXPECT_NE(program, nullptr) << replay.report().why;
  EXPECT_EQ(watched, 2);
  EXPECT_EQ(replay.report().replayed, 1u);
}

// What was recorded for other sizes is not kept.
TEST(Replay, ALaunchOfAnotherShapeMeanwhileTakesTheProgramAway) {
  Call call(entry<doubles>), longer(entry<doubles>);
  longer.kernel = call.kernel;
  longer.request.kernel = &call.kernel;
  longer.gm[0].bytes += 64;
  Machine machine(call.soc, 1);
  LaunchReplay replay;
  replay.kernel_ran(call.request, call.soc, {});
  const auto program =
      replay.program_for(call.request, call.soc, [&](const LaunchRequest& phantom) {
        replay.kernel_ran(longer.request, call.soc, {});
        return machine.launch(phantom);
      });
  EXPECT_EQ(program, nullptr);
  EXPECT_FALSE(replay.report().has_program);
}

// Every block does something of its own.
void scales_by_block(void* const* args) {
  const auto block = static_cast<uint32_t>(GetBlockIdx());
  DataCopy(tile(0), tensor(args[0], kTile), 8);
  Muls(tile(1), tile(0), static_cast<float>(block), 8);
  DataCopy(tensor(args[1], 2 * kTile)[block * 8], tile(1), 8);
}

TEST(Replay, BlocksThatAllDifferAreClassesOfTheirOwn) {
  Call call(entry<scales_by_block>);
  call.gm[1].bytes *= 2;
  call.request.block_dim = 256;
  Machine machine(call.soc, 1);
  LaunchReplay replay;
  call.request.replay = &replay;
  for (int i = 0; i < 3; ++i) {
    std::fill(call.z.begin(), call.z.end(), -1.0f);
    EXPECT_TRUE(machine.launch(call.request).ok());
    for (uint32_t b = 0; b < 256; ++b) EXPECT_EQ(call.z[b * 8 + 3], static_cast<float>(b));
  }
  EXPECT_EQ(replay.report().replayed, 2u) << replay.report().why;
  EXPECT_EQ(replay.report().classes, 256u);
}

// A kernel that is refused in a later launch, because of something that no recording sees.
uint32_t floats_to_copy = kTile;
void copies_as_host_says(void* const* args) {
  DataCopy(tile(0), tensor(args[0], kTile), kTile);
  DataCopy(tensor(args[1], floats_to_copy), tile(0), floats_to_copy);
}

TEST(Replay, AFaultOfTheKernelIsNotOneOfItsProgram) {
  Call call(entry<copies_as_host_says>);
  Machine machine(call.soc, 1);
  LaunchReplay replay(true);
  call.request.replay = &replay;
  for (int i = 0; i < 2; ++i) EXPECT_TRUE(machine.launch(call.request).ok());
  EXPECT_EQ(replay.report().replayed, 2u) << replay.report().why;
  floats_to_copy = 2 * kTile;
  const LaunchReport report = machine.launch(call.request);
  floats_to_copy = kTile;
  ASSERT_EQ(report.faults.size(), 1u);
  EXPECT_EQ(report.faults[0].code, "EK1004");
  EXPECT_EQ(replay.report().replayed, 2u);
}

}  // namespace
}  // namespace opkit::core::test::replay_keys
