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

namespace opkit::isolation {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Tensor numbers(int64_t n, double first) {
  Tensor tensor(DType::kFloat32, Shape({n}));
  for (int64_t i = 0; i < n; ++i) tensor.set(i, first + static_cast<double>(i));
  return tensor;
}

class OutOfProcessTest : public testing::Test {
 protected:
  void SetUp() override { ::unsetenv("OPKIT_HOSTILE"); }
  void TearDown() override { ::unsetenv("OPKIT_HOSTILE"); }

  static OpenedOp open(bool in_process) {
    OpenOptions options;
    options.in_process = in_process;
    options.limits.time = std::chrono::seconds(20);
    auto op = open_op(std::filesystem::path(OPKIT_HOSTILE_PACKAGE), options);
    EXPECT_TRUE(op.ok()) << op.error().to_string();
    return std::move(op).value();
  }

  static Invocation call(const OpenedOp& op, int64_t n) {
    Invocation call;
    call.contract = &op.contract;
    call.soc = "Ascend910B1";
    call.inputs = {{numbers(n, 1)}, {numbers(n, 5)}};
    return call;
  }
};

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
  ::unsetenv("OPKIT_HOSTILE");  // of workers to come
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

// Inputs of a call that is not small are made where the worker reads them, and its outputs stay
// where it wrote them, as long as somebody has them.
class LentMemory : public OutOfProcessTest {
 protected:
  static constexpr int64_t kMiddle = 100001;
  static constexpr int64_t kLarge = (int64_t{20} << 20) + 3;  // floats: 80 MiB, nothing round

  // Element i of x is i modulo 1000 and `more`; y is one.
  Invocation lazy(const OpenedOp& op, int64_t n, float more) {
    Invocation call;
    call.contract = &op.contract;
    call.soc = "Ascend910B1";
    for (const char* name : {"x", "y"})
      call.inputs.push_back({Tensor::reserved(DType::kFloat32, Shape({n}), name).value()});
    call.fill = [this, more](size_t port, size_t, Tensor& blank) {
      filled_.push_back(blank.data());
      std::span<float> to = blank.as<float>();
      for (size_t i = 0; i < to.size(); ++i)
        to[i] = port == 1 ? 1.0f : static_cast<float>(i % 1000) + more;
    };
    return call;
  }
  static void expect(const Execution& execution, float more) {
    const Tensor& z = execution.outputs[0][0];
    int64_t wrong = 0;
    for (int64_t i = 0; i < z.elements(); ++i)
      wrong += z.as<float>()[static_cast<size_t>(i)] !=
               static_cast<float>(static_cast<size_t>(i) % 1000) + more + 1;
    EXPECT_EQ(wrong, 0);
  }

  std::vector<std::byte*> filled_;
};

TEST_F(LentMemory, TensorsStayWhereTheWorkerSeesThem) {
  const OpenedOp op = open(false);
  auto one = op.executor->run(lazy(op, kLarge, 0));
  ASSERT_TRUE(one.ok()) << one.error().to_string();
  ASSERT_EQ(filled_.size(), 2u);
  EXPECT_EQ(one->inputs[0][0].data(), filled_[0]);
  EXPECT_EQ(one->inputs[1][0].data(), filled_[1]);
  // Calls that come meanwhile lie elsewhere, large ones and small ones.
  const auto other = op.executor->run(lazy(op, kLarge, 7));
  ASSERT_TRUE(other.ok()) << other.error().to_string();
  EXPECT_NE(filled_[2], filled_[0]);
  const auto small = op.executor->run(lazy(op, 100, 3));
  ASSERT_TRUE(small.ok()) << small.error().to_string();
  expect(*one, 0);
  expect(*other, 7);
  expect(*small, 3);
  // A copy is a tensor of its own.
  const Tensor copy = one->outputs[0][0];
  EXPECT_NE(copy.data(), one->outputs[0][0].data());
  const std::byte* first = filled_[0];
  one = Error("", "", "");  // gives its memory back
  const auto again = op.executor->run(lazy(op, kLarge, 1));
  ASSERT_TRUE(again.ok()) << again.error().to_string();
  expect(*again, 1);
  expect(*other, 7);
  EXPECT_EQ(filled_[filled_.size() - 2], first);  // in front of the one that is still kept
}

TEST_F(LentMemory, IsThatOfTheCallBeforeLast) {
  const OpenedOp op = open(false);
  std::set<const std::byte*> places;
  std::optional<Execution> kept;
  for (int i = 0; i < 20; ++i) {
    auto ran = op.executor->run(lazy(op, kMiddle, static_cast<float>(i)));
    ASSERT_TRUE(ran.ok()) << ran.error().to_string();
    if (kept) expect(*kept, static_cast<float>(i - 1));
    kept = std::move(ran).value();
    expect(*kept, static_cast<float>(i));
    places.insert(kept->outputs[0][0].data());
  }
  EXPECT_EQ(places.size(), 2u);
}

TEST_F(LentMemory, InputsThatAreThereAreTakenOver) {
  const OpenedOp op = open(false);
  Invocation call = lazy(op, kLarge, 0);
  fill_inputs(call);
  const std::byte* before = call.inputs[0][0].data();
  const auto ran = op.executor->run(std::move(call));
  ASSERT_TRUE(ran.ok()) << ran.error().to_string();
  expect(*ran, 0);
  EXPECT_NE(ran->inputs[0][0].data(), before);
  EXPECT_EQ(ran->inputs[0][0].as<float>()[1234], 234.0f);
}

TEST_F(LentMemory, AreFilledInThisProcessToo) {
  const OpenedOp op = open(true);
  const auto ran = op.executor->run(lazy(op, 5000, 2));
  ASSERT_TRUE(ran.ok()) << ran.error().to_string();
  expect(*ran, 2);
  EXPECT_EQ(filled_.size(), 2u);
}

// What is kept counts.
TEST_F(LentMemory, TogetherTakeNoMoreThanIsAllowed) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer's own memory would count";
#endif
  OpenOptions options;
  options.limits.time = std::chrono::seconds(20);
  options.limits.memory = uint64_t{400} << 20;
  const auto op = open_op(std::filesystem::path(OPKIT_HOSTILE_PACKAGE), options);
  ASSERT_TRUE(op.ok());
  {
    const auto one = op->executor->run(lazy(*op, kLarge, 0));
    ASSERT_TRUE(one.ok()) << one.error().to_string();
    const auto refused = op->executor->run(lazy(*op, kLarge, 0));
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, "OPK-WORKER-009");
  }
  const auto after = op->executor->run(lazy(*op, kLarge, 0));
  EXPECT_TRUE(after.ok()) << after.error().to_string();
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
  const char* words;  // in the message
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
    {"kernel:stack", "OPK-WORKER-002", "SIGSEGV"},
    {"kernel:recurse", "OPK-WORKER-002", "SIGSEGV"},
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
