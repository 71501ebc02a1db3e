// Executors that run again on other memory.
#include <gmock/gmock.h>

#include <array>

#include "opkit/acl/nn/nn_executor.h"
#include "opkit/acl/nn/nn_ops.h"
#include "tests/unit/acl/op_versions.h"

namespace opkit::acl {
namespace {

using ::testing::HasSubstr;

// AddRelu adds 1 to what it reads.
class NnAddresses : public OpVersions {
 protected:
  static constexpr size_t kBytes = 8 * sizeof(float);

  void SetUp() override {
    OpVersions::SetUp();
    install({.plugin = "adds_1"});
    for (size_t i = 0; i < memory_.size(); ++i) {
      ASSERT_EQ(aclrtMalloc(&memory_[i], kBytes, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
      fill(i, static_cast<float>(10 * i));
    }
    const int64_t dims[] = {8};
    for (size_t i = 0; i < 2; ++i)
      tensors_[i] =
          aclCreateTensor(dims, 1, ACL_FLOAT, nullptr, 0, ACL_FORMAT_ND, dims, 1, memory_[i]);
    const opkit_nn_argument_v1 arguments[] = {{OPKIT_NN_TENSOR, tensors_[0], 0, 0},
                                              {OPKIT_NN_TENSOR, tensors_[1], 0, 0}};
    uint64_t workspace = 0;
    ASSERT_EQ(opkit_nn_plan("AddRelu", arguments, 2, &workspace, &executor_), ACLNN_SUCCESS);
    ASSERT_EQ(aclSetAclOpExecutorRepeatable(executor_), ACLNN_SUCCESS);
  }
  void TearDown() override {
    EXPECT_EQ(aclDestroyAclOpExecutor(executor_), ACLNN_SUCCESS);
    for (aclTensor* tensor : tensors_) aclDestroyTensor(tensor);
    for (void* memory : memory_) aclrtFree(memory);
    OpVersions::TearDown();
  }
  void fill(size_t i, float value) {
    const std::vector<float> all(8, value);
    aclrtMemcpy(memory_[i], kBytes, all.data(), kBytes, ACL_MEMCPY_HOST_TO_DEVICE);
  }
  float shown(size_t i) const {
    float value = 0;
    aclrtMemcpy(&value, sizeof value, memory_[i], sizeof value, ACL_MEMCPY_DEVICE_TO_HOST);
    return value;
  }
  void run() {
    ASSERT_EQ(opkit_nn_run("AddRelu", nullptr, 0, executor_, nullptr), ACLNN_SUCCESS) << said();
    ASSERT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS) << said();
  }

  std::array<void*, 4> memory_ = {};
  std::array<aclTensor*, 2> tensors_ = {};
  aclOpExecutor* executor_ = nullptr;
};

TEST_F(NnAddresses, ACallGoesToTheMemoryThatItIsGiven) {
  run();
  EXPECT_EQ(shown(1), 1);
  ASSERT_EQ(aclSetInputTensorAddr(executor_, 0, tensors_[0], memory_[2]), ACLNN_SUCCESS);
  ASSERT_EQ(aclSetOutputTensorAddr(executor_, 0, tensors_[1], memory_[3]), ACLNN_SUCCESS);
  run();
  EXPECT_EQ(shown(3), 21);
  EXPECT_EQ(shown(1), 1) << "what was there before";
  void* address = nullptr;
  ASSERT_EQ(aclGetRawTensorAddr(tensors_[1], &address), ACLNN_SUCCESS);
  EXPECT_EQ(address, memory_[3]) << "the tensor has the address, too";
}

TEST_F(NnAddresses, InputsAndOutputsAreCountedTogether) {
  ASSERT_EQ(aclSetTensorAddr(executor_, 0, tensors_[0], memory_[3]), ACLNN_SUCCESS);
  ASSERT_EQ(aclSetTensorAddr(executor_, 1, tensors_[1], memory_[2]), ACLNN_SUCCESS);
  run();
  EXPECT_EQ(shown(2), 31);
  EXPECT_EQ(aclSetTensorAddr(executor_, 2, tensors_[1], memory_[2]), ACLNN_ERR_PARAM_INVALID);
  EXPECT_THAT(said(), HasSubstr("has no tensor number 2 there; count from 0"));
  EXPECT_EQ(aclSetInputTensorAddr(executor_, 1, tensors_[0], memory_[2]), ACLNN_ERR_PARAM_INVALID);
}

TEST_F(NnAddresses, NullsAndStrangersAreRefused) {
  EXPECT_EQ(aclSetTensorAddr(nullptr, 0, tensors_[0], memory_[2]), ACLNN_ERR_INNER_NULLPTR);
  EXPECT_THAT(said(), HasSubstr("without an executor"));
  EXPECT_EQ(aclSetTensorAddr(executor_, 0, nullptr, memory_[2]), ACLNN_ERR_INNER_NULLPTR);
  EXPECT_THAT(said(), HasSubstr("without a tensor"));
  EXPECT_EQ(aclSetDynamicTensorAddr(executor_, 0, 0, nullptr, memory_[2]), ACLNN_ERR_INNER_NULLPTR);
  EXPECT_THAT(said(), HasSubstr("without a list"));
  EXPECT_EQ(aclSetAclOpExecutorRepeatable(nullptr), ACLNN_ERR_INNER_NULLPTR);
  EXPECT_THAT(said(), HasSubstr("aclSetAclOpExecutorRepeatable of no executor"));
  EXPECT_EQ(aclDestroyAclOpExecutor(nullptr), ACLNN_ERR_INNER_NULLPTR);
  auto* const stranger = reinterpret_cast<aclTensor*>(&executor_);
  EXPECT_EQ(aclSetTensorAddr(executor_, 0, stranger, memory_[2]), ACLNN_ERR_PARAM_INVALID);
  EXPECT_THAT(said(), HasSubstr("is no aclTensor"));
  run();
  EXPECT_EQ(shown(1), 1) << "nothing was changed";
}

// What an executor of a call with a list, an absent optional input and an in-place output is.
TEST_F(NnAddresses, ListsAbsentInputsAndReplacedOnesHaveTheirPlaces) {
  const auto contract = OpContract::parse(
      "op: Gather2\nversion: \"1.0.0\"\ninputs:\n"
      "  xs: {dtype: float32, shape: \"N\", presence: dynamic}\n"
      "  bias: {dtype: float32, shape: \"N\", presence: optional}\n"
      "  acc: {dtype: float32, shape: \"N\"}\n"
      "outputs:\n  acc_out: {dtype: float32, shape: \"N\", inplace: acc}\n"
      "reference: {none: \"a test\"}\n",
      "op_contract.yaml");
  ASSERT_TRUE(contract.ok()) << contract.error().to_string();
  const auto served = nn_ops().find("AddRelu", "Ascend910B1");
  ASSERT_TRUE(served.ok()) << served.error().to_string();
  auto plan = std::make_shared<CallPlan>();
  plan->contract = &*contract;
  auto made = std::make_unique<aclOpExecutor>();
  made->op = served->op;
  made->plan = plan;
  made->arguments.inputs = {{{*tensors_[0], *tensors_[0]}, {}}, {}, {{*tensors_[0]}, {}}};
  made->arguments.outputs = {{{*tensors_[0]}, {}}};
  NnArguments& arguments = made->arguments;
  aclOpExecutor* const call = executors().add(std::move(made));
  const auto at = [](const NnPort& port, size_t i = 0) { return port.tensors[i].data; };
  const aclTensor* const items[] = {tensors_[0], tensors_[1]};
  aclTensorList* const list = aclCreateTensorList(items, 2);
  EXPECT_EQ(aclSetTensorAddr(call, 1, tensors_[1], memory_[2]), ACLNN_SUCCESS);
  EXPECT_EQ(at(arguments.inputs[0], 1), memory_[2]);
  EXPECT_EQ(aclSetTensorAddr(call, 2, tensors_[1], memory_[2]), ACLNN_ERR_PARAM_INVALID);
  EXPECT_THAT(said(), HasSubstr("was null in the first call"));
  EXPECT_EQ(aclSetTensorAddr(call, 3, tensors_[1], memory_[2]), ACLNN_SUCCESS);
  EXPECT_EQ(at(arguments.inputs[2]), memory_[2]);
  EXPECT_EQ(at(arguments.outputs[0]), memory_[2]) << "it takes the input's memory";
  EXPECT_EQ(aclSetTensorAddr(call, 4, tensors_[1], memory_[3]), ACLNN_SUCCESS);
  EXPECT_EQ(at(arguments.inputs[2]), memory_[3]);
  EXPECT_EQ(aclSetDynamicInputTensorAddr(call, 0, 0, list, memory_[3]), ACLNN_SUCCESS);
  EXPECT_EQ(at(arguments.inputs[0]), memory_[3]);
  EXPECT_EQ(aclSetDynamicTensorAddr(call, 0, 1, list, memory_[3]), ACLNN_SUCCESS);
  EXPECT_EQ(at(arguments.inputs[0], 1), memory_[3]);
  EXPECT_EQ(aclSetDynamicTensorAddr(call, 0, 2, list, memory_[3]), ACLNN_ERR_PARAM_INVALID);
  EXPECT_EQ(aclSetDynamicInputTensorAddr(call, 3, 0, list, memory_[3]), ACLNN_ERR_PARAM_INVALID);
  EXPECT_EQ(aclSetDynamicOutputTensorAddr(call, 0, 0, list, memory_[2]), ACLNN_SUCCESS);
  EXPECT_EQ(at(arguments.outputs[0]), memory_[2]);
  EXPECT_EQ(aclDestroyAclOpExecutor(call), ACLNN_SUCCESS);
  EXPECT_EQ(aclDestroyTensorList(list), ACLNN_SUCCESS);
  tensors_ = {};  // the list's
}

}  // namespace
}  // namespace opkit::acl
