#include "opkit_host/cpu_kernel.h"

#include <gmock/gmock.h>

#include <array>
#include <cstring>

#include "opkit/call/tiling/tile.h"
#include "sample_plugin.h"

namespace opkit {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

const opk_op_v1& cpu_op(const std::string& type) { return sample_op(type, OPKIT_HOST_CPU_KERNELS); }

// Returns what a kernel reported last.
std::string& fault() {
  static std::string text;
  return text;
}

void note_fault(opk_core*, const char* code, const char* text) {
  fault() = std::string(code) + ": " + text;
}

CallPort port(const std::string& name, const std::vector<TensorDesc>& tensors) {
  CallPort made{name, {}};
  for (const TensorDesc& desc : tensors) made.tensors.emplace_back(desc);
  return made;
}

OpCall plain_call(const std::string& type, int64_t elements = 3) {
  OpCall call;
  call.op_type = type;
  call.inputs = {port("x", {{"x", DType::kFloat32, Shape({elements}), Format::kND}})};
  call.outputs = {port("y", {{"y", DType::kFloat32, Shape({elements}), Format::kND}})};
  return call;
}

Result<TilingPlan> plan_of(const OpCall& call) {
  return tile(cpu_op(call.op_type), call, *find_soc("Ascend910B1")->spec, 0);
}

// Runs the plan's kernel on a core that has nothing but a place for faults.
std::string run(const TilingPlan& plan, std::vector<void*> args) {
  opk_isa_v1 isa{};
  isa.fault = note_fault;
  opk_core core{};
  core.isa = &isa;
  std::vector<std::byte> tiling = plan.data;
  args.push_back(nullptr);  // the workspace
  args.push_back(tiling.data());
  fault().clear();
  plan.kernel->aiv(&core, args.data());
  return fault();
}

std::string run_plain(const std::string& type) {
  const auto plan = plan_of(plain_call(type));
  EXPECT_TRUE(plan.ok());
  std::array<float, 3> x{1, 2, 3}, y{};
  return run(*plan, {x.data(), y.data()});
}

TEST(CpuKernels, AreOneBlockWithTheCallAsTilingData) {
  const auto plan = plan_of(plain_call("Doubles"));
  ASSERT_TRUE(plan.ok()) << plan.error().to_string();
  EXPECT_EQ(plan->block_dim, 1u);
  EXPECT_EQ(plan->key, 0u);
  EXPECT_EQ(plan->workspace_bytes(), 0u);
  EXPECT_EQ(plan->kernel->task_type, OPK_TASK_AICPU);
  EXPECT_EQ(plan->data, plan_of(plain_call("Doubles"))->data);
  EXPECT_NE(plan->data, plan_of(plain_call("Doubles", 4))->data);
  std::array<float, 3> x{1, -2, 0.25f}, y{};
  EXPECT_EQ(run(*plan, {x.data(), y.data()}), "");
  EXPECT_EQ(y, (std::array<float, 3>{2, -4, 0.5f}));
}

TEST(CpuKernels, LearnEverythingOfTheirCall) {
  OpCall call;
  call.op_type = "TellsItsCall";
  const TensorDesc half{"x", DType::kFloat16, Shape({2, 3}), Format::kND};
  const TensorDesc bits{"l", DType::kInt4, Shape({5}), Format::kND};
  call.inputs = {port("x", {half}), port("absent", {}), port("list", {bits, bits})};
  call.outputs = {port("y", {{"y", DType::kInt64, Shape(), Format::kND}})};
  call.attrs = {{"flag", true},
                {"count", int64_t{-5}},
                {"scale", 0.5},
                {"mode", std::string("round half up")},
                {"flags", std::vector<bool>{true, false}},
                {"sizes", std::vector<int64_t>{1, int64_t{1} << 40}},
                {"scales", std::vector<double>{1, 2.25}},
                {"names", std::vector<std::string>{"", "last"}}};
  const auto plan = plan_of(call);
  ASSERT_TRUE(plan.ok()) << plan.error().to_string();
  std::array<uint8_t, 16> x{11}, first{22}, second{33}, y{44};
  // A list of two tensors of one dim: 5 words in front of the addresses.
  std::array<uint64_t, 7> list{40,
                               1,
                               5,
                               1,
                               5,
                               reinterpret_cast<uint64_t>(first.data()),
                               reinterpret_cast<uint64_t>(second.data())};
  const std::string told = run(*plan, {x.data(), nullptr, list.data(), y.data()});
  EXPECT_EQ(told,
            "EK1607: Compute of TellsItsCall returned 1: in 0: 1[2,3,] of 12 bytes from 11; in 1: "
            "none; in 2: 29[5,] of 3 bytes from 22; in 3: 29[5,] of 3 bytes from 33; out 0: 9[] of "
            "8 bytes from 44; 1 -5 0.50 'round half up'; 2 1099511627776 2.25 'last'; other "
            "missing");
}

TEST(CpuKernels, FailWithTheirWords) {
  EXPECT_EQ(run_plain("Throws"),
            "EK1607: an exception left Compute of Throws: no memory for a table: before it threw");
  EXPECT_EQ(run_plain("Grows"),
            "EK1608: Compute of Grows gave output 0 the dims [7]; [3] were planned");
}

TEST(CpuKernels, OneClassServesAnOp) {
  EXPECT_EQ(cpu_op("Nobody").kernel_count, 0u);
  EXPECT_EQ(cpu_op("Doubles").kernel_count, 1u);
  const auto twice = plan_of(plain_call("Twice"));
  ASSERT_FALSE(twice.ok());
  EXPECT_THAT(twice.error().to_string(),
              AllOf(HasSubstr("OPK-TILE-003"), HasSubstr("OPK-HOST-011"),
                    HasSubstr("REGISTER_CPU_KERNEL names Twice more than once")));
}

TEST(CpuKernels, CallsThatAreTooLongAreRefused) {
  OpCall call = plain_call("Doubles");
  call.attrs = {{"table", std::vector<int64_t>(kTilingCapacity / 8, 1)}};
  const auto plan = plan_of(call);
  ASSERT_FALSE(plan.ok());
  EXPECT_THAT(plan.error().to_string(),
              AllOf(HasSubstr("OPK-HOST-012"), HasSubstr("the call's shapes and attributes take")));
}

}  // namespace
}  // namespace opkit
