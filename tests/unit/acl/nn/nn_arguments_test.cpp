// What tensors of an aclnn call may be: views that stay in their storage, outputs whose elements
// have places of their own, and no nulls.
#include "opkit/acl/nn/nn_arguments.h"
#include "opkit/acl/nn/nn_object.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <array>

#include "tests/unit/acl/op_versions.h"

namespace opkit::acl {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

struct View {
  std::vector<int64_t> dims, strides;
  int64_t offset = 0;
  std::vector<int64_t> storage = {64};
  aclFormat format = ACL_FORMAT_ND;
};

class NnViews : public OpVersions {
 protected:
  void SetUp() override {
    OpVersions::SetUp();
    install({.plugin = "adds_1"});
    ASSERT_EQ(aclrtMalloc(&memory_, 64 * sizeof(float), ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
    ASSERT_EQ(aclrtMalloc(&other_, 64 * sizeof(float), ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  }
  void TearDown() override {
    for (const aclTensor* tensor : tensors_) aclDestroyTensor(tensor);
    aclrtFree(memory_);
    aclrtFree(other_);
    OpVersions::TearDown();
  }

  aclTensor* tensor(const View& view, void* memory) {
    tensors_.push_back(aclCreateTensor(view.dims.data(), view.dims.size(), ACL_FLOAT,
                                       view.strides.data(), view.offset, view.format,
                                       view.storage.data(), view.storage.size(), memory));
    return tensors_.back();
  }
  // The error of reading the view as an input (as an output); none: "".
  std::string read_in(const View& view) { return read(tensor(view, memory_), whole()); }
  std::string read_out(const View& view) { return read(whole(), tensor(view, memory_)); }

  aclnnStatus plan(const aclTensor* in, const aclTensor* out) {
    const auto arguments = arguments_of(in, out);
    uint64_t workspace = 0;
    return opkit_nn_plan("AddRelu", arguments.data(), 2, &workspace, &executor_);
  }
  aclnnStatus run() { return opkit_nn_run("AddRelu", nullptr, 0, executor_, nullptr); }
  void expect_refused(const View& view, void* memory) {
    ASSERT_EQ(plan(tensor(view, memory), tensor({{8}, {1}}, memory)), ACLNN_SUCCESS) << said();
    EXPECT_EQ(run(), ACLNN_ERR_PARAM_INVALID);
    EXPECT_THAT(said(), HasSubstr("OPK-ACLNN-003"));
  }

  void *memory_ = nullptr, *other_ = nullptr;
  aclOpExecutor* executor_ = nullptr;

 private:
  using Arguments = std::array<opkit_nn_argument_v1, 2>;
  static Arguments arguments_of(const aclTensor* in, const aclTensor* out) {
    return {{{OPKIT_NN_TENSOR, in, 0, 0}, {OPKIT_NN_TENSOR, out, 0, 0}}};
  }
  static std::string read(const aclTensor* in, const aclTensor* out) {
    static const auto contract = OpContract::parse(
        "op: Relu2\nversion: \"1.0.0\"\ninputs:\n  x: {dtype: float32, shape: \"N\"}\n"
        "outputs:\n  y: {dtype: float32, shape: \"N\"}\nreference:\n"
        "  - {op: Relu, in: [x], out: y}\n",
        "op_contract.yaml");
    EXPECT_TRUE(contract.ok()) << contract.error().to_string();
    const auto arguments = arguments_of(in, out);
    const auto read = NnArguments::read(*contract, nn_objects(), arguments);
    return read.ok() ? "" : read.error().to_string();
  }
  aclTensor* whole() { return tensor({{8}, {1}}, other_); }
  std::vector<aclTensor*> tensors_;
};

TEST_F(NnViews, ANullThatIsNotOptionalIsAPointersError) {
  const View view{{4}, {1}};
  EXPECT_EQ(plan(nullptr, tensor(view, other_)), ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_THAT(said(), AllOf(HasSubstr("OPK-ACLNN-006"), HasSubstr("argument 'x' is null"),
                            HasSubstr("only optional inputs may be null")));
  EXPECT_EQ(plan(tensor(view, memory_), nullptr), ACLNN_ERR_PARAM_NULLPTR);
  const aclTensor *const gone = tensor(view, memory_), *const out = tensor(view, other_);
  ASSERT_EQ(aclDestroyTensor(gone), ACLNN_SUCCESS);
  EXPECT_EQ(plan(gone, out), ACLNN_ERR_PARAM_INVALID);
  EXPECT_THAT(said(), HasSubstr("OPK-ACLNN-002"));
}

// A program that did not look at the code of the first call is told why it has no executor.
TEST_F(NnViews, ANullExecutorRepeatsWhyThereIsNone) {
  const View view{{4}, {1}};
  ASSERT_EQ(plan(nullptr, tensor(view, other_)), ACLNN_ERR_PARAM_NULLPTR);
  executor_ = nullptr;
  EXPECT_EQ(run(), ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_THAT(said(),
              AllOf(HasSubstr("look at the code of the first call"),
                    HasSubstr("aclnnAddReluGetWorkspaceSize had failed: opkit: error 161001"),
                    HasSubstr("argument 'x' is null")));
  EXPECT_EQ(aclSetAclOpExecutorRepeatable(nullptr), ACLNN_ERR_INNER_NULLPTR);
  EXPECT_THAT(said(), HasSubstr("argument 'x' is null"));
  ASSERT_EQ(plan(tensor(view, memory_), tensor(view, other_)), ACLNN_SUCCESS) << said();
  EXPECT_EQ(aclDestroyAclOpExecutor(executor_), ACLNN_SUCCESS);
  executor_ = nullptr;
  EXPECT_EQ(run(), ACLNN_ERR_PARAM_NULLPTR);
  EXPECT_THAT(said(), AllOf(HasSubstr("was never made"), Not(HasSubstr("had failed"))));
}

TEST_F(NnViews, WhatIsRefusedIsAParametersError) {
  EXPECT_EQ(plan(tensor({{8}, {9}}, memory_), tensor({{8}, {1}}, other_)), ACLNN_SUCCESS)
      << "its last element is 63";
  EXPECT_EQ(aclDestroyAclOpExecutor(executor_), ACLNN_SUCCESS);
  EXPECT_EQ(plan(tensor({{8}, {1}}, memory_), tensor({{8}, {0}}, other_)), ACLNN_ERR_PARAM_INVALID);
  EXPECT_EQ(plan(tensor({{8}, {10}}, memory_), tensor({{8}, {1}}, other_)),
            ACLNN_ERR_PARAM_INVALID);
}

TEST_F(NnViews, OfNchwAreTakenAsNdAndOfNhwcAreNot) {
  const View images{{8}, {1}, 0, {64}, ACL_FORMAT_NCHW},
      panels{{8}, {1}, 0, {64}, ACL_FORMAT_FRACTAL_NZ};
  const View plain{{8}, {1}};
  EXPECT_EQ(plan(tensor(images, memory_), tensor(images, other_)), ACLNN_SUCCESS) << said();
  EXPECT_EQ(aclDestroyAclOpExecutor(executor_), ACLNN_SUCCESS);
  EXPECT_EQ(plan(tensor(panels, memory_), tensor(plain, other_)), ACLNN_ERR_PARAM_INVALID);
  EXPECT_THAT(said(), HasSubstr("float32/FRACTAL_NZ"));
  const View turned{{8}, {1}, 0, {64}, ACL_FORMAT_NHWC};
  EXPECT_EQ(plan(tensor(turned, memory_), tensor(plain, other_)), ACLNN_ERR_PARAM_INVALID);
  EXPECT_THAT(said(), HasSubstr("float32/NHWC"));
}

TEST_F(NnViews, AViewStaysInItsStorage) {
  EXPECT_EQ(read_in({{4, 8}, {16, 1}, 8}), "") << "63 is the last one";
  for (const View& view : {View{{4, 8}, {16, 1}, 9}, View{{4, 8}, {20, 1}}, View{{1}, {1}, 64},
                           View{{4, 8}, {8, 1}, 0, {4, 4}}, View{{2}, {1}, 0, {}}}) {
    EXPECT_THAT(read_in(view), AllOf(HasSubstr("OPK-ACLNN-007"), HasSubstr("ends at element")));
    EXPECT_THAT(read_out(view), HasSubstr("OPK-ACLNN-007"));
  }
  constexpr int64_t kFar = int64_t{1} << 60;
  for (const View& view : {View{{2}, {kFar * 4}}, View{{32, 2}, {kFar, 1}}, View{{1}, {1}, kFar}})
    EXPECT_THAT(read_in(view), HasSubstr("ends at no memory's element of storage [64]"));
  EXPECT_EQ(read_in({{0, 8}, {99, 99}, 0}), "") << "it has no elements";
}

TEST_F(NnViews, ElementsOfAnOutputHavePlacesOfTheirOwn) {
  for (const View& view : {View{{4, 8}, {0, 1}}, View{{4, 8}, {1, 0}}, View{{4}, {0}},
                           View{{4, 8}, {4, 1}}, View{{8, 4}, {1, 7}}}) {
    EXPECT_THAT(read_out(view),
                AllOf(HasSubstr("OPK-ACLNN-007"), HasSubstr("elements share places")));
    EXPECT_EQ(read_in(view), "") << "an input may repeat what it has";
  }
  for (const View& view : {View{{4, 8}, {1, 4}}, View{{1, 8}, {0, 1}}, View{{8, 4}, {1, 8}},
                           View{{2, 2, 2}, {1, 32, 4}}})
    EXPECT_EQ(read_out(view), "");
}

// The storage's dims are what the program says; its memory is what it has.
TEST_F(NnViews, AViewStaysInItsMemory) {
  expect_refused({{8}, {9}, 4, {68}}, memory_);  // the last one is in what aclrtMalloc adds
  void* const first = std::min(memory_, other_);
  const auto away = static_cast<float*>(std::max(memory_, other_)) - static_cast<float*>(first);
  expect_refused({{8}, {1}, away, {away + 64}}, first);  // an offset into another memory
  ASSERT_EQ(plan(tensor({{8}, {8}, 7}, memory_), tensor({{8}, {1}}, other_)), ACLNN_SUCCESS);
  EXPECT_EQ(run(), ACLNN_SUCCESS) << said();
  EXPECT_EQ(aclrtSynchronizeStream(nullptr), ACL_SUCCESS);
}

TEST_F(NnViews, ThereAreNoMoreElementsThanCanBeCounted) {
  constexpr int64_t kMany = int64_t{1} << 40;
  EXPECT_EQ(tensor({{kMany, kMany}, {0, 0}}, memory_), nullptr);
  EXPECT_THAT(said(), HasSubstr("a view of more than 2^62 elements"));
}

}  // namespace
}  // namespace opkit::acl
