// Correct kernels, broken in one place at a time: what Checked sees, and what a comparison of
// results sees. The mutations happen between the kernel and the engine: a flag, a barrier, a queue
// operation or SyncAll does not reach the engine, or a copy is displaced or shortened by one block.
#include <cstdio>
#include <map>

#include "faulty.h"
#include "opkit/core/isa/isa.h"

using namespace AscendC;

namespace faults {
namespace {

constexpr uint32_t kTile = 256, kTiles = 4;

enum class Mutation { kDrop, kShiftSource, kShiftDestination, kShorten };
const char* name_of(Mutation m) {
  static constexpr const char* kNames[] = {"drop", "shift source", "shift destination", "shorten"};
  return kNames[static_cast<size_t>(m)];
}

// What the kernel called, and which call is to be broken.
struct Mutator {
  std::map<const void*, std::string> sites;
  const void* target = nullptr;
  Mutation mutation = Mutation::kDrop;

  bool hits(const void* pc, const char* what) {
    sites.emplace(pc, what);
    return pc == target;
  }
} mutator;

const opk_isa_v1& engine() { return opkit::core::engine_isa(); }

void flag(opk_core* c, uint32_t op, uint32_t src, uint32_t dst, int32_t id) {
  if (!mutator.hits(__builtin_return_address(0), op == OPK_SYNC_SET ? "SetFlag" : "WaitFlag"))
    engine().flag(c, op, src, dst, id);
}
void barrier(opk_core* c, uint32_t pipe) {
  if (!mutator.hits(__builtin_return_address(0), "PipeBarrier")) engine().barrier(c, pipe);
}
void sync_all(opk_core* c, uint32_t aiv_only) {
  if (!mutator.hits(__builtin_return_address(0), "SyncAll")) engine().sync_all(c, aiv_only);
}
void buffer(opk_core* c, const opk_buffer_v1* b) {
  static constexpr const char* kNames[] = {"InitBuffer", "AllocTensor", "FreeTensor", "EnQue",
                                           "DeQue",      "Reset",       "Get"};
  const bool order = b->op >= OPK_B_ALLOC && b->op <= OPK_B_DEQUE;
  if (!order || !mutator.hits(__builtin_return_address(0), kNames[b->op])) engine().buffer(c, b);
}
void copy(opk_core* c, const opk_copy_v1* original) {
  opk_copy_v1 mutant = *original;
  if (mutator.hits(__builtin_return_address(0), "copy")) {
    const auto shift = [](opk_operand* o) {
      o->address = static_cast<uint8_t*>(o->address) + 32;
      o->bytes = o->bytes > 32 ? o->bytes - 32 : 0;
    };
    if (mutator.mutation == Mutation::kShiftSource) shift(&mutant.src);
    if (mutator.mutation == Mutation::kShiftDestination) shift(&mutant.dst);
    if (mutator.mutation == Mutation::kShorten && mutant.block_bytes > 32) mutant.block_bytes -= 32;
  }
  engine().copy(c, &mutant);
}

template <Kernel kernel>
void mutated(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w) {
  static opk_isa_v1 table = engine();
  table.flag = flag;
  table.barrier = barrier;
  table.sync_all = sync_all;
  table.buffer = buffer;
  table.copy = copy;
  opk_core* core = AscendC::detail::core();
  core->isa = &table;
  kernel(x, y, z, w);
  core->isa = &engine();
}

// --- the kernels --------------------------------------------------------------------------------

struct Gm {
  GlobalTensor<float> x, y, z, w;
  __aicore__ inline Gm(GM_ADDR xp, GM_ADDR yp, GM_ADDR zp, GM_ADDR wp) {
    const uint64_t part = static_cast<uint64_t>(GetBlockIdx()) * kTile * kTiles;
    x.SetGlobalBuffer((__gm__ float*)xp + part, kTile * kTiles);
    y.SetGlobalBuffer((__gm__ float*)yp + part, kTile * kTiles);
    z.SetGlobalBuffer((__gm__ float*)zp + part, kTile * kTiles);
    w.SetGlobalBuffer((__gm__ float*)wp, kElements);
  }
};

void with_flags(GM_ADDR xp, GM_ADDR yp, GM_ADDR zp, GM_ADDR wp) {
  Gm gm(xp, yp, zp, wp);
  LocalTensor<float> x(TPosition::VECIN, 0, kTile), y(TPosition::VECIN, 8192, kTile),
      z(TPosition::VECOUT, 16384, kTile);
  SetFlag<HardEvent::V_MTE2>(0);
  SetFlag<HardEvent::MTE3_V>(0);
  for (uint32_t i = 0; i < kTiles; ++i) {
    WaitFlag<HardEvent::V_MTE2>(0);
    DataCopy(x, gm.x[i * kTile], kTile);
    DataCopy(y, gm.y[i * kTile], kTile);
    SetFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE2_V>(0);
    WaitFlag<HardEvent::MTE3_V>(0);
    Add(z, x, y, kTile);
    SetFlag<HardEvent::V_MTE2>(0);
    SetFlag<HardEvent::V_MTE3>(0);
    WaitFlag<HardEvent::V_MTE3>(0);
    DataCopy(gm.z[i * kTile], z, kTile);
    SetFlag<HardEvent::MTE3_V>(0);
  }
  WaitFlag<HardEvent::V_MTE2>(0);
  WaitFlag<HardEvent::MTE3_V>(0);
}

void with_one_input(GM_ADDR xp, GM_ADDR yp, GM_ADDR zp, GM_ADDR wp) {
  Gm gm(xp, yp, zp, wp);
  TPipe pipe;
  TQue<TPosition::VECIN, 2> in_x;
  TQue<TPosition::VECOUT, 2> out;
  pipe.InitBuffer(in_x, 2, kTile * 4);
  pipe.InitBuffer(out, 2, kTile * 4);
  for (uint32_t i = 0; i < kTiles; ++i) {
    auto x = in_x.AllocTensor<float>();
    DataCopy(x, gm.x[i * kTile], kTile);
    in_x.EnQue(x);
    x = in_x.DeQue<float>();
    auto z = out.AllocTensor<float>();
    Add(z, x, x, kTile);
    in_x.FreeTensor(x);
    out.EnQue(z);
    z = out.DeQue<float>();
    DataCopy(gm.z[i * kTile], z, kTile);
    out.FreeTensor(z);
  }
}

void with_queues(GM_ADDR xp, GM_ADDR yp, GM_ADDR zp, GM_ADDR wp) {
  Gm gm(xp, yp, zp, wp);
  TPipe pipe;
  TQue<TPosition::VECIN, 2> in_x, in_y;
  TQue<TPosition::VECOUT, 2> out;
  pipe.InitBuffer(in_x, 2, kTile * 4);
  pipe.InitBuffer(in_y, 2, kTile * 4);
  pipe.InitBuffer(out, 2, kTile * 4);
  for (uint32_t i = 0; i < kTiles; ++i) {
    auto x = in_x.AllocTensor<float>();
    auto y = in_y.AllocTensor<float>();
    DataCopy(x, gm.x[i * kTile], kTile);
    DataCopy(y, gm.y[i * kTile], kTile);
    in_x.EnQue(x);
    in_y.EnQue(y);
    x = in_x.DeQue<float>();
    y = in_y.DeQue<float>();
    auto z = out.AllocTensor<float>();
    Add(z, x, y, kTile);
    in_x.FreeTensor(x);
    in_y.FreeTensor(y);
    out.EnQue(z);
    z = out.DeQue<float>();
    DataCopy(gm.z[i * kTile], z, kTile);
    out.FreeTensor(z);
  }
}

// Every core writes a tile of the workspace and then reads its neighbour's.
void with_sync_all(GM_ADDR xp, GM_ADDR yp, GM_ADDR zp, GM_ADDR wp) {
  Gm gm(xp, yp, zp, wp);
  LocalTensor<float> x(TPosition::VECIN, 0, kTile), z(TPosition::VECOUT, 16384, kTile);
  const auto block = static_cast<uint32_t>(GetBlockIdx());
  const auto next = (block + 1) % static_cast<uint32_t>(GetBlockNum());
  DataCopy(x, gm.x, kTile);
  SetFlag<HardEvent::MTE2_V>(0);
  WaitFlag<HardEvent::MTE2_V>(0);
  Add(z, x, x, kTile);
  SetFlag<HardEvent::V_MTE3>(0);
  WaitFlag<HardEvent::V_MTE3>(0);
  DataCopy(gm.w[block * kTile], z, kTile);
  SyncAll();
  DataCopy(x, gm.w[next * kTile], kTile);
  SetFlag<HardEvent::MTE2_V>(1);
  WaitFlag<HardEvent::MTE2_V>(1);
  Add(z, x, x, kTile);
  SetFlag<HardEvent::V_MTE3>(1);
  WaitFlag<HardEvent::V_MTE3>(1);
  DataCopy(gm.z, z, kTile);
}

// --- the count ----------------------------------------------------------------------------------

struct Tally {
  int mutants = 0, checked = 0, results = 0, either = 0;
  std::vector<std::string> survivors;
};

template <Kernel kernel>
Tally mutate(const char* name) {
  LaunchSetup setup;
  setup.blocks = 2;
  std::vector<float> right, z;
  mutator = {};
  setup.z = &right;
  EXPECT_CLEAN(check<mutated<kernel>>(setup));
  const auto sites = mutator.sites;
  setup.z = &z;
  Tally tally;
  for (const auto& [pc, what] : sites) {
    const bool copies = what == "copy";
    for (const Mutation m : {Mutation::kDrop, Mutation::kShiftSource, Mutation::kShiftDestination,
                             Mutation::kShorten}) {
      if (copies == (m == Mutation::kDrop)) continue;
      mutator.target = pc;
      mutator.mutation = m;
      const bool seen = !check<mutated<kernel>>(setup).findings.empty();
      const bool differs = z != right;
      ++tally.mutants;
      tally.checked += seen;
      tally.results += differs;
      tally.either += seen || differs;
      if (!seen && !differs) tally.survivors.push_back(std::string(name_of(m)) + " " + what);
    }
  }
  mutator = {};
  std::printf("%-14s %3d mutants, Checked sees %3d, results differ %3d, either %3d\n", name,
              tally.mutants, tally.checked, tally.results, tally.either);
  for (const std::string& survivor : tally.survivors)
    std::printf("  survives: %s\n", survivor.c_str());
  return tally;
}

TEST(Mutations, EveryLostFlagIsSeen) {
  const Tally tally = mutate<with_flags>("with_flags");
  EXPECT_EQ(tally.either, tally.mutants);
  EXPECT_GE(tally.mutants, 21);
}

TEST(Mutations, LostQueueOperationsAndDisplacedCopies) {
  const Tally tally = mutate<with_one_input>("with_one_input");
  EXPECT_EQ(tally.either, tally.mutants);
  EXPECT_GE(tally.mutants, 14);
}

// With two input queues, the order that one of them makes covers the other as well: a single lost
// AllocTensor, EnQue or DeQue of an input changes nothing that matters.
TEST(Mutations, TwoInputQueuesOrderEachOther) {
  const Tally tally = mutate<with_queues>("with_queues");
  EXPECT_EQ(tally.survivors.size(), 6u);
  for (const std::string& survivor : tally.survivors)
    EXPECT_THAT(survivor, ::testing::AnyOf("drop AllocTensor", "drop EnQue", "drop DeQue"));
}

TEST(Mutations, ALostSyncAllIsSeen) {
  const Tally tally = mutate<with_sync_all>("with_sync_all");
  EXPECT_EQ(tally.either, tally.mutants);
}

}  // namespace
}  // namespace faults
