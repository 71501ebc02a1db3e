// Planning without data, and one plan that is launched with many addresses.
#include "opkit/call/plan/call_plan.h"

#include <gmock/gmock.h>

#include <atomic>
#include <thread>

#include "double_op.h"
#include "opkit/call/plan/placed_call.h"

namespace opkit {
namespace {

using ::testing::HasSubstr;

std::atomic<int> tilings{0};

int32_t tile_and_count(const opk_call_v1* call, opk_tiling_v1* tiling) {
  ++tilings;
  const int64_t n = call->inputs[0]->tensors[0]->dims[0];
  const int64_t blocks = n > 4096 ? 48 : n / 64;
  tiling->block_dim = static_cast<uint32_t>(blocks);
  tiling->workspaces[0] = static_cast<uint64_t>(n) / 1024;
  tiling->workspace_count = 1;
  return OPK_OK;
}

CallFacts facts_for(int64_t n) {
  CallFacts facts;
  facts.inputs = {{{{"x", DType::kFloat32, Shape{n}, Format::kND}, {}}}};
  return facts;
}

TEST(CallPlan, ACallThatNoHostCouldHoldIsPlanned) {
  Op op(double_kernel);
  op.op.tile = tile_and_count;
  const int64_t n = int64_t{1} << 38;  // a tebibyte in, a tebibyte out
  const auto plan = plan_call(op.contract, op.op, soc(), facts_for(n));
  ASSERT_TRUE(plan.ok()) << plan.error().to_string();
  EXPECT_EQ(plan->tiling.block_dim, 48u);
  EXPECT_EQ(plan->tiling.kernel, &op.kernel);
  EXPECT_EQ(plan->output_layouts[0][0].storage(), (Shape{n}));
  const std::vector<CallBuffer> buffers = plan->buffers();
  ASSERT_EQ(buffers.size(), 3u);
  EXPECT_EQ(buffers[0].role, CallBuffer::Role::kInput);
  EXPECT_EQ(buffers[0].bytes, uint64_t{1} << 40);
  EXPECT_EQ(buffers[1].role, CallBuffer::Role::kOutput);
  EXPECT_EQ(buffers[1].bytes, uint64_t{1} << 40);
  EXPECT_EQ(buffers[2].role, CallBuffer::Role::kWorkspace);
  EXPECT_EQ(buffers[2].bytes, uint64_t{1} << 28);
}

TEST(CallPlan, OnePlanIsLaunchedFromSeveralThreadsAtManyAddresses) {
  Op op(double_kernel);
  op.op.tile = tile_and_count;
  tilings = 0;
  auto made = plan_call(op.contract, op.op, soc(), facts_for(256));
  ASSERT_TRUE(made.ok()) << made.error().to_string();
  const auto plan = std::make_shared<const CallPlan>(std::move(made).value());
  std::atomic<int> right{0};
  const auto work = [&](int number) {
    const opk_soc_v1 chip = to_abi(soc());
    core::Machine machine(chip, 1);
    for (int round = 0; round < 8; ++round) {
      Tensor x(DType::kFloat32, Shape{256}), y(DType::kFloat32, Shape{256});
      Tensor workspace(DType::kInt8, Shape{64});
      for (float& value : x.as<float>()) value = static_cast<float>(number * 8 + round);
      auto call = PlacedCall::place(plan, {{{x.data()}}, {{y.data()}}, workspace.data()});
      if (!call.ok() || !call->launch(machine).ok()) return;
      right += y.as<float>()[255] == static_cast<float>(2 * (number * 8 + round)) ? 1 : 0;
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(work, i);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(right, 32);
  EXPECT_EQ(tilings, 1);
}

TEST(CallPlan, AnInPlaceOutputTakesItsInputsBuffer) {
  std::string text = kDouble;
  const std::string plain = "y: {dtype: T, shape: [N], format: ND}";
  text.replace(text.find(plain), plain.size(), "y: {dtype: T, shape: [N], format: ND, inplace: x}");
  Op op(double_kernel, text.c_str());
  const auto plan = plan_call(op.contract, op.op, soc(), facts_for(64));
  ASSERT_TRUE(plan.ok()) << plan.error().to_string();
  const std::vector<CallBuffer> buffers = plan->buffers();
  ASSERT_EQ(buffers.size(), 1u);
  EXPECT_EQ(buffers[0].role, CallBuffer::Role::kOutput);
  EXPECT_EQ(buffers[0].replaces, std::optional<size_t>(0));
  Tensor x(DType::kFloat32, Shape{64});
  for (float& value : x.as<float>()) value = 3;
  auto call =
      PlacedCall::place(std::make_shared<const CallPlan>(*plan), {{}, {{x.data()}}, nullptr});
  ASSERT_TRUE(call.ok()) << call.error().to_string();
  OpRunner runner(soc(), 1);
  ASSERT_TRUE(call->launch(runner.machine()).ok());
  EXPECT_EQ(x.as<float>()[63], 6.0f);
}

// What a caller does to whom nobody told of it: x is no longer needed, and y lies there.
TEST(PlacedCall, AnOutputMayLieWhereAnInputLies) {
  const Op op(double_kernel);
  auto made = plan_call(op.contract, op.op, soc(), facts_for(256));
  ASSERT_TRUE(made.ok()) << made.error().to_string();
  const auto plan = std::make_shared<const CallPlan>(std::move(made).value());
  Tensor x(DType::kFloat32, Shape{256});
  for (size_t i = 0; i < 256; ++i) x.as<float>()[i] = static_cast<float>(i);
  auto call = PlacedCall::place(plan, {{{x.data()}}, {{x.data()}}, nullptr});
  ASSERT_TRUE(call.ok()) << call.error().to_string();
  ASSERT_EQ(call->gm().size(), 4u);
  EXPECT_TRUE(call->gm()[0].writable && call->gm()[0].defined && !call->gm()[0].output);
  EXPECT_TRUE(call->gm()[1].writable && call->gm()[1].defined && call->gm()[1].output);
  OpRunner runner(soc(), 1);
  ASSERT_TRUE(call->launch(runner.machine()).ok());
  for (size_t i = 0; i < 256; ++i) EXPECT_EQ(x.as<float>()[i], 2 * static_cast<float>(i));
}

TEST(CallPlan, ADimWithoutANumberIsRefused) {
  const Op op(double_kernel);
  const auto plan = plan_call(op.contract, op.op, soc(), facts_for(kUnknownDim));
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.error().code, "OPK-RUN-008");
  EXPECT_THAT(plan.error().message, HasSubstr("the shape of input 'x' is not known"));
}

TEST(CallPlan, AValueDependentInputBringsItsValues) {
  std::string text = kDouble;
  const std::string plain = "x: {dtype: T, shape: [N], format: ND}";
  text.replace(text.find(plain), plain.size(),
               "x: {dtype: T, shape: [N], format: ND, value_depend: true}");
  const Op op(double_kernel, text.c_str());
  const auto plan = plan_call(op.contract, op.op, soc(), facts_for(64));
  ASSERT_FALSE(plan.ok());
  EXPECT_EQ(plan.error().code, "OPK-RUN-007");
  EXPECT_THAT(plan.error().message, HasSubstr("256 bytes are needed, 0 are given"));
  const std::vector<PortTensors> inputs = {{Tensor(DType::kFloat32, Shape{64}, "x")}};
  const auto with = plan_call(op.contract, op.op, soc(), facts_of(op.contract, inputs));
  ASSERT_TRUE(with.ok()) << with.error().to_string();
  EXPECT_EQ(with->values[0][0].size_bytes(), 256u);
}

// Published kernels return where their workspace is null.
void doubles_with_a_workspace(opk_core* core, void* const* args) {
  if (args[2] != nullptr) double_kernel(core, args);
}

TEST(PlacedCall, AWorkspaceOfNoBytesHasAnAddress) {
  const Op op(doubles_with_a_workspace);
  auto made = plan_call(op.contract, op.op, soc(), facts_for(64));
  ASSERT_TRUE(made.ok()) << made.error().to_string();
  Tensor x(DType::kFloat32, Shape{64}), y(DType::kFloat32, Shape{64});
  x.as<float>()[63] = 3;
  auto call = PlacedCall::place(std::make_shared<const CallPlan>(std::move(made).value()),
                                {{{x.data()}}, {{y.data()}}, nullptr});
  ASSERT_TRUE(call.ok()) << call.error().to_string();
  OpRunner runner(soc(), 1);
  ASSERT_TRUE(call->launch(runner.machine()).ok());
  EXPECT_EQ(y.as<float>()[63], 6.0f);
}

TEST(PlacedCall, EveryTensorHasAnAddress) {
  const Op op(double_kernel);
  auto made = plan_call(op.contract, op.op, soc(), facts_for(64));
  ASSERT_TRUE(made.ok()) << made.error().to_string();
  const auto plan = std::make_shared<const CallPlan>(std::move(made).value());
  Tensor x(DType::kFloat32, Shape{64});
  const auto none = PlacedCall::place(plan, {{{x.data()}}, {}, nullptr});
  ASSERT_FALSE(none.ok());
  EXPECT_EQ(none.error().code, "OPK-RUN-009");
  EXPECT_THAT(none.error().message, HasSubstr("'y' is 1 tensors, 0 addresses are given"));
  const auto null = PlacedCall::place(plan, {{{x.data()}}, {{nullptr}}, nullptr});
  ASSERT_FALSE(null.ok());
  EXPECT_THAT(null.error().message, HasSubstr("'y' of 256 bytes has no address"));
}

TEST(OpRunner, TensorsThatThePlanIsNotOfAreRefused) {
  const Op op(double_kernel);
  auto made = plan_call(op.contract, op.op, soc(), facts_for(64));
  ASSERT_TRUE(made.ok()) << made.error().to_string();
  OpRunner runner(soc(), 1);
  const auto bound = runner.bind_memory(std::make_shared<const CallPlan>(std::move(made).value()),
                                        {{Tensor(DType::kFloat32, Shape{128})}});
  ASSERT_FALSE(bound.ok());
  EXPECT_EQ(bound.error().code, "OPK-RUN-010");
  EXPECT_THAT(bound.error().message, HasSubstr("input 'x' is float32 [128], planned is"));
}

}  // namespace
}  // namespace opkit
