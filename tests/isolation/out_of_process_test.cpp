// The executor in a worker against the one in this process: the same answers, and after a crash a
// new worker.
#include "opkit/isolation/out_of_process.h"

#include <gmock/gmock.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <set>

#include "opkit/call/execute/execution.h"
#include "opkit/call/execute/in_process.h"
#include "opkit/call/tiling/tiling_fields.h"
#include "opkit/isolation/open_op.h"
#include "registry/install.h"
#include "registry/quarantine.h"
#include "tests/isolation/out_of_process.h"

namespace opkit::isolation {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

TEST_F(OutOfProcessTest, AnswersAsInProcess) {
  const OpenedOp there = open(false), here = open(true);
  for (const int64_t n : {1, 7, 1000, 1024, 5000, 200000}) {
    for (const bool checked : {false, true}) {
      Invocation one = call(there, n), other = call(here, n);
      one.checked = other.checked = checked && n < 10000;
      const auto a = there.executor->run(std::move(one));
      const auto b = here.executor->run(std::move(other));
      ASSERT_TRUE(a.ok()) << a.error().to_string();
      ASSERT_TRUE(b.ok()) << b.error().to_string();
      EXPECT_TRUE(std::ranges::equal(a->outputs[0][0].bytes(), b->outputs[0][0].bytes()));
      EXPECT_TRUE(std::ranges::equal(a->inputs[1][0].bytes(), b->inputs[1][0].bytes()));
      EXPECT_EQ(a->tiling_data, b->tiling_data);
      EXPECT_EQ(a->block_dim, b->block_dim);
    }
  }
  EXPECT_EQ(there.executor->tiling_keys(), here.executor->tiling_keys());
}

TEST_F(OutOfProcessTest, CoversAndCostsAsInProcess) {
  const OpenedOp there = open(false), here = open(true);
  const auto plan_in = [&](const OpenedOp& op) {
    Invocation invocation = call(op, 3000);
    return op.executor->plan(op.contract, "Ascend910B1", facts_of(op.contract, invocation.inputs))
        .value();
  };
  const SharedPlan a = plan_in(there), b = plan_in(here);
  const auto cost_a = there.executor->cost(a), cost_b = here.executor->cost(b);
  ASSERT_TRUE(cost_a.ok() && cost_b.ok());
  EXPECT_EQ(cost_a->cycles, cost_b->cycles);
  EXPECT_EQ(cost_a->timed->rates.frequency_mhz, cost_b->timed->rates.frequency_mhz);
  for (const CoverKind kind : {CoverKind::kDry, CoverKind::kRoomy, CoverKind::kReal}) {
    const auto cover_a = there.executor->cover(a, kind, {}, call(there, 3000).inputs);
    const auto cover_b = here.executor->cover(b, kind, {}, call(here, 3000).inputs);
    ASSERT_TRUE(cover_a.ok() && cover_b.ok());
    EXPECT_EQ(cover_a->report.digest, cover_b->report.digest);
    EXPECT_EQ(cover_a->outputs[0][0].written, 12000u);
    EXPECT_EQ(cover_a->outputs[0][0].missing, cover_b->outputs[0][0].missing);
  }
  WatchOptions checked;
  checked.mode = Mode::kChecked;
  const auto dry = there.executor->watch_dry(a, checked);
  ASSERT_TRUE(dry.ok()) << dry.error().to_string();
  EXPECT_TRUE(dry->watched.good());
  for (const InPlace pair : {InPlace{0, 0}, InPlace{0, 1}, InPlace{0, 2}, InPlace{1, 0}}) {
    const auto takes_a = there.executor->takes_in_place(a, pair);
    const auto takes_b = here.executor->takes_in_place(b, pair);
    ASSERT_TRUE(takes_a.ok() && takes_b.ok());
    EXPECT_EQ(*takes_a, pair.output == 0 && pair.input < 2);
    EXPECT_EQ(*takes_a, *takes_b);
  }
}

// Inputs lie where a worker may not write.
TEST_F(OutOfProcessTest, ComparesRecordedLaunchesWithTheKernel) {
  ::setenv("OPKIT_REPLAY", "compare", 1);
  const OpenedOp op = open(false);
  for (const int64_t n : {1000, 5000, 5000}) {
    const auto ran = op.executor->run(call(op, n));
    EXPECT_TRUE(ran.ok()) << ran.error().to_string();
  }
  ::unsetenv("OPKIT_REPLAY");
}

TEST_F(OutOfProcessTest, TellsWhoWroteAnElement) {
  const OpenedOp op = open(false);
  const auto told = op.executor->writers_of(call(op, 1000), 0, 0, 999);
  ASSERT_EQ(told.size(), 1u);
  EXPECT_THAT(told[0], HasSubstr("DataCopyPad at op_kernel/hostile_add.cpp:"));
}

// The host's environment has no part in it.
TEST_F(OutOfProcessTest, WatchesOnlyWhenAskedWhatATilingFunctionLeavesAlone) {
  ::setenv("OPKIT_HOSTILE", "tile:no_total", 1);
  const OpenedOp op = open(false);
  CallFacts facts = facts_of(op.contract, call(op, 4096).inputs);
  const auto unset = [&] {
    const auto plan = op.executor->plan(op.contract, "Ascend910B1", facts);
    EXPECT_TRUE(plan.ok()) << plan.error().to_string();
    return plan.ok() ? unset_fields((*plan)->tiling) : std::vector<std::string>{"no plan"};
  };
  EXPECT_THAT(unset(), IsEmpty());
  EXPECT_TRUE(op.executor->watch_unset(true));
  EXPECT_THAT(unset(), ElementsAre("field total was never set (HostileTilingData)"));
  EXPECT_TRUE(op.executor->watch_unset(false));
  EXPECT_THAT(unset(), IsEmpty());
}

TEST_F(OutOfProcessTest, OpensANewWorkerAfterACrash) {
  ::setenv("OPKIT_HOSTILE", "kernel:write_null", 1);
  const OpenedOp op = open(false);
  const auto crashed = op.executor->run(call(op, 100));
  ASSERT_FALSE(crashed.ok());
  EXPECT_EQ(crashed.error().code, "OPK-WORKER-002");
  ::unsetenv("OPKIT_HOSTILE");  // spares workers to come
  for (int i = 0; i < 3; ++i) {
    const auto right = op.executor->run(call(op, 100));
    ASSERT_TRUE(right.ok()) << right.error().to_string();
    EXPECT_EQ(right->outputs[0][0].at(99), 100.0 + 104.0);
  }
}

// An op that is uninstalled while somebody runs it: later workers get the same bytes.
TEST_F(OutOfProcessTest, OpensANewWorkerOfAPackageThatIsGone) {
  const auto opp = std::filesystem::path(testing::TempDir()) / "opkit_lease_opp";
  std::filesystem::remove_all(opp);
  const auto host = registry::HostFacts::of_this_process();
  const auto added =
      registry::install({.source = OPKIT_HOSTILE_PACKAGE, .opp = opp, .probe = false}, host);
  ASSERT_TRUE(added.ok()) << added.error().to_string();
  ::setenv("OPKIT_HOSTILE", "kernel:write_null", 1);
  const auto op = open_op(added->package.root, {});
  ASSERT_TRUE(op.ok()) << op.error().to_string();
  ASSERT_TRUE(registry::uninstall({.opp = opp, .op = op->contract.op}).ok());
  ASSERT_FALSE(std::filesystem::exists(added->package.root));
  const auto crashed = op->executor->run(call(*op, 100));
  ASSERT_FALSE(crashed.ok());
  ASSERT_FALSE(crashed.error().trail.empty()) << "its lines are known all the same";
  EXPECT_THAT(crashed.error().trail[0], HasSubstr("hostile.h:"));
  ::unsetenv("OPKIT_HOSTILE");
  const auto right = op->executor->run(call(*op, 100));
  ASSERT_TRUE(right.ok()) << right.error().to_string();
  EXPECT_EQ(right->outputs[0][0].at(99), 100.0 + 104.0);
  std::filesystem::remove_all(opp);
}

// Once per opened op, however often its code crashes; and not where crashes are looked for.
TEST_F(OutOfProcessTest, CountsCrashesTowardsAQuarantine) {
  ::setenv("OPKIT_HOSTILE", "kernel:abort", 1);
  const std::filesystem::path cache = testing::TempDir() + "crash_counts";
  std::filesystem::remove_all(cache);
  const registry::Quarantine quarantine(cache);
  OpenOptions options;
  options.load.probe_options.cache_dir = cache;
  std::string digest;
  for (uint32_t opened = 1; opened <= registry::Quarantine::kMost; ++opened) {
    const auto op = open_op(std::filesystem::path(OPKIT_HOSTILE_PACKAGE), options);
    ASSERT_TRUE(op.ok()) << op.error().to_string();
    digest = op->executor->digest();
    EXPECT_TRUE(quarantine.judge(digest).ok());
    for (int again = 0; again < 2; ++again) EXPECT_FALSE(op->executor->run(call(*op, 8)).ok());
    ASSERT_TRUE(quarantine.crashes(digest));
    EXPECT_EQ(quarantine.crashes(digest)->count, opened);
  }
  EXPECT_EQ(quarantine.judge(digest).error().code, "OPK-PLUGIN-014");
  ASSERT_TRUE(quarantine.release(digest));
  options.counts_crashes = false;
  const auto op = open_op(std::filesystem::path(OPKIT_HOSTILE_PACKAGE), options);
  ASSERT_TRUE(op.ok());
  EXPECT_FALSE(op->executor->run(call(*op, 8)).ok());
  EXPECT_FALSE(quarantine.crashes(digest));
}

struct Act {
  const char* said;  // OPKIT_HOSTILE
  const char* code;
  const char* words;  // stand in the message
};

void PrintTo(const Act& act, std::ostream* out) { *out << act.said; }

class HostileActs : public OutOfProcessTest, public testing::WithParamInterface<Act> {};

TEST_P(HostileActs, AreErrorsAndNothingElse) {
  ::setenv("OPKIT_HOSTILE", GetParam().said, 1);
  OpenOptions options;
  const bool waits = std::string(GetParam().code) == "OPK-WORKER-004";
  options.limits.time = std::chrono::milliseconds(waits ? 300 : 20'000);
  const auto op = open_op(std::filesystem::path(OPKIT_HOSTILE_PACKAGE), options);
  if (!op.ok()) {
    EXPECT_EQ(op.error().code, GetParam().code);
    EXPECT_THAT(op.error().message, HasSubstr(GetParam().words));
    return;
  }
  for (int again = 0; again < 2; ++again) {
    const auto ran = op->executor->run(call(*op, 1000));
    ASSERT_FALSE(ran.ok());
    EXPECT_EQ(ran.error().code, GetParam().code) << ran.error().to_string();
    EXPECT_THAT(ran.error().message, HasSubstr(GetParam().words));
    EXPECT_FALSE(ran.error().action.empty());
  }
}

const Act kActs[] = {
    {"constructor:raise", "OPK-WORKER-002", "a static initialiser"},
    {"constructor:exit", "OPK-WORKER-003", "code 0"},
    {"constructor:loop", "OPK-WORKER-004", "a static initialiser"},
    {"infer_shape:abort", "OPK-WORKER-002", "the InferShape function died with SIGABRT"},
    {"infer_shape:_exit", "OPK-WORKER-003", "the InferShape function"},
    {"tile:write_null", "OPK-WORKER-002", "a null pointer"},
    {"tile:exit", "OPK-WORKER-003", "code 0"},
    {"tile:loop", "OPK-WORKER-004", "the tiling function"},
    {"tile:throw", "OPK-TILE-004", "boom"},
    {"tile:blocks", "OPK-TILE-011", "4294967295"},
    {"tile:past_tiling", "OPK-TILE-006", "tiling data"},
    {"tile:workspace", "OPK-WORKER-009", "tensors and workspace"},
    {"tile:workspace_63", "OPK-TILE-007", "larger than any device memory"},
    {"kernel:raise", "OPK-WORKER-002", "SIGSEGV"},
    {"kernel:abort", "OPK-WORKER-002", "the kernel died with SIGABRT"},
    {"kernel:exit", "OPK-WORKER-003", "code 0"},
    {"kernel:_exit", "OPK-WORKER-003", "code 0"},
    {"kernel:throw", "OPK-WORKER-007", "std::runtime_error: boom"},
    {"kernel:throw_int", "OPK-WORKER-007", "int"},
    {"kernel:loop", "OPK-WORKER-004", "the kernel gave no answer"},
    {"kernel:stop", "OPK-WORKER-004", "the kernel gave no answer"},
    {"kernel:stack", "OPK-WORKER-002", "more than 1048576 bytes of stack"},
    {"kernel:recurse", "OPK-WORKER-002", "more than 1048576 bytes of stack"},
    {"kernel:write_null", "OPK-WORKER-002", "it wrote address 0x0, a null pointer"},
    {"kernel:divide", "OPK-WORKER-002", "SIGFPE"},
    {"kernel:far", "OPK-WORKER-002", "0x456789abc000"},
    {"kernel:trap", "OPK-WORKER-002", "SIGILL"},
    {"kernel:print", "OPK-WORKER-008", "printed without end"},
    {"kernel:close", "OPK-WORKER-003", "closed the descriptors"},
    {"kernel:past_output", "OPK-WORKER-005", "behind the end of output 'z' (of 4000 bytes)"},
    {"kernel:write_input", "OPK-WORKER-005", "byte 3 of input 'x'"},
    {"kernel:write_tiling", "OPK-WORKER-005", "byte 0 of the tiling data"},
};
INSTANTIATE_TEST_SUITE_P(All, HostileActs, testing::ValuesIn(kActs));

class HarmlessActs : public OutOfProcessTest, public testing::WithParamInterface<const char*> {};

// Shows that a confined plugin hurts nobody, and that the call goes on.
TEST_P(HarmlessActs, ReachNobody) {
  const std::string victim = testing::TempDir() + "hostile_victim" + std::to_string(::getpid());
  std::ofstream(victim) << "here";
  ::setenv("OPKIT_HOSTILE_VICTIM", victim.c_str(), 1);
  ::setenv("OPKIT_HOSTILE", GetParam(), 1);
  const OpenedOp op = open(false);
  if (!op.lacks.empty()) GTEST_SKIP() << op.lacks;
  const auto ran = op.executor->run(call(op, 1000));
  EXPECT_TRUE(ran.ok()) << ran.error().to_string();
  EXPECT_EQ(std::filesystem::file_size(victim), 4u);
}

INSTANTIATE_TEST_SUITE_P(All, HarmlessActs,
                         testing::Values("kernel:kill_parent", "kernel:kill_all", "kernel:files",
                                         "kernel:read_file", "constructor:read_file",
                                         "kernel:modes", "kernel:fork", "kernel:inputs",
                                         "tile:kill_parent", "tile:files",
                                         "constructor:kill_parent"));

class Hoards : public OutOfProcessTest, public testing::WithParamInterface<const char*> {};

// Whichever memory it is, and while output flows.
TEST_P(Hoards, AreEndedAndTheNextWorkerIsNotBlamed) {
  ::setenv("OPKIT_HOSTILE", GetParam(), 1);
  OpenOptions options;
  options.limits.memory = uint64_t{256} << 20;
  options.limits.time = std::chrono::seconds(60);
  const auto op = open_op(std::filesystem::path(OPKIT_HOSTILE_PACKAGE), options);
  ASSERT_TRUE(op.ok()) << op.error().to_string();
  const auto ran = op->executor->run(call(*op, 8));
  ASSERT_FALSE(ran.ok());
  EXPECT_EQ(ran.error().code, "OPK-WORKER-009") << ran.error().to_string();
  EXPECT_THAT(ran.error().message, HasSubstr("268435456 bytes"));
  ::unsetenv("OPKIT_HOSTILE");
  for (int again = 0; again < 2; ++again) {
    const auto right = op->executor->run(call(*op, 200000));
    ASSERT_TRUE(right.ok()) << right.error().to_string();
  }
}

INSTANTIATE_TEST_SUITE_P(All, Hoards,
                         testing::Values("tile:memory", "tile:memory_aloud", "tile:shared_memory",
                                         "tile:memory_file", "tile:arena"));

// Marks beside an output catch what no page does.
TEST_F(OutOfProcessTest, SeesWritesBesideAnOutput) {
  ::setenv("OPKIT_HOSTILE", "kernel:beside_output", 1);
  const OpenedOp op = open(false);
  const auto ran = op.executor->run(call(op, 100));
  ASSERT_FALSE(ran.ok());
  EXPECT_EQ(ran.error().code, "OPK-WORKER-010");
  EXPECT_THAT(ran.error().message, HasSubstr("8 bytes in front of output 'z'"));
}

TEST_F(OutOfProcessTest, WithoutTheWorkersProgramNothingRuns) {
  ::setenv("OPKIT_WORKER", "/nowhere/opkit-worker", 1);
  const auto op = open_op(std::filesystem::path(OPKIT_HOSTILE_PACKAGE));
  ::unsetenv("OPKIT_WORKER");
  ASSERT_FALSE(op.ok());
  EXPECT_EQ(op.error().code, "OPK-WORKER-001");
}

TEST_F(OutOfProcessTest, SaysTheLineAndTheBlock) {
  ::setenv("OPKIT_HOSTILE", "kernel:write_null", 1);
  const OpenedOp op = open(false);
  const auto ran = op.executor->run(call(op, 1000));
  ASSERT_FALSE(ran.ok());
  ASSERT_FALSE(ran.error().trail.empty());
  EXPECT_THAT(ran.error().trail[0], HasSubstr("hostile.h:"));
  EXPECT_THAT(ran.error().trail[0], HasSubstr("block 0"));
}

TEST_F(OutOfProcessTest, AResultOfAnEndedLaunchIsNotTakenForTheNext) {
  const OpenedOp op = open(false);
  ASSERT_TRUE(op.executor->run(call(op, 64)).ok());
  ::setenv("OPKIT_HOSTILE", "kernel:abort", 1);
  const OpenedOp other = open(false);
  EXPECT_FALSE(other.executor->run(call(other, 64)).ok());
  ::unsetenv("OPKIT_HOSTILE");
  const auto right = other.executor->run(call(other, 32));
  ASSERT_TRUE(right.ok());
  EXPECT_EQ(right->outputs[0][0].elements(), 32);
}

TEST_F(OutOfProcessTest, RefusesTensorsOfAnotherShapeThanPlanned) {
  const OpenedOp op = open(false);
  Invocation first = call(op, 64);
  auto plan = op.executor->plan(op.contract, "Ascend910B1", facts_of(op.contract, first.inputs));
  ASSERT_TRUE(plan.ok());
  Invocation other = call(op, 65);
  other.plan = *plan;
  EXPECT_EQ(op.executor->run(std::move(other)).error().code, "OPK-RUN-010");
}

}  // namespace
}  // namespace opkit::isolation
